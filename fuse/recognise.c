/* SPDX-License-Identifier: Apache-2.0
 * Recognises a recorded loop body as a copy, an index-bit permutation or a byte selection. A body
 * that fuses loads registers, then works on registers, then stores registers.
 */
#include "fuse/loop.h"

enum { LOADS = ZTL_LOOP_LOADS, STORES = ZTL_LOOP_STORES, REGISTER_BITS = ZTL_PAIR_BITS - 1 };

/* A copy of all CSRs. */
typedef struct csrs {
    uint32_t value[ZTL_SLOTS];
    uint8_t written[ZTL_SLOTS];
} csrs;

static csrs save(const ztl_state *state)
{
    csrs saved;
    ztl_copy_bytes(saved.value, state->csr, sizeof saved.value);
    ztl_copy_bytes(saved.written, state->written, sizeof saved.written);
    return saved;
}

static void restore(ztl_state *state, const csrs *saved)
{
    ztl_copy_bytes(state->csr, saved->value, sizeof saved->value);
    ztl_copy_bytes(state->written, saved->written, sizeof saved->written);
}

#define CSR(ID)                                                                                    \
    {                                                                                              \
        ZTL_SLOT_##ID, ZTL_CSR_##ID, ZTL_READS_##ID                                                \
    }
const ztl_loop_csr_place ztl_loop_csrs[ZTL_LOOP_CSRS] = {CSR(PERM), CSR(MASK1), CSR(MASK2),
                                                         CSR(TSHAPE)};

/* The index of a CSR in that list; ZTL_LOOP_CSRS: it is not there. */
static unsigned csr_at(unsigned address)
{
    unsigned k = 0;
    while (k < ZTL_LOOP_CSRS && ztl_loop_csrs[k].address != address)
        k++;
    return k;
}

bool ztl_loop_same_csrs(const ztl_state *state, const uint32_t csr[ZTL_SLOTS])
{
    unsigned changed = 0;
    for (unsigned slot = 0; slot < ZTL_SLOT_LOAD_STRIDE; slot++)
        changed += state->csr[slot] != csr[slot];
    for (unsigned k = 0; k < ZTL_LOOP_CSRS; k++)
        changed -= state->csr[ztl_loop_csrs[k].slot] != csr[ztl_loop_csrs[k].slot];
    return changed == 0;
}

/* All loads, and all stores, must see the same tshape. */
static bool see_shape(ztl_loop *r, const ztl_state *state, uint32_t effects, bool seen[2])
{
    bool is_store = effects & ZTL_STORES;
    uint32_t shape = state->csr[ZTL_SLOT_TSHAPE];
    if (!(effects & (ZTL_LOADS | ZTL_STORES)))
        return true;
    if (seen[is_store] && r->end[is_store].shape != shape)
        return false;
    r->end[is_store].shape = shape;
    seen[is_store] = true;
    return true;
}

/* Remembers a step as the last write of its CSR. */
static void note_write(ztl_loop *r, unsigned n)
{
    unsigned k = 0;
    while (k < r->csrs && r->step[r->csr[k]].insn.word >> 20 != r->step[n].insn.word >> 20)
        k++;
    r->csr[k] = (uint8_t)n;
    r->csrs = k == r->csrs ? k + 1 : r->csrs;
}

/* Finds the live-in CSRs and the last write of each CSR. False for a write that cannot be fused. */
static bool list_csrs(ztl_loop *r, ztl_state *state)
{
    bool written[ZTL_LOOP_CSRS] = {false}, seen[2] = {false};
    r->csrs = 0;
    r->carried = false;
    ztl_fill_bytes(r->live_in, 0, sizeof r->live_in);
    for (unsigned n = 0; n < r->steps; n++) {
        const ztl_loop_step *step = &r->step[n];
        const uint32_t effects = ztl_effects(step->insn.row);
        for (unsigned k = 0; k < ZTL_LOOP_CSRS; k++)
            r->live_in[k] = r->live_in[k] || (effects & ztl_loop_csrs[k].read && !written[k]);
        if (!see_shape(r, state, effects, seen))
            return false;
        if (step->insn.row)
            continue;
        const unsigned csr = csr_at(step->insn.word >> 20);
        if (csr == ZTL_LOOP_CSRS || !ztl_loop_csr(state, step))
            return false;
        written[csr] = true;
        r->carried = r->carried || r->live_in[csr];
        note_write(r, n);
    }
    return true;
}

/* Takes the unmasked loads, or stores, from step n on, each of another register. Returns one past
 * the last of them, 0 when there are none. */
