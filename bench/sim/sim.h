/* SPDX-License-Identifier: Apache-2.0
 * The parts of ztl bench sim.
 */
#ifndef ZTL_BENCH_SIM_H
#define ZTL_BENCH_SIM_H

#include "bench/bench.h"

enum { SIM_TENSOR_ROWS = 4, SIM_PATH = 4096 };

/* A figure beside those of the guests. */
typedef struct sim_row {
    const char *name, *unit;
    double value;
    double most,
        least; /* what it should keep; 0: nothing. More is better unless `most` is given. */
} sim_row;

/* Runs a command; its exit status (128 + n when signal n ended it), or -1. */
int sim_run(const char *const *arguments);

/* The CPU time of all commands that have ended. */
double sim_children_seconds(void);

/* A new temporary file; false, with a message and an empty path, when that failed. */
bool sim_file(char path[SIM_PATH]);

/* Removes it; nothing to do where the path is empty. */
void sim_remove(const char *path);

/* Ztl instructions in loops; false when a loop does not run. */
bool sim_measure_tensor(sim_row rows[SIM_TENSOR_ROWS]);

/* The rate of Ztl instructions on the hart to that under QEMU, where each of them traps; false
 * where QEMU does not run them. `rate` is the hart's, in millions a second; `sources` is the folder
 * of the guests. */
bool sim_measure_traps(const char *sources, double rate, sim_row *row);

#endif
