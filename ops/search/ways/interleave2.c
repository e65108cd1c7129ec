/* SPDX-License-Identifier: Apache-2.0
 * Interleave and deinterleave by two, in rows of any length. One PERMUTE of a register pair puts
 * each element beside the other register's, or takes alternating elements apart:
 *
 *     a0 a1 a2 …  b0 b1 b2 …  →  a0 b0 a1 b1 a2 b2 …      two planes, or one plane twice (a = b)
 *     a0 b0 a1 b1 a2 b2 …     →  a0 a1 a2 …  b0 b1 b2 …   two planes, or only one is wanted
 *
 * Interleaving fills two registers from the halves of two. If the rows of the source are
 * contiguous, the halves are loaded as slices of 32 bytes and both registers are stored. With one
 * plane wanted, each row over-reads by one element, so the very last row is left to plain runs.
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

enum { HALF = OPS_BLOCK / 2, MOST_CUTS = 8 };

typedef struct interleaving {
    bool joins;         /* planes to alternating elements; else the reverse */
    unsigned width;     /* of a row of one plane */
    unsigned rows;      /* of it in a register */
    unsigned planes;    /* 1: the same row twice, or only every other element is wanted */
    int64_t plane;      /* from one to the other */
    unsigned registers; /* joins: that are stored; 2 where the rows of the source are contiguous */
    int64_t step;       /* joins: from such a row to the next in the target */
    ops_piece grid[2];  /* where rows are; the last ones of a run may overlap those before */
    unsigned grids;
    ops_copies copies;
    ops_piece last; /* of one plane: what is left to runs */
} interleaving;

static unsigned rows_in(unsigned width)
{
    return HALF / width < OPS_SLICES ? HALF / width : OPS_SLICES;
}

enum { MOST_INSNS = 2 * OPS_MOST_COPIES + 5 };

static unsigned interleave(const interleaving *f, unsigned element, ops_insn *insn)
{
    unsigned n = 0, elements = OPS_BLOCK / element;
    if (f->registers == 2)
        insn[n++] = (ops_insn){.op = OPS_SHAPE, .arg = OPS_SLICES << 16 | 1 << 8 | 1};
    insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, 0)};
    insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, 1), .offset = f->plane};
    insn[n++] = (ops_insn){.op = OPS_PERMUTE,
                           .width = (uint8_t)ops_log2(element),
                           .arg = 2u | elements / 128 << 8 | 128u << 16 | 1u << 24};
    if (f->registers == 2)
        insn[n++] = (ops_insn){.op = OPS_SHAPE, .arg = f->rows << 16 | 1 << 8 | 1};
    for (unsigned r = 0; r < f->registers; r++)
        for (unsigned c = 0; c < f->copies.count; c++)
            insn[n++] = (ops_insn){.op = OPS_OP(OPS_STORE, r),
                                   .offset = f->copies.offset[c] + r * f->rows * f->step};
    return n;
}

static unsigned deinterleave(const interleaving *f, unsigned element, ops_insn *insn)
{
    unsigned n = 0, elements = OPS_BLOCK / element;
    insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, 0)};
    insn[n++] = (ops_insn){.op = OPS_PERMUTE,
                           .width = (uint8_t)ops_log2(element),
                           .arg = elements / 64 | 64u << 8 | 2u << 16 | 1u << 24};
    for (unsigned p = 0; p < f->planes; p++)
        insn[n++] = (ops_insn){.op = OPS_OP(OPS_STORE, p), .offset = p * f->plane};
    return n;
}

static unsigned program(const interleaving *f, unsigned element, ops_insn *insn)
{
    return f->joins ? interleave(f, element, insn) : deinterleave(f, element, insn);
}

