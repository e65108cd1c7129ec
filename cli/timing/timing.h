/* SPDX-License-Identifier: Apache-2.0
 * What the parts of ztl timing share.
 */
#ifndef ZTL_CLI_TIMING_H
#define ZTL_CLI_TIMING_H

#include <ztl/timing.h>

enum { TIMING_ERROR = 512, TIMING_VALUE = 16, TIMING_AXES = 8, TIMING_MOST = 100000 };

/* A parameter with the values that it takes in turn. */
typedef struct timing_axis {
    const char *name;
    size_t count;
    char (*value)[TIMING_VALUE];
} timing_axis;

/* Every combination: the last axis goes around first. */
typedef struct timing_sweep {
    ztl_timing_machine base;
    timing_axis axis[TIMING_AXES];
    size_t axes;
    size_t count; /* of combinations */
    ztl_timing_machine *machines;
    ztl_timing_counts *counts;
} timing_sweep;

/* The value of an axis in a combination, by its index. */
size_t timing_index(const timing_sweep *sweep, size_t combination, size_t axis);

/* ztl timing sweep: the exit status. */
int timing_sweep_command(int argc, char **argv);

void timing_print_table(const timing_sweep *sweep, FILE *out);
void timing_print_csv(const timing_sweep *sweep, FILE *out);
void timing_print_json(const timing_sweep *sweep, FILE *out);
void timing_print_chart(const timing_sweep *sweep, FILE *out);

#endif
