/* SPDX-License-Identifier: Apache-2.0
 * The tables of register names, by number and by text.
 */
#include "codec/gpr.h"

#include "codec/text.h"

static const char *const names[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                      "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                      "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                      "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

/* A register by its number, as in x5; -1 where there is none. */
static int numbered(const char *start, size_t length, const char *prefix)
{
    int index = ztl_register_index(start, length, prefix);
    return index < 32 ? index : -1;
}

const char *ztl_gpr_name(unsigned index)
{
    return index < 32 ? names[index] : "";
}

int ztl_gpr_index(const char *start, size_t length)
{
    for (int i = 0; i < 32; i++)
        if (ztl_exact_word(start, length, names[i]))
            return i;
    if (ztl_exact_word(start, length, "fp"))
        return 8;
    return numbered(start, length, "x");
}

static const char *const float_names[32] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

const char *ztl_fpr_name(unsigned index)
{
    return index < 32 ? float_names[index] : "";
}

int ztl_fpr_index(const char *start, size_t length)
{
    for (int i = 0; i < 32; i++)
        if (ztl_exact_word(start, length, float_names[i]))
            return i;
    return numbered(start, length, "f");
}
