/* SPDX-License-Identifier: Apache-2.0
 * Short runs that are repeated: some repetitions are made in scratch memory, and then these are
 * repeated as longer runs.
 *
 *     a  →  a a a a  →  a a a a  a a a a  a a a a  …
 */
#include "ops/search/divide/passes.h"

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
static bool find_passes(const ops_query *q, unsigned d, int64_t times, ops_passes *p)
{
    const ops_piece *piece = q->piece;
    int64_t n = piece->dim[d].n, run = piece->dim[d].out, step = times * run;
    p->pass[0] = p->pass[1] = *piece;
    p->pass[0].dst = p->pass[1].src = OPS_SCRATCH;
    p->pass[0].out = p->pass[1].in = (int64_t)q->planner->scratch_top;
    p->pass[0].dim[d].n = times;
    for (unsigned k = d; k-- > 0;) {
        bool again = piece->dim[k].in == 0;
        p->pass[0].dim[k].n = again ? 1 : piece->dim[k].n;
        p->pass[0].dim[k].out = step;
        p->pass[1].dim[k].in = again ? 0 : step;
        step *= p->pass[0].dim[k].n;
    }
    p->bytes = (uint64_t)ops_ceil(step, 64) * 64;
    p->pass[1].rank = d;
    p->pass[2] = p->pass[1];
    p->pass[2].out += n / times * times * run;
    ztl_ops_add_dim(&p->pass[1], n / times, 0, times * run);
    ztl_ops_add_dim(&p->pass[1], times * run / q->planner->element, q->planner->element,
                    q->planner->element);
    ztl_ops_add_dim(&p->pass[2], n % times * run / q->planner->element, q->planner->element,
                    q->planner->element);
    p->count = n % times ? 3 : 2;
    for (unsigned k = 0; k < p->count; k++) {
        p->depth[k] = k == 0 ? ops_less_depth(q->depth) : 0;
        ztl_ops_canonical_piece(&p->pass[k]);
    }
    return ztl_ops_passes_fit(q->planner, p->bytes);
}

static void try_times(const ops_query *q, unsigned d, int64_t times, int64_t *reach,
                      ops_found *found)
{
    ops_passes p;
    if (times < 2 || times >= q->piece->dim[d].n || ops_is_enough(q->planner) ||
        !find_passes(q, d, times, &p))
        return;
    ops_cost cost = ztl_ops_passes_cost(q->planner, &p, *reach, 64);
    if (cost.ztl >= *reach)
        return;
    *reach = cost.ztl;
    found->cost = cost;
    found->repeated.dim = d;
    found->repeated.times = found->detail = times;
}

static bool find(const ops_query *q, ops_found *found)
{
    const ops_piece *piece = q->piece;
    int64_t reach = ops_reach(q, q->best->cost);
    int d = repeated_dim(piece, q->planner->element);
    if (d < 0 || reach <= 2 * ztl_ops_least(q->planner, piece))
        return false;
    /* As many as a register holds, and so many that both passes store about as often. */
    int64_t run = piece->dim[d].out;
    found->detail = 0;
    try_times(q, (unsigned)d, OPS_BLOCK / run, &reach, found);
    for (int64_t times = 2; times * run <= OPS_BLOCK / 2; times *= 2)
        try_times(q, (unsigned)d, times, &reach, found);
    return found->detail;
}

static void write(const ops_query *q, const ops_found *found)
{
    ops_passes p;
    find_passes(q, found->repeated.dim, found->repeated.times, &p);
    ztl_ops_passes_write(q->planner, &p);
}

const ops_way ztl_ops_way_repeated = {"%u repetitions in scratch memory first", OPS_DIVIDES_ONCE,
                                      find, NULL, write};
