/* SPDX-License-Identifier: Apache-2.0
 *
 * CSR intrinsics. Included by <ztl/intrin.h>.
 *
 * By number or constant (ZTL_CSR_TSHAPE, ZTL_CSR_LOAD_STRIDE + 5): csrr, csrw, csrs, csrc, and
 * csrrw, csrrs, csrrc, which also give the old value. By name, in <ztl/intrin/names.h>:
 * csrr_tshape() and so on. Stride registers by index: csrw_load_stride(5, value). All but csrr
 * write, whatever the value is. Stride registers 0 to n-1 together: set_load_strides(array, n),
 * set_load_strides_linear(...).
 */
#ifndef ZTL_INTRIN_CSR_H
#define ZTL_INTRIN_CSR_H

#define __riscv_ztl_csrr(csr)         ZTL_INTRIN_CSR_READ(csr)
#define __riscv_ztl_csrw(csr, value)  ZTL_INTRIN_CSR_WRITE(csr, value)
#define __riscv_ztl_csrs(csr, value)  ((void)ZTL_INTRIN_CSR_SET(csr, value))
#define __riscv_ztl_csrc(csr, value)  ((void)ZTL_INTRIN_CSR_CLEAR(csr, value))
#define __riscv_ztl_csrrw(csr, value) ZTL_INTRIN_CSR_SWAP(csr, value)
#define __riscv_ztl_csrrs(csr, value) ZTL_INTRIN_CSR_SET(csr, value)
#define __riscv_ztl_csrrc(csr, value) ZTL_INTRIN_CSR_CLEAR(csr, value)

#define ZTL_INTRIN_STRIDE(index, access)                                                           \
    __extension__({                                                                                \
        ZTL_INTRIN_INDEX(index);                                                                   \
        access;                                                                                    \
    })
#if ZTL_REVISION >= 2
/* n = 0 to 32, at run time too: more abort the program, on RISC-V by the compiler's trap. */
#define __riscv_ztl_set_load_strides(strides, n)                                                   \
    ZTL_INTRIN_SET_STRIDES(load, LOAD, strides, ZTL_INTRIN_STRIDES(n))
#define __riscv_ztl_set_store_strides(strides, n)                                                  \
    ZTL_INTRIN_SET_STRIDES(store, STORE, strides, ZTL_INTRIN_STRIDES(n))
#define __riscv_ztl_set_load_strides_linear(start, step, n)                                        \
    ZTL_INTRIN_SET_LINEAR(load, LOAD, start, step, ZTL_INTRIN_STRIDES(n))
#define __riscv_ztl_set_store_strides_linear(start, step, n)                                       \
    ZTL_INTRIN_SET_LINEAR(store, STORE, start, step, ZTL_INTRIN_STRIDES(n))

#endif

#ifdef ZTL_INTRIN_SHORT_NAMES
#define tl_csrr(...)  __riscv_ztl_csrr(__VA_ARGS__)
#define tl_csrw(...)  __riscv_ztl_csrw(__VA_ARGS__)
#define tl_csrs(...)  __riscv_ztl_csrs(__VA_ARGS__)
#define tl_csrc(...)  __riscv_ztl_csrc(__VA_ARGS__)
#define tl_csrrw(...) __riscv_ztl_csrrw(__VA_ARGS__)
#define tl_csrrs(...) __riscv_ztl_csrrs(__VA_ARGS__)
#define tl_csrrc(...) __riscv_ztl_csrrc(__VA_ARGS__)

#define tl_set_load_strides(...)         __riscv_ztl_set_load_strides(__VA_ARGS__)
#define tl_set_store_strides(...)        __riscv_ztl_set_store_strides(__VA_ARGS__)
#define tl_set_load_strides_linear(...)  __riscv_ztl_set_load_strides_linear(__VA_ARGS__)
#define tl_set_store_strides_linear(...) __riscv_ztl_set_store_strides_linear(__VA_ARGS__)
#endif

#endif