static unsigned take_end(ztl_loop *r, bool is_store, unsigned n)
{
    const uint32_t wanted = is_store ? ZTL_STORES : ZTL_LOADS;
    ztl_loop_end *end = &r->end[is_store];
    uint8_t step_of[ZTL_REGISTERS];
    unsigned past = 0;
    end->registers = 0;
    for (; n < r->steps; n++) {
        int32_t reg = r->step[n].insn.operand[0];
        if (!r->step[n].insn.row)
            continue;
        if ((ztl_effects(r->step[n].insn.row) & (ZTL_LOADS | ZTL_STORES | ZTL_MASKED)) != wanted)
            break;
        if (reg == 0 || end->registers >> reg & 1)
            return 0;
        end->registers |= UINT32_C(1) << reg;
        step_of[reg] = (uint8_t)n;
        past = n + 1;
    }
    end->count = 0;
    for (uint32_t left = end->registers; left; left &= left - 1)
        end->step[end->count++] = step_of[__builtin_ctz(left)];
    return past;
}

/* The first step from n on that is not a CSR write. */
static unsigned past_csrs(const ztl_loop *r, unsigned n)
{
    while (n < r->steps && !r->step[n].insn.row)
        n++;
    return n;
}

/* A body that permutes its 2^m registers in stages. A stage applies one permutation to every pair
 * of registers whose numbers differ in a given bit. It thus permutes the index bits of a byte in
 * all registers laid side by side, and so does the sequence of stages. */
typedef struct stages {
    const ztl_loop *r;
    ztl_state *state;
    unsigned next, end; /* steps */
    int32_t first;      /* register */
    unsigned registers;
    uint8_t from[ZTL_ROUTE_BITS];
} stages;

/* Executes the CSR writes before the next instruction, which sees them. */
static void skip_csrs(stages *s)
{
    for (; s->next < s->end && !s->r->step[s->next].insn.row; s->next++)
        ztl_loop_csr(s->state, &s->r->step[s->next]);
}

/* The plan of the next step, if it permutes two registers whose numbers differ in one bit. */
static const ztl_pair_plan *next_pair(stages *s, unsigned *first, unsigned *distance)
{
    skip_csrs(s);
    const ztl_loop_step *step = &s->r->step[s->next];
    uint64_t x[32];
    const ztl_step execution = {s->state, &step->insn, x, NULL};
    if (s->next == s->end || !(ztl_effects(step->insn.row) & ZTL_PAIR))
        return NULL;
    *first = (unsigned)(step->insn.operand[0] - s->first);
    *distance = (unsigned)(step->insn.operand[1] - step->insn.operand[0]);
    if (*first >= s->registers || *distance == 0 || *distance >= s->registers ||
        *distance & (*distance - 1) || *first & *distance)
        return NULL;
    ztl_loop_gprs(step, x);
    const ztl_pair_plan *plan = ztl_plan_pair(&execution);
    return plan && !plan->nibble ? plan : NULL;
}

/* A bit of the byte index in a pair, as a bit of the index in all registers. */
static unsigned whole_bit(unsigned bit, unsigned distance)
{
    return bit < REGISTER_BITS ? bit : REGISTER_BITS + (unsigned)__builtin_ctz(distance);
}

/* Takes one stage: every pair of registers whose numbers differ in one bit, permuted alike. */
static bool take_stage(stages *s)
{
    unsigned first, distance, other, other_distance;
    const ztl_pair_plan *plan = next_pair(s, &first, &distance);
    if (!plan)
        return false;
    uint8_t before[ZTL_ROUTE_BITS];
    ztl_copy_bytes(before, s->from, sizeof before);
    for (unsigned j = 0; j < ZTL_PAIR_BITS; j++)
        s->from[whole_bit(j, distance)] = before[whole_bit(plan->from[j], distance)];
    const uint64_t key = plan->key;
    uint32_t done = 0;
    for (unsigned pairs = s->registers / 2; pairs; pairs--) {
        plan = next_pair(s, &other, &other_distance);
        if (!plan || plan->key != key || other_distance != distance || done >> other & 1)
            return false;
        done |= UINT32_C(1) << other;
        s->next++;
    }
    return true;
}

static bool is_power(unsigned n)
{
    return (n & (n - 1)) == 0;
}

/* log2 of the bytes of a register that its slices fill, the same for loads and stores; 0 when a
 * vector may cross the end of a slice. */
