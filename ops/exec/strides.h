/* SPDX-License-Identifier: Apache-2.0
 * Setting the strides of a group.
 */
#ifndef ZTL_OPS_EXEC_STRIDES_H
#define ZTL_OPS_EXEC_STRIDES_H

#include "ops/exec/insn.h"
#include "ops/format/plan.h"

#ifdef __riscv
/* A jump into the writes of all 32 strides, n of them before the end; each is two instructions of
 * four bytes, and a plan never has more. A switch would look for its way much longer. */
#define OPS_WRITE_4(i, WRITE) WRITE(i) WRITE(i - 1) WRITE(i - 2) WRITE(i - 3)
#define OPS_WRITE_16(i, WRITE)                                                                     \
    OPS_WRITE_4(i, WRITE)                                                                          \
    OPS_WRITE_4(i - 4, WRITE) OPS_WRITE_4(i - 8, WRITE) OPS_WRITE_4(i - 12, WRITE)
#define OPS_WRITE_LISTED(i) "lw %[value], 4 * (" #i ")(%[from])\ncsrw %[csr] + (" #i "), %[value]\n"
#define OPS_WRITE_EQUAL(i)  "sub %[value], %[value], %[from]\ncsrw %[csr] + (" #i "), %[value]\n"
#define OPS_WRITE_LAST(n, WRITE, first, in_value, in_from)                                         \
    do {                                                                                           \
        unsigned long jump, value = (unsigned long)(in_value);                                     \
        __asm__ volatile(                                                                          \
            ".option push\n.option norvc\n"                                                        \
            "lla %[jump], 1f\n"                                                                    \
            "sub %[jump], %[jump], %[bytes]\n"                                                     \
            "jr %[jump]\n" OPS_WRITE_16(31, WRITE) OPS_WRITE_16(15, WRITE) "1:\n"                  \
                                                                           ".option pop"           \
            : [jump] "=&r"(jump), [value] "+&r"(value)                                             \
            : [bytes] "r"(8 * (unsigned long)(n)), [from] "r"(in_from), [csr] "i"(first)           \
            : "memory");                                                                           \
    } while (0)
#define OPS_CSR_load  ZTL_CSR_LOAD_STRIDE
#define OPS_CSR_store ZTL_CSR_STORE_STRIDE
#define OPS_SET_STRIDES(csr, stride, n, linear)                                                    \
    do {                                                                                           \
        if (n == 1) {                                                                              \
            __riscv_ztl_csrw_##csr##_stride(0, (long)stride[0]);                                   \
        } else if (linear) {                                                                       \
            long step = (long)stride[1] - stride[0];                                               \
            OPS_WRITE_LAST(n, OPS_WRITE_EQUAL, OPS_CSR_##csr, stride[0] + (long)(n)*step, step);   \
        } else {                                                                                   \
            OPS_WRITE_LAST(n, OPS_WRITE_LISTED, OPS_CSR_##csr, 0, stride);                         \
        }                                                                                          \
    } while (0)
#define OPS_WRITE_ALL(csr, stride, n) OPS_WRITE_LAST(n, OPS_WRITE_LISTED, OPS_CSR_##csr, 0, stride)
#define OPS_WRITE_BLOCK(csr, n)                                                                    \
    do {                                                                                           \
        __riscv_ztl_csrw_##csr##_stride(n, (long)stride[n]);                                       \
        __riscv_ztl_csrw_##csr##_stride((n) + 1, (long)stride[(n) + 1]);                           \
        __riscv_ztl_csrw_##csr##_stride((n) + 2, (long)stride[(n) + 2]);                           \
        __riscv_ztl_csrw_##csr##_stride((n) + 3, (long)stride[(n) + 3]);                           \
        __riscv_ztl_csrw_##csr##_stride((n) + 4, (long)stride[(n) + 4]);                           \
        __riscv_ztl_csrw_##csr##_stride((n) + 5, (long)stride[(n) + 5]);                           \
        __riscv_ztl_csrw_##csr##_stride((n) + 6, (long)stride[(n) + 6]);                           \
        __riscv_ztl_csrw_##csr##_stride((n) + 7, (long)stride[(n) + 7]);                           \
    } while (0)
#define OPS_SET_BLOCKS(csr, stride, n, changes)                                                    \
    do {                                                                                           \
        if (changes & 1)                                                                           \
            OPS_WRITE_BLOCK(csr, 0);                                                               \
        if (changes & 2)                                                                           \
            OPS_WRITE_BLOCK(csr, 8);                                                               \
        if (changes & 4)                                                                           \
            OPS_WRITE_BLOCK(csr, 16);                                                              \
        if (changes & 8)                                                                           \
            OPS_WRITE_BLOCK(csr, 24);                                                              \
    } while (0)
#else
#define OPS_SET_STRIDES(csr, stride, n, linear)                                                    \
    do {                                                                                           \
        (void)(linear);                                                                            \
        __riscv_ztl_set_##csr##_strides(stride, n);                                                \
    } while (0)
#define OPS_WRITE_ALL(csr, stride, n)           __riscv_ztl_set_##csr##_strides(stride, n)
#define OPS_SET_BLOCKS(csr, stride, n, changes) __riscv_ztl_set_##csr##_strides(stride, n)
#endif

/* All strides of a vector. */
static inline __attribute__((always_inline)) void ops_set_loads(const ops_pass *pass,
                                                                const ops_vector *vector)
{
    const int32_t *stride = vector->stride;
    unsigned long n = pass->slices;
    OPS_SET_STRIDES(load, stride, n, pass->strides & OPS_LINEAR_LOADS);
}

static inline __attribute__((always_inline)) void ops_set_stores(const ops_pass *pass,
                                                                 const ops_vector *vector)
{
    const int32_t *stride = vector->stride;
    unsigned long n = pass->slices;
    OPS_SET_STRIDES(store, stride, n, pass->strides & OPS_LINEAR_STORES);
}

/* Those that a later group changes; vectors of several groups are seldom of equal steps. */
static inline __attribute__((always_inline)) void
ops_change_loads(const ops_pass *pass, const ops_vector *vector, uint32_t changes)
{
    const int32_t *stride = vector->stride;
    if (changes == OPS_CHANGES_ALL)
        OPS_WRITE_ALL(load, stride, pass->slices);
    else
        OPS_SET_BLOCKS(load, stride, pass->slices, changes);
}

static inline __attribute__((always_inline)) void
ops_change_stores(const ops_pass *pass, const ops_vector *vector, uint32_t changes)
{
    const int32_t *stride = vector->stride;
    if (changes == OPS_CHANGES_ALL)
        OPS_WRITE_ALL(store, stride, pass->slices);
    else
        OPS_SET_BLOCKS(store, stride, pass->slices, changes);
}

#endif
