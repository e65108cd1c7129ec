/* SPDX-License-Identifier: Apache-2.0
 * Every k-th element, or pixel, of short rows: the rows are copied to scratch memory with all that
 * lies between the wanted elements, so far apart that these are k elements apart from row to row
 * too. Then they are every k-th element of one long row:
 *
 *     source    a . . b . . c x x     scratch    a . . b . . c . . d . . e . . f . . g …
 *               . . . . . . . . .
 *               d . . e . . f x x     target     a b c d e f g …
 */
#include "ops/search/ways/way.h"

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

static bool divide(const ops_query *q, const ops_pick *pick, ops_division *p)
{
    (void)pick;
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
    *p = (ops_division){.part = {*piece, *piece}, .count = 2, .other = 64};
    p->bytes = (uint64_t)ops_ceil(step * bytes, 64) * 64;
    if (reach != bytes || !ztl_ops_scratch_fits(q->planner, p->bytes))
        return false;
    unsigned row = row_of(q->planner, piece);
    const ops_dim *dim = &piece->dim[row];
    p->part[0].dst = p->part[1].src = OPS_SCRATCH;
    p->part[0].out = p->part[1].in = (int64_t)q->planner->scratch_top;
    for (unsigned d = 0; d <= row; d++)
        p->part[0].dim[d].out = p->part[1].dim[d].in = step * piece->dim[d].out;
    p->part[0].dim[row] =
        (ops_dim){((dim->n - 1) * dim->in + dim->out) / element, element, element};
    p->part[0].rank = row + 1;
    if (row + 1 < piece->rank && q->depth != OPS_ONCE)
        p->depth[1] = OPS_ONCE; /* in blocks */
    ztl_ops_canonical_piece(&p->part[0]);
    ztl_ops_canonical_piece(&p->part[1]);
    return true;
}

static bool find(const ops_query *q, ops_node *found)
{
    return ztl_ops_try(q, &(const ops_pick){.width = 0}, step_of(q->planner, q->piece),
                       ztl_ops_limit(q, found), found);
}

const ops_way ztl_ops_way_whole_rows = {"whole rows copied, every element of %u picked", find,
                                        divide, NULL};
