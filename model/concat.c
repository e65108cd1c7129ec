/* SPDX-License-Identifier: Apache-2.0
 * CONCAT.d: the kept positions of two blocks along dimension d, one after the other.
 */
#include "model/model.h"

/* Appends the positions of `source` whose mask bit is 1; returns the next free position. */
static unsigned append(const ztl_block *block, uint8_t *target, unsigned next,
                       const uint8_t *source, uint32_t mask)
{
    for (unsigned i = 0; i < block->dim[block->axis]; i++)
        if (mask >> i & 1)
            ztl_copy_position(block, target, next++, source, i);
    return next;
}

static unsigned count_bits(uint32_t mask)
{
    unsigned count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

ztl_result ztl_body_concat(const ztl_step *step)
{
    ztl_block block;
    ztl_result checked = ztl_block_of(step, &block);
    if (!ztl_is_ok(&checked))
        return checked;
    unsigned length = block.dim[block.axis];
    uint32_t mask1, mask2;
    checked = ztl_mask_of(step, ZTL_SLOT_MASK1, length, &mask1);
    if (ztl_is_ok(&checked))
        checked = ztl_mask_of(step, ZTL_SLOT_MASK2, length, &mask2);
    if (!ztl_is_ok(&checked))
        return checked;
    unsigned kept = count_bits(mask1) + count_bits(mask2);
    if (kept > length)
        return ztl_illegal(step, ZTL_RULE_MASK_FULL, kept, length);

    const int32_t *operand = step->insn->operand;
    uint8_t result[ZTL_REG_BYTES];
    ztl_copy_bytes(result, ztl_register(step->state, operand[0]), ZTL_REG_BYTES);
    unsigned next = append(&block, result, 0, ztl_register(step->state, operand[1]), mask1);
    append(&block, result, next, ztl_register(step->state, operand[2]), mask2);
    ztl_write(step->state, (unsigned)operand[0], result);
    return ztl_done();
}