static ops_tile tile_of(const interleaving *f)
{
    ops_tile tile = ztl_ops_slice_tile(f->joins ? f->width : 2 * f->width);
    tile.store_width = tile.out_width = f->joins ? 2 * f->width : f->width;
    tile.slices = tile.instances = f->rows;
    if (!f->joins || f->registers == 1)
        return tile;
    tile.width = tile.in_width = OPS_SLICE_BYTES;
    tile.instances = 1;
    tile.slices = OPS_SLICES;
    int64_t half = (int64_t)f->rows * f->width;
    for (unsigned i = 0; i < OPS_SLICES; i++) {
        int64_t at = i % (OPS_SLICES / 2) * OPS_SLICE_BYTES;
        tile.in[i] = (i < OPS_SLICES / 2 ? 0 : half) + (at < half ? at : 0);
        tile.out[i] = i < f->rows ? i * f->step : 0;
        tile.in_of[i] = tile.out_of[i] = 0;
    }
    return tile;
}

static ops_cost cost_of(const ops_planner *planner, const interleaving *f)
{
    ops_tile tile = tile_of(f);
    ops_insn insn[MOST_INSNS];
    ops_use use = ztl_ops_tile_use(planner, &tile, insn, program(f, planner->element, insn));
    return ztl_ops_batches_cost(planner, &tile, f->grid, f->grids, &use, 1, OPS_NEVER.key);
}

/* Where the source's rows are contiguous: blocks of rows for both registers. */
static bool join_rows(interleaving *f)
{
    while (f->rows && f->rows * f->width % OPS_SLICE_BYTES)
        f->rows--;
    const ops_piece all = f->grid[0];
    int64_t block = 2 * (int64_t)f->rows;
    for (unsigned d = 0; f->rows && d < all.rank; d++)
        if (all.dim[d].in == f->width && all.dim[d].out % (2 * (int64_t)f->width) == 0 &&
            all.dim[d].n >= block) {
            f->registers = 2;
            f->step = all.dim[d].out;
            f->grids = ztl_ops_blocks(&all, d, block, f->grid);
            return true;
        }
    return false;
}

/* The dimension of two planes, and the run: alternating in the target, or in the source. */
static void find_dims(const ops_piece *piece, int64_t e, bool joins, int *planes, int *run)
{
    *planes = *run = -1;
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        if (dim->n == 2 && (joins ? dim->out : dim->in) == e)
            *planes = (int)d;
        if (joins ? dim->in == e && dim->out == 2 * e : dim->in == 2 * e && dim->out == e)
            *run = (int)d;
    }
}

static bool join_planes(const ops_query *q, bool contiguous, interleaving *f)
{
    const ops_piece *piece = q->piece;
    int64_t e = q->planner->element;
    int planes, run;
    find_dims(piece, e, true, &planes, &run);
    if (planes < 0 || run < 0 || piece->dim[run].n * e > HALF)
        return false;
    *f = (interleaving){.joins = true,
                        .width = (unsigned)(piece->dim[run].n * e),
                        .plane = piece->dim[planes].in,
                        .grid = {*piece},
                        .grids = 1,
                        .registers = 1};
    f->grid[0].dim[planes].n = f->grid[0].dim[run].n = 1;
    ztl_ops_take_copies(&f->grid[0], &f->copies);
    f->rows = rows_in(f->width);
    return !contiguous || join_rows(f);
}

/* The longest dimension, better not the run; the rank where one goes backwards or by less than an
 * element: then leaving out its last position would not keep the over-read inside the source. */
static unsigned longest(const ops_piece *piece, unsigned run, int64_t element)
{
    unsigned best = run;
    for (unsigned d = 0; d < piece->rank; d++) {
        if (piece->dim[d].in < element)
            return piece->rank;
        if (d != run && piece->dim[d].n >= piece->dim[best].n)
            best = d;
    }
    return best;
}

/* Leaves the last of a dimension to runs. */
static bool cut_last(interleaving *f, ops_piece *all, unsigned run, int64_t element)
{
    ops_piece part[2];
    unsigned d = longest(all, run, element);
    if (d == all->rank || all->dim[d].n < 2)
        return false;
    ztl_ops_cut(all, d, all->dim[d].n - 1, part);
    *all = part[0];
    f->last = part[1];
    ztl_ops_canonical_piece(&f->last);
    return true;
}

