/* SPDX-License-Identifier: Apache-2.0
 * Lists of operators from .npy files.
 */
#ifndef ZTL_OP_LISTS_H
#define ZTL_OP_LISTS_H

#include "cli/npy/npy.h"
#include "ops/text/text.h"

/* A list attribute: of integers in one dimension; indices in any number of them. False with a
 * message. */
bool ztl_op_list_file(ztl_op_text *text, const ztl_op_attribute *attribute, const char *path,
                      ztl_error *error);

/* Indices, or a condition, as an input that is read when the plan runs: from a file, or from the
 * operator's list, which is taken from it. Integers of 32 and 64 bits stay so; a condition is made
 * bytes. */
bool ztl_op_index_tensor(const char *path, bool is_condition, ztl_npy *npy, ztl_error *error);
bool ztl_op_index_list(ztl_ops_op *op, ztl_npy *npy, ztl_error *error);

#endif
