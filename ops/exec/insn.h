/* SPDX-License-Identifier: Apache-2.0
 * Ztl instructions whose register is a run-time value: a switch over the constants that the
 * intrinsics ask for. Register r of a plan is tl(r+1).
 */
#ifndef ZTL_OPS_EXEC_INSN_H
#define ZTL_OPS_EXEC_INSN_H

#include "ops/exec/engines.h"

#define OPS_4(X, n)   X(n) X((n) + 1) X((n) + 2) X((n) + 3)
#define OPS_16(X, n)  OPS_4(X, n) OPS_4(X, (n) + 4) OPS_4(X, (n) + 8) OPS_4(X, (n) + 12)
#define OPS_32(X, n)  OPS_16(X, n) OPS_16(X, (n) + 16)
#define OPS_64(X, n)  OPS_32(X, n) OPS_32(X, (n) + 32)
#define OPS_256(X, n) OPS_64(X, n) OPS_64(X, (n) + 64) OPS_64(X, (n) + 128) OPS_64(X, (n) + 192)

/* The pair of registers reg and reg + 2^bit, for the four element widths; neighbours on different
 * engines. */
static inline void ops_insn_permute(unsigned width, unsigned bit, unsigned reg, unsigned long dims)
{
#define PAIR(w, name, b, r)                                                                        \
    case ((w) << 6 | (b) << 4 | (r)):                                                              \
        OPS_PERMUTE_TL((b) ? (r) : (r) >> 1, name, (r) + 1, (r) + (1 << (b)) + 1, dims);           \
        break;
#define EIGHT(w, name, b, i, j, k)                                                                 \
    PAIR(w, name, b, 0)                                                                            \
    PAIR(w, name, b, i)                                                                            \
    PAIR(w, name, b, j)                                                                            \
    PAIR(w, name, b, i + j)                                                                        \
    PAIR(w, name, b, k) PAIR(w, name, b, i + k) PAIR(w, name, b, j + k) PAIR(w, name, b, i + j + k)
#define WIDTH(w, name)                                                                             \
    EIGHT(w, name, 0, 2, 4, 8)                                                                     \
    EIGHT(w, name, 1, 1, 4, 8) EIGHT(w, name, 2, 1, 2, 8) EIGHT(w, name, 3, 1, 2, 4)
    switch (width << 6 | bit << 4 | reg) {
        WIDTH(0, b)
        WIDTH(1, h)
        WIDTH(2, w)
        WIDTH(3, d)
    }
#undef PAIR
#undef EIGHT
#undef WIDTH
}

/* tl1 += addend; and tl2 = value, both only known at run time. */
static inline void ops_insn_add(int addend)
{
#define X(i)                                                                                       \
    case (i)-128:                                                                                  \
        __riscv_ztl_addi_e(1, 1, (i)-128, ZTL_ENGINE_COMP);                                        \
        break;
    switch (addend) {
        OPS_256(X, 0)
    }
#undef X
}

static inline void ops_insn_constant(int value)
{
#define X(i)                                                                                       \
    case (i)-128:                                                                                  \
        __riscv_ztl_addi_e(2, 0, (i)-128, ZTL_ENGINE_COMP);                                        \
        break;
    switch (value) {
        OPS_256(X, 0)
    }
#undef X
}

#endif
