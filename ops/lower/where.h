/* SPDX-License-Identifier: Apache-2.0
 * Where: the pass after the third input is everywhere.
 */
#ifndef ZTL_OPS_LOWER_WHERE_H
#define ZTL_OPS_LOWER_WHERE_H

#include "ops/lower/nibbles_unpacked.h"

/* The second input over what the third has left, under the mask of the condition. `unpacked`:
 * the tensors are unpacked there; NULL where they are not. */
void ops_lower_where(ops_planner *planner, const ops_call *call, const ops_unpacked *unpacked);

#endif
