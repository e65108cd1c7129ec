/* SPDX-License-Identifier: Apache-2.0
 * Taking the parts of Ztl out of an ISA string; the ABI that follows from it.
 */
#include "toolchain/march.h"

#include <stdio.h>
#include <string.h>

#include "codec/isa_part.h"
#include "host/error.h"

typedef struct part {
    const char *start;
    size_t length;
} part;

/* Extensions that clang 14 always has and does not know by name. */
static bool granted_by_clang(part p)
{
    return ztl_exact_word(p.start, p.length, "zicsr") ||
           ztl_exact_word(p.start, p.length, "zifencei");
}

static void append(char *to, part p)
{
    size_t length = strlen(to);
    snprintf(to + length, ZTL_MARCH_SIZE - length, "%s%.*s", length ? "_" : "", (int)p.length,
             p.start);
}

bool ztl_march_split(const char *isa, ztl_march *out, ztl_error *error)
{
    *out = (ztl_march){0};
    if (strlen(isa) >= ZTL_MARCH_SIZE)
        return ztl_fail(error, "the ISA string is longer than %d characters", ZTL_MARCH_SIZE - 1);
    ztl_isa_part ztl = {0};
    ztl_text problem = ztl_text_error(error);
    for (const char *at = isa; *at;) {
        part p = {at, strcspn(at, "_")};
        at += p.length + (at[p.length] == '_');
        if (ztl_isa_part_is_ours(p.start, p.length)) {
            if (!ztl_isa_part_add(&ztl, p.start, p.length, &problem))
                return false;
            continue;
        }
        append(out->base, p);
        if (!*out->plain)
            append(out->plain, p);
        if (!granted_by_clang(p))
            append(out->llvm, p);
    }
    out->revision = ztl.revision;
    return true;
}

const char *ztl_march_abi(const char *isa)
{
    bool rv32 = !strncmp(isa, "rv32", 4);
    size_t letters = strcspn(isa, "_");
    for (size_t i = 4; i < letters; i++) {
        if (isa[i] == 'e')
            return "ilp32e";
        if (isa[i] == 'd' || isa[i] == 'g')
            return rv32 ? "ilp32d" : "lp64d";
    }
    return memchr(isa, 'f', letters) ? (rv32 ? "ilp32f" : "lp64f") : (rv32 ? "ilp32" : "lp64");
}
