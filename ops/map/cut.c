/* SPDX-License-Identifier: Apache-2.0
 * Parts of pieces.
 */
#include "ops/map/map.h"

/* The last n positions of a dimension. */
static ops_piece last_of(const ops_piece *piece, unsigned d, int64_t n)
{
    ops_piece last = *piece;
    int64_t before = piece->dim[d].n - n;
    last.dim[d].n = n;
    last.in += before * piece->dim[d].in;
    last.out += before * piece->dim[d].out;
    return last;
}

void ztl_ops_cut(const ops_piece *piece, unsigned d, int64_t n, ops_piece part[2])
{
    part[1] = last_of(piece, d, piece->dim[d].n - n);
    part[0] = *piece;
    part[0].dim[d].n = n;
}

unsigned ztl_ops_blocks(const ops_piece *piece, unsigned d, int64_t n, ops_piece grid[2])
{
    ops_dim dim = piece->dim[d];
    ops_piece last = last_of(piece, d, n);
    grid[0] = *piece;
    grid[0].dim[d] = last.dim[d] = (ops_dim){dim.n / n, dim.in * n, dim.out * n};
    if (dim.n % n == 0)
        return 1;
    grid[1] = last;
    grid[1].dim[d].n = 1;
    return 2;
}

ops_piece ztl_ops_every_other(const ops_piece *piece, unsigned d, bool second)
{
    ops_piece part = *piece;
    ops_dim *dim = &part.dim[d];
    part.in += second ? dim->in : 0;
    part.out += second ? dim->out : 0;
    *dim = (ops_dim){(dim->n + !second) / 2, 2 * dim->in, 2 * dim->out};
    return part;
}
