/* SPDX-License-Identifier: Apache-2.0
 * Short runs that are repeated: some repetitions are made in scratch memory, and then these are
 * repeated as longer runs.
 *
 *     a  →  a a a a  →  a a a a  a a a a  a a a a  …
 */
#include "ops/search/ways/way.h"

/* The dimension whose positions repeat a dense run of the target, innermost of its kind. */
static int repeated_dim(const ops_piece *piece, int64_t element)
{
    int64_t run = element;
    for (unsigned d = piece->rank; d-- > 0; run *= piece->dim[d].n) {
        if (piece->dim[d].out != run)
            return -1;
        if (piece->dim[d].in == 0)
            return (int)d;
    }
    return -1;
}

/* Scratch memory has `times` repetitions for each position of the outer dimensions, of which those
 * that are repetitions themselves have one. */
static bool divide(const ops_query *q, const ops_pick *pick, ops_division *p)
{
    const ops_piece *piece = q->piece;
    unsigned d = pick->along.dim;
    int64_t times = pick->along.n;
    int64_t n = piece->dim[d].n, run = piece->dim[d].out, step = times * run;
    p->part[0] = p->part[1] = *piece;
    p->part[0].dst = p->part[1].src = OPS_SCRATCH;
    p->part[0].out = p->part[1].in = (int64_t)q->planner->scratch_top;
    p->part[0].dim[d].n = times;
    for (unsigned k = d; k-- > 0;) {
        bool again = piece->dim[k].in == 0;
        p->part[0].dim[k].n = again ? 1 : piece->dim[k].n;
        p->part[0].dim[k].out = step;
        p->part[1].dim[k].in = again ? 0 : step;
        step *= p->part[0].dim[k].n;
    }
    p->bytes = (uint64_t)ops_ceil(step, 64) * 64;
    p->part[1].rank = d;
    p->part[2] = p->part[1];
    p->part[2].out += n / times * times * run;
    ztl_ops_add_dim(&p->part[1], n / times, 0, times * run);
    ztl_ops_add_dim(&p->part[1], times * run / q->planner->element, q->planner->element,
                    q->planner->element);
    ztl_ops_add_dim(&p->part[2], n % times * run / q->planner->element, q->planner->element,
                    q->planner->element);
    p->count = n % times ? 3 : 2;
    p->other = 64;
    for (unsigned k = 0; k < p->count; k++) {
        p->depth[k] = k == 0 ? ops_less_depth(q->depth) : 0;
        ztl_ops_canonical_piece(&p->part[k]);
    }
    return ztl_ops_scratch_fits(q->planner, p->bytes);
}

static void try_times(const ops_query *q, unsigned d, int64_t times, ops_node *found)
{
    const ops_pick pick = {.along = {d, times}};
    if (times >= 2 && times < q->piece->dim[d].n && !ops_is_enough(q->planner))
        ztl_ops_try(q, &pick, times, ztl_ops_limit(q, found), found);
}

static bool find(const ops_query *q, ops_node *found)
{
    const ops_piece *piece = q->piece;
    int d = repeated_dim(piece, q->planner->element);
    if (d < 0)
        return false;
    /* As many as a register holds, and so many that both passes store about as often. */
    int64_t run = piece->dim[d].out;
    try_times(q, (unsigned)d, OPS_BLOCK / run, found);
    for (int64_t times = 2; times * run <= OPS_BLOCK / 2; times *= 2)
        try_times(q, (unsigned)d, times, found);
    return found->detail;
}

const ops_way ztl_ops_way_repeated = {"%u repetitions in scratch memory first", find, divide, NULL};
