/* SPDX-License-Identifier: Apache-2.0
 * The cases of ztl bench ops, ready to be planned.
 */
#ifndef ZTL_BENCH_OPS_CASES_H
#define ZTL_BENCH_OPS_CASES_H

#include "ops/text/text.h"

/* TABLE: operators of real networks; EVERYDAY: few channels, odd extents, many dimensions; RANDOM:
 * transposes of random shapes, the same at every run; INDICES: indices at run time. The last two
 * have no data: they are counted. */
enum ztl_ops_group {
    ZTL_OPS_TABLE,
    ZTL_OPS_EVERYDAY,
    ZTL_OPS_RANDOM,
    ZTL_OPS_INDICES,
    ZTL_OPS_GROUPS
};

typedef struct ztl_ops_case {
    char name[96];
    const char *operator, * shapes, *options; /* as the table has them; NULL for random ones */
    ztl_op_text text;
    size_t inputs, outputs;
    ztl_ops_tensor in[8], out[8];
} ztl_ops_case;

const char *ztl_ops_group_name(enum ztl_ops_group group);
size_t ztl_ops_cases(enum ztl_ops_group group);

/* Case `index` with elements of `bits` bits. False past the last. ztl_op_free frees its lists. */
bool ztl_ops_case_of(enum ztl_ops_group group, size_t index, unsigned bits, ztl_ops_case *result);

#endif
