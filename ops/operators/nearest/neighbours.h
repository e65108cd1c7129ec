/* SPDX-License-Identifier: Apache-2.0
 * Nearest neighbours along one axis.
 */
#ifndef ZTL_OPS_NEIGHBOURS_H
#define ZTL_OPS_NEIGHBOURS_H

#include "ops/operators/call.h"

/* Positions of an axis that may be looked at one by one while a plan is made. */
enum { OPS_MOST_LOOKED = 1 << 24 };

/* One axis: its extents, the factor, and the part of the input that it comes from. */
typedef struct ops_axis {
    int64_t in, out;
    double scale, start, end;
} ops_axis;

/* An axis as segments: every `step`-th position from `at` on, n of them, gets an element that is
 * `by` further each time; and so do the positions after each, `times` in all. */
typedef struct ops_segment {
    int64_t at, step, n, from, by, times;
} ops_segment;

/* What an axis is cut into: by a period of the positions, or where the distance changes. */
typedef struct ops_segments {
    const ztl_ops_op *op; /* NULL: all stay where they are */
    ops_axis axis;
    int64_t first, end; /* the positions that have a neighbour */
    int64_t period;     /* 0: none */
    int64_t times;      /* every element so many times in a row; 0: otherwise */
    int64_t count;
} ops_segments;

/* The positions of an axis that have neighbours; nothing is cut yet. */
ops_segments ztl_ops_whole_axis(const ztl_ops_op *op, ops_axis axis);

/* Whether it is known without a look at every position how it is to be cut, or there are not too
 * many of them. */
bool ztl_ops_can_cut(const ops_segments *whole);

/* Cuts it. */
void ztl_ops_cut_axis(ops_segments *whole);

/* An axis whose positions stay as they are. */
ops_segments ztl_ops_unchanged(int64_t n);

/* The segment that begins at *at, which then moves behind it; false behind the last. */
bool ztl_ops_next_segment(const ops_segments *s, int64_t *at, ops_segment *segment);

#endif