static unsigned slices_bits(const ztl_loop *r, ztl_state *state)
{
    unsigned bytes[2];
    for (unsigned is_store = 0; is_store < 2; is_store++) {
        ztl_slices_plan plan;
        if (!ztl_loop_slices(r, state, is_store, &plan) || plan.width % ZTL_VECTOR)
            return 0;
        bytes[is_store] = (unsigned)plan.count * plan.width;
    }
    return bytes[LOADS] == bytes[STORES] && is_power(bytes[LOADS])
               ? (unsigned)__builtin_ctz(bytes[LOADS])
               : 0;
}

/* Drops the index bits of the part of a register that slices do not fill: these must stay in place.
 * Returns how many bits remain; 0: too few. */
static unsigned leave_out(uint8_t from[ZTL_ROUTE_BITS], unsigned bits, unsigned filled)
{
    const unsigned left = REGISTER_BITS - filled;
    for (unsigned j = filled; j < REGISTER_BITS; j++)
        if (from[j] != j)
            return 0;
    for (unsigned j = 0; j + left < bits; j++) {
        uint8_t bit = from[j < filled ? j : j + left];
        from[j] = bit < filled ? bit : (uint8_t)(bit - left);
    }
    return bits - left < ZTL_PAIR_BITS ? 0 : bits - left;
}

static bool take_stages(ztl_loop *r, ztl_state *state, unsigned first, unsigned end)
{
    const unsigned filled = slices_bits(r, state);
    uint32_t registers = r->end[LOADS].registers;
    stages s = {r, state, first, end, __builtin_ctz(registers), r->end[LOADS].count, {0}};
    registers >>= s.first;
    if (!filled || !ztl_bodies_of(state)->route || registers & (registers + 1) ||
        !is_power(s.registers) || s.registers < 2 ||
        r->end[STORES].registers != r->end[LOADS].registers)
        return false;
    for (unsigned j = 0; j < ZTL_ROUTE_BITS; j++)
        s.from[j] = (uint8_t)j;
    for (skip_csrs(&s); s.next < end; skip_csrs(&s))
        if (!take_stage(&s))
            return false;
    unsigned bits = leave_out(s.from, REGISTER_BITS + (unsigned)__builtin_ctz(s.registers), filled);
    if (!bits)
        return false;
    r->lanes = 1u << (bits - ZTL_VECTOR_BITS);
    ztl_plan_groups(&r->kernel, r->end[LOADS].lane, r->end[STORES].lane, s.from, bits,
                    ztl_bodies_of(state)->lane_bits);
    return true;
}

/* Brings the CSRs to their values at a step. */
static void write_csrs_before(const ztl_loop *r, ztl_state *state, unsigned step)
{
    for (unsigned n = 0; n < step; n++)
        if (!r->step[n].insn.row)
            ztl_loop_csr(state, &r->step[n]);
}

/* The kind of a body whose steps [first, end) lie between loads and stores. */
static enum ztl_loop_kind kind_of(ztl_loop *r, ztl_state *state, unsigned first, unsigned end)
{
    bool same_registers = r->end[LOADS].registers == r->end[STORES].registers;
    if (past_csrs(r, first) == end)
        return same_registers ? ZTL_LOOP_COPY : ZTL_LOOP_STEPWISE;
    write_csrs_before(r, state, first);
    const csrs before = save(state);
    if (same_registers && take_stages(r, state, first, end))
        return ZTL_LOOP_ROUTE;
    restore(state, &before);
    return ztl_loop_select(r, state, first, end) ? ZTL_LOOP_SELECT : ZTL_LOOP_STEPWISE;
}

/* Whether the hart has all the instructions. */
static bool has_all(const ztl_loop *r, const ztl_state *state)
{
    for (unsigned n = 0; n < r->steps; n++)
        if (r->step[n].insn.row && !(state->config.subsets & r->step[n].insn.row->subset))
            return false;
    return true;
}

void ztl_loop_recognise(ztl_loop *r, ztl_state *state)
{
    const csrs before = save(state);
    bool listed = has_all(r, state) && list_csrs(r, state);
    restore(state, &before);
    unsigned first = listed ? take_end(r, LOADS, 0) : 0, end = first;
    while (end < r->steps && !(ztl_effects(r->step[end].insn.row) & ZTL_STORES))
        end++;
    unsigned past = first ? take_end(r, STORES, end) : 0;
    r->kind = ZTL_LOOP_STEPWISE;
    if (past && past_csrs(r, past) == r->steps)
        r->kind = kind_of(r, state, first, end);
    restore(state, &before);
}
