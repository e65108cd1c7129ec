/* SPDX-License-Identifier: Apache-2.0
 * Fused loops: where in memory an iteration happens, and its execution.
 */
#include "fuse/loop.h"

enum { LOADS = ZTL_LOOP_LOADS, STORES = ZTL_LOOP_STORES };

static bool same_step(const ztl_loop_step *a, const ztl_loop_step *b)
{
    return a->insn.row == b->insn.row && a->insn.word == b->insn.word && a->a0 == b->a0 &&
           a->a1 == b->a1;
}

void ztl_loop_set(ztl_loop *r, const ztl_loop_step *step, unsigned steps)
{
    ztl_copy_bytes(r->step, step, steps * sizeof *step);
    r->steps = steps;
    r->recognised = false;
}

/* The address of the k-th load or store, relative to the iteration's. */
static int64_t place_of(const ztl_loop *r, const ztl_loop_end *end, unsigned k)
{
    const ztl_loop_step *step = &r->step[end->step[k]];
    return (int64_t)(step->a0 + (uint64_t)((int64_t)step->insn.operand[1] * end->slices.width));
}

/* The offset of its lowest slice from the lowest of all. */
static int64_t offset_of(const ztl_loop *r, const ztl_loop_end *end, unsigned k)
{
    return (int64_t)((uint64_t)place_of(r, end, k) + (uint64_t)end->slices.low - end->low);
}

bool ztl_loop_slices(const ztl_loop *r, ztl_state *state, bool is_store, ztl_slices_plan *plan)
{
    const ztl_loop_end *end = &r->end[is_store];
    const uint64_t x[32] = {0};
    const ztl_step step = {state, &r->step[end->step[0]].insn, x, NULL};
    uint32_t shape = state->csr[ZTL_SLOT_TSHAPE];
    state->csr[ZTL_SLOT_TSHAPE] = end->shape;
    bool good = ztl_plan_slices(&step, is_store, plan);
    state->csr[ZTL_SLOT_TSHAPE] = shape;
    return good;
}

static const uint32_t *strides_of(const ztl_state *state, bool is_store)
{
    return &state->csr[is_store ? ZTL_SLOT_STORE_STRIDE : ZTL_SLOT_LOAD_STRIDE];
}

/* Finds the slices and their extent. Once the loop has been usable, only strides can have changed.
 */
static bool measure(const ztl_loop *r, ztl_state *state, bool is_store, ztl_loop_end *end)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    if (r->usable)
        ztl_move_slices(&end->slices, strides_of(state, is_store));
    else if (!ztl_loop_slices(r, state, is_store, &end->slices) || !end->slices.active)
        return false;
    end->address_bits = end->slices.offset_bits;
    for (unsigned k = 0; k < end->count; k++) {
        int64_t place = place_of(r, end, k);
        end->address_bits |= (uint8_t)place;
        low = place < low ? place : low;
        high = place > high ? place : high;
    }
    end->low = (uint64_t)low + (uint64_t)end->slices.low;
    end->size = (uint64_t)high - (uint64_t)low + (uint64_t)(end->slices.high - end->slices.low);
    return end->size < INT32_MAX;
}

/* The offsets of lanes in memory; for kernels of whole vectors, of the first lane of each. */
static void place_lanes(const ztl_loop *r, ztl_loop_end *end, unsigned lanes)
{
    const unsigned slice = (unsigned)__builtin_ctz(end->slices.width), inside = (1u << slice) - 1;
    const unsigned slices = end->slices.count;
    int32_t start[ZTL_LOOP_LANES]; /* of each slice */
    for (unsigned k = 0; k < end->count; k++) {
        int64_t place = offset_of(r, end, k);
        for (unsigned i = 0; i < slices; i++)
            start[k * slices + i] = (int32_t)(place + end->slices.offset[i]);
    }
    for (unsigned n = 0; n < r->lanes; n += lanes) {
        unsigned lane = (unsigned)end->lane[n];
        end->offset[n] = start[lane >> slice] + (int32_t)(lane & inside);
    }
}

/* The kind of kernel when slices may be narrower than its vectors. */
static uint8_t kind_of(const ztl_loop *r, unsigned vector)
{
    uint8_t kind = r->kernel.kind;
    if (r->end[LOADS].slices.width < vector)
        kind &= (uint8_t) ~(ZTL_WHOLE_FROM | ZTL_PAIRS);
    if (r->end[STORES].slices.width < vector)
        kind &= (uint8_t) ~(ZTL_WHOLE_TO | ZTL_UNITS | ZTL_PAIRS);
    return kind;
}

