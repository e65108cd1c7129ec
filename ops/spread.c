/* SPDX-License-Identifier: Apache-2.0
 * Spreading: rows whose every element appears twice, side by side. The same rows in both registers
 * of a pair, and one PERMUTE puts each element next to its double; rows may have any length.
 */
#include "ops/strategy.h"

enum { HALF = 512 };

bool ops_spreading_of(const ops_planner *planner, const ops_piece *piece, ops_spreading *s)
{
    int64_t e = planner->element;
    int twice = -1, run = -1;
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        if (dim->n == 2 && dim->in == 0 && dim->out == e)
            twice = (int)d;
        if (dim->in == e && dim->out == 2 * e)
            run = (int)d;
    }
    if (twice < 0 || run < 0 || piece->dim[run].n * e > HALF)
        return false;
    s->width = (unsigned)(piece->dim[run].n * e);
    s->rows = *piece;
    s->rows.dim[twice].n = s->rows.dim[run].n = 1;
    ops_take_copies(&s->rows, &s->copies);
    unsigned rows = HALF / s->width;
    s->instances = rows < OPS_SLICES ? rows : OPS_SLICES;
    return true;
}

ops_cost ops_spreading_cost(const ops_spreading *s)
{
    int64_t batches = ops_count_batches(&s->rows, 1, s->width, 2 * (int64_t)s->width, s->instances);
    if (batches < 0)
        return OPS_NEVER;
    return (ops_cost){batches * (3 + (int64_t)s->copies.count), 1};
}

void ops_spreading_write(ops_planner *planner, const ops_piece *piece, const ops_spreading *s)
{
    unsigned log = 0, elements = 1024 / planner->element;
    while (1u << log < planner->element)
        log++;
    ops_tile tile = {.width = s->width,
                     .out_step = 2 * s->width,
                     .in_width = s->width,
                     .out_width = 2 * s->width,
                     .instances = s->instances,
                     .slices = s->instances};
    for (unsigned i = 0; i < tile.slices; i++)
        tile.in_of[i] = tile.out_of[i] = (uint8_t)i;
    ops_pass form = {.kind = OPS_PASS_SPREAD,
                     .src = piece->src,
                     .dst = piece->dst,
                     .load_width = s->width,
                     .store_width = 2 * s->width,
                     .element = planner->element,
                     .order = 1 | 2 << 2 | 0 << 4 | 3 << 6};
    ops_insn insn[OPS_MOST_COPIES + 3] = {
        {.op = OPS_OP(OPS_LOAD, 0)},
        {.op = OPS_OP(OPS_LOAD, 1)},
        {.op = OPS_PERMUTE,
         .width = (uint8_t)log,
         .arg = 2u | elements / 128 << 8 | 128u << 16 | 1u << 24}};
    for (unsigned c = 0; c < s->copies.count; c++)
        insn[3 + c] = (ops_insn){.op = OPS_STORE, .offset = s->copies.offset[c]};
    ops_pack(planner, &form, insn, 3 + s->copies.count, &tile, &s->rows, 1);
}
