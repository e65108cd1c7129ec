/* SPDX-License-Identifier: Apache-2.0
 * What the kinds of job share while they are built.
 */
#ifndef ZTL_MOVERS_BUILD_H
#define ZTL_MOVERS_BUILD_H

#include "movers/job.h"

enum {
    NATIVE_TURN = 8,  /* what a turn of a loop costs in cycles, roughly, beside its kernel */
    NATIVE_GROUP = 16 /* the most pieces of a group */
};

/* Pieces that together make up whole periods of a target. */
typedef struct native_group {
    const ops_piece *piece[NATIVE_GROUP];
    unsigned pieces, element, outer; /* outer: dimensions from the period on, the same for all */
    int64_t out, period;
} native_group;

/* The best group of a piece: its job costs the same part of what its pieces would cost alone. */
bool ztl_native_best_group(const native_set *set, const ops_map *map, const bool *used,
                           size_t first, const uint8_t *value, native_group *found,
                           native_job *job);

static inline native_loop native_loop_of(const ops_dim *dim)
{
    native_loop loop = {.n = dim->n, .out = dim->out};
    loop.in[0] = dim->in;
    return loop;
}

static inline native_job native_start(const ops_piece *piece, enum native_kind kind)
{
    return (native_job){
        .kind = kind, .src = piece->src, .dst = piece->dst, .in = piece->in, .out = piece->out};
}

/* Of the outermost loops. */
static inline double native_turns_of(const native_job *job, unsigned rank)
{
    double n = 1;
    for (unsigned d = 0; d < rank; d++)
        n *= (double)job->loop[d].n;
    return n;
}

static inline double native_turns(const native_job *job)
{
    return native_turns_of(job, job->rank);
}

static inline double native_bytes_of(const ops_piece *piece, unsigned element)
{
    return (double)ztl_ops_elements(piece) * element;
}

#endif
