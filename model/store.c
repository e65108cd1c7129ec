/* SPDX-License-Identifier: Apache-2.0
 * STORE, MSTORE: slices of a register to memory, in order; masked-off slices are skipped.
 */
#include "model/model.h"

/* One pass over the slices: with `bytes` NULL it only looks for faults. */
static ztl_result move_slices(const ztl_step *step, const ztl_slices *slices, uint8_t *bytes)
{
    for (unsigned i = 0; i < slices->count; i++) {
        if (!(slices->mask >> i & 1))
            continue;
        uint8_t *slice = bytes ? bytes + (size_t)i * slices->width : NULL;
        ztl_result moved = ztl_move(step, true, slices->address[i], slice, slices->width);
        if (!ztl_is_ok(&moved))
            return ztl_in_slice(step, slices, i, moved);
    }
    return ztl_done();
}

ztl_result ztl_body_store(const ztl_step *step)
{
    ztl_slices slices;
    ztl_result checked = ztl_slices_of(step, true, &slices);
    if (ztl_is_ok(&checked))
        checked = move_slices(step, &slices, NULL);
    if (!ztl_is_ok(&checked))
        return checked;
    return move_slices(step, &slices, ztl_register(step->state, step->insn->operand[0]));
}
