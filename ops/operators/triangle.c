/* SPDX-License-Identifier: Apache-2.0
 * Triangles and diagonals of matrices: trilu, eye-like.
 *
 * The rows of a triangle all differ in length. Cut into squares it is few pieces, of which those of
 * one size lie at equal distances:
 *
 *     .
 *     . .          single rows within blocks of BLOCK,
 *     a a .        squares a of BLOCK beside every other block, …
 *     a a . .
 *     b b b b .    … b of 2·BLOCK beside every other pair of blocks
 *     b b b b . .
 *     b b b b a a .
 */
#include "ops/operators/call.h"

enum { BLOCK = 16 };

/* Matrices, all along the outer dimensions, and which constant or input they get. */
typedef struct matrices {
    ops_map *map;
    const ztl_ops_tensor *in, *out;
    unsigned src;
    bool mirrored; /* rows and columns count from the last */
} matrices;

/* Elements of `rows` × `columns` from (row, column) on, `n` times with `step` rows and columns. */
static void add_block(const matrices *m, int64_t row, int64_t column, int64_t rows, int64_t columns,
                      int64_t n, int64_t step)
{
    const ztl_ops_tensor *in = m->in, *out = m->out;
    unsigned y = out->rank - 2, x = out->rank - 1;
    bool fills = ops_is_constant(m->src);
    int64_t sign = m->mirrored ? -1 : 1;
    if (rows <= 0 || columns <= 0 || n <= 0)
        return;
    row = m->mirrored ? out->extent[y] - 1 - row : row;
    column = m->mirrored ? out->extent[x] - 1 - column : column;
    int64_t in_y = fills ? 0 : sign * in->stride[y], in_x = fills ? 0 : sign * in->stride[x],
            out_y = sign * out->stride[y], out_x = sign * out->stride[x];
    ops_piece *piece = ztl_ops_add_piece(
        m->map, m->src, OPS_OUT, fills ? 0 : in->offset + sign * (row * in_y + column * in_x),
        out->offset + sign * (row * out_y + column * out_x));
    for (unsigned d = 0; d < y; d++)
        ztl_ops_add_dim(piece, out->extent[d], fills ? 0 : in->stride[d], out->stride[d]);
    ztl_ops_add_dim(piece, n, step * (in_y + in_x), step * (out_y + out_x));
    ztl_ops_add_dim(piece, rows, in_y, out_y);
    ztl_ops_add_dim(piece, columns, in_x, out_x);
}

/* Row i of `rows` has the columns 0 … i. */
static void add_triangle(const matrices *m, int64_t row, int64_t rows)
{
    for (int64_t k = 0; k < BLOCK && k < rows; k++)
        add_block(m, row + k, 0, 1, k + 1, (rows - 1 - k) / BLOCK + 1, BLOCK);
    for (int64_t side = BLOCK; side < rows; side *= 2) {
        int64_t whole = rows / (2 * side), rest = rows - whole * 2 * side - side;
        add_block(m, row + side, 0, side, side, whole, 2 * side);
        add_block(m, row + side + whole * 2 * side, whole * 2 * side, rest, side, 1, 0);
    }
}

/* The columns j of each row i with j <= i + k. */
static void add_lower(const matrices *m, int64_t k)
{
    int64_t rows = m->out->extent[m->out->rank - 2], columns = m->out->extent[m->out->rank - 1];
    int64_t first = k < 0 ? -k : 0, left = k > 0 ? k : 0; /* left: columns that all rows have */
    if (left >= columns) {
        add_block(m, 0, 0, rows, columns, 1, 0);
        return;
    }
    if (first >= rows)
        return;
    int64_t sloped = rows - first < columns - left ? rows - first : columns - left;
    matrices right = *m;
    ztl_ops_tensor in, out = *m->out;
    int64_t shift = m->mirrored ? 0 : left;
    out.offset += shift * out.stride[out.rank - 1];
    out.extent[out.rank - 1] -= left;
    right.out = &out;
    if (m->in) {
        in = *m->in;
        in.offset += shift * in.stride[in.rank - 1];
        right.in = &in;
    }
    add_block(m, 0, 0, rows, left, 1, 0);
    add_triangle(&right, first, sloped);
    add_block(&right, first + sloped, 0, rows - first - sloped, columns - left, 1, 0);
}

/* k as one that cannot overflow: further out there is no element. */
static int64_t diagonal(const ops_call *call)
{
    const int64_t *extent = call->out->extent + call->out->rank - 2;
    int64_t k = call->op->k;
    return k > extent[1] ? extent[1] : k < -extent[0] ? -extent[0] : k;
}

bool ztl_ops_shape_trilu(ops_call *call)
{
    if (call->in->rank < 2)
        return ztl_ops_fail(call->error, "the input has rank %u, needs 2 or more", call->in->rank);
    return ztl_ops_output(call, 0, call->in->rank, call->in->extent);
}

/* What is above a diagonal is, seen from the last row and column, below another. */
void ztl_ops_map_trilu(const ops_call *call, ops_map *map)
{
    int64_t k = diagonal(call);
    unsigned rank = call->out->rank;
    int64_t across = call->out->extent[rank - 1] - call->out->extent[rank - 2];
    bool lower = call->op->lower;
    matrices below = {map, call->in, call->out, lower ? 0 : OPS_FILL, false};
    matrices above = {map, call->in, call->out, lower ? OPS_FILL : 0, true};
    int64_t last = lower ? k : k - 1; /* the last diagonal that is below */
    add_lower(&below, last);
    add_lower(&above, across - last - 1);
}

bool ztl_ops_shape_eye_like(ops_call *call)
{
    const ztl_ops_tensor *in = call->in;
    if (in->rank != 2)
        return ztl_ops_fail(call->error, "the input has rank %u, needs 2", in->rank);
    return ztl_ops_output_of(call, 0, call->op->bits ? call->op->bits : in->bits, 2, in->extent);
}

void ztl_ops_map_eye_like(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *out = call->out;
    int64_t k = diagonal(call), row = k < 0 ? -k : 0, column = k < 0 ? 0 : k;
    int64_t rows = out->extent[0] - row, columns = out->extent[1] - column;
    matrices m = {map, NULL, out, OPS_FILL_ON, false};
    ztl_ops_add_box(map, OPS_FILL, NULL, 0, out);
    add_block(&m, row, column, 1, 1, rows < columns ? rows : columns, 1);
}
