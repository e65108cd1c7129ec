/* SPDX-License-Identifier: Apache-2.0
 * From an operator's index map to passes.
 */
#ifndef ZTL_OPS_LOWER_H
#define ZTL_OPS_LOWER_H

#include "ops/operators/call.h"
#include "ops/search/planner.h"

/* Writes all passes of a map. */
void ops_lower(ops_planner *planner, const ops_call *call, ops_map *map);

/* The operator's constant, and how many bytes of it repeat. Nibbles make bytes of two. */
void ops_set_fill(ops_planner *planner, const ztl_ops_op *op, unsigned bits);

/* The constants of a map: where they are, or all of the output first. */
void ops_lower_fills(ops_planner *planner, const ops_call *call, const ops_map *map,
                     const ops_piece *fill, size_t fills);

#endif
