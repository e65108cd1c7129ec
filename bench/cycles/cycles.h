/* SPDX-License-Identifier: Apache-2.0
 * ztl bench ops --cycles.
 */
#ifndef ZTL_BENCH_CYCLES_H
#define ZTL_BENCH_CYCLES_H

#include <stdbool.h>

typedef struct ztl_bench_cycles_options {
    bool json, compiled;
    unsigned aim;             /* enum ztl_ops_aim; compiled plans are for instructions */
    const char *machine;      /* NULL: four */
    const char *only, *group; /* NULL: all */
} ztl_bench_cycles_options;

/* Cycles of whole operators against their bounds, and those of scalar C. Returns the exit status.
 */
int ztl_bench_ops_cycles(const ztl_bench_cycles_options *options);

#endif
