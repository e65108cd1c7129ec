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

/* What a group changes after the one before it, which may be NULL: OPS_CHANGES_… of the vectors;
 * and how many strides that is. The loads of a fill are nothing. */
void ztl_ops_find_changes(const ops_pass *pass, const ops_group *before, const ops_group *group,
                          uint32_t *load, uint32_t *store);
uint32_t ztl_ops_changes_of(const ops_vector *a, const ops_vector *b, unsigned slices);
unsigned ztl_ops_changed(uint32_t changes, unsigned slices);

#endif