static void place_route(ztl_loop *r, unsigned lanes, const bool placed[2])
{
    static const uint8_t whole[2] = {ZTL_WHOLE_FROM, ZTL_WHOLE_TO};
    r->placed_kernel = r->kernel;
    r->placed_kernel.kind = kind_of(r, ZTL_VECTOR * lanes);
    for (unsigned is_store = 0; is_store < 2; is_store++)
        if (!placed[is_store])
            place_lanes(r, &r->end[is_store], r->placed_kernel.kind & whole[is_store] ? lanes : 1);
}

static bool goes_on(const ztl_copy_run *run, const ztl_copy_run *slice)
{
    return slice->from == run->from + (int64_t)run->bytes &&
           slice->to == run->to + (int64_t)run->bytes;
}

/* The least distance between two targets. */
static uint64_t least_distance(const ztl_copy_run *run, unsigned count)
{
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++) {
            int64_t difference = (int64_t)run[i].to - run[j].to;
            uint64_t distance = (uint64_t)(difference < 0 ? -difference : difference);
            least = distance < least ? distance : least;
        }
    return least;
}

/* Merges slices that are contiguous in source and target into runs. With `in_turn` a slice may also
 * continue the next of several runs in rotation, as when rows are read column by column. Returns
 * whether any did. */
static bool join_slices(ztl_loop *r, bool in_turn)
{
    const int64_t *from = r->end[LOADS].slices.offset, *to = r->end[STORES].slices.offset;
    const uint32_t width = r->end[LOADS].slices.width;
    const unsigned count = r->end[LOADS].slices.count;
    ztl_copy_run *last = r->run, *turn = r->run;
    bool taken = false;
    *last = (ztl_copy_run){(int32_t)from[0], (int32_t)to[0], width};
    for (unsigned i = 1; i < count; i++) {
        const ztl_copy_run slice = {(int32_t)from[i], (int32_t)to[i], width};
        if (goes_on(last, &slice))
            last->bytes += width;
        else if (in_turn && goes_on(turn, &slice)) {
            turn->bytes += width;
            turn = turn < last ? turn + 1 : r->run;
            taken = true;
        } else
            *++last = slice;
    }
    r->runs = (unsigned)(last - r->run) + 1;
    r->same_run = r->run[0].bytes;
    for (unsigned k = 1; k < r->runs; k++)
        r->same_run = r->run[k].bytes == r->same_run ? r->same_run : 0;
    return taken;
}

static bool place_copy(ztl_loop *r)
{
    for (unsigned is_store = 0; is_store < 2; is_store++)
        for (unsigned k = 0; k < r->end[is_store].count; k++)
            r->end[is_store].offset[k] = (int32_t)offset_of(r, &r->end[is_store], k);
    const ztl_slices_plan *from = &r->end[LOADS].slices, *to = &r->end[STORES].slices;
    if (from->count != to->count || from->width != to->width)
        return false;
    r->least_gap = 0;
    if (!join_slices(r, true))
        return true;
    r->least_gap = least_distance(r->run, r->runs);
    if (!r->same_run || r->least_gap < r->same_run) { /* the order of the stores may matter */
        join_slices(r, false);
        r->least_gap = 0;
    }
    return true;
}

/* The offset in memory of a byte of the registers, laid side by side. */
static int32_t place_byte(const ztl_loop *r, const ztl_loop_end *end, unsigned slice, int32_t byte)
{
    unsigned k = (unsigned)byte / ZTL_REG_BYTES, in_register = (unsigned)byte % ZTL_REG_BYTES;
    return (int32_t)(offset_of(r, end, k) + end->slices.offset[in_register >> slice]) +
           (int32_t)(in_register & ((1u << slice) - 1));
}

static bool place_selection(ztl_loop *r)
{
    const ztl_selection *s = &r->selection;
    ztl_loop_end *load = &r->end[LOADS], *store = &r->end[STORES];
    unsigned from = ztl_slice_bits(&load->slices), to = ztl_slice_bits(&store->slices);
    for (unsigned n = 0; n < s->vectors && to; n++)
        store->offset[n] = place_byte(r, store, to, s->place[n]);
    for (unsigned n = 0; n < s->parts; n++)
        load->offset[n] = place_byte(r, load, from, s->start[n]);
    return to;
}

