/* SPDX-License-Identifier: Apache-2.0
 * The pass of where that selects.
 */
#ifndef ZTL_OPS_SELECT_H
#define ZTL_OPS_SELECT_H

#include "ops/operators/call.h"

/* Where: the second input over what the third has left, under the mask of the condition. */
void ops_write_select(ops_planner *planner, const ops_call *call);

#endif
