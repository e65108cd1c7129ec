/* SPDX-License-Identifier: Apache-2.0
 * NumPy's time for a transpose, from an interpreter that runs beside the benchmark.
 */
#ifndef ZTL_BENCH_NUMPY_H
#define ZTL_BENCH_NUMPY_H

#include <stdio.h>
#include <sys/types.h>

#include <ztl/ops.h>

typedef struct bench_numpy {
    FILE *to, *from;
    pid_t child;
    char version[32];
} bench_numpy;

/* Starts the interpreter; false when there is none, or it has no NumPy. */
bool bench_numpy_start(bench_numpy *numpy, const char *python);

/* Makes arrays of the tensor's form, with every page touched; false when NumPy could not. */
bool bench_numpy_prepare(bench_numpy *numpy, const ztl_ops_tensor *in, ztl_ops_list perm);

/* Nanoseconds of processor time for one rearrangement, the mean of so many; negative when NumPy
 * could not. */
double bench_numpy_time(bench_numpy *numpy, unsigned repeats);

void bench_numpy_stop(bench_numpy *numpy);

#endif
