/* SPDX-License-Identifier: Apache-2.0
 * Three passes: rows of any length are copied to scratch memory with a pitch of 32 bytes, whole
 * tiles of it are transposed to another part, padding and all, and rows of the target copied out:
 *
 *     [24][361]  →  [32][384]  →  [384][32]  →  [361][24]
 *
 * Padding has whatever was there before; none of it leaves scratch memory. Rows that are reversed
 * lie at the end of their padding, and are reversed with it.
 */
#include "ops/search/ways/way.h"

static int64_t round_up(int64_t n, int64_t unit)
{
    return ops_ceil(n, unit) * unit;
}

/* The dimension whose step is the element, in the source or in the target. */
static int inner_dim(const ops_piece *piece, int64_t element, bool is_source)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if ((is_source ? ops_magnitude(piece->dim[d].in) : piece->dim[d].out) == element)
            return (int)d;
    return -1;
}

/* Steps of a layout with `inner` innermost and `next` around it, both in multiples of `unit`, and
 * the others as they come. Returns its bytes. */
static int64_t lay_out(const ops_piece *piece, unsigned inner, unsigned next, int64_t element,
                       int64_t unit, int64_t *step)
{
    step[next] = round_up(piece->dim[inner].n, unit) * element;
    int64_t bytes = step[next] * (next == inner ? 1 : round_up(piece->dim[next].n, unit));
    step[inner] = element;
    for (unsigned d = piece->rank; d-- > 0;)
        if (d != inner && d != next) {
            step[d] = bytes;
            bytes *= piece->dim[d].n;
        }
    return bytes;
}

/* The passes between layouts with these steps; `in` and `out` are rounded up in between. */
static void set_passes(const ops_piece *piece, unsigned in, unsigned out, int64_t unit,
                       const int64_t *first, const int64_t *second, ops_division *p)
{
    p->part[0] = p->part[1] = p->part[2] = *piece;
    p->part[0].dst = p->part[1].src = p->part[1].dst = p->part[2].src = OPS_SCRATCH;
    for (unsigned d = 0; d < piece->rank; d++) {
        p->part[0].dim[d].out = p->part[1].dim[d].in = first[d];
        p->part[1].dim[d].out = p->part[2].dim[d].in = second[d];
        if (d == in || d == out)
            p->part[1].dim[d].n = round_up(piece->dim[d].n, unit);
    }
}

/* A reversal goes through scratch memory itself, and may be divided itself. */
static bool divide(const ops_query *q, const ops_pick *pick, ops_division *p)
{
    const ops_planner *planner = q->planner;
    const ops_piece *piece = q->piece;
    (void)pick;
    int64_t element = planner->element, unit = OPS_SLICE_BYTES / element;
    int64_t first[OPS_DIMS], second[OPS_DIMS], base = (int64_t)planner->scratch_top, end = 0;
    int in = inner_dim(piece, element, true), out = inner_dim(piece, element, false);
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].in == 0)
            return false;
    if (in < 0 || out < 0 || (in == out) != (piece->dim[in].in < 0))
        return false;
    bool is_reversed = in == out;
    *p = (ops_division){
        .count = 3, .depth = {0, is_reversed ? ops_less_depth(q->depth) : 0, 0}, .other = 128};
    int64_t bytes = lay_out(piece, (unsigned)in, (unsigned)out, element, unit, first);
    p->bytes =
        (uint64_t)(bytes + lay_out(piece, (unsigned)out, (unsigned)in, element, unit, second));
    if (is_reversed) {
        end = (round_up(piece->dim[in].n, unit) - 1) * element;
        first[in] = -element;
    }
    set_passes(piece, (unsigned)in, (unsigned)out, unit, first, second, p);
    p->part[0].out = p->part[1].in = base + end;
    p->part[1].out = p->part[2].in = base + bytes;
    for (unsigned k = 0; k < 3; k++)
        ztl_ops_canonical_piece(&p->part[k]);
    return p->bytes <= 4 * (uint64_t)(ztl_ops_elements(piece) * element) &&
           ztl_ops_scratch_fits(planner, p->bytes);
}

static bool find(const ops_query *q, ops_node *found)
{
    return ztl_ops_try(q, &(const ops_pick){.width = 0}, 0, ztl_ops_limit(q, found), found);
}

const ops_way ztl_ops_way_padded = {"rows padded in scratch memory", find, divide, NULL};
