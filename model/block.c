/* SPDX-License-Identifier: Apache-2.0
 * A block [D0,D1,D2] in one register, and masks along one of its dimensions.
 */
#include "model/model.h"

enum { REG_BITS = 8 * ZTL_REG_BYTES };

static ztl_result check_block(const ztl_step *step, const ztl_block *block)
{
    for (unsigned k = 0; k < 3; k++)
        if (block->dim[k] == 0)
            return ztl_illegal(step, ZTL_RULE_DIM_ZERO, k, 0);
    uint64_t bits = (uint64_t)block->dim[0] * block->dim[1] * block->dim[2] * block->bits;
    if (step->state->config.revision == 1 && bits != REG_BITS)
        return ztl_illegal(step, ZTL_RULE_BLOCK_EXACT, bits / 8, 0);
    if (bits > REG_BITS)
        return ztl_illegal(step, ZTL_RULE_BLOCK_SIZE, bits, 0);
    unsigned length = block->dim[block->axis];
    if (length > ZTL_MAX_SLICES)
        return ztl_illegal(step, ZTL_RULE_AXIS_RANGE, block->axis, length);
    return ztl_done();
}

ztl_result ztl_block_of(const ztl_step *step, ztl_block *block)
{
    const ztl_type_row *type = ztl_current_type(step->state);
    if (!type)
        return ztl_illegal(step, ZTL_RULE_BAD_TYPE, step->state->csr[ZTL_SLOT_TTYPE], 0);
    uint32_t shape = step->state->csr[ZTL_SLOT_TSHAPE];
    *block = (ztl_block){.dim = {shape >> 16 & 0xff, shape >> 8 & 0xff, shape & 0xff},
                         .axis = step->insn->row->arg,
                         .bits = type->bits};
    return check_block(step, block);
}

ztl_result ztl_mask_of(const ztl_step *step, enum ztl_slot slot, unsigned count, uint32_t *mask)
{
    if (!step->state->written[slot])
        return ztl_illegal(step, ZTL_RULE_MASK_UNSET, ztl_isa_slot_address(slot), 0);
    *mask = step->state->csr[slot] & (uint32_t)((UINT64_C(1) << count) - 1);
    return ztl_done();
}

void ztl_copy_position(const ztl_block *block, uint8_t *target, unsigned to, const uint8_t *source,
                       unsigned from)
{
    unsigned outer = 1, inner = 1, length = block->dim[block->axis];
    for (unsigned k = 0; k < block->axis; k++)
        outer *= block->dim[k];
    for (unsigned k = block->axis + 1; k < 3; k++)
        inner *= block->dim[k];
    for (unsigned i = 0; i < outer; i++)
        for (unsigned j = 0; j < inner; j++) {
            uint64_t element =
                ztl_element(source, block->bits, ((size_t)i * length + from) * inner + j);
            ztl_set_element(target, block->bits, ((size_t)i * length + to) * inner + j, element);
        }
}
