/* SPDX-License-Identifier: Apache-2.0
 * Constants: the border of a pad, an im2col, a col2im.
 */
#include "ops/lower/lower.h"

bool ztl_ops_one_run(const ops_call *call, unsigned element, ops_piece *whole)
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

/* Constants are in elements, also where everything else is in words of 8 bytes. */
void ztl_ops_lower_fills(ops_planner *planner, const ops_call *call, const ops_map *map,
                         const ops_piece *fill, size_t fills)
{
    ops_piece whole;
    unsigned element = planner->element;
    if (!fills)
        return;
    if (call->out->bits > 64)
        planner->element = call->out->bits / 8;
    bool may_fill_all = !map->fills_last && ztl_ops_one_run(call, planner->element, &whole);
    ztl_ops_solve_pieces(planner, fill, fills, may_fill_all ? &whole : NULL);
    planner->element = element;
}
