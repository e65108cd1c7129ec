/* SPDX-License-Identifier: Apache-2.0
 * Packing: nests of loops (nest.c) as far as they take as few batches as the residues allow; else
 * batches are listed (list.c), or a grid is cut so that most of it is a nest. Counting and writing
 * are one code, so a plan takes what it was costed at.
 */
#include "ops/pack/packing.h"

enum { LONG_LIST = 1 << 17, SHORT_LIST = 1 << 12, FEW_GROUPS = 2, FEW_BATCHES = 192 };

/* Instances beyond which nothing is halved: that would be thousands of passes. */
enum { MOST_HALVED = 1 << 27 };

static int64_t listed_batches(const ops_packing *p, const ops_piece *grid, size_t grids)
{
    const ops_tile *tile = p->tile;
    return ztl_ops_count_batches(&p->draft->effort, grid, grids, tile->in_width, tile->out_width,
                                 tile->instances, INT64_MAX);
}

static bool is_close(int64_t batches, int64_t listed)
{
    return listed < 0 || batches <= listed;
}

static int64_t instances_of(const ops_piece *grid, size_t grids)
{
    int64_t n = 0;
    for (size_t i = 0; i < grids; i++)
        n += ztl_ops_elements(&grid[i]);
    return n;
}

/* Whether strides reach from any instance of a side to any other one. */
static bool is_in_reach(const ops_tile *tile, const ops_piece *grid, size_t grids, bool is_source)
{
    unsigned width = is_source ? tile->width : tile->store_width;
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t i = 0; i < grids; i++) {
        int64_t first = is_source ? grid[i].in : grid[i].out, last = first;
        for (unsigned d = 0; d < grid[i].rank; d++) {
            const ops_dim *dim = &grid[i].dim[d];
            int64_t all = (dim->n - 1) * (is_source ? dim->in : dim->out);
            first += all < 0 ? all : 0;
            last += all > 0 ? all : 0;
        }
        low = first < low ? first : low;
        high = last > high ? last : high;
    }
    return (high - low) / width <= ops_reach_of(tile);
}

/* Whether a list has as few batches as the residues allow: none is cut because of its strides. */
static bool is_exact(const ops_tile *tile, const ops_piece *grid, size_t grids)
{
    return is_in_reach(tile, grid, grids, true) && is_in_reach(tile, grid, grids, false);
}

/* Whether the instances may be listed: by what is known before any of them is packed, so that the
 * answer is the same when batches are counted and when they are written. */
static bool may_list(const ops_packing *p, const ops_piece *grid, size_t grids, int64_t listed)
{
    const ops_draft *draft = p->draft;
    size_t room = draft->room >> 2 * draft->lists;
    return draft->lists < OPS_NO_LISTS && listed >= 0 &&
           ztl_ops_list_bytes(p, instances_of(grid, grids), listed) <= room;
}

/* Writes a list, or counts it. */
static void pack_list(const ops_packing *p, const ops_piece *grid, size_t grids, int64_t listed)
{
    if (p->counted && is_exact(p->tile, grid, grids))
        *p->counted += listed * ops_loop_runs(p->form);
    else
        ztl_ops_pack_list(p, grid, grids, listed);
}

/* Cuts a grid so that the first part is a nest of full batches, and the rest is small: far fewer
 * stride vectors than a list has, for close to the same batches. */
