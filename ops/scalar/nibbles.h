/* SPDX-License-Identifier: Apache-2.0
 * Rows of nibbles in the scalar version.
 */
#ifndef ZTL_OPS_SCALAR_NIBBLES_H
#define ZTL_OPS_SCALAR_NIBBLES_H

#include "ops/scalar/walk.h"
#include "ops/map/nibble.h"

/* Where nibbles come from. */
typedef struct scalar_source {
    const uint8_t *from[3];
    int64_t at[3], step[3];
    const uint8_t *table; /* what each of the 16 becomes */
} scalar_source;

/* Gives the next one and steps on. */
typedef unsigned scalar_next(scalar_source *source);

/* A byte at a time where they are neighbours in the target. */
SCALAR_INLINE void scalar_write_nibbles(uint8_t *to, int64_t at, int64_t step, int64_t n,
                                        scalar_source source, scalar_next *next)
{
    if (step == 1) {
        for (; n > 0 && at % 2; n--, at++)
            ops_set_nibble(to, at, next(&source));
        for (; n > 1; n -= 2, at += 2) {
            unsigned low = next(&source);
            to[at / 2] = (uint8_t)(low | next(&source) << 4);
        }
    }
    for (; n > 0; n--, at += step)
        ops_set_nibble(to, at, next(&source));
}

/* A piece in nibbles; without a table they stay as they are. */
void ztl_ops_scalar_move_nibbles(const ops_piece *piece, const uint8_t *from, uint8_t *to,
                                 const uint8_t *table);

#endif
