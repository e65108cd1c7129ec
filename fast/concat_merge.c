/* SPDX-License-Identifier: Apache-2.0
 * CONCAT and MERGE: from shape, type, axis and masks to a plan, and from there to the kernel.
 */
#include "fast/concat.h"
#include "fast/spare.h"

static uint64_t key_of(const ztl_step *step)
{
    const ztl_insn_row *row = step->insn->row;
    return UINT64_C(1) << 63 | (uint64_t)row->arg << 56 |
           (uint64_t)step->state->csr[ZTL_SLOT_TTYPE] << 32 | step->state->csr[ZTL_SLOT_TSHAPE];
}

/* A block as [outer][length][inner], in bytes, or in nibbles where rows are not whole bytes. */
static ztl_rows rows_of(const ztl_block *block)
{
    ztl_rows rows = {.outer = 1, .inner = 1, .length = block->dim[block->axis]};
    for (unsigned k = 0; k < 3; k++) {
        if (k < block->axis)
            rows.outer *= block->dim[k];
        else if (k > block->axis)
            rows.inner *= block->dim[k];
    }
    rows.nibbles = rows.inner * block->bits % 8 != 0;
    rows.inner = rows.inner * block->bits / (rows.nibbles ? 4 : 8);
    return rows;
}

/* Sets nibbles [from, from + count) of the mask, low nibble first. */
static void set_nibbles(uint8_t *mask, unsigned from, unsigned count)
{
    if (count && from % 2) {
        mask[from / 2] |= 0xf0;
        from++;
        count--;
    }
    ztl_fill_bytes(mask + from / 2, 0xff, count / 2);
    if (count % 2)
        mask[(from + count) / 2] |= 0x0f;
}

/* Builds the mask of what the first source contributes. */
static void plan_merge(ztl_merge_plan *plan, const ztl_rows *rows, uint32_t bits)
{
    unsigned scale = rows->nibbles ? 1 : 2;
    ztl_fill_bytes(plan->mask, 0, sizeof plan->mask);
    for (unsigned i = 0; i < rows->length; i++) {
        if (!(bits >> i & 1))
            continue;
        for (unsigned o = 0; o < rows->outer; o++)
            set_nibbles(plan->mask, scale * (o * rows->length + i) * rows->inner,
                        scale * rows->inner);
    }
}

static unsigned block_nibbles(const ztl_rows *rows)
{
    return (rows->nibbles ? 1 : 2) * rows->outer * rows->length * rows->inner;
}

static bool find_merge_plan(const ztl_step *step, ztl_merge_plan **found)
{
    uint64_t key = key_of(step), mask = step->state->csr[ZTL_SLOT_MASK1];
    ztl_merge_plan *plan = &ztl_plans_of(step->state)->merge[ztl_hash(key ^ mask << 24, 3)];
    *found = plan;
    if (plan->key[0] == key && plan->key[1] == mask)
        return true;
    ztl_block block;
    ztl_result checked = ztl_block_of(step, &block);
    if (!ztl_is_ok(&checked))
        return false;
    ztl_rows rows = rows_of(&block);
    plan_merge(plan, &rows, (uint32_t)mask);
    plan->nibbles = (uint16_t)block_nibbles(&rows);
    ztl_fill_bytes(plan->tail, 0, sizeof plan->tail);
    set_nibbles(plan->tail, 0, plan->nibbles % (2 * sizeof plan->tail));
    plan->key[0] = key;
    plan->key[1] = mask;
    return true;
}

bool ztl_fast_merge(const ztl_step *step)
{
    ztl_state *state = step->state;
    const int32_t *operand = step->insn->operand;
    ztl_merge_plan *plan;
    if (!state->written[ZTL_SLOT_MASK1] || !find_merge_plan(step, &plan))
        return false;
    if (operand[0] == 0)
        return true;
    ztl_bodies_of(state)->merge(plan, ztl_register(state, operand[0]),
                                ztl_register(state, operand[1]), ztl_register(state, operand[2]));
    return true;
}

/* Programs tend to use several plans in rotation, so the search begins after the last one used, and
 * a new plan replaces the oldest. NULL when the masks or the block are illegal. */
static const ztl_concat_plan *find_concat_plan(const ztl_step *step)
{
    ztl_plans *plans = ztl_plans_of(step->state);
    const uint32_t *csr = step->state->csr;
    uint64_t key = key_of(step);
    uint64_t masks = (uint64_t)csr[ZTL_SLOT_MASK2] << 32 | csr[ZTL_SLOT_MASK1];
    for (unsigned n = 0; n < ZTL_CONCAT_PLANS; n++) {
        unsigned at = (plans->concat_used + n) % ZTL_CONCAT_PLANS;
        if (plans->concat[at].key[0] == key && plans->concat[at].key[1] == masks) {
            plans->concat_used = (uint8_t)at;
            return &plans->concat[at];
        }
    }
    ztl_block block;
    ztl_concat_plan *plan = &plans->concat[plans->concat_oldest];
    ztl_result checked = ztl_block_of(step, &block);
    if (!ztl_is_ok(&checked))
        return NULL;
    ztl_rows rows = rows_of(&block);
    if (!ztl_plan_concat(plan, &rows, masks, ztl_bodies_of(step->state)))
        return NULL;
    plan->key[0] = key;
    plan->key[1] = masks;
    plans->concat_used = plans->concat_oldest;
    plans->concat_oldest = (uint8_t)((plans->concat_oldest + 1) % ZTL_CONCAT_PLANS);
    return plan;
}

bool ztl_fast_concat(const ztl_step *step)
{
    ztl_state *state = step->state;
    const int32_t *operand = step->insn->operand;
    if (!state->written[ZTL_SLOT_MASK1] || !state->written[ZTL_SLOT_MASK2])
        return false;
    const ztl_concat_plan *plan = find_concat_plan(step);
    if (!plan)
        return false;
    const uint8_t *const source[] = {ztl_register(state, operand[0]),
                                     ztl_register(state, operand[1]),
                                     ztl_register(state, operand[2])};
    uint64_t spare = state->spare;
    unsigned avoid = ztl_residue(state, operand[0]) | ztl_residue(state, operand[1]) |
                     ztl_residue(state, operand[2]);
    unsigned to = ztl_pick_spare(&spare, &avoid);
    ztl_bodies_of(state)->concat(plan, state->tl[to], source);
    ztl_take_block(state, operand[0], to);
    return true;
}
