/* SPDX-License-Identifier: Apache-2.0
 * ztl bench ops --host.
 */
#ifndef ZTL_BENCH_OPS_HOST_H
#define ZTL_BENCH_OPS_HOST_H

#include <stdbool.h>

/* The transposes of the table through the model, against NumPy. `only`: those whose name contains
 * it; NULL is all. Returns the exit status. */
int ztl_bench_ops_host(bool json, const char *only, const char *python);

#endif
