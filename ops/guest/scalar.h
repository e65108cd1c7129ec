/* SPDX-License-Identifier: Apache-2.0
 * The scalar version of operators, to compare with.
 */
#ifndef ZTL_OPS_GUEST_SCALAR_H
#define ZTL_OPS_GUEST_SCALAR_H

#include "ops/ops.h"

/* Carries out the pieces of an index map. `fill`: one element, for pieces without a source. */
void guest_scalar(const ops_piece *piece, size_t count, const uint8_t *const *in,
                  uint8_t *const *out, unsigned element, const uint64_t *fill);

#endif
