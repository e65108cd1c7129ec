/* SPDX-License-Identifier: Apache-2.0
 * Spreading: rows of two planes, or of one plane twice, whose elements become neighbours. A
 * register has the rows of one plane, and one PERMUTE of a pair puts each element next to the other
 * plane's; rows may have any length. It makes two registers of two full ones. Where rows continue
 * each other in the source both have whole rows if the halves are loaded in slices of 32 bytes,
 * each half from the start of a row.
 */
#include "ops/strategy.h"

enum { HALF = 512 };

/* The dimension of rows that continue each other, at least so many. */
static int find_joined(const ops_piece *piece, int64_t width, int64_t rows)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].in == width && piece->dim[d].out % (2 * width) == 0 &&
            piece->dim[d].n >= rows)
            return (int)d;
    return -1;
}

/* Blocks of rows for both registers; the last one may overlap. */
static bool join_rows(ops_spreading *s)
{
    while (s->rows && s->rows * s->width % OPS_SLICE_BYTES)
        s->rows--;
    int64_t block = 2 * (int64_t)s->rows;
    int joined = s->rows ? find_joined(&s->grid[0], s->width, block) : -1;
    if (joined < 0)
        return false;
    ops_dim dim = s->grid[0].dim[joined];
    s->registers = 2;
    s->step = dim.out;
    s->grid[0].dim[joined] = (ops_dim){dim.n / block, dim.in * block, dim.out * block};
    s->grid[1] = s->grid[0];
    s->grid[1].dim[joined].n = 1;
    s->grid[1].in += (dim.n - block) * dim.in;
    s->grid[1].out += (dim.n - block) * dim.out;
    s->grids = dim.n % block ? 2 : 1;
    return true;
}

static bool find_rows(const ops_planner *planner, const ops_piece *piece, ops_spreading *s)
{
    int64_t e = planner->element;
    int twice = -1, run = -1;
    for (unsigned d = 0; d < piece->rank; d++) {
        const ops_dim *dim = &piece->dim[d];
        if (dim->n == 2 && dim->out == e)
            twice = (int)d;
        if (dim->in == e && dim->out == 2 * e)
            run = (int)d;
    }
    if (twice < 0 || run < 0 || piece->dim[run].n * e > HALF)
        return false;
    s->width = (unsigned)(piece->dim[run].n * e);
    s->plane = piece->dim[twice].in;
    s->grid[0] = *piece;
    s->grid[0].dim[twice].n = s->grid[0].dim[run].n = 1;
    ops_take_copies(&s->grid[0], &s->copies);
    s->grids = s->registers = 1;
    s->rows = HALF / s->width < OPS_SLICES ? HALF / s->width : OPS_SLICES;
    return true;
}

ops_cost ops_spreading_cost(const ops_planner *planner, const ops_spreading *s)
{
    bool joined = s->registers == 2;
    int64_t batches =
        ops_count_batches(planner->effort, s->grid, s->grids, joined ? OPS_SLICE_BYTES : s->width,
                          2 * (int64_t)s->width, joined ? 1 : s->rows, INT64_MAX);
    if (batches < 0)
        return OPS_NEVER;
    return (ops_cost){batches * (3 + s->registers * (int64_t)s->copies.count), 1};
}

bool ops_spreading_of(const ops_planner *planner, const ops_piece *piece, ops_spreading *s)
{
    if (!find_rows(planner, piece, s))
        return false;
    ops_spreading joined = *s;
    if (join_rows(&joined) &&
        ops_cheaper(ops_spreading_cost(planner, &joined), ops_spreading_cost(planner, s)))
        *s = joined;
    return true;
}

static ops_tile tile_of(const ops_spreading *s)
{
    ops_tile tile = {.width = s->width,
                     .out_step = 2 * s->width,
                     .in_width = s->width,
                     .out_width = 2 * s->width,
                     .instances = s->rows,
                     .slices = s->rows};
    for (unsigned i = 0; s->registers == 1 && i < tile.slices; i++)
        tile.in_of[i] = tile.out_of[i] = (uint8_t)i;
    if (s->registers == 1)
        return tile;
    tile.width = tile.in_width = OPS_SLICE_BYTES;
    tile.instances = 1;
    tile.slices = OPS_SLICES;
    int64_t half = (int64_t)s->rows * s->width;
    for (unsigned i = 0; i < OPS_SLICES; i++) {
        int64_t at = i % (OPS_SLICES / 2) * OPS_SLICE_BYTES;
        tile.in[i] = (i < OPS_SLICES / 2 ? 0 : half) + (at < half ? at : 0);
        tile.out[i] = i < s->rows ? i * s->step : 0;
    }
    return tile;
}

void ops_spreading_write(ops_planner *planner, const ops_piece *piece, const ops_spreading *s)
{
    unsigned log = 0, elements = 1024 / planner->element, n = 0;
    while (1u << log < planner->element)
        log++;
    ops_tile tile = tile_of(s);
    ops_pass form = {.kind = OPS_PASS_SPREAD,
                     .src = piece->src,
                     .dst = piece->dst,
                     .load_width = tile.width,
                     .store_width = 2 * s->width,
                     .element = planner->element,
                     .order = 1 | 2 << 2 | 0 << 4 | 3 << 6};
    ops_insn insn[2 * OPS_MOST_COPIES + 5];
    if (s->registers == 2)
        insn[n++] = (ops_insn){.op = OPS_SHAPE, .arg = OPS_SLICES << 16 | 1 << 8 | 1};
    insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, 0)};
    insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, 1), .offset = s->plane};
    insn[n++] = (ops_insn){.op = OPS_PERMUTE,
                           .width = (uint8_t)log,
                           .arg = 2u | elements / 128 << 8 | 128u << 16 | 1u << 24};
    if (s->registers == 2)
        insn[n++] = (ops_insn){.op = OPS_SHAPE, .arg = s->rows << 16 | 1 << 8 | 1};
    for (unsigned r = 0; r < s->registers; r++)
        for (unsigned c = 0; c < s->copies.count; c++)
            insn[n++] = (ops_insn){.op = OPS_OP(OPS_STORE, r),
                                   .offset = s->copies.offset[c] + r * s->rows * s->step};
    ops_pack(planner, &form, insn, n, &tile, s->grid, s->grids);
}