/* All that is taken apart, without rows yet; the dimension of the run, or -1 where there is none.
 */
static int alternating_run(const ops_query *q, ops_piece *all, interleaving *f)
{
    int planes, run;
    find_dims(q->piece, q->planner->element, false, &planes, &run);
    *all = *q->piece;
    *f = (interleaving){.planes = planes < 0 ? 1 : 2,
                        .plane = planes < 0 ? 0 : all->dim[planes].out};
    if (planes >= 0)
        all->dim[planes].n = 1;
    bool fits = run >= 0 && (planes >= 0 || cut_last(f, all, (unsigned)run, q->planner->element));
    return fits ? run : -1;
}

/* Rows of n elements of the run. */
static bool take_apart(const ops_query *q, int64_t n, interleaving *f)
{
    ops_piece all;
    int run = alternating_run(q, &all, f);
    if (run < 0 || n < 1 || n > all.dim[run].n || n * q->planner->element > HALF)
        return false;
    f->width = (unsigned)(n * q->planner->element);
    f->rows = rows_in(f->width);
    f->grids = ztl_ops_blocks(&all, (unsigned)run, n, f->grid);
    return true;
}

static bool set_form(const ops_query *q, const ops_pick *pick, interleaving *f)
{
    return pick->rows.joins ? join_planes(q, pick->rows.contiguous, f)
                            : take_apart(q, pick->rows.n, f);
}

static void try_form(const ops_query *q, ops_pick pick, ops_node *found)
{
    interleaving f;
    unsigned width;
    if (!set_form(q, &pick, &f))
        return;
    ops_cost cost = cost_of(q->planner, &f);
    if (!f.joins && f.planes == 1 && ops_cheaper(cost, found->cost))
        cost =
            ops_sum(cost, ztl_ops_runs_cost(q->planner, &f.last, 1, NULL, OPS_NEVER.key, &width));
    if (!ops_cheaper(cost, found->cost))
        return;
    found->cost = cost;
    found->pick = pick;
}

/* Rows as long as half a register, or a few shorter lengths: their residues differ. */
static void try_lengths(const ops_query *q, ops_node *found)
{
    ops_piece all;
    interleaving f;
    int run = alternating_run(q, &all, &f);
    if (run < 0)
        return;
    int64_t e = q->planner->element, n = all.dim[run].n, first = ops_ceil(n * e, HALF);
    for (int64_t k = first; k < first + MOST_CUTS; k++)
        try_form(q, (ops_pick){.rows = {.n = ops_ceil(n, k)}}, found);
    for (int64_t part = HALF / e; part >= OPS_SLICES; part /= 2)
        try_form(q, (ops_pick){.rows = {.n = part}}, found);
}

static bool find(const ops_query *q, ops_node *found)
{
    for (unsigned contiguous = 0; contiguous < 2; contiguous++)
        try_form(q, (ops_pick){.rows = {.joins = true, .contiguous = contiguous}}, found);
    try_lengths(q, found);
    return ops_cheaper(found->cost, OPS_NEVER);
}

static void write(const ops_query *q, const ops_node *node)
{
    interleaving f;
    set_form(q, &node->pick, &f);
    unsigned element = q->planner->element;
    ops_tile tile = tile_of(&f);
    ops_insn insn[MOST_INSNS];
    ops_pass form = {.kind = OPS_PASS_INTERLEAVE2,
                     .element = element,
                     .order = f.joins ? 1 | 2 << 2 | 0 << 4 | 3 << 6 : 2 | 0 << 2 | 1 << 4 | 3 << 6,
                     .insns = program(&f, element, insn)};
    ztl_ops_pack_batches(q->planner->draft, &form, insn, &tile, f.grid, f.grids);
    if (!f.joins && f.planes == 1) {
        unsigned width;
        ztl_ops_runs_cost(q->planner, &f.last, 1, NULL, OPS_NEVER.key, &width);
        ztl_ops_runs_write(q->planner, &f.last, 1, NULL, width);
    }
}

const ops_way ztl_ops_way_interleave2 = {"interleave by 2", find, NULL, write};
