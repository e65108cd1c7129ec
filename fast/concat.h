/* SPDX-License-Identifier: Apache-2.0
 * Plans of CONCAT: the result as pieces of what stays, the first block and the second.
 */
#ifndef ZTL_FAST_CONCAT_H
#define ZTL_FAST_CONCAT_H

#include "fast/fast.h"

/* A block as [outer][length][inner] units along the axis. */
typedef struct ztl_rows {
    unsigned outer, length, inner;
    bool nibbles; /* a unit is a nibble, not a byte */
} ztl_rows;

/* False, with the plan as it was, when the masks keep too much. */
bool ztl_plan_concat(ztl_concat_plan *plan, const ztl_rows *rows, uint64_t masks,
                     const ztl_bodies *bodies);

/* The length of a piece, by its code. */
static const uint8_t ztl_piece_length[8] = {1, 2, 3, 4, 6, 8, 12, 16};

#endif
