/* SPDX-License-Identifier: Apache-2.0
 * Every k-th element of short rows: the rows are copied to scratch memory with all that lies
 * between the wanted elements, so far apart that these are k elements apart from row to row too.
 * Then they are every k-th element of one long row:
 *
 *     source    a . . b . . c x x     scratch    a . . b . . c . . d . . e . . f . . g …
 *               . . . . . . . . .
 *               d . . e . . f x x     target     a b c d e f g …
 */
#include "ops/search/ways/way.h"

enum { MOST_STEP = 8 };

typedef struct whole_rows {
    ops_piece pass[2];
    int64_t step; /* k */
    uint64_t bytes;
} whole_rows;

static bool find_passes(const ops_planner *planner, const ops_piece *piece, whole_rows *w)
{
    int64_t element = planner->element, bytes = ztl_ops_elements(piece) * element;
    if (piece->rank < 2)
        return false;
    unsigned inner = piece->rank - 1;
    ops_dim row = piece->dim[inner];
    w->step = row.in / element;
    if (row.out != element || row.in % element || w->step < 2 || w->step > MOST_STEP)
        return false;
    int64_t reach = element;
    for (unsigned d = 0; d < piece->rank; d++) {
        reach += (piece->dim[d].n - 1) * piece->dim[d].out;
        if (piece->dim[d].in == 0)
            return false;
    }
    w->bytes = (uint64_t)ops_ceil(w->step * bytes, 64) * 64;
    if (reach != bytes || planner->scratch_top + w->bytes > planner->scratch_limit)
        return false;
    w->pass[0] = w->pass[1] = *piece;
    w->pass[0].dst = w->pass[1].src = OPS_SCRATCH;
    w->pass[0].out = w->pass[1].in = (int64_t)planner->scratch_top;
    for (unsigned d = 0; d < piece->rank; d++)
        w->pass[0].dim[d].out = w->pass[1].dim[d].in = w->step * piece->dim[d].out;
    w->pass[0].dim[inner] = (ops_dim){(row.n - 1) * w->step + 1, element, element};
    ztl_ops_canonical_piece(&w->pass[0]);
    ztl_ops_canonical_piece(&w->pass[1]);
    return true;
}

static bool find(const ops_query *q, ops_found *found)
{
    whole_rows w;
    int64_t reach = ops_reach(q, q->best->cost);
    if (!q->planner->may_reload || !find_passes(q->planner, q->piece, &w))
        return false;
    q->planner->scratch_top += w.bytes;
    found->cost = (ops_cost){0, 64};
    for (unsigned k = 0; k < 2 && found->cost.ztl < reach; k++)
        found->cost = ops_sum(
            found->cost, ztl_ops_cost_below(q->planner, &w.pass[k], 0, reach - found->cost.ztl));
    q->planner->scratch_top -= w.bytes;
    found->detail = w.step;
    return found->cost.ztl < reach;
}

static void write(const ops_query *q, const ops_found *found)
{
    whole_rows w;
    ops_planner *planner = q->planner;
    uint64_t *most = &planner->draft->plan->scratch;
    (void)found;
    find_passes(planner, q->piece, &w);
    planner->scratch_top += w.bytes;
    *most = *most < planner->scratch_top ? planner->scratch_top : *most;
    for (unsigned k = 0; k < 2; k++)
        ztl_ops_solve(planner, &w.pass[k], 0, true);
    planner->scratch_top -= w.bytes;
}

const ops_way ztl_ops_way_whole_rows = {"whole rows copied, every element of %u picked", true, find,
                                        NULL, write};
