/* SPDX-License-Identifier: Apache-2.0
 * Recognising and planning the factor 3: a dimension of 3 that is innermost on one side only, and
 * the dimension that is innermost on the other.
 */
#include "ops/strategy.h"
#include "ops/weave.h"

enum { BLOCK = 32, PLANES = 3 };

static int find(const ops_piece *piece, int64_t n, int64_t in, int64_t out)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if ((n ? piece->dim[d].n == n : piece->dim[d].n >= BLOCK) &&
            (in ? piece->dim[d].in == in : 1) && (out ? piece->dim[d].out == out : 1))
            return (int)d;
    return -1;
}

bool ops_weaving_of(const ops_planner *planner, const ops_piece *piece, ops_weaving *weaving)
{
    int64_t e = planner->element;
    if (piece->src == OPS_FILL || !e)
        return false;
    int plane = find(piece, PLANES, 0, e), run = find(piece, 0, e, PLANES * e);
    weaving->joins = plane >= 0 && run >= 0;
    if (!weaving->joins) {
        plane = find(piece, PLANES, e, 0);
        run = find(piece, 0, PLANES * e, e);
    }
    if (plane < 0 || run < 0)
        return false;
    weaving->plane = weaving->joins ? piece->dim[plane].in : piece->dim[plane].out;
    ops_piece *grid = weaving->grid;
    grid[0] = *piece;
    grid[0].dim[plane].n = 1;
    ops_dim dim = piece->dim[run];
    grid[0].dim[run] = (ops_dim){dim.n / BLOCK, dim.in * BLOCK, dim.out * BLOCK};
    grid[1] = grid[0];
    grid[1].dim[run].n = 1;
    grid[1].in += (dim.n - BLOCK) * dim.in;
    grid[1].out += (dim.n - BLOCK) * dim.out;
    weaving->grids = dim.n % BLOCK ? 2 : 1;
    return true;
}

ops_cost ops_weaving_cost(const ops_planner *planner, const ops_weaving *weaving)
{
    int64_t width = BLOCK * planner->element;
    int64_t batches = ops_count_batches(planner->effort, weaving->grid, weaving->grids, width,
                                        width, 1024 / width, INT64_MAX);
    if (batches < 0)
        return OPS_NEVER;
    return (ops_cost){batches * (weaving->joins ? 13 : 11), 1};
}

void ops_weaving_write(ops_planner *planner, const ops_piece *piece, const ops_weaving *weaving)
{
    unsigned width = BLOCK * planner->element;
    ops_tile tile = {.width = width,
                     .in_width = width,
                     .out_width = width,
                     .instances = 1024 / width,
                     .slices = 1024 / width};
    for (unsigned i = 0; i < tile.slices; i++)
        tile.in_of[i] = tile.out_of[i] = (uint8_t)i;
    /* The padding of a short batch repeats instances, so the shape can stay that of a full one. */
    ops_pass form = {.kind = OPS_PASS_WEAVE,
                     .src = piece->src,
                     .dst = piece->dst,
                     .load_width = width,
                     .store_width = width,
                     .element = planner->element,
                     .order = weaving->joins ? OPS_WEAVE_ORDER : OPS_UNWEAVE_ORDER,
                     .tile_shape = tile.slices << 16 | BLOCK << 8 | planner->element};
    ops_insn insn[2 * PLANES + 1];
    for (unsigned p = 0; p < PLANES; p++) {
        insn[p] = (ops_insn){.op = OPS_OP(OPS_LOAD, p),
                             .offset = p * (weaving->joins ? weaving->plane : width)};
        insn[PLANES + 1 + p] = (ops_insn){.op = OPS_OP(OPS_STORE, 4 + p),
                                          .offset = p * (weaving->joins ? width : weaving->plane)};
    }
    insn[PLANES] =
        (ops_insn){.op = weaving->joins ? OPS_WEAVE : OPS_UNWEAVE, .arg = planner->element};
    ops_pack(planner, &form, insn, 2 * PLANES + 1, &tile, weaving->grid, weaving->grids);
}
