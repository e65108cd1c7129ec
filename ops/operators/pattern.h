/* SPDX-License-Identifier: Apache-2.0
 * Patterns of rearrange and repeat, in einops' language: b (h p) w c -> b h w (p c).
 */
#ifndef ZTL_OPS_PATTERN_H
#define ZTL_OPS_PATTERN_H

#include "ops/operators/call.h"

enum { PATTERN_LEFT, PATTERN_RIGHT, PATTERN_SIDES };

/* An axis: a name, a number of new positions, or one of those that ... stands for. */
typedef struct pattern_axis {
    const char *name;
    size_t length;    /* of the name */
    unsigned ordinal; /* of ... : which of its axes */
    int64_t n;        /* -1: not known yet */
    bool is_on[PATTERN_SIDES];
} pattern_axis;

/* The axes of a side in their order, and the dimension of the tensor that each is a part of. */
typedef struct pattern_side {
    unsigned rank, count;
    struct {
        uint8_t axis, dim;
    } item[OPS_MAP_DIMS];
} pattern_side;

typedef struct ops_pattern {
    const ops_call *call;
    unsigned axes;
    unsigned hidden; /* axes that ... stands for */
    pattern_axis axis[OPS_MAP_DIMS];
    pattern_side side[PATTERN_SIDES];
} ops_pattern;

/* Reads the pattern and the lengths, and works out those that are not given; false with an error.
 */
bool ztl_ops_read_pattern(ops_pattern *pattern, const ops_call *call);

#endif
