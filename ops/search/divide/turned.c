/* SPDX-License-Identifier: Apache-2.0
 * Reversed dimensions, in two steps through scratch memory, which has the target's order but goes
 * backwards in some dimensions. Either what is reversed is turned last, after elements were picked:
 *
 *     a . . b . . c . . d  →  a b c d  →  d c b a
 *
 * or everything around it is reversed first too, which makes rows one long run, and turned back:
 *
 *     [a b c][d e f]  →  f e d c b a  →  [c b a][f e d]
 */
#include "ops/search/ways/way.h"

/* The innermost dimension that is reversed; the rank where none is. */
static unsigned reversed_dim(const ops_piece *piece)
{
    for (unsigned d = piece->rank; d-- > 0;)
        if (piece->dim[d].in < 0)
            return d;
    return piece->rank;
}

/* Whether a dimension is backwards in scratch memory, compared with the target. */
static bool is_turned(const ops_piece *piece, unsigned d, bool forwards_first)
{
    return forwards_first ? piece->dim[d].in < 0 : piece->dim[d].in > 0 && d < reversed_dim(piece);
}

static bool divide(const ops_query *q, const ops_pick *pick, ops_division *p)
{
    const ops_piece *piece = q->piece;
    bool forwards_first = pick->forwards_first;
    int64_t step = q->planner->element, end = 0;
    bool differs = false;
    p->part[0] = p->part[1] = *piece;
    p->part[0].dst = p->part[1].src = OPS_SCRATCH;
    for (unsigned d = piece->rank; d-- > 0; step *= piece->dim[d].n) {
        const ops_dim *dim = &piece->dim[d];
        bool turned = is_turned(piece, d, forwards_first);
        p->part[0].dim[d].out = p->part[1].dim[d].in = turned ? -step : step;
        end += turned ? (dim->n - 1) * step : 0;
        differs |= ops_magnitude(dim->in) != step; /* else one of the passes would be the piece */
    }
    p->bytes = (uint64_t)ops_ceil(step, 64) * 64;
    p->part[0].out = p->part[1].in = (int64_t)q->planner->scratch_top + end;
    p->count = 2;
    p->other = 64;
    for (unsigned k = 0; k < 2; k++) {
        p->depth[k] = q->depth > 1 ? q->depth - 1 : OPS_ONCE;
        ztl_ops_canonical_piece(&p->part[k]);
    }
    bool joins = p->part[0].rank < piece->rank;
    return (forwards_first ? differs : joins) && ztl_ops_scratch_fits(q->planner, p->bytes);
}

static bool find(const ops_query *q, ops_node *found)
{
    bool is_found = false;
    for (unsigned d = 0; d < q->piece->rank; d++)
        if (q->piece->dim[d].in == 0)
            return false;
    if (reversed_dim(q->piece) == q->piece->rank)
        return false;
    for (unsigned forwards_first = 0; forwards_first < 2; forwards_first++) {
        const ops_pick pick = {.forwards_first = forwards_first};
        is_found |= ztl_ops_try(q, &pick, 0, ztl_ops_limit(q, found), found);
    }
    return is_found;
}

const ops_way ztl_ops_way_turned = {"reversed dimensions turned in scratch memory", find, divide,
                                    NULL};
