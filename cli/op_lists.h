/* SPDX-License-Identifier: Apache-2.0
 * Lists of operators from .npy files.
 */
#ifndef ZTL_OP_LISTS_H
#define ZTL_OP_LISTS_H

#include "ops/text/text.h"

/* A list attribute: of integers in one dimension; indices in any number of them. False with a
 * message. */
bool ztl_op_list_file(ztl_op_text *text, const ztl_op_attribute *attribute, const char *path,
                      ztl_error *error);

#endif
