/* SPDX-License-Identifier: Apache-2.0
 * Parting: rows whose elements alternate between two planes, or of which only every other one is
 * wanted. A register has such rows, whatever their length, and one PERMUTE of it with any other
 * register puts the elements of each plane together. Where only one plane is wanted a row is read
 * to behind its last element, so that what is last of all goes as slices. Long runs are cut into
 * rows, and so are those whose rows would agree modulo a shorter length.
 */
#include "ops/strategy.h"

enum { HALF = 512, MOST_CUTS = 8 };

/* The longest dimension, better not the run; the rank where one goes backwards or by less than an
 * element: without its last step no row is read to behind the last element of all. */
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

/* Leaves the last of a dimension to slices. */
static bool cut_last(ops_parting *p, ops_piece *all, unsigned run, int64_t element)
{
    unsigned d = longest(all, run, element);
    if (d == all->rank || all->dim[d].n < 2)
        return false;
    p->last = *all;
    p->last.dim[d].n = 1;
    int64_t n = --all->dim[d].n;
    p->last.in += n * all->dim[d].in;
    p->last.out += n * all->dim[d].out;
    ops_canonical_piece(&p->last);
    return true;
}

/* Rows of so many elements of the run; taken if that is cheaper. */
static void try_rows(const ops_planner *planner, const ops_piece *all, unsigned run, int64_t n,
                     ops_parting *best)
{
    ops_parting p = *best;
    ops_dim dim = all->dim[run];
    if (n < 1 || n > dim.n || n * planner->element > HALF)
        return;
    p.width = (unsigned)(n * planner->element);
    p.count = HALF / p.width < OPS_SLICES ? HALF / p.width : OPS_SLICES;
    p.rows[0] = *all;
    p.rows[0].dim[run] = (ops_dim){dim.n / n, dim.in * n, dim.out * n};
    p.rows[1] = p.rows[0];
    p.rows[1].dim[run].n = 1;
    p.rows[1].in += (dim.n - n) * dim.in;
    p.rows[1].out += (dim.n - n) * dim.out;
    p.grids = dim.n % n ? 2 : 1;
    int64_t batches = ops_count_batches(planner->effort, p.rows, p.grids, 2 * (int64_t)p.width,
                                        p.width, p.count, INT64_MAX);
    p.cost = batches < 0 ? OPS_NEVER : (ops_cost){batches * (2 + p.planes), 1};
    if (ops_cheaper(p.cost, best->cost))
        *best = p;
}

bool ops_parting_of(const ops_planner *planner, const ops_piece *piece, ops_parting *p)
{
    int64_t e = planner->element;
    int plane = -1, run = -1;
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        if (dim->n == 2 && dim->in == e)
            plane = (int)d;
        if (dim->in == 2 * e && dim->out == e)
            run = (int)d;
    }
    ops_piece all = *piece;
    p->planes = plane < 0 ? 1 : 2;
    p->plane = plane < 0 ? 0 : piece->dim[plane].out;
    p->cost = OPS_NEVER;
    if (piece->src == OPS_FILL || run < 0 || (plane < 0 && !cut_last(p, &all, (unsigned)run, e)))
        return false;
    if (plane >= 0)
        all.dim[plane].n = 1;
    int64_t n = all.dim[run].n, first = ops_ceil(n * e, HALF);
    for (int64_t k = first; k < first + MOST_CUTS; k++)
        try_rows(planner, &all, (unsigned)run, ops_ceil(n, k), p);
    for (int64_t part = HALF / e; part >= OPS_SLICES; part /= 2)
        try_rows(planner, &all, (unsigned)run, part, p);
    unsigned width;
    if (p->planes == 1 && ops_cheaper(p->cost, OPS_NEVER))
        p->cost.ztl += ops_slices_cost(planner, &p->last, 1, &width).ztl;
    return ops_cheaper(p->cost, OPS_NEVER);
}

void ops_parting_write(ops_planner *planner, const ops_piece *piece, const ops_parting *p)
{
    unsigned log = 0, elements = 1024 / planner->element, width;
    while (1u << log < planner->element)
        log++;
    ops_tile tile = {.width = 2 * p->width,
                     .out_step = p->width,
                     .in_width = 2 * p->width,
                     .out_width = p->width,
                     .instances = p->count,
                     .slices = p->count};
    for (unsigned i = 0; i < tile.slices; i++)
        tile.in_of[i] = tile.out_of[i] = (uint8_t)i;
    ops_pass form = {.kind = OPS_PASS_SPREAD,
                     .src = piece->src,
                     .dst = piece->dst,
                     .load_width = 2 * p->width,
                     .store_width = p->width,
                     .element = planner->element,
                     .order = 2 | 0 << 2 | 1 << 4 | 3 << 6};
    ops_insn insn[] = {{.op = OPS_OP(OPS_LOAD, 0)},
                       {.op = OPS_PERMUTE,
                        .width = (uint8_t)log,
                        .arg = elements / 64 | 64u << 8 | 2u << 16 | 1u << 24},
                       {.op = OPS_OP(OPS_STORE, 0)},
                       {.op = OPS_OP(OPS_STORE, 1), .offset = p->plane}};
    ops_pack(planner, &form, insn, 2 + p->planes, &tile, p->rows, p->grids);
    if (p->planes == 1) {
        ops_slices_cost(planner, &p->last, 1, &width);
        ops_slices_write(planner, &p->last, 1, width);
    }
}
