/* SPDX-License-Identifier: Apache-2.0
 * Packing into nests of loops: where an extent is a multiple of what a batch takes along it, one
 * batch with one pair of stride vectors is run at every index of the loops. Elsewhere batches are
 * listed (list.c), or a dimension is cut so that most of it is a nest.
 */
#include "ops/pack/packing.h"

enum { LONG_LIST = 1 << 17, SHORT_LIST = 1 << 12, FEW_GROUPS = 2, FEW_BATCHES = 192 };

/* Exact division, as a shift and a multiplication modulo 2^64. */
typedef struct divisor {
    unsigned shift;
    uint64_t inverse;
} divisor;

static divisor divisor_of(uint64_t n)
{
    divisor by = {0, 1};
    for (; !(n & 1); n >>= 1)
        by.shift++;
    for (unsigned bits = 1; bits < 64; bits *= 2)
        by.inverse *= 2 - n * by.inverse;
    return by;
}

static int64_t divide(int64_t n, divisor by)
{
    return (int64_t)((uint64_t)(n >> by.shift) * by.inverse);
}

bool ztl_ops_vectors_of(const ops_tile *tile, const ops_instance *at, unsigned present,
                        unsigned slices, ops_vector *load, ops_vector *store)
{
    divisor width = divisor_of(tile->width), store_width = divisor_of(tile->store_width);
    memset(load, 0, sizeof *load);
    memset(store, 0, sizeof *store);
    for (unsigned i = 0; i < slices; i++) {
        unsigned a = tile->in_of[i] < present ? tile->in_of[i] : 0;
        unsigned b = tile->out_of[i] < present ? tile->out_of[i] : 0;
        int64_t in = divide(tile->in[i] + at[a].in - at[0].in, width);
        int64_t out = divide(tile->out[i] + at[b].out - at[0].out, store_width);
        if (in != (int32_t)in || out != (int32_t)out)
            return false;
        load->stride[i] = (int32_t)in;
        store->stride[i] = (int32_t)out;
    }
    return true;
}

static int64_t residue_period(const ops_tile *tile, const ops_dim *dim)
{
    return ztl_ops_residue_period(dim, tile->in_width, tile->out_width);
}

ops_tile ztl_ops_slice_tile(unsigned width)
{
    unsigned fit = OPS_BLOCK / width, slices = fit < OPS_SLICES ? fit : OPS_SLICES;
    ops_tile tile = {.width = width,
                     .store_width = width,
                     .in_width = width,
                     .out_width = width,
                     .instances = slices,
                     .slices = slices};
    for (unsigned i = 0; i < slices; i++)
        tile.in_of[i] = tile.out_of[i] = (uint8_t)i;
    return tile;
}

/* How many positions of each dimension a batch takes; and how far apart in the target they are. */
typedef struct factors {
    int64_t product, extent;
    int64_t factor[OPS_DIMS];
} factors;

/* Whether strides reach instances that are so many steps apart; half of their range is left for the
 * slices of an instance. */
static bool is_reached(const ops_tile *tile, const ops_dim *dim, int64_t steps)
{
    int64_t most = INT32_MAX / (2 * OPS_DIMS) / (steps ? steps : 1);
    int64_t in = dim->in / (int64_t)tile->width, out = dim->out / (int64_t)tile->store_width;
    return steps == 0 || (in <= most && in >= -most && out <= most && out >= -most);
}

/* As many as fit, and of equal ones those that are closest together in the target: stores of
 * different batches then seldom reach into each other, and need not wait for each other. */
static void find_factors(const ops_tile *tile, const ops_piece *grid, unsigned d, factors *now,
                         factors *best)
{
    if (now->product > best->product ||
        (now->product == best->product && now->extent < best->extent))
        *best = *now;
    if (d == grid->rank || (best->product == tile->instances && now->extent >= best->extent))
        return;
    int64_t p = residue_period(tile, &grid->dim[d]), out = grid->dim[d].out;
    int64_t steps = grid->dim[d].n % p ? 1 : grid->dim[d].n / p;
    for (int64_t f = tile->instances / now->product; f >= 1; f--) {
        if (steps % f || !is_reached(tile, &grid->dim[d], (f - 1) * p))
            continue;
        int64_t extent = f > 1 ? (f - 1) * p * (out < 0 ? -out : out) : 0; /* is in reach */
        now->product *= f;
        now->extent += extent;
        now->factor[d] = f;
        find_factors(tile, grid, d + 1, now, best);
        now->product /= f;
        now->extent -= extent;
        now->factor[d] = 1;
    }
}

