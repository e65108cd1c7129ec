/* SPDX-License-Identifier: Apache-2.0
 * Rounds: where in memory they are, and their execution.
 */
#include "model/fast/rounds.h"

enum { LOADS, STORES, REGISTER_BITS = ZTL_PAIR_BITS - 1 };

void ztl_rounds_csr_written(ztl_rounds *r, unsigned address)
{
    bool of_loads = address - ZTL_CSR_LOAD_STRIDE < ZTL_MAX_SLICES;
    bool of_stores = address - ZTL_CSR_STORE_STRIDE < ZTL_MAX_SLICES;
    r->composed = r->composed && (of_loads || of_stores);
    r->end[LOADS].placed = r->end[LOADS].placed && !of_loads;
    r->end[STORES].placed = r->end[STORES].placed && !of_stores;
}

/* The address of a register's load or store, from the round's. */
static int64_t place_of(const ztl_rounds *r, const ztl_round_end *end, unsigned reg)
{
    const ztl_round_step *step = &r->step[end->step[r->first_register + reg]];
    return (int64_t)step->a0 + (int64_t)step->insn.operand[1] * end->slices.width;
}

/* The slices, and the extent of all of them. */
static bool measure(const ztl_rounds *r, ztl_state *state, bool is_store, ztl_round_end *end)
{
    const uint64_t x[32] = {0};
    const ztl_step step = {state, &r->step[end->step[r->first_register]].insn, x, NULL};
    int64_t low = INT64_MAX, high = INT64_MIN;
    if (!ztl_plan_slices(&step, is_store, &end->slices) || !end->slices.active)
        return false;
    end->address_bits = end->slices.offset_bits;
    for (unsigned reg = 0; reg < r->registers; reg++) {
        int64_t place = place_of(r, end, reg);
        end->address_bits |= (uint8_t)place;
        low = place < low ? place : low;
        high = place > high ? place : high;
    }
    end->low = (uint64_t)(low + end->slices.low);
    end->size = (uint64_t)(high - low) + (uint64_t)(end->slices.high - end->slices.low);
    return end->size < INT32_MAX;
}

/* log2 of the slices' width; 0 when lanes do not lie in them one by one. */
static unsigned slice_bits(const ztl_slices_plan *plan)
{
    bool fits =
        plan->width % ZTL_VECTOR == 0 && (unsigned)plan->count * plan->width == ZTL_REG_BYTES;
    return fits ? (unsigned)__builtin_ctz(plan->width) : 0;
}

/* Where in memory the lanes are. Kernels that take whole vectors ask for each vector's first. */
static void place_lanes(const ztl_rounds *r, ztl_round_end *end, unsigned lanes)
{
    const unsigned slice = slice_bits(&end->slices), inside = (1u << slice) - 1;
    const unsigned slices = (unsigned)ZTL_REG_BYTES >> slice;
    int32_t start[ZTL_ROUND_LANES]; /* of each slice */
    for (unsigned reg = 0; reg < r->registers; reg++) {
        int64_t place = place_of(r, end, reg) + end->slices.low - (int64_t)end->low;
        for (unsigned i = 0; i < slices; i++)
            start[reg * slices + i] = (int32_t)(place + end->slices.offset[i]);
    }
    for (unsigned n = 0; n < r->registers * ZTL_REG_VECTORS; n += lanes) {
        unsigned lane = (unsigned)end->lane[n];
        end->offset[n] = start[lane >> slice] + (int32_t)(lane & inside);
    }
}

/* The kernel, where slices may be narrower than its vectors. */
static uint8_t kind_of(const ztl_rounds *r, unsigned vector)
{
    uint8_t kind = r->kernel.kind;
    if (r->end[LOADS].slices.width < vector)
        kind &= (uint8_t)~ZTL_WHOLE_FROM;
    if (r->end[STORES].slices.width < vector)
        kind &= (uint8_t) ~(ZTL_WHOLE_TO | ZTL_UNITS);
    return kind;
}

