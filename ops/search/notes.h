/* SPDX-License-Identifier: Apache-2.0
 * Why a plan is as it is: the ways that were costed, for whoever reads the plan.
 */
#ifndef ZTL_OPS_NOTES_H
#define ZTL_OPS_NOTES_H

#include "ops/search/ways/way.h"

/* Where the ways that a query tries are noted; NULL where nobody would read that, or there are too
 * many. */
ops_note *ztl_ops_open_note(const ops_query *query);

/* A way that was tried, unless none was found. */
void ztl_ops_note(ops_note *note, const ops_node *found);

/* One past the number of a note, for the node that was chosen; 0 for none. */
unsigned ztl_ops_note_number(const ops_query *query);

/* Around the passes of a node: what was chosen, its cost, and what was noted; NULL where there are
 * too many. */
ops_choice *ztl_ops_begin_choice(const ops_query *query, const ops_node *node);
void ztl_ops_end_choice(const ops_planner *planner, ops_choice *choice);

#endif
