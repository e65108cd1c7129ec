/* SPDX-License-Identifier: Apache-2.0
 * MERGE.d: each position along dimension d from tlrs1 where the mask is 1, from tlrs2 where it is
 * 0.
 */
#include "model/model.h"

ztl_result ztl_body_merge(const ztl_step *step)
{
    ztl_block block;
    ztl_result checked = ztl_block_of(step, &block);
    if (!ztl_is_ok(&checked))
        return checked;
    unsigned length = block.dim[block.axis];
    uint32_t mask;
    checked = ztl_mask_of(step, ZTL_SLOT_MASK1, length, &mask);
    if (!ztl_is_ok(&checked))
        return checked;

    const int32_t *operand = step->insn->operand;
    uint8_t result[ZTL_REG_BYTES];
    ztl_copy_bytes(result, ztl_register(step->state, operand[0]), ZTL_REG_BYTES);
    for (unsigned i = 0; i < length; i++) {
        int32_t source = mask >> i & 1 ? operand[1] : operand[2];
        ztl_copy_position(&block, result, i, ztl_register(step->state, source), i);
    }
    ztl_write(step->state, (unsigned)operand[0], result);
    return ztl_done();
}
