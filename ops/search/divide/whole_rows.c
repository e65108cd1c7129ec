/* SPDX-License-Identifier: Apache-2.0
 * Every k-th element, or pixel, of short rows: the rows are copied to scratch memory with all that
 * lies between the wanted elements, so far apart that these are k elements apart from row to row
 * too. Then they are every k-th element of one long row:
 *
 *     source    a . . b . . c x x     scratch    a . . b . . c . . d . . e . . f . . g …
 *               . . . . . . . . .
 *               d . . e . . f x x     target     a b c d e f g …
 */
#include "ops/search/divide/passes.h"

enum { MOST_STEP = 8 };

/* The dimension of a row: the last one, or that around elements which stay together. */
static unsigned row_of(const ops_planner *planner, const ops_piece *piece)
{
    const ops_dim *last = &piece->dim[piece->rank - 1];
    bool is_run = last->in == planner->element && last->out == planner->element;
    return piece->rank - 1 - (is_run && piece->rank > 1);
}

/* k; 0 where it is none of these. */
static int64_t step_of(const ops_planner *planner, const ops_piece *piece)
{
    int64_t element = planner->element;
    unsigned row = piece->rank ? row_of(planner, piece) : 0;
    if (row == 0)
        return 0;
    ops_dim dim = piece->dim[row];
    int64_t run = row + 1 < piece->rank ? piece->dim[row + 1].n * element : element;
    bool fits =
        dim.out == run && dim.in % run == 0 && dim.in >= 2 * run && dim.in <= MOST_STEP * run;
    return fits ? dim.in / run : 0;
}

static bool find_passes(const ops_query *q, ops_passes *p)
{
    const ops_piece *piece = q->piece;
    int64_t element = q->planner->element, bytes = ztl_ops_elements(piece) * element;
    int64_t step = step_of(q->planner, piece), reach = element;
    if (!step)
        return false;
    for (unsigned d = 0; d < piece->rank; d++) {
        reach += (piece->dim[d].n - 1) * piece->dim[d].out;
        if (piece->dim[d].in == 0)
            return false;
    }
    *p = (ops_passes){.pass = {*piece, *piece}, .count = 2};
    p->bytes = (uint64_t)ops_ceil(step * bytes, 64) * 64;
    if (reach != bytes || !ztl_ops_passes_fit(q->planner, p->bytes))
        return false;
    unsigned row = row_of(q->planner, piece);
    const ops_dim *dim = &piece->dim[row];
    p->pass[0].dst = p->pass[1].src = OPS_SCRATCH;
    p->pass[0].out = p->pass[1].in = (int64_t)q->planner->scratch_top;
    for (unsigned d = 0; d <= row; d++)
        p->pass[0].dim[d].out = p->pass[1].dim[d].in = step * piece->dim[d].out;
    p->pass[0].dim[row] =
        (ops_dim){((dim->n - 1) * dim->in + dim->out) / element, element, element};
    p->pass[0].rank = row + 1;
    if (row + 1 < piece->rank && q->depth != OPS_ONCE)
        p->depth[1] = OPS_ONCE; /* in blocks */
    ztl_ops_canonical_piece(&p->pass[0]);
    ztl_ops_canonical_piece(&p->pass[1]);
    return true;
}

static bool find(const ops_query *q, ops_found *found)
{
    ops_passes p;
    int64_t reach = ops_reach(q, q->best->cost);
    if (!find_passes(q, &p))
        return false;
    found->cost = ztl_ops_passes_cost(q->planner, &p, reach, 64);
    found->detail = step_of(q->planner, q->piece);
    return found->cost.ztl < reach;
}

static void write(const ops_query *q, const ops_found *found)
{
    ops_passes p;
    (void)found;
    find_passes(q, &p);
    ztl_ops_passes_write(q->planner, &p);
}

const ops_way ztl_ops_way_whole_rows = {"whole rows copied, every element of %u picked",
                                        OPS_DIVIDES_ONCE, find, NULL, write};
