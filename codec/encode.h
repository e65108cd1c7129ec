/* SPDX-License-Identifier: Apache-2.0
 * The range of an operand, and the message when a value is outside it.
 */
#ifndef ZTL_ENCODE_H
#define ZTL_ENCODE_H

#include <ztl/ztl.h>

#include "codec/text.h"

typedef struct ztl_range {
    int32_t low, high;
} ztl_range;

ztl_range ztl_operand_range(const ztl_operand_row *operand);

/* position counts the row's operands from 0; the message counts from 1. */
void ztl_range_error(const ztl_operand_row *operand, size_t position, int64_t value,
                     ztl_text *error);

#endif
