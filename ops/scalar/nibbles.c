/* SPDX-License-Identifier: Apache-2.0
 * Pieces in nibbles, in scalar C.
 */
#include "ops/scalar/scalar.h"

SCALAR_INLINE unsigned next_same(scalar_source *source)
{
    unsigned value = ops_nibble(source->from[0], source->at[0]);
    source->at[0] += source->step[0];
    return value;
}

SCALAR_INLINE unsigned next_changed(scalar_source *source)
{
    return source->table[next_same(source)];
}

/* The dimensions from d on; `source`: where it begins. */
static void walk(const ops_piece *piece, unsigned d, scalar_source source, uint8_t *to, int64_t out)
{
    ops_dim dim = d < piece->rank ? piece->dim[d] : (ops_dim){1, 0, 0};
    source.step[0] = dim.in;
    if (d + 1 < piece->rank)
        for (int64_t k = 0; k < dim.n; k++, source.at[0] += dim.in, out += dim.out)
            walk(piece, d + 1, source, to, out);
    else if (source.table)
        scalar_write_nibbles(to, out, dim.out, dim.n, source, next_changed);
    else
        scalar_write_nibbles(to, out, dim.out, dim.n, source, next_same);
}

void ztl_ops_scalar_move_nibbles(const ops_piece *piece, const uint8_t *from, uint8_t *to,
                                 const uint8_t *table)
{
    scalar_source source = {.from = {from}, .at = {piece->in}, .table = table};
    walk(piece, 0, source, to, piece->out);
}
