/* SPDX-License-Identifier: Apache-2.0
 * Parting: rows whose elements alternate between two planes, or of which only every other one is
 * wanted. A register has such rows, whatever their length, and one PERMUTE of it with any other
 * register puts the elements of each plane together. Where only one plane is wanted a row is read
 * to behind its last element, so that what is last of all goes as slices.
 */
#include "ops/strategy.h"

enum { HALF = 512 };

/* The dimension with the largest step in the source; the rank where one goes backwards. */
static unsigned outermost(const ops_piece *piece)
{
    unsigned best = 0;
    for (unsigned d = 0; d < piece->rank; d++) {
        if (piece->dim[d].in <= 0)
            return piece->rank;
        best = piece->dim[d].in > piece->dim[best].in ? d : best;
    }
    return best;
}

/* Leaves the last of the source to slices. */
static bool cut_last(ops_parting *p, unsigned run)
{
    unsigned d = outermost(&p->rows);
    if (d == p->rows.rank || d == run || p->rows.dim[d].n < 2)
        return false;
    p->last = p->rows;
    p->last.dim[d].n = 1;
    int64_t n = --p->rows.dim[d].n;
    p->last.in += n * p->rows.dim[d].in;
    p->last.out += n * p->rows.dim[d].out;
    ops_canonical_piece(&p->last);
    return true;
}

/* Rows that are too long become several, if some power of two fits; false if none does. */
static bool shorten(ops_piece *piece, int run, int64_t element)
{
    if (run < 0 || piece->dim[run].n * element <= HALF)
        return run >= 0;
    ops_dim dim = piece->dim[run];
    int64_t part = HALF / element;
    while (part > OPS_SLICES && dim.n % part)
        part /= 2;
    if (dim.n % part || piece->rank == OPS_DIMS)
        return false;
    piece->dim[run].n = part;
    ops_add_dim(piece, dim.n / part, dim.in * part, dim.out * part);
    return true;
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
    p->rows = *piece;
    if (piece->src == OPS_FILL || !shorten(&p->rows, run, e))
        return false;
    p->width = (unsigned)(p->rows.dim[run].n * e);
    p->count = HALF / p->width < OPS_SLICES ? HALF / p->width : OPS_SLICES;
    p->planes = plane < 0 ? 1 : 2;
    p->plane = plane < 0 ? 0 : piece->dim[plane].out;
    if (plane < 0 && !cut_last(p, (unsigned)run))
        return false;
    p->rows.dim[run].n = 1;
    if (plane >= 0)
        p->rows.dim[plane].n = 1;
    return true;
}

ops_cost ops_parting_cost(const ops_planner *planner, const ops_parting *p)
{
    unsigned width;
    int64_t batches = ops_count_batches(planner->effort, &p->rows, 1, 2 * (int64_t)p->width,
                                        p->width, p->count, INT64_MAX);
    if (batches < 0)
        return OPS_NEVER;
    ops_cost cost = {batches * (2 + p->planes), 1};
    if (p->planes == 1)
        cost.ztl += ops_slices_cost(planner, &p->last, 1, &width).ztl;
    return cost;
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
    ops_pack(planner, &form, insn, 2 + p->planes, &tile, &p->rows, 1);
    if (p->planes == 1) {
        ops_slices_cost(planner, &p->last, 1, &width);
        ops_slices_write(planner, &p->last, 1, width);
    }
}
