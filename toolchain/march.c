/* SPDX-License-Identifier: Apache-2.0 */
#include "toolchain/march.h"

#include <stdio.h>
#include <string.h>

#include <ztl/isa.h>

#include "codec/text.h"

typedef struct part {
    const char *start;
    size_t length;
} part;

/* The revision that the version of a Ztl part names, 0 for a version that there is not. */
static unsigned version_of(part version)
{
    if (version.length == 0)
        return 2;
    if (ztl_exact_word(version.start, version.length, "1p0"))
        return 1;
    return ztl_exact_word(version.start, version.length, "2p0") ? 2 : 0;
}

static bool is_ztl(part p)
{
    return p.length >= 3 && !strncmp(p.start, "ztl", 3);
}

/* The letter of a sub-extension: its index, or -1. */
static int subset_index(char letter)
{
    for (size_t i = 0; i < ZTL_SUBSETS; i++)
        if (ztl_subset_letter(i) == letter)
            return (int)i;
    return -1;
}

static bool take_ztl(part p, unsigned *revision, char *error, size_t error_size)
{
    part version = {p.start + 3, p.length - 3};
    int subset = version.length ? subset_index(version.start[0]) : -1;
    if (subset >= 0)
        version = (part){version.start + 1, version.length - 1};
    unsigned found = version_of(version);
    if (!found) {
        snprintf(error, error_size, "'%.*s' is no Ztl extension; as in ztl, ztlx1p0, ztlm2p0",
                 (int)p.length, p.start);
        return false;
    }
    if (subset >= 0 && !ztl_subset_in((size_t)subset, found)) {
        snprintf(error, error_size, "'%.*s': Ztl %u has no such sub-extension", (int)p.length,
                 p.start, found);
        return false;
    }
    if (*revision && *revision != found) {
        snprintf(error, error_size, "'%.*s': Ztl 1 and Ztl 2 cannot be mixed", (int)p.length,
                 p.start);
        return false;
    }
    *revision = found;
    return true;
}

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

bool ztl_march_split(const char *isa, ztl_march *out, char *error, size_t error_size)
{
    *out = (ztl_march){0};
    if (strlen(isa) >= ZTL_MARCH_SIZE) {
        snprintf(error, error_size, "the ISA string is longer than %d characters",
                 ZTL_MARCH_SIZE - 1);
        return false;
    }
    for (const char *at = isa; *at;) {
        part p = {at, strcspn(at, "_")};
        at += p.length + (at[p.length] == '_');
        if (is_ztl(p)) {
            if (!take_ztl(p, &out->revision, error, error_size))
                return false;
            continue;
        }
        append(out->base, p);
        if (!*out->plain)
            append(out->plain, p);
        if (!granted_by_clang(p))
            append(out->llvm, p);
    }
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
