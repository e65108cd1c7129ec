/* SPDX-License-Identifier: Apache-2.0
 * Setting the strides of a group.
 */
#ifndef ZTL_OPS_EXEC_STRIDES_H
#define ZTL_OPS_EXEC_STRIDES_H

#include "ops/exec/insn.h"
#include "ops/format/plan.h"

#ifdef __riscv
/* A jump into the writes of all 32; a plan never has more. */
#define OPS_WRITE_STRIDE(csr, i, value)                                                            \
    case 32 - (i):                                                                                 \
        __riscv_ztl_csrw_##csr##_stride(31 - (i), value);                                          \
        __attribute__((fallthrough));
#define OPS_WRITE_load_LISTED(i)  OPS_WRITE_STRIDE(load, i, (long)stride[31 - (i)])
#define OPS_WRITE_load_EQUAL(i)   OPS_WRITE_STRIDE(load, i, value -= step)
#define OPS_WRITE_store_LISTED(i) OPS_WRITE_STRIDE(store, i, (long)stride[31 - (i)])
#define OPS_WRITE_store_EQUAL(i)  OPS_WRITE_STRIDE(store, i, value -= step)
#define OPS_SET_STRIDES(csr, stride, n, linear)                                                    \
    do {                                                                                           \
        if (n - 1 >= OPS_SLICES)                                                                   \
            __builtin_unreachable();                                                               \
        if (linear) {                                                                              \
            long step = (long)stride[1] - stride[0], value = stride[0] + (long)n * step;           \
            switch (n) {                                                                           \
                OPS_32(OPS_WRITE_##csr##_EQUAL, 0)                                                 \
            default:;                                                                              \
            }                                                                                      \
        } else {                                                                                   \
            switch (n) {                                                                           \
                OPS_32(OPS_WRITE_##csr##_LISTED, 0)                                                \
            default:;                                                                              \
            }                                                                                      \
        }                                                                                          \
    } while (0)
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
#define OPS_SET_BLOCKS(csr, stride, n, changes) __riscv_ztl_set_##csr##_strides(stride, n)
#endif

/* All strides of a vector, or only those that change. */
static inline __attribute__((always_inline)) void
ops_set_loads(const ops_pass *pass, const ops_vector *vector, uint32_t changes)
{
    const int32_t *stride = vector->stride;
    unsigned long n = pass->slices;
    if (changes == OPS_CHANGES_ALL)
        OPS_SET_STRIDES(load, stride, n, pass->strides & OPS_LINEAR_LOADS);
    else
        OPS_SET_BLOCKS(load, stride, n, changes);
}

static inline __attribute__((always_inline)) void
ops_set_stores(const ops_pass *pass, const ops_vector *vector, uint32_t changes)
{
    const int32_t *stride = vector->stride;
    unsigned long n = pass->slices;
    if (changes == OPS_CHANGES_ALL)
        OPS_SET_STRIDES(store, stride, n, pass->strides & OPS_LINEAR_STORES);
    else
        OPS_SET_BLOCKS(store, stride, n, changes);
}

#endif
