/* SPDX-License-Identifier: Apache-2.0
 * What a pass costs. By instructions, that is how many it executes; by time, its cycles
 * (format/time.h).
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

ops_use ztl_ops_tile_use(const ops_planner *planner, const ops_tile *tile, const ops_insn *insn,
                         unsigned count)
{
    const ops_slicing by = {tile->slices, tile->width, tile->store_width};
    return ztl_ops_use(&planner->machine, &by, insn, count);
}

ops_cost ztl_ops_price(const ops_planner *planner, const ops_use *use, int64_t batches,
                       int64_t other)
{
    int64_t key = planner->by_time ? ztl_ops_pass_cycles(&planner->machine, use, batches, other)
                                   : batches * use->ztl;
    return (ops_cost){key, other, batches * use->ztl};
}

/* So many batches at the most cost no more than the limit. */
static int64_t batches_within(const ops_planner *planner, const ops_use *use, int64_t limit)
{
    int64_t hart = ztl_ops_hart_cycles(use), most = ztl_ops_busiest(&planner->machine, use);
    int64_t each = !planner->by_time ? use->ztl : hart > most ? hart : most;
    return limit / each + 1;
}

/* CSR writes of one more pass: grids that go together in a list take fewer. */
enum { PER_GRID = 24 };

ops_cost ztl_ops_batches_cost(const ops_planner *planner, const ops_tile *tile,
                              const ops_piece *grid, size_t grids, const ops_use *use,
                              int64_t other, int64_t limit)
{
    int64_t batches =
        ztl_ops_pack_count(planner->draft, tile, grid, grids, batches_within(planner, use, limit));
    int64_t more = planner->by_time ? PER_GRID * ((int64_t)grids - 1) : 0;
    return batches < 0 ? OPS_NEVER : ztl_ops_price(planner, use, batches, other + more);
}

int64_t ztl_ops_least(const ops_planner *planner, const ops_piece *piece)
{
    int64_t out = ztl_ops_elements(piece) * planner->element, in = out;
    for (unsigned d = 0; d < piece->rank; d++)
        in = piece->dim[d].in ? in : in / piece->dim[d].n;
    in = piece->src == OPS_FILL ? 0 : in;
    return planner->by_time ? ztl_ops_floor_cycles(&planner->machine, in, out)
                            : ops_ceil(in, OPS_BLOCK) + ops_ceil(out, OPS_BLOCK);
}

int64_t ztl_ops_floor(const ops_planner *planner, const ops_piece *piece)
{
    int64_t least = ztl_ops_least(planner, piece), run = ztl_ops_run_bytes(piece, planner->element);
    if (planner->by_time || run >= OPS_SLICE_BYTES)
        return least;
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].in == 0)
            return least;
    int64_t narrow = 2 * ops_ceil(ztl_ops_elements(piece) * planner->element / run, OPS_SLICES);
    int64_t permuted = ops_ceil(5 * least, 4);
    return narrow < permuted ? narrow : permuted;
}

ops_cost ztl_ops_constant_cost(const ops_planner *planner)
{
    const ops_insn one = {.op = OPS_CONSTANT_BYTE};
    const ops_slicing none = {0, 0, 0};
    ops_use use = ztl_ops_use(&planner->machine, &none, &one, 1);
    int64_t each = planner->by_time ? ztl_ops_busiest(&planner->machine, &use) : use.ztl;
    return (ops_cost){planner->constant * each, 0, planner->constant * use.ztl};
}
