/* SPDX-License-Identifier: Apache-2.0
 * Interleave and deinterleave by three, as the channels of an RGB image: a dimension of 3 that is
 * innermost on one side only, and the dimension that is innermost on the other.
 *
 *     [3][n] → [n][3]     r0 r1 r2 …  g0 g1 …  b0 b1 …  →  r0 g0 b0 r1 g1 b1 …      and back
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

enum { BLOCK = 32, PLANES = 3 };

/* The dimension of n positions (0: of a block or more) and these steps (0: any), or -1. */
static int dim_of(const ops_piece *piece, int64_t n, int64_t in, int64_t out)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if ((n ? piece->dim[d].n == n : piece->dim[d].n >= BLOCK) &&
            (in ? piece->dim[d].in == in : 1) && (out ? piece->dim[d].out == out : 1))
            return (int)d;
    return -1;
}

typedef struct interleaving {
    bool joins;        /* planes to alternating elements; else the reverse */
    int64_t plane;     /* the step from plane to plane */
    ops_piece grid[2]; /* where blocks of 32 elements are */
    unsigned grids;
} interleaving;

static bool interleaving_of(const ops_query *q, interleaving *f)
{
    const ops_piece *piece = q->piece;
    int64_t e = q->planner->element;
    int plane = dim_of(piece, PLANES, 0, e), run = dim_of(piece, 0, e, PLANES * e);
    f->joins = plane >= 0 && run >= 0;
    if (!f->joins) {
        plane = dim_of(piece, PLANES, e, 0);
        run = dim_of(piece, 0, PLANES * e, e);
    }
    if (plane < 0 || run < 0)
        return false;
    f->plane = f->joins ? piece->dim[plane].in : piece->dim[plane].out;
    ops_piece one = *piece;
    one.dim[plane].n = 1;
    f->grids = ztl_ops_blocks(&one, (unsigned)run, BLOCK, f->grid);
    return true;
}

enum { INSNS = 2 * PLANES + 1 };

static void set_program(const interleaving *f, unsigned element, ops_insn *insn)
{
    int64_t width = BLOCK * element, in = f->joins ? f->plane : width,
            out = f->joins ? width : f->plane;
    for (unsigned p = 0; p < PLANES; p++) {
        insn[p] = (ops_insn){.op = OPS_OP(OPS_LOAD, p), .offset = p * in};
        insn[PLANES + 1 + p] = (ops_insn){.op = OPS_OP(OPS_STORE, 4 + p), .offset = p * out};
    }
    insn[PLANES] = (ops_insn){.op = f->joins ? OPS_INTERLEAVE3 : OPS_DEINTERLEAVE3, .arg = element};
}

static bool find(const ops_query *q, ops_node *found)
{
    interleaving f;
    ops_insn insn[INSNS];
    if (!interleaving_of(q, &f))
        return false;
    set_program(&f, q->planner->element, insn);
    ops_tile tile = ztl_ops_slice_tile(BLOCK * q->planner->element);
    ops_use use = ztl_ops_tile_use(q->planner, &tile, insn, INSNS);
    found->cost = ztl_ops_batches_cost(q->planner, &tile, f.grid, f.grids, &use, 1, OPS_NEVER.key);
    return true;
}

static void write(const ops_query *q, const ops_node *node)
{
    interleaving f;
    (void)node;
    interleaving_of(q, &f);
    unsigned element = q->planner->element, width = BLOCK * element;
    ops_tile tile = ztl_ops_slice_tile(width);
    ops_insn insn[INSNS];
    set_program(&f, element, insn);
    /* The padding of a short batch repeats instances, so the shape can stay that of a full one. */
    ops_pass form = {.kind = OPS_PASS_INTERLEAVE3,
                     .element = element,
                     .order = f.joins ? OPS_INTERLEAVE3_ORDER : OPS_DEINTERLEAVE3_ORDER,
                     .tile_shape = tile.slices << 16 | BLOCK << 8 | element,
                     .insns = INSNS};
    ztl_ops_pack_batches(q->planner->draft, &form, insn, &tile, f.grid, f.grids);
}

const ops_way ztl_ops_way_interleave3 = {"interleave by 3", find, NULL, write};
