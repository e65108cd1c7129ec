/* SPDX-License-Identifier: Apache-2.0
 * Lists of operators from .npy files.
 */
#ifndef ZTL_OP_LISTS_H
#define ZTL_OP_LISTS_H

#include "ops/text/text.h"

/* The condition of compress, in one dimension; the indices of gather, in any number of them. False
 * with a message. */
bool ztl_op_condition_file(ztl_op_text *text, const char *path, ztl_error *error);
bool ztl_op_indices_file(ztl_op_text *text, const char *path, ztl_error *error);

#endif
