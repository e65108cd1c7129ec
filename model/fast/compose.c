/* SPDX-License-Identifier: Apache-2.0
 * What a round comes down to. It loads 2^m registers, permutes them in pairs, and stores them. A
 * stage permutes all pairs of registers that differ in one bit of their number in the same way, so
 * it permutes the bits of a byte's index in all registers together; so do all stages, one after the
 * other.
 */
#include "model/fast/rounds.h"

enum { LOADS, STORES, BASE_REGISTER = 10, REGISTER_BITS = ZTL_PAIR_BITS - 1 };

typedef struct composer {
    ztl_rounds *r;
    ztl_state *state;
    unsigned next; /* step */
    int32_t first; /* register */
    uint32_t all;  /* a bit for each register, from the first on */
    uint8_t from[ZTL_ROUTE_BITS];
} composer;

static enum ztl_op op_of(const ztl_round_step *step)
{
    return step->insn.row ? (enum ztl_op)step->insn.row->op : ZTL_OPS;
}

/* CSRs that change what loads and stores do. */
static bool same_slices(const ztl_state *state, const uint32_t csr[ZTL_SLOTS])
{
    uint32_t difference = 0;
    for (unsigned slot = 0; slot < ZTL_SLOTS; slot++)
        if (slot != ZTL_SLOT_PERM && slot != ZTL_SLOT_MASK1 && slot != ZTL_SLOT_MASK2)
            difference |= state->csr[slot] ^ csr[slot];
    return difference == 0;
}

/* Writes of CSRs have their effect while the steps behind them are looked at. */
static bool skip_csrs(composer *c)
{
    ztl_rounds *r = c->r;
    for (; c->next < r->steps && op_of(&r->step[c->next]) == ZTL_OPS; c->next++) {
        const ztl_round_step *step = &r->step[c->next];
        uint64_t x[32] = {[BASE_REGISTER + 1] = step->a1}, old;
        uint32_t csr[ZTL_SLOTS];
        ztl_copy_bytes(csr, c->state->csr, sizeof csr);
        if (r->csrs == ZTL_ROUND_CSRS || !ztl_csr_access(c->state, step->insn.word, x, &old) ||
            !same_slices(c->state, csr))
            return false;
        r->csr[r->csrs++] = (uint8_t)c->next;
    }
    return true;
}

static bool writes_perm(const ztl_rounds *r)
{
    for (unsigned k = 0; k < r->csrs; k++)
        if (r->step[r->csr[k]].insn.word >> 20 == ZTL_CSR_PERM)
            return true;
    return false;
}

/* Loads, or stores, each of another register; returns which registers. */
static uint32_t take_memory(composer *c, bool is_store)
{
    ztl_rounds *r = c->r;
    uint32_t registers = 0;
    while (skip_csrs(c) && c->next < r->steps &&
           op_of(&r->step[c->next]) == (is_store ? ZTL_OP_STORE : ZTL_OP_LOAD)) {
        int32_t reg = r->step[c->next].insn.operand[0];
        if (registers >> reg & 1)
            return 0;
        registers |= UINT32_C(1) << reg;
        r->end[is_store].step[reg] = (uint8_t)c->next++;
    }
    return registers;
}

/* The plan of the next step, if it permutes two registers whose numbers differ in one bit. */
static const ztl_pair_plan *pair_plan(const composer *c, unsigned *first, unsigned *distance)
{
    const ztl_round_step *step = &c->r->step[c->next];
    uint64_t x[32] = {[BASE_REGISTER] = step->a0};
    const ztl_step execution = {c->state, &step->insn, x, NULL};
    enum ztl_op op = op_of(step);
    if (c->next == c->r->steps || (op != ZTL_OP_XPOSE && op != ZTL_OP_PERMUTE))
        return NULL;
    *first = (unsigned)(step->insn.operand[0] - c->first);
    *distance = (unsigned)(step->insn.operand[1] - step->insn.operand[0]);
    bool pairs = *first < 32 && *distance && *distance < c->r->registers &&
                 (*distance & (*distance - 1)) == 0 && !(*first & *distance) &&
                 c->all >> *first & 1;
    const ztl_pair_plan *plan = pairs ? ztl_plan_pair(&execution) : NULL;
    return plan && !plan->nibble ? plan : NULL;
}

/* The bit of the index in a pair as one of the index in all registers. */
static unsigned whole_bit(unsigned bit, unsigned distance)
{
    return bit < REGISTER_BITS ? bit : REGISTER_BITS + (unsigned)__builtin_ctz(distance);
}

/* All pairs of registers that differ in the same bit, permuted in the same way. */
static bool take_stage(composer *c)
{
    unsigned first, distance, other_first, other_distance;
    const ztl_pair_plan *plan = pair_plan(c, &first, &distance);
    if (!plan)
        return false;
    c->r->takes_perm =
        c->r->takes_perm || (op_of(&c->r->step[c->next]) == ZTL_OP_PERMUTE && !writes_perm(c->r));
    uint8_t before[ZTL_ROUTE_BITS];
    ztl_copy_bytes(before, c->from, sizeof before);
    for (unsigned j = 0; j < ZTL_PAIR_BITS; j++)
        c->from[whole_bit(j, distance)] = before[whole_bit(plan->from[j], distance)];
    const uint64_t key = plan->key;
    uint32_t done = 0;
    for (unsigned pairs = c->r->registers / 2; pairs; pairs--) {
        plan = pair_plan(c, &other_first, &other_distance);
        if (!plan || plan->key != key || other_distance != distance || done >> other_first & 1)
            return false;
        done |= UINT32_C(1) << other_first;
        c->next++;
    }
    return true;
}

/* Loads of 2^m neighbouring registers, stages, stores of the same registers. */
static bool take_steps(composer *c)
{
    ztl_rounds *r = c->r;
    uint32_t loaded = take_memory(c, LOADS);
    if (!loaded || loaded & 1)
        return false;
    c->first = __builtin_ctz(loaded);
    c->all = loaded >> c->first;
    r->registers = (unsigned)__builtin_popcount(loaded);
    r->first_register = (uint8_t)c->first;
    if (c->all & (c->all + 1) || r->registers & (r->registers - 1))
        return false;
    r->copies = true;
    for (; skip_csrs(c) && c->next < r->steps && op_of(&r->step[c->next]) != ZTL_OP_STORE;
         r->copies = false)
        if (!take_stage(c))
            return false;
    return take_memory(c, STORES) == loaded && c->next == r->steps;
}

bool ztl_rounds_compose(ztl_rounds *r, ztl_state *state)
{
    composer c = {.r = r, .state = state};
    uint32_t csr[ZTL_SLOTS];
    uint8_t written[ZTL_SLOTS];
    r->takes_perm = false;
    r->csrs = 0;
    r->first_perm = state->csr[ZTL_SLOT_PERM];
    for (unsigned j = 0; j < ZTL_ROUTE_BITS; j++)
        c.from[j] = (uint8_t)j;
    ztl_copy_bytes(csr, state->csr, sizeof csr);
    ztl_copy_bytes(written, state->written, sizeof written);
    bool good = take_steps(&c);
    ztl_copy_bytes(state->csr, csr, sizeof csr);
    ztl_copy_bytes(state->written, written, sizeof written);
    if (good && !r->copies)
        ztl_plan_groups(&r->kernel, r->end[LOADS].lane, r->end[STORES].lane, c.from,
                        REGISTER_BITS + (unsigned)__builtin_ctz(r->registers),
                        state->bodies->lane_bits);
    return good;
}