/* Whether the loads, or stores, have the strides of the last run. */
static bool still_placed(const ztl_loop *r, const ztl_state *state, bool is_store)
{
    const uint32_t *stride = strides_of(state, is_store);
    uint32_t difference = 0;
    for (unsigned i = 0; i < ZTL_MAX_SLICES; i++)
        difference |= stride[i] ^ r->end[is_store].slices.stride[i];
    return r->usable && difference == 0;
}

bool ztl_loop_is_placed(const ztl_loop *r, const ztl_state *state)
{
    return still_placed(r, state, LOADS) && still_placed(r, state, STORES);
}

static bool place(ztl_loop *r, ztl_state *state)
{
    const bool placed[2] = {still_placed(r, state, LOADS), still_placed(r, state, STORES)};
    for (unsigned is_store = 0; is_store < 2; is_store++)
        if (!placed[is_store] && !measure(r, state, is_store, &r->end[is_store]))
            return false;
    if (placed[LOADS] && placed[STORES])
        return true;
    r->strides_change = true;
    if (r->kind != ZTL_LOOP_ROUTE)
        return r->kind == ZTL_LOOP_COPY ? place_copy(r) : place_selection(r);
    place_route(r, 1u << ztl_bodies_of(state)->lane_bits, placed);
    return true;
}

static bool same_live_in(const ztl_loop *r, const ztl_state *state)
{
    bool same = true;
    for (unsigned k = 0; k < ZTL_LOOP_CSRS; k++)
        same = same && (!r->live_in[k] ||
                        r->entry[ztl_loop_csrs[k].slot] == state->csr[ztl_loop_csrs[k].slot]);
    return same;
}

/* Whether nothing but strides has changed. */
static bool still_recognised(const ztl_loop *r, const ztl_state *state)
{
    return r->recognised && r->bodies == ztl_bodies_used(state) && same_live_in(r, state) &&
           ztl_loop_same_csrs(state, r->entry);
}

bool ztl_loop_has(const ztl_loop *r, const ztl_state *state, const ztl_loop_step *step,
                  unsigned steps)
{
    bool same = r->steps == steps;
    for (unsigned n = 0; n < steps && same; n++)
        same = same_step(&r->step[n], &step[n]);
    return same && still_recognised(r, state);
}

static void compose(ztl_loop *r, ztl_state *state)
{
    if (still_recognised(r, state))
        return;
    r->recognised = true;
    r->usable = false;
    r->bodies = ztl_bodies_used(state);
    ztl_copy_bytes(r->entry, state->csr, sizeof r->entry);
    r->kind = ZTL_LOOP_STEPWISE;
    if (r->bodies && state->config.revision == 2)
        ztl_loop_recognise(r, state);
}

__attribute__((noinline)) static bool prepare_anew(ztl_loop *r, ztl_state *state)
{
    compose(r, state);
    r->usable = r->kind != ZTL_LOOP_STEPWISE && place(r, state);
    r->checked = true;
    return r->usable;
}

static inline bool prepare(ztl_loop *r, ztl_state *state)
{
    if (r->checked && (!r->carried || same_live_in(r, state)))
        return r->usable;
    return prepare_anew(r, state);
}

/* The host address of the lowest slice; NULL unless all slices are in RAM and aligned. */
static inline uint8_t *locate(const ztl_loop_end *end, bool is_store, const ztl_state *state,
                              const ztl_memory *memory, uint64_t base, uint64_t size)
{
    bool aligned = !((base | end->address_bits) & (end->slices.alignment - 1u));
    return aligned ? ztl_reach(&state->config, memory, is_store, base + end->low, size) : NULL;
}

static inline bool are_apart(const uint8_t *from, uint64_t from_size, const uint8_t *to,
                             uint64_t to_size)
{
    uintptr_t distance = (uintptr_t)from - (uintptr_t)to;
    return from && to && distance >= to_size && -distance >= from_size;
}

static void execute(const ztl_loop *r, const ztl_bodies *bodies, uint8_t *to, const uint8_t *from)
{
    const ztl_loop_end *load = &r->end[LOADS], *store = &r->end[STORES];
    if (r->kind == ZTL_LOOP_ROUTE)
        bodies->route(&r->placed_kernel, r->lanes, to, store->offset, from, load->offset);
    else if (r->kind == ZTL_LOOP_SELECT)
        bodies->select(&r->selection, to, store->offset, from, load->offset);
    else
        for (unsigned k = 0; k < load->count; k++)
            bodies->copy(r->run, r->runs, r->same_run, to + store->offset[k],
                         from + load->offset[k]);
}

