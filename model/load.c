/* SPDX-License-Identifier: Apache-2.0
 * LOAD, MLOAD: slices from memory into a register; masked-off slices become 0.
 */
#include "model/model.h"

ztl_result ztl_body_load(const ztl_step *step)
{
    ztl_slices slices;
    ztl_result checked = ztl_slices_of(step, false, &slices);
    if (!ztl_is_ok(&checked))
        return checked;
    unsigned target = (unsigned)step->insn->operand[0];
    uint8_t result[ZTL_REG_BYTES];
    ztl_copy_bytes(result, ztl_register(step->state, target), ZTL_REG_BYTES);
    for (unsigned i = 0; i < slices.count; i++) {
        uint8_t *slice = result + (size_t)i * slices.width;
        if (slices.mask >> i & 1) {
            ztl_result moved = ztl_move(step, false, slices.address[i], slice, slices.width);
            if (!ztl_is_ok(&moved))
                return ztl_in_slice(step, &slices, i, moved);
        } else {
            ztl_fill_bytes(slice, 0, slices.width);
        }
    }
    ztl_write(step->state, target, result);
    return ztl_done();
}
