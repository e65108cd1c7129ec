/* SPDX-License-Identifier: Apache-2.0
 * The intrinsics of Ztl 1. Included by <ztl/intrin.h>.
 */
#ifndef ZTL_INTRIN_ZTL1_H
#define ZTL_INTRIN_ZTL1_H

/* Slices between memory and a register; the shape is ZTL_DIMS(...) of 1024 bytes. */
#define __riscv_ztl_mload(td, shape, base)  ZTL_INTRIN_MLOAD1(V1_MLOAD, td, shape, base)
#define __riscv_ztl_mstore(ts, base, shape) ZTL_INTRIN_MSTORE1(V1_MSTORE, ts, base, shape)

/* Positions of two blocks along dimension 0, 1 or 2. */
#define __riscv_ztl_concat_0(td, ts1, ts2) ZTL_INTRIN_MOVE(V1_CONCAT_0, td, ts1, ts2, 0)
#define __riscv_ztl_concat_1(td, ts1, ts2) ZTL_INTRIN_MOVE(V1_CONCAT_1, td, ts1, ts2, 0)
#define __riscv_ztl_concat_2(td, ts1, ts2) ZTL_INTRIN_MOVE(V1_CONCAT_2, td, ts1, ts2, 0)

/* Every byte plus an immediate of 12 bits, saturating. */
#define __riscv_ztl_addi(td, ts, imm) ZTL_INTRIN_ADDI1(V1_ADDI, td, ts, imm)

/* Two dimensions of the pair t1, t2 swapped. */
#define __riscv_ztl_xpose_00(t1, t2, dims) ZTL_INTRIN_XPOSE1(V1_XPOSE_00, t1, t2, dims)
#define __riscv_ztl_xpose_01(t1, t2, dims) ZTL_INTRIN_XPOSE1(V1_XPOSE_01, t1, t2, dims)
#define __riscv_ztl_xpose_02(t1, t2, dims) ZTL_INTRIN_XPOSE1(V1_XPOSE_02, t1, t2, dims)
#define __riscv_ztl_xpose_03(t1, t2, dims) ZTL_INTRIN_XPOSE1(V1_XPOSE_03, t1, t2, dims)
#define __riscv_ztl_xpose_11(t1, t2, dims) ZTL_INTRIN_XPOSE1(V1_XPOSE_11, t1, t2, dims)
#define __riscv_ztl_xpose_12(t1, t2, dims) ZTL_INTRIN_XPOSE1(V1_XPOSE_12, t1, t2, dims)
#define __riscv_ztl_xpose_13(t1, t2, dims) ZTL_INTRIN_XPOSE1(V1_XPOSE_13, t1, t2, dims)
#define __riscv_ztl_xpose_23(t1, t2, dims) ZTL_INTRIN_XPOSE1(V1_XPOSE_23, t1, t2, dims)
#define __riscv_ztl_xpose_33(t1, t2, dims) ZTL_INTRIN_XPOSE1(V1_XPOSE_33, t1, t2, dims)

#endif
