/* SPDX-License-Identifier: Apache-2.0
 * Plans that come from elsewhere.
 */
#ifndef ZTL_OPS_VERIFY_H
#define ZTL_OPS_VERIFY_H

#include "ops/format/plan.h"

/* Whether running and describing the plan in these bytes stays inside the plan, its spans and its
 * scratch memory, and breaks no rule of an instruction. */
bool ztl_ops_verify(const ztl_ops_plan *plan, size_t bytes, ztl_error *error);

/* The same of what a pass does, once its own bytes have been checked; `spans` are those of the
 * plan, follows_fill: the pass before has made a constant. Returns what is wrong, or NULL. */
const char *ztl_ops_verify_pass(const ztl_ops_plan *plan, const ops_pass *pass,
                                const ops_span *spans, bool follows_fill);

#endif
