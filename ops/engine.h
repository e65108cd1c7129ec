/* SPDX-License-Identifier: Apache-2.0
 * Ztl instructions whose register is a run-time value: a switch over the constants that the
 * intrinsics ask for. Register r of a plan is tl(r+1).
 */
#ifndef ZTL_OPS_ENGINE_H
#define ZTL_OPS_ENGINE_H

#include <ztl/intrin.h>

#define OPS_4(X, n)   X(n) X((n) + 1) X((n) + 2) X((n) + 3)
#define OPS_16(X, n)  OPS_4(X, n) OPS_4(X, (n) + 4) OPS_4(X, (n) + 8) OPS_4(X, (n) + 12)
#define OPS_32(X, n)  OPS_16(X, n) OPS_16(X, (n) + 16)
#define OPS_64(X, n)  OPS_32(X, n) OPS_32(X, (n) + 32)
#define OPS_256(X, n) OPS_64(X, n) OPS_64(X, (n) + 64) OPS_64(X, (n) + 128) OPS_64(X, (n) + 192)

/* The pairs of registers that differ in one bit, for the four element widths. */
static inline void ops_engine_permute(unsigned width, unsigned bit, unsigned reg,
                                      unsigned long dims)
{
#define PAIR(w, name, b, r)                                                                        \
    case ((w) << 6 | (b) << 4 | (r)):                                                              \
        __riscv_ztl_permute_##name((r) + 1, (r) + (1 << (b)) + 1, dims);                           \
        break;
#define BIT0(w, name)                                                                              \
    PAIR(w, name, 0, 0)                                                                            \
    PAIR(w, name, 0, 2)                                                                            \
    PAIR(w, name, 0, 4)                                                                            \
    PAIR(w, name, 0, 6)                                                                            \
    PAIR(w, name, 0, 8)                                                                            \
    PAIR(w, name, 0, 10)                                                                           \
    PAIR(w, name, 0, 12)                                                                           \
    PAIR(w, name, 0, 14)
#define BIT1(w, name)                                                                              \
    PAIR(w, name, 1, 0)                                                                            \
    PAIR(w, name, 1, 1)                                                                            \
    PAIR(w, name, 1, 4)                                                                            \
    PAIR(w, name, 1, 5)                                                                            \
    PAIR(w, name, 1, 8)                                                                            \
    PAIR(w, name, 1, 9)                                                                            \
    PAIR(w, name, 1, 12)                                                                           \
    PAIR(w, name, 1, 13)
#define BIT2(w, name)                                                                              \
    PAIR(w, name, 2, 0)                                                                            \
    PAIR(w, name, 2, 1)                                                                            \
    PAIR(w, name, 2, 2)                                                                            \
    PAIR(w, name, 2, 3)                                                                            \
    PAIR(w, name, 2, 8)                                                                            \
    PAIR(w, name, 2, 9)                                                                            \
    PAIR(w, name, 2, 10)                                                                           \
    PAIR(w, name, 2, 11)
#define BIT3(w, name)                                                                              \
    PAIR(w, name, 3, 0)                                                                            \
    PAIR(w, name, 3, 1)                                                                            \
    PAIR(w, name, 3, 2)                                                                            \
    PAIR(w, name, 3, 3)                                                                            \
    PAIR(w, name, 3, 4)                                                                            \
    PAIR(w, name, 3, 5)                                                                            \
    PAIR(w, name, 3, 6)                                                                            \
    PAIR(w, name, 3, 7)
#define WIDTH(w, name) BIT0(w, name) BIT1(w, name) BIT2(w, name) BIT3(w, name)
    switch (width << 6 | bit << 4 | reg) {
        WIDTH(0, b)
        WIDTH(1, h)
        WIDTH(2, w)
        WIDTH(3, d)
    }
#undef PAIR
#undef BIT0
#undef BIT1
#undef BIT2
#undef BIT3
#undef WIDTH
}

/* tl1 or tl2 = tl1 (source 1) or zero (source 0), plus a number that is only known now. */
static inline void ops_engine_add(int addend)
{
#define X(i)                                                                                       \
    case (i)-128:                                                                                  \
        __riscv_ztl_addi(1, 1, (i)-128);                                                           \
        break;
    switch (addend) {
        OPS_256(X, 0)
    }
#undef X
}

static inline void ops_engine_constant(int value)
{
#define X(i)                                                                                       \
    case (i)-128:                                                                                  \
        __riscv_ztl_addi(2, 0, (i)-128);                                                           \
        break;
    switch (value) {
        OPS_256(X, 0)
    }
#undef X
}

#endif