static bool cut_for_nest(const ops_packing *p, const ops_piece *grid, int64_t listed,
                         ops_piece part[2])
{
    const ops_tile *tile = p->tile;
    int64_t best = INT64_MAX;
    for (unsigned d = 0; d < grid->rank && listed >= 4; d++) {
        int64_t period = ztl_ops_tile_period(tile, &grid->dim[d]), n = grid->dim[d].n, last = 0;
        for (int64_t unit = period; unit <= n && unit <= period * OPS_SLICES; unit += period) {
            ops_piece try[2];
            if (n % unit == 0 || n - n % unit == last)
                continue;
            last = n - n % unit;
            ztl_ops_cut(grid, d, last, try);
            if (!ztl_ops_fills_batches(tile, &try[0], 0, tile->instances))
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
    if (listed > FEW_BATCHES || instances_of(grid, grids) > OPS_LISTED ||
        !may_list(p, grid, grids, listed))
        return false;
    if (p->counted) { /* in whichever way, as many */
        pack_list(p, grid, grids, listed);
        return true;
    }
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
        int64_t period = ztl_ops_tile_period(p->tile, &grid->dim[d]);
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
        if (n <= LONG_LIST && may_list(p, grid, 1, listed))
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
    bool may_be_longer = p->draft->lists == OPS_NO_LISTS;
    int64_t listed = listed_batches(p, grid, 1);
    if (ztl_ops_pack_nest(p, grid, may_be_longer || listed < 0 ? INT64_MAX : listed) ||
        p->draft->arena->full)
        return;
    if (cut_for_nest(p, grid, listed, part)) {
        if (list_in_few_groups(p, grid, 1, listed))
            return;
    } else if (pack_loop(p, grid, listed)) {
        return;
    } else if (ztl_ops_elements(grid) <= LONG_LIST && may_list(p, grid, 1, listed)) {
        pack_list(p, grid, 1, listed);
        return;
    } else if (p->counted && (ztl_ops_elements(grid) > MOST_HALVED || *p->counted > p->most)) {
        *p->counted = INT64_MAX >> 24;
        return;
    } else {
        unsigned longest = 0;
        for (unsigned d = 1; d < grid->rank; d++)
            if (grid->dim[d].n > grid->dim[longest].n)
                longest = d;
        int64_t half = grid->dim[longest].n / 2,
                period = ztl_ops_tile_period(p->tile, &grid->dim[longest]);
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
static void pack_some(const ops_packing *p, const ops_piece *grid, size_t grids)
{
    bool may_join = grids > 1 && p->draft->lists < OPS_NO_LISTS;
    int64_t listed = may_join ? listed_batches(p, grid, grids) : 0;
    bool separable = may_join && are_separable(p, grid, grids, listed);
    if (separable && list_in_few_groups(p, grid, grids, listed))
        return;
    if (may_join && !separable && may_list(p, grid, grids, listed)) {
        pack_list(p, grid, grids, listed);
        return;
    }
    for (size_t i = 0; i < grids; i++)
        pack_large(p, &grid[i]);
}

int64_t ztl_ops_pack_count(ops_draft *draft, const ops_tile *tile, const ops_piece *grid,
                           size_t grids, int64_t most)
{
    ops_pass form = {.kind = OPS_PASS_RUNS};
    int64_t batches = 0;
    const ops_packing p = {draft, &form, NULL, tile, &batches, most};
    if (draft->lists < OPS_NO_LISTS) {
        int64_t listed = ztl_ops_count_batches(&draft->effort, grid, grids, tile->in_width,
                                               tile->out_width, tile->instances, most);
        if (listed < 0 || listed > most)
            return -1;
        /* Then every part of the grids is in as few batches as the residues allow. */
        if (instances_of(grid, grids) <= LONG_LIST && may_list(&p, grid, grids, listed) &&
            is_exact(tile, grid, grids))
            return listed;
    }
    pack_some(&p, grid, grids);
    return batches <= most ? batches : -1;
}

void ztl_ops_pack_batches(ops_draft *draft, const ops_pass *form, const ops_insn *insn,
                          const ops_tile *tile, const ops_piece *grid, size_t grids)
{
    ops_pass pass = *form;
    pass.src = grid->src;
    pass.dst = grid->dst;
    pass.load_width = tile->width;
    pass.store_width = tile->store_width;
    const ops_packing p = {draft, &pass, insn, tile, NULL, 0};
    pack_some(&p, grid, grids);
}
