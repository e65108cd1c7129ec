/* SPDX-License-Identifier: Apache-2.0
 * Reading indices at run time.
 */
#ifndef ZTL_OPS_INDICES_H
#define ZTL_OPS_INDICES_H

#include "ops/format/indexed.h"

static inline int64_t ops_read_index(const uint8_t *at, unsigned bytes)
{
    if (bytes == 1)
        return *at;
    if (bytes == 4) {
        int32_t value;
        if ((uintptr_t)at % 4 == 0) /* so that a hart needs one load */
            return *(const int32_t *)(const void *)at;
        memcpy(&value, at, sizeof value);
        return value;
    }
    int64_t value;
    if ((uintptr_t)at % 8 == 0)
        return *(const int64_t *)(const void *)at;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline int64_t ops_place_of(const ops_index *index, int64_t value)
{
    return (value < 0 ? value + index->extent : value) * index->stride;
}

/* What all indices of a position add up to; those of the first are at `at`. */
static inline int64_t ops_places_of(const ops_indexed *x, const uint8_t *at, unsigned bytes)
{
    int64_t place = ops_place_of(&x->index[0], ops_read_index(at, bytes));
    for (unsigned j = 1; j < x->count; j++)
        place += ops_place_of(&x->index[j], ops_read_index(at + x->index[j].step, bytes));
    return place;
}

/* A pass that runs: what it moves between, and what tshape is set to. */
typedef struct ops_sorting {
    const ops_pass *pass;
    const uint8_t *from;
    uint8_t *to;
    unsigned *shape;
} ops_sorting;

/* The positions of the last loop of a gather that sorts them. */
void ztl_ops_gather_sorted(const ops_sorting *s, const uint8_t *at, int64_t n, int64_t in,
                           int64_t out);

#endif
