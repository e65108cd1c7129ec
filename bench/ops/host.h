/* SPDX-License-Identifier: Apache-2.0
 * ztl bench ops --host.
 */
#ifndef ZTL_BENCH_OPS_HOST_H
#define ZTL_BENCH_OPS_HOST_H

#include <stdbool.h>

typedef struct ztl_bench_host_options {
    bool json;
    const char *only;    /* cases whose name contains it; NULL is all */
    const char *group;   /* cases of that group; NULL is all */
    const char *against; /* names of libraries, with commas between; NULL is numpy */
    const char *python;
    unsigned threads;
} ztl_bench_host_options;

/* The transposes of the table and the everyday cases on this machine, against other libraries.
 * Returns the exit status. */
int ztl_bench_ops_host(const ztl_bench_host_options *options);

#endif
