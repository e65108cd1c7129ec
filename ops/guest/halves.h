/* SPDX-License-Identifier: Apache-2.0
 * Rows of half-bytes in the scalar version.
 */
#ifndef ZTL_OPS_GUEST_HALVES_H
#define ZTL_OPS_GUEST_HALVES_H

#include "ops/guest/walk.h"
#include "ops/half.h"

/* Where half-bytes come from. */
typedef struct guest_source {
    const uint8_t *from[3];
    int64_t at[3], step[3];
    const uint8_t *table; /* what each of the 16 becomes */
} guest_source;

/* Gives the next one and steps on. */
typedef unsigned guest_next(guest_source *source);

/* A byte at a time where they are neighbours in the target. */
GUEST_INLINE void guest_write_halves(uint8_t *to, int64_t at, int64_t step, int64_t n,
                                     guest_source source, guest_next *next)
{
    if (step == 1) {
        for (; n > 0 && at % 2; n--, at++)
            ops_set_half(to, at, next(&source));
        for (; n > 1; n -= 2, at += 2) {
            unsigned low = next(&source);
            to[at / 2] = (uint8_t)(low | next(&source) << 4);
        }
    }
    for (; n > 0; n--, at += step)
        ops_set_half(to, at, next(&source));
}

/* A piece in half-bytes; without a table they stay as they are. */
void guest_move_halves(const ops_piece *piece, const uint8_t *from, uint8_t *to,
                       const uint8_t *table);

#endif