/* The loops of a pass, and the instances of its only batch. */
static bool nest(const ops_tile *tile, const ops_piece *grid, const factors *best, ops_pass *pass,
                 ops_instance *at)
{
    unsigned filled = 1;
    at[0] = (ops_instance){grid->in, grid->out};
    for (unsigned d = 0; d < grid->rank; d++) {
        const ops_dim *dim = &grid->dim[d];
        int64_t f = best->factor[d], p = f > 1 ? residue_period(tile, dim) : 1;
        ops_dim loop[2] = {{dim->n / p / f, dim->in * p * f, dim->out * p * f},
                           {p, dim->in, dim->out}};
        for (unsigned k = 0; k < 2; k++) {
            if (loop[k].n == 1)
                continue;
            if (pass->loops == OPS_DIMS)
                return false;
            pass->loop[pass->loops++] = loop[k];
        }
        for (unsigned j = filled; j < filled * f; j++)
            at[j] =
                (ops_instance){at[j - filled].in + dim->in * p, at[j - filled].out + dim->out * p};
        filled *= (unsigned)f;
    }
    return true;
}

/* The bytes from the first to past the last that a store of these strides writes. */
static int64_t store_extent(const ops_pass *pass, const ops_vector *vector)
{
    int64_t low = vector->stride[0], high = low;
    for (unsigned i = 1; i < pass->slices; i++) {
        low = vector->stride[i] < low ? vector->stride[i] : low;
        high = vector->stride[i] > high ? vector->stride[i] : high;
    }
    return (high - low + 1) * pass->store_width;
}

/* Moves the best loop from `end` on to the place before it. */
static void put_last(ops_pass *pass, unsigned end, int64_t extent)
{
    unsigned best = 0;
    bool apart = false;
    for (unsigned d = 0; d < end; d++) {
        const ops_dim *loop = &pass->loop[d];
        bool is_apart = loop->out >= extent || -loop->out >= extent;
        if (is_apart > apart || (is_apart == apart && loop->n >= pass->loop[best].n)) {
            best = d;
            apart = is_apart;
        }
    }
    ops_dim swap = pass->loop[best];
    pass->loop[best] = pass->loop[end - 1];
    pass->loop[end - 1] = swap;
}

/* Innermost is a loop whose stores lie apart, if there is one: a store waits for one before that
 * reaches into its own bytes. Of equal ones the longest, as it is the shortest way to the next
 * batch. The loop around it is the longest of the others. */
static void sort_loops(ops_pass *pass, const ops_vector *store)
{
    if (pass->loops)
        put_last(pass, pass->loops, store_extent(pass, store));
    if (pass->loops > 1)
        put_last(pass, pass->loops - 1, 0);
}

static factors best_factors(const ops_tile *tile, const ops_piece *grid)
{
    factors now = {.product = 1}, best = {.product = 0};
    for (unsigned d = 0; d < OPS_DIMS; d++)
        now.factor[d] = 1;
    find_factors(tile, grid, 0, &now, &best);
    return best;
}

static int64_t listed_batches(const ops_packing *p, const ops_piece *grid, size_t grids)
{
    const ops_tile *tile = p->tile;
    return ztl_ops_count_batches(&p->draft->effort, grid, grids, tile->in_width, tile->out_width,
                                 tile->instances, INT64_MAX);
}

/* At most 1/100 more batches than a list has. */
static bool is_close(int64_t batches, int64_t listed)
{
    return listed < 0 || batches <= listed;
}

/* Whether there is memory for a list. */
static bool has_room(const ops_packing *p, int64_t n, int64_t batches)
{
    const ops_arena *arena = p->draft->arena;
    size_t room = (arena->high - arena->low) >> 2 * p->draft->thrift;
    bool fits = ztl_ops_list_bytes(p, n, batches) <= room;
    p->draft->is_short |= !fits;
    return fits;
}

/* One grid as a nest of loops around one batch, if that is close to a list. */
static bool pack_nest(const ops_packing *p, const ops_piece *grid, int64_t listed)
{
    const ops_tile *tile = p->tile;
    factors best = best_factors(tile, grid);
    if (p->draft->thrift < OPS_TIGHTEST && !is_close(ztl_ops_elements(grid) / best.product, listed))
        return false;
    ops_pass pass = *p->form;
    ops_instance at[OPS_SLICES];
    ops_vector vector[2];
    if (!nest(tile, grid, &best, &pass, at))
        return false;
    bool plain = pass.kind == OPS_PASS_RUNS || pass.kind == OPS_PASS_FILL;
    pass.slices = plain ? (uint32_t)best.product : tile->slices;
    if (!ztl_ops_vectors_of(tile, at, (unsigned)best.product, pass.slices, &vector[0], &vector[1]))
        return false;
    sort_loops(&pass, &vector[1]);
    pass.vectors = 2;
    pass.groups = pass.batches = 1;
    ops_group group = {.load = 0, .store = 1, .first = 0, .count = 1};
    ops_batch batch = {at[0].in, at[0].out};
    ztl_ops_write_pass(p->draft, &pass, p->insn, vector, &group, &batch);
    return true;
}