static bool place_route(ztl_rounds *r, unsigned lanes, const bool placed[2])
{
    static const uint8_t whole[2] = {ZTL_WHOLE_FROM, ZTL_WHOLE_TO};
    if (!slice_bits(&r->end[LOADS].slices) || !slice_bits(&r->end[STORES].slices))
        return false;
    r->used = r->kernel;
    r->used.kind = kind_of(r, ZTL_VECTOR * lanes);
    for (unsigned is_store = 0; is_store < 2; is_store++)
        if (!placed[is_store])
            place_lanes(r, &r->end[is_store], r->used.kind & whole[is_store] ? lanes : 1);
    return true;
}

static bool same_widths(const ztl_slices_plan *a, const ztl_slices_plan *b)
{
    return a->count == b->count && a->width == b->width;
}

static bool place(ztl_rounds *r, ztl_state *state)
{
    const bool placed[2] = {r->usable && r->end[LOADS].placed, r->usable && r->end[STORES].placed};
    r->end[LOADS].placed = r->end[STORES].placed = true;
    for (unsigned is_store = 0; is_store < 2; is_store++)
        if (!placed[is_store] && !measure(r, state, is_store, &r->end[is_store]))
            return false;
    return r->copies ? same_widths(&r->end[LOADS].slices, &r->end[STORES].slices)
                     : place_route(r, 1u << state->bodies->lane_bits, placed);
}

/* Composes and places anew what has changed. */
static bool prepare(ztl_rounds *r, ztl_state *state)
{
    if (!r->composed || (r->takes_perm && r->first_perm != state->csr[ZTL_SLOT_PERM])) {
        r->composed = true;
        r->end[LOADS].placed = r->end[STORES].placed = false;
        r->composes =
            state->bodies->route && state->config.revision == 2 && ztl_rounds_compose(r, state);
    }
    if (!r->end[LOADS].placed || !r->end[STORES].placed)
        r->usable = r->composes && place(r, state);
    return r->usable;
}

/* Where in the host the lowest slice is; NULL unless all slices are within reach and aligned. */
static uint8_t *locate(const ztl_round_end *end, bool is_store, ztl_state *state,
                       const ztl_memory *memory, uint64_t base)
{
    const ztl_step step = {state, NULL, NULL, memory};
    bool aligned = !((base | end->address_bits) & (end->slices.alignment - 1u));
    return aligned ? ztl_reach(&step, is_store, base + end->low, end->size) : NULL;
}

static void copy(const ztl_rounds *r, const ztl_bodies *bodies, uint8_t *to, const uint8_t *from)
{
    const ztl_round_end *load = &r->end[LOADS], *store = &r->end[STORES];
    for (unsigned reg = 0; reg < r->registers; reg++) {
        int64_t source = place_of(r, load, reg) + load->slices.low - (int64_t)load->low;
        int64_t target = place_of(r, store, reg) + store->slices.low - (int64_t)store->low;
        bodies->copy(&store->slices, to + target, &load->slices, from + source);
    }
}

bool ztl_rounds_run(ztl_rounds *r, ztl_state *state, const ztl_memory *memory,
                    uint64_t from_address, uint64_t to_address, ztl_alone *alone, void *context)
{
    if (!prepare(r, state))
        return false;
    const ztl_round_end *load = &r->end[LOADS], *store = &r->end[STORES];
    uint8_t *from = locate(load, LOADS, state, memory, from_address);
    uint8_t *to = locate(store, STORES, state, memory, to_address);
    uintptr_t distance = (uintptr_t)from - (uintptr_t)to;
    if (!from || !to || distance < store->size || -distance < load->size)
        return false;
    if (r->copies)
        copy(r, state->bodies, to, from);
    else
        state->bodies->route(&r->used, r->registers * ZTL_REG_VECTORS, to, store->offset, from,
                             load->offset);
    for (unsigned k = 0; k < r->csrs; k++)
        alone(context, r->csr[k]);
    return true;
}
