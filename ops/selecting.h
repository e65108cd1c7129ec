/* SPDX-License-Identifier: Apache-2.0
 * Where: the pass after the third input is everywhere.
 */
#ifndef ZTL_OPS_SELECTING_H
#define ZTL_OPS_SELECTING_H

#include "ops/halves.h"

/* The second input over what the third has left, under the mask of the condition. `halves`: the
 * tensors are unpacked there; NULL where they are not. */
void ops_write_select(ops_planner *planner, const ops_call *call, const ops_halves *halves);

#endif