/* Cuts a grid so that the first part is a nest of full batches, and the rest is small: far fewer
 * stride vectors than a list has, for close to the same batches. */
static bool cut_for_nest(const ops_packing *p, const ops_piece *grid, int64_t listed,
                         ops_piece part[2])
{
    const ops_tile *tile = p->tile;
    int64_t best = INT64_MAX;
    for (unsigned d = 0; d < grid->rank && listed >= 4; d++) {
        int64_t period = residue_period(tile, &grid->dim[d]), n = grid->dim[d].n, last = 0;
        for (int64_t unit = period; unit <= n && unit <= period * OPS_SLICES; unit += period) {
            ops_piece try[2];
            if (n % unit == 0 || n - n % unit == last)
                continue;
            last = n - n % unit;
            ztl_ops_cut(grid, d, last, try);
            if (best_factors(tile, &try[0]).product != tile->instances)
                continue;
            int64_t rest = listed_batches(p, &try[1], 1);
            int64_t batches = ztl_ops_elements(&try[0]) / tile->instances + rest;
            if (rest >= 0 && batches < best && is_close(batches, listed)) {
                best = batches;
                part[0] = try[0];
                part[1] = try[1];
            }
        }
    }
    return best < INT64_MAX;
}

/* Lists the batches if two groups of stride vectors are enough: then one pass is better than
 * several. */
static bool list_in_few_groups(const ops_packing *p, const ops_piece *grid, size_t grids,
                               int64_t listed)
{
    int64_t n = 0;
    for (size_t i = 0; i < grids; i++)
        n += ztl_ops_elements(&grid[i]);
    if (listed > FEW_BATCHES || n > OPS_LISTED || !has_room(p, n, listed))
        return false;
    const ops_arena *arena = p->draft->arena;
    ops_mark mark = ztl_ops_set_mark(p->draft);
    ztl_ops_pack_list(p, grid, grids, listed);
    if (arena->full || ((const ops_pass *)(arena->base + mark.arena.low))->groups <= FEW_GROUPS)
        return true;
    ztl_ops_roll_back(p->draft, &mark);
    return false;
}

/* A dimension whose residues repeat, as a loop around the list of one or more periods: a far
 * shorter list, whose stride vectors are set only once. The rest of the dimension is the second
 * part. */
typedef struct repetition {
    int64_t listed; /* instances in both lists */
    bool is_close;  /* within most[0] batches */
    ops_dim loop;
    ops_piece part[2];
} repetition;

static void try_loop(const ops_packing *p, const ops_piece *grid, unsigned d, int64_t steps,
                     const int64_t most[2], repetition *best)
{
    repetition try = {.is_close = true};
    const ops_dim *dim = &grid->dim[d];
    int64_t rounds = dim->n / steps;
    ztl_ops_cut(grid, d, rounds * steps, try.part);
    try.part[0].dim[d].n = steps;
    try.loop = (ops_dim){rounds, dim->in * steps, dim->out * steps};
    try.listed = ztl_ops_elements(&try.part[0]) + ztl_ops_elements(&try.part[1]);
    if (best->is_close && try.listed >= best->listed)
        return;
    int64_t batches = listed_batches(p, &try.part[0], 1), rest = 0;
    if (try.part[1].dim[d].n)
        rest = listed_batches(p, &try.part[1], 1);
    if (batches < 0 || rest < 0)
        return;
    try.is_close = rounds * batches + rest <= most[0];
    bool fits = try.is_close || (!best->is_close && rounds * batches + rest <= most[1]);
    if (fits && (try.is_close > best->is_close || try.listed < best->listed))
        *best = try;
}

