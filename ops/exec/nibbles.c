/* SPDX-License-Identifier: Apache-2.0
 * Nibbles to one a byte and back. In a pair of registers, nibble n of the first is to become
 * byte n: XPOSE brings the even ones to the first register and the odd ones to the second, each
 * as the low nibble of a byte; PERMUTE interleaves them.
 */
#include "ops/exec/insn.h"
#include "ops/exec/exec.h"

/* Dimensions of the pair: the register, its bytes, and the nibble of a byte. */
#define HALF_BYTES ZTL_DIMS(2, 32, 32, 2)
#define APART      ZTL_DIMS(2, 32, 32, 1)
#define TOGETHER   ZTL_DIMS(32, 32, 2, 1)

/* tl_transpose_perm, from one of the latter to the other. */
enum { TO_TOGETHER = 1 | 2 << 2 | 0 << 4 | 3 << 6, TO_APART = 2 | 0 << 2 | 1 << 4 | 3 << 6 };

static void unpack(const uint8_t *from, uint8_t *to, bool pair)
{
    __riscv_ztl_load_e(1, from, 0, ZTL_ENGINE_LOAD);
    __riscv_ztl_xpose_03_e(1, 2, HALF_BYTES, ZTL_ENGINE_RESHAPE);
    __riscv_ztl_permute_b_e(1, 2, APART, ZTL_ENGINE_RESHAPE);
    __riscv_ztl_store_e(1, to, 0, ZTL_ENGINE_STORE);
    if (pair)
        __riscv_ztl_store_e(2, to + OPS_BLOCK, 0, ZTL_ENGINE_STORE);
}

static void pack(const uint8_t *from, uint8_t *to, bool pair)
{
    __riscv_ztl_load_e(1, from, 0, ZTL_ENGINE_LOAD);
    if (pair)
        __riscv_ztl_load_e(2, from + OPS_BLOCK, 0, ZTL_ENGINE_LOAD);
    __riscv_ztl_permute_b_e(1, 2, TOGETHER, ZTL_ENGINE_RESHAPE);
    __riscv_ztl_xpose_03_e(1, 2, HALF_BYTES, ZTL_ENGINE_RESHAPE);
    __riscv_ztl_store_e(1, to, 0, ZTL_ENGINE_STORE);
}

/* A square has as many slices as a slice has nibbles: one of 64 takes both registers, of smaller
 * ones each register holds several. */
void ztl_ops_run_transpose4(unsigned side)
{
    unsigned squares = 64 / side;
    __riscv_ztl_csrw_ttype(ZTL_TTYPE_INT4);
    if (side == 64)
        __riscv_ztl_xpose_01_e(1, 2, ZTL_DIMS(64, 64, 1, 1), ZTL_ENGINE_RESHAPE);
    else
        __riscv_ztl_xpose_23_e(1, 2, ZTL_DIMS(squares, squares, side, side), ZTL_ENGINE_RESHAPE);
    __riscv_ztl_csrw_ttype(0);
}

/* XPOSE swaps the high nibbles of the first register with the low ones of the second; MERGE then
 * picks what belongs together. */
void ztl_ops_run_shift4(unsigned long shape)
{
    __riscv_ztl_csrw_ttype(ZTL_TTYPE_INT4);
    __riscv_ztl_xpose_03_e(1, 2, HALF_BYTES, ZTL_ENGINE_RESHAPE);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(32, 32, 2));
    __riscv_ztl_csrw_tmask_concat_1(1);
    __riscv_ztl_merge_2_e(1, 2, 1, ZTL_ENGINE_RESHAPE);
    __riscv_ztl_csrw_tshape(shape);
    __riscv_ztl_csrw_ttype(0);
}

/* Every block is one slice. */
void ztl_ops_run_nibbles(const ops_pass *pass, const uint8_t *from, uint8_t *to)
{
    int64_t at[OPS_DIMS] = {0}, in = pass->in, out = pass->out;
    bool packs = pass->kind == OPS_PASS_PACK;
    bool pair = ops_fills_pair(pass);
    __riscv_ztl_csrw_ttype(ZTL_TTYPE_INT4);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(1, 1, 1));
    __riscv_ztl_csrw_tl_load_width(pass->load_width);
    __riscv_ztl_csrw_tl_store_width(pass->store_width);
    __riscv_ztl_csrw_load_stride(0, 0);
    __riscv_ztl_csrw_store_stride(0, 0);
    __riscv_ztl_csrw_tl_transpose_perm(packs ? TO_APART : TO_TOGETHER);
    do {
        if (packs)
            pack(from + in, to + out, pair);
        else
            unpack(from + in, to + out, pair);
    } while (ztl_ops_next_index(pass, pass->loops, at, &in, &out));
    __riscv_ztl_csrw_ttype(0);
}
