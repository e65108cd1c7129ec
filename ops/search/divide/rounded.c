/* SPDX-License-Identifier: Apache-2.0
 * A dimension that is just too short for blocks (blocks.c) is made longer in scratch memory: the
 * source is copied there with room for more positions, these and all are moved to another part of
 * it, and the wanted ones copied out.
 *
 *     [13][1000]  →  [13][1024]  →  [1024][13]  →  [1000][13]
 *
 * What is in the room beyond is whatever was there; none of it leaves scratch memory.
 */
#include "ops/search/ways/way.h"

/* The positions that 32 rows of blocks have, or 8 of elements of 4 bytes. */
static int64_t rounded_extent(const ops_dim *dim, int64_t element)
{
    int64_t block = OPS_SLICE_BYTES / element;
    return ops_ceil(dim->n, block * block) * block * block;
}

/* Dense steps in the order of one side, with n positions of dimension `d`; those of the source go
 * backwards where it does, and are 0 where it is repeated. Returns the bytes. */
static int64_t lay_out(const ops_piece *piece, unsigned d, int64_t n, int64_t element,
                       bool is_source, int64_t *step)
{
    unsigned order[OPS_DIMS];
    int64_t next = element;
    for (unsigned i = 0; i < piece->rank; i++) {
        unsigned k = i;
        int64_t in = ops_magnitude(piece->dim[i].in);
        while (is_source && k > 0 && in > ops_magnitude(piece->dim[order[k - 1]].in)) {
            order[k] = order[k - 1];
            k--;
        }
        order[k] = i;
    }
    for (unsigned k = piece->rank; k-- > 0;) {
        const ops_dim *dim = &piece->dim[order[k]];
        bool again = is_source && dim->in == 0;
        step[order[k]] = again ? 0 : is_source && dim->in < 0 ? -next : next;
        next *= again ? 1 : order[k] == d ? n : dim->n;
    }
    return ops_ceil(next, 64) * 64;
}

static bool divide(const ops_query *q, const ops_pick *pick, ops_division *p)
{
    const ops_piece *piece = q->piece;
    unsigned d = pick->long_dim;
    int64_t element = q->planner->element, n = rounded_extent(&piece->dim[d], element);
    int64_t first[OPS_DIMS], second[OPS_DIMS], base = (int64_t)q->planner->scratch_top;
    int64_t end = 0; /* of what goes backwards */
    if (n == piece->dim[d].n || n > 2 * piece->dim[d].n)
        return false;
    int64_t bytes = lay_out(piece, d, n, element, true, first);
    p->bytes = (uint64_t)(bytes + lay_out(piece, d, n, element, false, second));
    p->part[0] = p->part[1] = p->part[2] = *piece;
    p->part[0].dst = p->part[1].src = p->part[1].dst = p->part[2].src = OPS_SCRATCH;
    for (unsigned k = 0; k < piece->rank; k++) {
        end += first[k] < 0 ? ((k == d ? n : piece->dim[k].n) - 1) * -first[k] : 0;
        p->part[0].dim[k].out = p->part[1].dim[k].in = first[k];
        p->part[0].dim[k].n = first[k] ? piece->dim[k].n : 1;
        p->part[1].dim[k].out = p->part[2].dim[k].in = second[k];
    }
    p->part[0].out = p->part[1].in = base + end;
    p->part[1].out = p->part[2].in = base + bytes;
    p->part[1].dim[d].n = n;
    p->count = 3;
    p->other = 128;
    for (unsigned k = 0; k < 3; k++) {
        p->depth[k] = k == 1 ? OPS_ONCE : 0;
        ztl_ops_canonical_piece(&p->part[k]);
    }
    return ztl_ops_scratch_fits(q->planner, p->bytes);
}

static bool find(const ops_query *q, ops_node *found)
{
    bool is_found = false;
    for (unsigned d = 0; q->depth > 1 && d < q->piece->rank; d++) {
        const ops_pick pick = {.long_dim = d};
        if (q->piece->dim[d].in)
            is_found |=
                ztl_ops_try(q, &pick, rounded_extent(&q->piece->dim[d], q->planner->element),
                            ztl_ops_limit(q, found), found);
    }
    return is_found;
}

const ops_way ztl_ops_way_rounded = {"room for %u positions in scratch memory", find, divide, NULL};
