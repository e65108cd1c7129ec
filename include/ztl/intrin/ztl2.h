/* SPDX-License-Identifier: Apache-2.0
 * The intrinsics of Ztl 2. Included by <ztl/intrin.h>.
 */
#ifndef ZTL_INTRIN_ZTL2_H
#define ZTL_INTRIN_ZTL2_H

/* Slices between memory and a register: (register, base, imm); imm counts slices. */
#define __riscv_ztl_load(td, base, imm)   __riscv_ztl_load_e(td, base, imm, 0)
#define __riscv_ztl_mload(td, base, imm)  __riscv_ztl_mload_e(td, base, imm, 0)
#define __riscv_ztl_store(ts, base, imm)  __riscv_ztl_store_e(ts, base, imm, 0)
#define __riscv_ztl_mstore(ts, base, imm) __riscv_ztl_mstore_e(ts, base, imm, 0)

#define __riscv_ztl_load_e(td, base, imm, engine)   ZTL_INTRIN_LOAD(LOAD, td, base, imm, engine)
#define __riscv_ztl_mload_e(td, base, imm, engine)  ZTL_INTRIN_LOAD(MLOAD, td, base, imm, engine)
#define __riscv_ztl_store_e(ts, base, imm, engine)  ZTL_INTRIN_STORE(STORE, ts, base, imm, engine)
#define __riscv_ztl_mstore_e(ts, base, imm, engine) ZTL_INTRIN_STORE(MSTORE, ts, base, imm, engine)

/* Positions of two blocks along dimension 0, 1 or 2: (td, ts1, ts2). */
#define __riscv_ztl_concat_0(td, ts1, ts2) __riscv_ztl_concat_0_e(td, ts1, ts2, 0)
#define __riscv_ztl_concat_1(td, ts1, ts2) __riscv_ztl_concat_1_e(td, ts1, ts2, 0)
#define __riscv_ztl_concat_2(td, ts1, ts2) __riscv_ztl_concat_2_e(td, ts1, ts2, 0)
#define __riscv_ztl_merge_0(td, ts1, ts2)  __riscv_ztl_merge_0_e(td, ts1, ts2, 0)
#define __riscv_ztl_merge_1(td, ts1, ts2)  __riscv_ztl_merge_1_e(td, ts1, ts2, 0)
#define __riscv_ztl_merge_2(td, ts1, ts2)  __riscv_ztl_merge_2_e(td, ts1, ts2, 0)

#define __riscv_ztl_concat_0_e(td, ts1, ts2, engine) ZTL_INTRIN_MOVE(CONCAT_0, td, ts1, ts2, engine)
#define __riscv_ztl_concat_1_e(td, ts1, ts2, engine) ZTL_INTRIN_MOVE(CONCAT_1, td, ts1, ts2, engine)
#define __riscv_ztl_concat_2_e(td, ts1, ts2, engine) ZTL_INTRIN_MOVE(CONCAT_2, td, ts1, ts2, engine)
#define __riscv_ztl_merge_0_e(td, ts1, ts2, engine)  ZTL_INTRIN_MOVE(MERGE_0, td, ts1, ts2, engine)
#define __riscv_ztl_merge_1_e(td, ts1, ts2, engine)  ZTL_INTRIN_MOVE(MERGE_1, td, ts1, ts2, engine)
#define __riscv_ztl_merge_2_e(td, ts1, ts2, engine)  ZTL_INTRIN_MOVE(MERGE_2, td, ts1, ts2, engine)

/* Every element plus an immediate, saturating: (td, ts, imm). */
#define __riscv_ztl_addi(td, ts, imm)           __riscv_ztl_addi_e(td, ts, imm, 0)
#define __riscv_ztl_addi_e(td, ts, imm, engine) ZTL_INTRIN_ADDI(ADDI, td, ts, imm, engine)

