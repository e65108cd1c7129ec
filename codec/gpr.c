/* SPDX-License-Identifier: Apache-2.0 */
#include "codec/gpr.h"

#include "codec/text.h"

static const char *const names[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                      "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                      "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                      "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

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
    return ztl_register_index(start, length, "x");
}
