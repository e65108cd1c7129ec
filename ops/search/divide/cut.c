/* SPDX-License-Identifier: Apache-2.0
 * A dimension cut in two: what is left beyond a multiple of a power of two goes a way of its own.
 * Of 100 rows, 96 may be tiles of 32 and 4 plain slices.
 */
#include "ops/search/ways/way.h"

static bool divide(const ops_query *q, const ops_pick *pick, ops_division *parts)
{
    ztl_ops_cut(q->piece, pick->along.dim, pick->along.n, parts->part);
    parts->count = 2;
    for (unsigned k = 0; k < parts->count; k++) {
        ztl_ops_canonical_piece(&parts->part[k]);
        parts->depth[k] = q->depth - 1;
    }
    return true;
}

static bool find(const ops_query *q, ops_node *found)
{
    static const int64_t units[] = {2 * OPS_NEIGHBOURS, 32, 16, 8, 4};
    const ops_piece *piece = q->piece;
    int64_t element = q->planner->element;
    for (unsigned d = 0; d < piece->rank; d++) {
        int64_t n = piece->dim[d].n, last = n;
        if (piece->dim[d].in != element && piece->dim[d].out != element)
            continue;
        for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
            int64_t at = n - n % units[k];
            const ops_pick pick = {.along = {d, at}};
            if (at && at < n && at != last && !ops_is_enough(q->planner))
                ztl_ops_try(q, &pick, at, ztl_ops_limit(q, found), found);
            last = at ? at : last;
        }
    }
    return found->detail;
}

const ops_way ztl_ops_way_cut = {"a cut after %u", find, divide, NULL};
