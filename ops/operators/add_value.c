/* SPDX-License-Identifier: Apache-2.0
 * One element plus an immediate.
 */
#include <ztl/ztl.h>

#include "ops/operators/call.h"

int64_t ztl_ops_highest(const ztl_type_row *type)
{
    return (INT64_C(1) << (type->bits - (type->kind == ZTL_NUMBER_SIGNED ? 1 : 0))) - 1;
}

int64_t ztl_ops_lowest(const ztl_type_row *type)
{
    return type->kind == ZTL_NUMBER_SIGNED ? -ztl_ops_highest(type) - 1 : 0;
}

uint64_t ztl_ops_add_value(const ztl_type_row *type, uint64_t value, int64_t addend)
{
    if (type->kind == ZTL_NUMBER_FLOAT)
        return ztl_float_add(type, (uint32_t)value, (int)addend);
    int64_t high = ztl_ops_highest(type), low = ztl_ops_lowest(type), sum = (int64_t)value + addend;
    if (type->kind == ZTL_NUMBER_SIGNED && (int64_t)value > high)
        sum -= (high + 1) * 2;
    return (uint64_t)(sum < low ? low : sum > high ? high : sum);
}
