/* SPDX-License-Identifier: Apache-2.0
 * What the executor knows of a pass before it runs.
 */
#ifndef ZTL_OPS_BODY_H
#define ZTL_OPS_BODY_H

#include "ops/format/plan.h"

/* The body that a pass's program is, OPS_BODY_ANY if it is none of the others. */
enum ops_body ztl_ops_body_of(const ops_pass *pass);

/* What holds of its stride vectors: OPS_LINEAR_…, OPS_ONE_STORE. */
uint32_t ztl_ops_strides_of(const ops_pass *pass);

#endif
