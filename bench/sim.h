/* SPDX-License-Identifier: Apache-2.0
 * The parts of ztl bench sim.
 */
#ifndef ZTL_BENCH_SIM_H
#define ZTL_BENCH_SIM_H

#include "bench/bench.h"

enum { SIM_TENSOR_ROWS = 4 };

/* Where guests come from and go to. */
typedef struct sim_guests {
    const char *sources, *directory;
} sim_guests;

/* A figure beside those of the guests. */
typedef struct sim_row {
    const char *name, *unit;
    double value;
    double most,
        least; /* what it should keep; 0: nothing. More is better unless `most` is given. */
} sim_row;

/* Runs a command; its exit status, or -1. *seconds: the CPU time that it took. */
int sim_run(const char *const *arguments, double *seconds);

/* Ztl instructions in loops; false when a loop does not run. */
bool sim_measure_tensor(sim_row rows[SIM_TENSOR_ROWS]);

/* The rate of Ztl instructions on the hart to that under QEMU, where each of them traps; false
 * where QEMU does not run them. `rate` is the hart's, in millions a second. */
bool sim_measure_traps(const sim_guests *guests, double rate, sim_row *row);

#endif
