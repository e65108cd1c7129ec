/* SPDX-License-Identifier: Apache-2.0
 * Constants: the border of a pad, an im2col, a col2im.
 */
#include "ops/lower/lower.h"

/* The only output as a single run of constants; false if it is not one. */
static bool is_one_run(const ops_call *call, unsigned element, ops_piece *whole)
{
    const ztl_ops_tensor *out = call->out;
    *whole = (ops_piece){.src = OPS_FILL, .dst = OPS_OUT};
    int64_t unit = out->bits == 4 ? 2 : 1;
    whole->out = out->offset;
    for (unsigned d = 0; d < out->rank; d++)
        ztl_ops_add_dim(whole, out->extent[d], 0, out->stride[d]);
    ztl_ops_canonical_piece(whole);
    if (whole->rank != 1 || whole->dim[0].out != (out->bits == 4 ? 1 : element) ||
        whole->dim[0].n % unit || whole->out % unit || call->outputs != 1)
        return false;
    whole->out /= unit;
    whole->dim[0].n /= unit;
    return true;
}

/* Whether the first bytes of a constant repeat. */
static bool halves_agree(const uint64_t *word, unsigned bytes)
{
    bool agree = true;
    if (bytes < 8)
        return ((word[0] ^ word[0] >> 8 * bytes) & ((UINT64_C(1) << 8 * bytes) - 1)) == 0;
    for (unsigned w = 0; w < bytes / 8; w++)
        agree = agree && word[w] == word[w + bytes / 8];
    return agree;
}

void ztl_ops_set_fill(ops_planner *planner, const ztl_ops_op *op, unsigned src, unsigned bits)
{
    for (unsigned w = 0; w < OPS_WORDS; w++)
        planner->fill[w] = ops_fill_word(op, src, w);
    if (bits == 4)
        planner->fill[0] = (planner->fill[0] & 15) * 0x11;
    planner->constant = bits == 4 ? 1 : bits / 8;
    while (planner->constant > 1 && halves_agree(planner->fill, planner->constant / 2))
        planner->constant /= 2;
}

void ztl_ops_lower_pieces(ops_planner *planner, const ops_call *call, const ops_map *map,
                          const ops_piece *fill, size_t fills)
{
    ops_piece whole;
    ops_moves stage = {.piece = map->piece,
                       .fill = fill,
                       .count = map->count,
                       .fills = fills,
                       .fills_last = map->fills_last,
                       .fill_element = planner->element};
    if (call->out->bits > 64) /* and the moves are in words */
        stage.fill_element = call->out->bits / 8;
    if (fills && fill->dst == OPS_OUT && !map->fills_last &&
        is_one_run(call, stage.fill_element, &whole))
        stage.whole = &whole;
    ztl_ops_solve_stage(planner, &stage);
}
