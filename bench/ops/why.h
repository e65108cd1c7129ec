/* SPDX-License-Identifier: Apache-2.0
 * Where the instructions beyond the lower bound go.
 */
#ifndef ZTL_BENCH_OPS_WHY_H
#define ZTL_BENCH_OPS_WHY_H

#include <stdbool.h>

/* ztl bench ops --why: the parts of the ratio, as means over the table. An exit status. */
int ztl_bench_ops_why(bool json);

#endif
