/* SPDX-License-Identifier: Apache-2.0
 * How the scalar version walks through a piece: the outer dimensions one by one, then a row.
 */
#ifndef ZTL_OPS_SCALAR_WALK_H
#define ZTL_OPS_SCALAR_WALK_H

#include "ops/map/map.h"

/* Inlined, so that each use has loops of its own. */
#define SCALAR_INLINE static inline __attribute__((always_inline))

/* One row of a piece; `how`: what its elements need. */
typedef void scalar_row(const uint8_t *from, uint8_t *to, const ops_dim *dim, const void *how);

SCALAR_INLINE void scalar_walk(const ops_piece *piece, const uint8_t *from, uint8_t *to,
                               scalar_row *row, const void *how)
{
    static const ops_dim one = {1, 0, 0};
    unsigned outer = piece->rank ? piece->rank - 1 : 0, d;
    const ops_dim *last = piece->rank ? &piece->dim[outer] : &one;
    int64_t at[OPS_DIMS] = {0};
    from += piece->in;
    to += piece->out;
    do {
        row(from, to, last, how);
        for (d = outer; d-- > 0;) {
            from += piece->dim[d].in;
            to += piece->dim[d].out;
            if (++at[d] < piece->dim[d].n)
                break;
            from -= piece->dim[d].in * piece->dim[d].n;
            to -= piece->dim[d].out * piece->dim[d].n;
            at[d] = 0;
        }
    } while (d < outer);
}

#endif
