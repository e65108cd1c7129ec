/* SPDX-License-Identifier: Apache-2.0
 * Copies in words as wide as contiguous runs allow, up to 8 bytes: what a compiler makes of loops
 * whose shapes it knows.
 */
#ifndef ZTL_OPS_DRIVE_WORDS_H
#define ZTL_OPS_DRIVE_WORDS_H

#include "ops/map/lookup.h"

/* Makes the elements of a piece, or of the rows that are looked up, as wide as the run of elements
 * side by side and the places where such runs start allow; returns their bytes. */
unsigned ztl_ops_widen_piece(ops_piece *piece, unsigned element);
unsigned ztl_ops_widen_lookup(ops_lookup *x, unsigned element);

#endif
