/* SPDX-License-Identifier: Apache-2.0
 * Runs of bytes at places that indices decide: how they become slices.
 */
#ifndef ZTL_OPS_CUTS_H
#define ZTL_OPS_CUTS_H

#include "ops/map/lookup.h"

/* Slices of `width` bytes, so many at a time; a run has so many parts. Sorted runs
 * (format/indexed.h) take so many batches at most. */
typedef struct ops_form {
    int64_t width, parts, slices, batches;
    int64_t classes, grain, partial; /* partial: batches that may not be full */
} ops_form;

/* What a run is cut into. */
enum { OPS_MOST_CUTS = 3 };

typedef struct ops_cut {
    int64_t at, run; /* where it begins, and how long it is */
    ops_form form;
} ops_cut;

typedef struct ops_cuts {
    unsigned count;
    int64_t batches, work; /* work: slices of a run, by what a slice takes around instructions */
    ops_cut cut[OPS_MOST_CUTS];
} ops_cuts;

/* Cuts a run, so that few instructions move all of them. */
void ztl_ops_cut_run(const ops_lookup *x, int64_t run, ops_cuts *cuts);

/* What slices that are not sorted must divide: the common divisor of all steps. */
int64_t ztl_ops_common_step(const ops_lookup *x);

/* Positions of all loops that are looked at. */
int64_t ztl_ops_positions(const ops_lookup *x);

#endif
