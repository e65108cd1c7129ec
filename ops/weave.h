/* SPDX-License-Identifier: Apache-2.0
 * Factor 3, which no permutation of index bits has.
 */
#ifndef ZTL_OPS_WEAVE_H
#define ZTL_OPS_WEAVE_H

#include "ops/plan.h"

/* tl1–tl3: blocks of 32 elements of planes 0, 1, 2; then tl5–tl7: the elements interleaved, 32 at a
 * time. `element` is the bytes of one. */
void ops_weave(unsigned element);

/* tl1–tl3: 32 elements each of three planes interleaved; then tl5–tl7: blocks of the planes. */
void ops_unweave(unsigned element);

/* What tl_transpose_perm must be for them. */
enum {
    OPS_WEAVE_ORDER = 2 | 1 << 2 | 3 << 4 | 0 << 6,
    OPS_UNWEAVE_ORDER = 3 | 1 << 2 | 0 << 4 | 2 << 6
};

#endif