/* Two dimensions of the pair t1, t2 swapped: (t1, t2, ZTL_DIMS(...)). */
#define __riscv_ztl_xpose_00(t1, t2, dims) __riscv_ztl_xpose_00_e(t1, t2, dims, 0)
#define __riscv_ztl_xpose_01(t1, t2, dims) __riscv_ztl_xpose_01_e(t1, t2, dims, 0)
#define __riscv_ztl_xpose_02(t1, t2, dims) __riscv_ztl_xpose_02_e(t1, t2, dims, 0)
#define __riscv_ztl_xpose_03(t1, t2, dims) __riscv_ztl_xpose_03_e(t1, t2, dims, 0)
#define __riscv_ztl_xpose_11(t1, t2, dims) __riscv_ztl_xpose_11_e(t1, t2, dims, 0)
#define __riscv_ztl_xpose_12(t1, t2, dims) __riscv_ztl_xpose_12_e(t1, t2, dims, 0)
#define __riscv_ztl_xpose_13(t1, t2, dims) __riscv_ztl_xpose_13_e(t1, t2, dims, 0)
#define __riscv_ztl_xpose_23(t1, t2, dims) __riscv_ztl_xpose_23_e(t1, t2, dims, 0)
#define __riscv_ztl_xpose_33(t1, t2, dims) __riscv_ztl_xpose_33_e(t1, t2, dims, 0)

#define __riscv_ztl_xpose_00_e(t1, t2, dims, engine)                                               \
    ZTL_INTRIN_XPOSE(XPOSE_00, t1, t2, dims, engine)
#define __riscv_ztl_xpose_01_e(t1, t2, dims, engine)                                               \
    ZTL_INTRIN_XPOSE(XPOSE_01, t1, t2, dims, engine)
#define __riscv_ztl_xpose_02_e(t1, t2, dims, engine)                                               \
    ZTL_INTRIN_XPOSE(XPOSE_02, t1, t2, dims, engine)
#define __riscv_ztl_xpose_03_e(t1, t2, dims, engine)                                               \
    ZTL_INTRIN_XPOSE(XPOSE_03, t1, t2, dims, engine)
#define __riscv_ztl_xpose_11_e(t1, t2, dims, engine)                                               \
    ZTL_INTRIN_XPOSE(XPOSE_11, t1, t2, dims, engine)
#define __riscv_ztl_xpose_12_e(t1, t2, dims, engine)                                               \
    ZTL_INTRIN_XPOSE(XPOSE_12, t1, t2, dims, engine)
#define __riscv_ztl_xpose_13_e(t1, t2, dims, engine)                                               \
    ZTL_INTRIN_XPOSE(XPOSE_13, t1, t2, dims, engine)
#define __riscv_ztl_xpose_23_e(t1, t2, dims, engine)                                               \
    ZTL_INTRIN_XPOSE(XPOSE_23, t1, t2, dims, engine)
#define __riscv_ztl_xpose_33_e(t1, t2, dims, engine)                                               \
    ZTL_INTRIN_XPOSE(XPOSE_33, t1, t2, dims, engine)

/* All dimensions permuted by tl_transpose_perm, elements of 8, 16, 32, 64 bits. */
#define __riscv_ztl_permute_b(t1, t2, dims) __riscv_ztl_permute_b_e(t1, t2, dims, 0)
#define __riscv_ztl_permute_h(t1, t2, dims) __riscv_ztl_permute_h_e(t1, t2, dims, 0)
#define __riscv_ztl_permute_w(t1, t2, dims) __riscv_ztl_permute_w_e(t1, t2, dims, 0)
#define __riscv_ztl_permute_d(t1, t2, dims) __riscv_ztl_permute_d_e(t1, t2, dims, 0)

#define __riscv_ztl_permute_b_e(t1, t2, dims, engine)                                              \
    ZTL_INTRIN_XPOSE(PERMUTE_B, t1, t2, dims, engine)
#define __riscv_ztl_permute_h_e(t1, t2, dims, engine)                                              \
    ZTL_INTRIN_XPOSE(PERMUTE_H, t1, t2, dims, engine)
#define __riscv_ztl_permute_w_e(t1, t2, dims, engine)                                              \
    ZTL_INTRIN_XPOSE(PERMUTE_W, t1, t2, dims, engine)
#define __riscv_ztl_permute_d_e(t1, t2, dims, engine)                                              \
    ZTL_INTRIN_XPOSE(PERMUTE_D, t1, t2, dims, engine)

#endif
