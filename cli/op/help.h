/* SPDX-License-Identifier: Apache-2.0
 * What ztl op tells of itself and of each operator.
 */
#ifndef ZTL_OP_HELP_H
#define ZTL_OP_HELP_H

#include <stdio.h>

#include <ztl/ops.h>

/* All operators, each with its options in a line. */
void ztl_op_help(FILE *out);

/* One operator: its options, which of them it needs, and an example. */
void ztl_op_help_of(FILE *out, enum ztl_ops_kind kind);

#endif
