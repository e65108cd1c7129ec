/* SPDX-License-Identifier: Apache-2.0
 *
 * CSR intrinsics. Included by <ztl/intrin.h>.
 *
 * By number or constant (ZTL_CSR_TSHAPE, ZTL_CSR_LOAD_STRIDE + 5): csrr, csrw, csrs, csrc, and
 * csrrw, csrrs, csrrc, which also give the old value. By name: csrr_tshape() and so on. Stride
 * registers by index: csrw_load_stride(5, value). All but csrr write, whatever the value is.
 * Stride registers 0 to n-1 together: set_load_strides(array, n), set_load_strides_linear(...).
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

#define __riscv_ztl_csrr_tshape()       __riscv_ztl_csrr(ZTL_CSR_TSHAPE)
#define __riscv_ztl_csrw_tshape(value)  __riscv_ztl_csrw(ZTL_CSR_TSHAPE, value)
#define __riscv_ztl_csrs_tshape(value)  __riscv_ztl_csrs(ZTL_CSR_TSHAPE, value)
#define __riscv_ztl_csrc_tshape(value)  __riscv_ztl_csrc(ZTL_CSR_TSHAPE, value)
#define __riscv_ztl_csrrw_tshape(value) __riscv_ztl_csrrw(ZTL_CSR_TSHAPE, value)
#define __riscv_ztl_csrrs_tshape(value) __riscv_ztl_csrrs(ZTL_CSR_TSHAPE, value)
#define __riscv_ztl_csrrc_tshape(value) __riscv_ztl_csrrc(ZTL_CSR_TSHAPE, value)

#define __riscv_ztl_csrr_tl_transpose_perm()       __riscv_ztl_csrr(ZTL_CSR_PERM)
#define __riscv_ztl_csrw_tl_transpose_perm(value)  __riscv_ztl_csrw(ZTL_CSR_PERM, value)
#define __riscv_ztl_csrs_tl_transpose_perm(value)  __riscv_ztl_csrs(ZTL_CSR_PERM, value)
#define __riscv_ztl_csrc_tl_transpose_perm(value)  __riscv_ztl_csrc(ZTL_CSR_PERM, value)
#define __riscv_ztl_csrrw_tl_transpose_perm(value) __riscv_ztl_csrrw(ZTL_CSR_PERM, value)
#define __riscv_ztl_csrrs_tl_transpose_perm(value) __riscv_ztl_csrrs(ZTL_CSR_PERM, value)
#define __riscv_ztl_csrrc_tl_transpose_perm(value) __riscv_ztl_csrrc(ZTL_CSR_PERM, value)

#define __riscv_ztl_csrr_tl_xpose_config()       __riscv_ztl_csrr(ZTL_CSR_CONFIG)
#define __riscv_ztl_csrw_tl_xpose_config(value)  __riscv_ztl_csrw(ZTL_CSR_CONFIG, value)
#define __riscv_ztl_csrs_tl_xpose_config(value)  __riscv_ztl_csrs(ZTL_CSR_CONFIG, value)
#define __riscv_ztl_csrc_tl_xpose_config(value)  __riscv_ztl_csrc(ZTL_CSR_CONFIG, value)
#define __riscv_ztl_csrrw_tl_xpose_config(value) __riscv_ztl_csrrw(ZTL_CSR_CONFIG, value)
#define __riscv_ztl_csrrs_tl_xpose_config(value) __riscv_ztl_csrrs(ZTL_CSR_CONFIG, value)
#define __riscv_ztl_csrrc_tl_xpose_config(value) __riscv_ztl_csrrc(ZTL_CSR_CONFIG, value)

#define __riscv_ztl_csrr_tl_xpose_status()       __riscv_ztl_csrr(ZTL_CSR_STATUS)
#define __riscv_ztl_csrw_tl_xpose_status(value)  __riscv_ztl_csrw(ZTL_CSR_STATUS, value)
#define __riscv_ztl_csrs_tl_xpose_status(value)  __riscv_ztl_csrs(ZTL_CSR_STATUS, value)
#define __riscv_ztl_csrc_tl_xpose_status(value)  __riscv_ztl_csrc(ZTL_CSR_STATUS, value)
#define __riscv_ztl_csrrw_tl_xpose_status(value) __riscv_ztl_csrrw(ZTL_CSR_STATUS, value)
#define __riscv_ztl_csrrs_tl_xpose_status(value) __riscv_ztl_csrrs(ZTL_CSR_STATUS, value)
#define __riscv_ztl_csrrc_tl_xpose_status(value) __riscv_ztl_csrrc(ZTL_CSR_STATUS, value)

#define __riscv_ztl_csrr_tmask_concat_1()       __riscv_ztl_csrr(ZTL_CSR_MASK1)
#define __riscv_ztl_csrw_tmask_concat_1(value)  __riscv_ztl_csrw(ZTL_CSR_MASK1, value)
#define __riscv_ztl_csrs_tmask_concat_1(value)  __riscv_ztl_csrs(ZTL_CSR_MASK1, value)
#define __riscv_ztl_csrc_tmask_concat_1(value)  __riscv_ztl_csrc(ZTL_CSR_MASK1, value)
#define __riscv_ztl_csrrw_tmask_concat_1(value) __riscv_ztl_csrrw(ZTL_CSR_MASK1, value)
#define __riscv_ztl_csrrs_tmask_concat_1(value) __riscv_ztl_csrrs(ZTL_CSR_MASK1, value)
#define __riscv_ztl_csrrc_tmask_concat_1(value) __riscv_ztl_csrrc(ZTL_CSR_MASK1, value)

#define __riscv_ztl_csrr_tmask_concat_2()       __riscv_ztl_csrr(ZTL_CSR_MASK2)
#define __riscv_ztl_csrw_tmask_concat_2(value)  __riscv_ztl_csrw(ZTL_CSR_MASK2, value)
#define __riscv_ztl_csrs_tmask_concat_2(value)  __riscv_ztl_csrs(ZTL_CSR_MASK2, value)
#define __riscv_ztl_csrc_tmask_concat_2(value)  __riscv_ztl_csrc(ZTL_CSR_MASK2, value)
#define __riscv_ztl_csrrw_tmask_concat_2(value) __riscv_ztl_csrrw(ZTL_CSR_MASK2, value)
#define __riscv_ztl_csrrs_tmask_concat_2(value) __riscv_ztl_csrrs(ZTL_CSR_MASK2, value)
#define __riscv_ztl_csrrc_tmask_concat_2(value) __riscv_ztl_csrrc(ZTL_CSR_MASK2, value)

#define __riscv_ztl_csrr_tl_load_mask()       __riscv_ztl_csrr(ZTL_CSR_LOAD_MASK)
#define __riscv_ztl_csrw_tl_load_mask(value)  __riscv_ztl_csrw(ZTL_CSR_LOAD_MASK, value)
#define __riscv_ztl_csrs_tl_load_mask(value)  __riscv_ztl_csrs(ZTL_CSR_LOAD_MASK, value)
#define __riscv_ztl_csrc_tl_load_mask(value)  __riscv_ztl_csrc(ZTL_CSR_LOAD_MASK, value)
#define __riscv_ztl_csrrw_tl_load_mask(value) __riscv_ztl_csrrw(ZTL_CSR_LOAD_MASK, value)
#define __riscv_ztl_csrrs_tl_load_mask(value) __riscv_ztl_csrrs(ZTL_CSR_LOAD_MASK, value)
#define __riscv_ztl_csrrc_tl_load_mask(value) __riscv_ztl_csrrc(ZTL_CSR_LOAD_MASK, value)

#define __riscv_ztl_csrr_tl_store_mask()       __riscv_ztl_csrr(ZTL_CSR_STORE_MASK)
#define __riscv_ztl_csrw_tl_store_mask(value)  __riscv_ztl_csrw(ZTL_CSR_STORE_MASK, value)
#define __riscv_ztl_csrs_tl_store_mask(value)  __riscv_ztl_csrs(ZTL_CSR_STORE_MASK, value)
#define __riscv_ztl_csrc_tl_store_mask(value)  __riscv_ztl_csrc(ZTL_CSR_STORE_MASK, value)
#define __riscv_ztl_csrrw_tl_store_mask(value) __riscv_ztl_csrrw(ZTL_CSR_STORE_MASK, value)
#define __riscv_ztl_csrrs_tl_store_mask(value) __riscv_ztl_csrrs(ZTL_CSR_STORE_MASK, value)
#define __riscv_ztl_csrrc_tl_store_mask(value) __riscv_ztl_csrrc(ZTL_CSR_STORE_MASK, value)

#if ZTL_REVISION >= 2
#define __riscv_ztl_csrr_ttype()       __riscv_ztl_csrr(ZTL_CSR_TTYPE)
#define __riscv_ztl_csrw_ttype(value)  __riscv_ztl_csrw(ZTL_CSR_TTYPE, value)
#define __riscv_ztl_csrs_ttype(value)  __riscv_ztl_csrs(ZTL_CSR_TTYPE, value)
#define __riscv_ztl_csrc_ttype(value)  __riscv_ztl_csrc(ZTL_CSR_TTYPE, value)
#define __riscv_ztl_csrrw_ttype(value) __riscv_ztl_csrrw(ZTL_CSR_TTYPE, value)
#define __riscv_ztl_csrrs_ttype(value) __riscv_ztl_csrrs(ZTL_CSR_TTYPE, value)
#define __riscv_ztl_csrrc_ttype(value) __riscv_ztl_csrrc(ZTL_CSR_TTYPE, value)

#define __riscv_ztl_csrr_tmask_ls()       __riscv_ztl_csrr(ZTL_CSR_MASK_LS)
#define __riscv_ztl_csrw_tmask_ls(value)  __riscv_ztl_csrw(ZTL_CSR_MASK_LS, value)
#define __riscv_ztl_csrs_tmask_ls(value)  __riscv_ztl_csrs(ZTL_CSR_MASK_LS, value)
#define __riscv_ztl_csrc_tmask_ls(value)  __riscv_ztl_csrc(ZTL_CSR_MASK_LS, value)
#define __riscv_ztl_csrrw_tmask_ls(value) __riscv_ztl_csrrw(ZTL_CSR_MASK_LS, value)
#define __riscv_ztl_csrrs_tmask_ls(value) __riscv_ztl_csrrs(ZTL_CSR_MASK_LS, value)
#define __riscv_ztl_csrrc_tmask_ls(value) __riscv_ztl_csrrc(ZTL_CSR_MASK_LS, value)

#define __riscv_ztl_csrr_tl_load_width()       __riscv_ztl_csrr(ZTL_CSR_LOAD_WIDTH)
#define __riscv_ztl_csrw_tl_load_width(value)  __riscv_ztl_csrw(ZTL_CSR_LOAD_WIDTH, value)
#define __riscv_ztl_csrs_tl_load_width(value)  __riscv_ztl_csrs(ZTL_CSR_LOAD_WIDTH, value)
#define __riscv_ztl_csrc_tl_load_width(value)  __riscv_ztl_csrc(ZTL_CSR_LOAD_WIDTH, value)
#define __riscv_ztl_csrrw_tl_load_width(value) __riscv_ztl_csrrw(ZTL_CSR_LOAD_WIDTH, value)
#define __riscv_ztl_csrrs_tl_load_width(value) __riscv_ztl_csrrs(ZTL_CSR_LOAD_WIDTH, value)
#define __riscv_ztl_csrrc_tl_load_width(value) __riscv_ztl_csrrc(ZTL_CSR_LOAD_WIDTH, value)

#define __riscv_ztl_csrr_tl_store_width()       __riscv_ztl_csrr(ZTL_CSR_STORE_WIDTH)
#define __riscv_ztl_csrw_tl_store_width(value)  __riscv_ztl_csrw(ZTL_CSR_STORE_WIDTH, value)
#define __riscv_ztl_csrs_tl_store_width(value)  __riscv_ztl_csrs(ZTL_CSR_STORE_WIDTH, value)
#define __riscv_ztl_csrc_tl_store_width(value)  __riscv_ztl_csrc(ZTL_CSR_STORE_WIDTH, value)
#define __riscv_ztl_csrrw_tl_store_width(value) __riscv_ztl_csrrw(ZTL_CSR_STORE_WIDTH, value)
#define __riscv_ztl_csrrs_tl_store_width(value) __riscv_ztl_csrrs(ZTL_CSR_STORE_WIDTH, value)
#define __riscv_ztl_csrrc_tl_store_width(value) __riscv_ztl_csrrc(ZTL_CSR_STORE_WIDTH, value)

#define ZTL_INTRIN_STRIDE(index, access)                                                           \
    __extension__({                                                                                \
        ZTL_INTRIN_INDEX(index);                                                                   \
        access;                                                                                    \
    })
#define __riscv_ztl_csrr_load_stride(index)                                                        \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrr(ZTL_CSR_LOAD_STRIDE + (index)))
#define __riscv_ztl_csrw_load_stride(index, value)                                                 \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrw(ZTL_CSR_LOAD_STRIDE + (index), value))
#define __riscv_ztl_csrs_load_stride(index, value)                                                 \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrs(ZTL_CSR_LOAD_STRIDE + (index), value))
#define __riscv_ztl_csrc_load_stride(index, value)                                                 \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrc(ZTL_CSR_LOAD_STRIDE + (index), value))
#define __riscv_ztl_csrrw_load_stride(index, value)                                                \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrrw(ZTL_CSR_LOAD_STRIDE + (index), value))
#define __riscv_ztl_csrrs_load_stride(index, value)                                                \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrrs(ZTL_CSR_LOAD_STRIDE + (index), value))
#define __riscv_ztl_csrrc_load_stride(index, value)                                                \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrrc(ZTL_CSR_LOAD_STRIDE + (index), value))

#define __riscv_ztl_csrr_store_stride(index)                                                       \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrr(ZTL_CSR_STORE_STRIDE + (index)))
#define __riscv_ztl_csrw_store_stride(index, value)                                                \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrw(ZTL_CSR_STORE_STRIDE + (index), value))
#define __riscv_ztl_csrs_store_stride(index, value)                                                \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrs(ZTL_CSR_STORE_STRIDE + (index), value))
#define __riscv_ztl_csrc_store_stride(index, value)                                                \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrc(ZTL_CSR_STORE_STRIDE + (index), value))
#define __riscv_ztl_csrrw_store_stride(index, value)                                               \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrrw(ZTL_CSR_STORE_STRIDE + (index), value))
#define __riscv_ztl_csrrs_store_stride(index, value)                                               \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrrs(ZTL_CSR_STORE_STRIDE + (index), value))
#define __riscv_ztl_csrrc_store_stride(index, value)                                               \
    ZTL_INTRIN_STRIDE(index, __riscv_ztl_csrrc(ZTL_CSR_STORE_STRIDE + (index), value))

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

#endif
