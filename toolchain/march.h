/* SPDX-License-Identifier: Apache-2.0
 * ISA strings, as the tools that know no Ztl may see them.
 */
#ifndef ZTL_TOOLCHAIN_MARCH_H
#define ZTL_TOOLCHAIN_MARCH_H

#include <stdbool.h>
#include <stddef.h>

#include <ztl/error.h>

enum { ZTL_MARCH_SIZE = 256 };

typedef struct ztl_march {
    char base[ZTL_MARCH_SIZE];  /* without the Ztl parts */
    char plain[ZTL_MARCH_SIZE]; /* the single letters only: picks GNU's multilib directory */
    char llvm[ZTL_MARCH_SIZE];  /* base without the parts that clang 14 takes for granted */
    unsigned revision;          /* 1 or 2; 0 when there is no Ztl in it */
} ztl_march;

/* Splits rv64imac_zicsr_ztl1p0. False and a message when the Ztl parts are wrong; the rest is for
 * the compiler to judge. */
bool ztl_march_split(const char *isa, ztl_march *out, ztl_error *error);

/* The calling convention that goes with an ISA string: lp64, lp64d, ilp32 … */
const char *ztl_march_abi(const char *isa);

#endif