/* Whether n iterations amount to runs n times as long: each continues where the last one ended, and
 * no run reaches the start of another. */
static bool are_long_runs(ztl_loop *r, const ztl_series at[2], uint64_t n)
{
    if (r->kind != ZTL_LOOP_COPY || r->end[LOADS].count > 1 || !r->same_run ||
        at[LOADS].step != r->same_run || at[STORES].step != r->same_run)
        return false;
    if (!r->least_gap)
        r->least_gap = least_distance(r->run, r->runs);
    return n * r->same_run <= r->least_gap && n * r->same_run <= UINT32_MAX;
}

static void copy_long_runs(const ztl_loop *r, const ztl_bodies *bodies, uint8_t *to,
                           const uint8_t *from, uint64_t n)
{
    ztl_copy_run run[ZTL_MAX_SLICES];
    for (unsigned k = 0; k < r->runs; k++)
        run[k] = (ztl_copy_run){r->run[k].from, r->run[k].to, (uint32_t)(n * r->same_run)};
    bodies->copy(run, r->runs, 0, to + r->end[STORES].offset[0], from + r->end[LOADS].offset[0]);
}

/* The memory that n iterations load, or store: host address of the lowest slice or NULL, size, and
 * offset of the first iteration's. */
typedef struct extent {
    uint8_t *lowest;
    uint64_t size, first;
} extent;

static extent locate_all(const ztl_loop *r, bool is_store, const ztl_state *state,
                         const ztl_memory *memory, const ztl_series *at, uint64_t n)
{
    const ztl_loop_end *end = &r->end[is_store];
    const uint64_t way = (uint64_t)(at->step < 0 ? -at->step : at->step) * (n - 1);
    extent all = {NULL, end->size + way, at->step < 0 ? way : 0};
    if (!((uint64_t)at->step & (end->slices.alignment - 1u)))
        all.lowest = locate(end, is_store, state, memory, at->first - all.first, all.size);
    return all;
}

/* Executes all n iterations, or nothing. */
static bool execute_all(ztl_loop *r, ztl_state *state, const ztl_memory *memory,
                        const ztl_series at[2], uint64_t n)
{
    const extent load = locate_all(r, LOADS, state, memory, &at[LOADS], n);
    const extent store = locate_all(r, STORES, state, memory, &at[STORES], n);
    if (!are_apart(load.lowest, load.size, store.lowest, store.size))
        return false;
    const uint8_t *from = load.lowest + load.first;
    uint8_t *to = store.lowest + store.first;
    if (are_long_runs(r, at, n)) {
        copy_long_runs(r, ztl_bodies_of(state), to, from, n);
        return true;
    }
    for (;; from += at[LOADS].step, to += at[STORES].step) {
        execute(r, ztl_bodies_of(state), to, from);
        if (--n == 0)
            return true;
    }
}

static bool execute_one(const ztl_loop *r, ztl_state *state, const ztl_memory *memory,
                        uint64_t from_address, uint64_t to_address)
{
    const ztl_loop_end *load = &r->end[LOADS], *store = &r->end[STORES];
    uint8_t *from = locate(load, LOADS, state, memory, from_address, load->size);
    uint8_t *to = locate(store, STORES, state, memory, to_address, store->size);
    if (!are_apart(from, load->size, to, store->size))
        return false;
    execute(r, ztl_bodies_of(state), to, from);
    return true;
}

/* Counts and distances whose products cannot overflow. */
static bool are_moderate(const ztl_series at[2], uint64_t n)
{
    enum { MOST = 1 << 30 };
    return n <= MOST && at[LOADS].step <= MOST && at[LOADS].step >= -MOST &&
           at[STORES].step <= MOST && at[STORES].step >= -MOST;
}

uint64_t ztl_loop_run(ztl_loop *r, ztl_state *state, const ztl_memory *memory,
                      const ztl_series at[2], uint64_t n)
{
    if (!prepare(r, state))
        return 0;
    if (n > 1 && !r->carried && are_moderate(at, n) && execute_all(r, state, memory, at, n))
        return n;
    return execute_one(r, state, memory, at[LOADS].first, at[STORES].first);
}
