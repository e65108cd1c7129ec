/* SPDX-License-Identifier: Apache-2.0
 * The cases of ztl bench ops, ready to be planned.
 */
#ifndef ZTL_BENCH_OPS_CASES_H
#define ZTL_BENCH_OPS_CASES_H

#include "ops/text/text.h"

typedef struct ztl_ops_case {
    const char *name;
    ztl_op_text text;
    size_t inputs;
    ztl_ops_tensor in[8], out;
} ztl_ops_case;

size_t ztl_ops_cases(void);

/* Case `index` with elements of `bits` bits. False past the last. ztl_op_free frees its lists. */
bool ztl_ops_case_of(size_t index, unsigned bits, ztl_ops_case *result);

#endif