/* Within most[0] batches if possible, else within most[1]. */
static bool find_loop(const ops_packing *p, const ops_piece *grid, const int64_t most[2],
                      repetition *best)
{
    *best = (repetition){.listed = INT64_MAX};
    for (unsigned d = 0; d < grid->rank; d++) {
        int64_t period = residue_period(p->tile, &grid->dim[d]);
        for (int64_t f = 1; f <= OPS_SLICES && 2 * period * f <= grid->dim[d].n; f *= 2)
            try_loop(p, grid, d, period * f, most, best);
        /* No class has a partly filled batch then, whatever its instances. */
        if (2 * period * p->tile->instances <= grid->dim[d].n)
            try_loop(p, grid, d, period * p->tile->instances, most, best);
    }
    return best->listed < INT64_MAX;
}

static void pack_large(const ops_packing *p, const ops_piece *grid);

/* As many batches as a list has. One too long for memory, or for planning to be quick, would be cut
 * anyway, so accept up to 1/32 more then. */
static bool pack_loop(const ops_packing *p, const ops_piece *grid, int64_t listed)
{
    repetition found;
    int64_t n = ztl_ops_elements(grid), most[2] = {listed, listed};
    if (n <= SHORT_LIST || listed < 0 || p->form->loops == OPS_DIMS)
        return false;
    if (!find_loop(p, grid, most, &found)) {
        if (n <= LONG_LIST && has_room(p, n, listed))
            return false;
        most[0] += listed / 100;
        most[1] += listed / 32;
        if (!find_loop(p, grid, most, &found))
            return false;
    }
    ops_pass form = *p->form;
    form.loop[form.loops++] = found.loop;
    ops_packing inside = *p;
    inside.form = &form;
    pack_large(&inside, &found.part[0]);
    if (ztl_ops_elements(&found.part[1]))
        pack_large(p, &found.part[1]);
    return true;
}

/* Nests as far as possible, then lists. The longest dimension of a large grid is halved until its
 * list is short enough. */
static void pack_large(const ops_packing *p, const ops_piece *grid)
{
    ops_piece part[2];
    int64_t listed = listed_batches(p, grid, 1);
    if (pack_nest(p, grid, listed) || p->draft->arena->full)
        return;
    if (cut_for_nest(p, grid, listed, part)) {
        if (list_in_few_groups(p, grid, 1, listed))
            return;
    } else if (pack_loop(p, grid, listed)) {
        return;
    } else if (ztl_ops_elements(grid) <= LONG_LIST && has_room(p, ztl_ops_elements(grid), listed)) {
        ztl_ops_pack_list(p, grid, 1, listed);
        return;
    } else {
        unsigned longest = 0;
        for (unsigned d = 1; d < grid->rank; d++)
            if (grid->dim[d].n > grid->dim[longest].n)
                longest = d;
        int64_t half = grid->dim[longest].n / 2,
                period = residue_period(p->tile, &grid->dim[longest]);
        ztl_ops_cut(grid, longest, half < period ? half : half - half % period, part);
    }
    pack_large(p, &part[0]);
    pack_large(p, &part[1]);
}

/* Whether grids can be packed one by one, close to packing them together. */
static bool are_separable(const ops_packing *p, const ops_piece *grid, size_t grids, int64_t listed)
{
    int64_t sum = 0;
    if (grids > 4)
        return false;
    for (size_t i = 0; i < grids; i++) {
        int64_t batches = listed_batches(p, &grid[i], 1);
        if (batches < 0)
            return false;
        sum += batches;
    }
    return is_close(sum, listed);
}

/* Grids together in a list, if that is close to packing them together and there is room. */
static void pack_some(const ops_packing *p, const ops_piece *grid, size_t grids, int64_t total)
{
    bool may_list = grids > 1 && p->draft->thrift < OPS_TIGHTEST;
    int64_t listed = may_list ? listed_batches(p, grid, grids) : 0;
    bool separable = may_list && are_separable(p, grid, grids, listed);
    if (separable && list_in_few_groups(p, grid, grids, listed))
        return;
    if (may_list && !separable && has_room(p, total, listed)) {
        ztl_ops_pack_list(p, grid, grids, listed);
        return;
    }
    for (size_t i = 0; i < grids; i++)
        pack_large(p, &grid[i]);
}

void ztl_ops_pack(ops_draft *draft, const ops_pass *form, const ops_insn *insn,
                  const ops_tile *tile, const ops_piece *grid, size_t grids)
{
    ops_pass pass = *form;
    pass.src = grid->src;
    pass.dst = grid->dst;
    pass.load_width = tile->width;
    pass.store_width = tile->store_width;
    ops_packing p = {draft, &pass, insn, tile};
    int64_t total = 0;
    for (size_t i = 0; i < grids; i++)
        total += ztl_ops_elements(&grid[i]);
    pack_some(&p, grid, grids, total);
}
