/* SPDX-License-Identifier: Apache-2.0
 * What the suites of ztl bench share: time, medians, and the form of their results.
 */
#ifndef ZTL_BENCH_H
#define ZTL_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "host/command/options.h"

/* A suite: argv[0] is its name. With --json it prints one JSON object,
 *     {"suite": NAME, "cpu": ..., "results": [{"name": ..., "ratio": ..., ...}, ...]}
 * where less is better for `ratio`, which `ztl bench compare` goes by. Returns the exit status. */
typedef int ztl_suite(int argc, char **argv);

#define ZTL_SUITE(NAME, summary) ztl_suite ztl_bench_##NAME;
#include "bench/suites.def"

/* Two files of results; names what got slower in the second. */
int ztl_bench_compare(int argc, char **argv);

/* Takes the options of a suite, which has no other words. -1: go on; else the exit status, with the
 * help or a message written. */
int ztl_bench_options(const char *command, const ztl_option *table, int argc, char **argv,
                      void (*print_usage)(FILE *out));

/* Nanoseconds of a clock that only goes forward. */
double ztl_bench_now(void);

/* Sorts the values; the one in the middle. */
double ztl_bench_median(double *values, size_t count);

/* The CPU's name as the system tells it. */
const char *ztl_bench_cpu(char *name, size_t size);

/* Nanoseconds that memcpy takes for so many bytes that lie in the first-level cache, the median of
 * several tries; *spread, if given, their range from the first to the third quartile as a part of
 * it. */
double ztl_bench_copy(size_t bytes, double *spread);

/* The same, tried once and for a short time. */
double ztl_bench_copy_once(size_t bytes);

#endif
