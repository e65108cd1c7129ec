/* SPDX-License-Identifier: Apache-2.0
 * XPOSE and PERMUTE: dimensions are powers of two, so permuting them permutes index bits.
 */
#include "fast/spare.h"

enum { PAIR_BIT_COUNT = 8 * ZTL_PAIR_BYTES, NIBBLE_BITS = ZTL_PAIR_BITS + 1 };

static unsigned log2_of(unsigned power)
{
    return (unsigned)__builtin_ctz(power);
}

/* log2 of the dimensions of a legal shape; their product is a power of two, so each of them is. */
static bool legal_shape(uint32_t shape, unsigned bits, unsigned log2_dim[4])
{
    uint64_t product = bits;
    for (unsigned k = 0; k < 4; k++) {
        unsigned dim = shape >> (8 * k) & 0xff;
        if (dim == 0)
            return false;
        product *= dim;
        log2_dim[k] = log2_of(dim);
    }
    return product == PAIR_BIT_COUNT && log2_dim[0] > 0;
}

/* Bit j of the result's nibble index is bit from[j] of the source's. */
static void nibble_permutation(uint8_t from[NIBBLE_BITS], unsigned bits, const unsigned log2_dim[4],
                               const unsigned perm[4])
{
    unsigned inside = log2_of(bits / 4), lowest[4], j = 0;
    lowest[3] = inside;
    for (unsigned k = 3; k > 0; k--)
        lowest[k - 1] = lowest[k] + log2_dim[k];
    for (; j < inside; j++)
        from[j] = (uint8_t)j;
    for (unsigned k = 4; k-- > 0;)
        for (unsigned i = 0; i < log2_dim[perm[k]]; i++)
            from[j++] = (uint8_t)(lowest[perm[k]] + i);
}

/* Splits a permutation of nibbles into a swap of one bit with the nibble bit, done first, and a
 * permutation of bytes. */
static void byte_permutation(ztl_pair_plan *plan, const uint8_t nibble_from[NIBBLE_BITS])
{
    plan->nibble = nibble_from[0];
    for (unsigned j = 0; j < ZTL_PAIR_BITS; j++) {
        unsigned bit = nibble_from[j + 1] ? nibble_from[j + 1] : plan->nibble;
        plan->from[j] = (uint8_t)(bit - 1);
    }
}

static void make_plan(const ztl_bodies *bodies, ztl_pair_plan *plan, uint64_t key, unsigned bits,
                      const unsigned log2_dim[4], const unsigned perm[4])
{
    uint8_t nibble_from[NIBBLE_BITS];
    nibble_permutation(nibble_from, bits, log2_dim, perm);
    byte_permutation(plan, nibble_from);
    plan->identity = plan->nibble == 0;
    for (unsigned j = 0; j < ZTL_PAIR_BITS; j++)
        plan->identity = plan->identity && plan->from[j] == j;
    plan->twice = plan->nibble != 0;
    bodies->plan_pair(plan);
    plan->key = key;
}

/* Writes the result to spare blocks, which then become the registers. */
static void run(const ztl_step *step, const ztl_pair_plan *plan)
{
    ztl_state *state = step->state;
    int32_t first = step->insn->operand[0], second = step->insn->operand[1];
    if (plan->identity)
        return;
    uint64_t spare = state->spare;
    unsigned avoid = ztl_residue(state, first) | ztl_residue(state, second), avoid_between = 0;
    ztl_blocks between = ztl_pick_blocks(&spare, &avoid), to = between;
    if (plan->twice) {
        avoid_between = 1u << between.first % 4 | 1u << between.second % 4;
        to = ztl_pick_blocks(&spare, &avoid_between);
    }
    ztl_bodies_of(state)->permute(plan, ztl_pair_of_blocks(state, to),
                                  ztl_pair_of_blocks(state, between),
                                  ztl_pair_of_registers(state, first, second));
    ztl_take_block(state, first, to.first);
    ztl_take_block(state, second, to.second);
}

static uint32_t shape_of(const ztl_step *step)
{
    int32_t rs = step->insn->operand[2];
    return rs ? (uint32_t)step->x[rs] : 0;
}

static ztl_pair_plan *plan_at(const ztl_step *step, uint64_t key)
{
    return &ztl_plans_of(step->state)->pair[ztl_hash(key, 5)];
}

static const ztl_pair_plan *plan_xpose(const ztl_step *step)
{
    unsigned arg = step->insn->row->arg;
    uint32_t shape = shape_of(step), ttype = step->state->csr[ZTL_SLOT_TTYPE];
    uint64_t key = UINT64_C(1) << 63 | (uint64_t)ttype << 40 | (uint64_t)arg << 32 | shape;
    ztl_pair_plan *plan = plan_at(step, key);
    if (plan->key != key) {
        const ztl_type_row *type = ztl_isa_type_of(ttype);
        unsigned perm[4] = {0, 1, 2, 3}, log2_dim[4];
        perm[arg / 4] = arg % 4;
        perm[arg % 4] = arg / 4;
        if (!type || !legal_shape(shape, type->bits, log2_dim))
            return NULL;
        make_plan(ztl_bodies_of(step->state), plan, key, type->bits, log2_dim, perm);
    }
    return plan;
}

static const ztl_pair_plan *plan_permute(const ztl_step *step)
{
    unsigned arg = step->insn->row->arg;
    uint32_t shape = shape_of(step), csr = step->state->csr[ZTL_SLOT_PERM];
    uint64_t key = UINT64_C(3) << 62 | (uint64_t)arg << 40 | (uint64_t)csr << 32 | shape;
    ztl_pair_plan *plan = plan_at(step, key);
    if (plan->key != key) {
        unsigned perm[4], named = 0, log2_dim[4];
        for (unsigned k = 0; k < 4; k++) {
            perm[k] = csr >> (2 * k) & 3;
            named |= 1u << perm[k];
        }
        if (named != 0xf || !legal_shape(shape, 8u << arg, log2_dim))
            return NULL;
        make_plan(ztl_bodies_of(step->state), plan, key, 8u << arg, log2_dim, perm);
    }
    return plan;
}

const ztl_pair_plan *ztl_plan_pair(const ztl_step *step)
{
    enum ztl_op op = (enum ztl_op)step->insn->row->op;
    return op == ZTL_OP_XPOSE ? plan_xpose(step) : op == ZTL_OP_PERMUTE ? plan_permute(step) : NULL;
}

bool ztl_fast_xpose(const ztl_step *step)
{
    const ztl_pair_plan *plan = plan_xpose(step);
    if (plan)
        run(step, plan);
    return plan;
}

bool ztl_fast_permute(const ztl_step *step)
{
    const ztl_pair_plan *plan = plan_permute(step);
    if (plan)
        run(step, plan);
    return plan;
}
