/* SPDX-License-Identifier: Apache-2.0
 * A pass with indices that are read when it runs: a nest of loops around runs of bytes, where one
 * side of a move also depends on indices.
 *
 *     for all k0 < loop[0].n, k1 < loop[1].n, …
 *         place = Σ index[j]·stride[j], the indices at  at + Σ ki·step[i]  of their buffer
 *         target[out + Σ ki·loop[i].out] = source[in + Σ ki·loop[i].in + place]      a gather; or
 *         target[out + Σ ki·loop[i].out + place] = source[in + Σ ki·loop[i].in]      a scatter
 *
 * With a condition instead of indices, positions of the last loop where it is 0 are left out: the
 * target's positions are those of the source that remain. Steps and strides are in units. A run is
 * moved in parts, each of them a slice; the last one may overlap the one before.
 *
 * The slices of an instruction lie multiples of their width apart. Where the runs of a gather do
 * not, they are sorted: the positions of the last loop are taken `classes` apart, so that targets
 * are alike modulo the width, and runs wait until there are enough whose sources are alike too.
 */
#ifndef ZTL_OPS_INDEXED_H
#define ZTL_OPS_INDEXED_H

#include "ops/format/plan.h"
#include "ops/map/lookup.h"

typedef struct ops_indexed {
    uint32_t form;             /* enum ops_index_form */
    uint32_t input;            /* that holds the indices */
    uint32_t bytes;            /* of an index: 4 or 8, of a condition 1 */
    uint32_t count;            /* of indices for a position */
    int64_t at;                /* where the first index is, in bytes */
    int64_t unit;              /* bytes, or 1 nibble */
    int64_t parts;             /* of a run */
    int64_t last;              /* where its last part is, in units */
    int64_t in_step, out_step; /* of slices where those of a side follow each other at equal
                                  distances, in units; else 0 */
    int64_t most;     /* positions of all loops that are looked at: a condition may be shorter */
    int64_t restart;  /* SELECTS: every position of the outer loops has positions of its own */
    int64_t count_at; /* SELECTS: where in output 1 the number of positions is written */
    int64_t part;     /* from one part of a run to the next, in units */
    int64_t classes;  /* of positions that are sorted; 0: they are not */
    int64_t grain;    /* which all places of sorted sources have in common; it divides the width */
    ops_index index[ZTL_OPS_RANK];
    int64_t step[OPS_DIMS + 1]; /* in the buffer of indices, for each loop */
} ops_indexed;

_Static_assert(sizeof(ops_indexed) % sizeof(ops_batch) == 0, "it takes the place of batches");

enum { OPS_INDEXED_BATCHES = sizeof(ops_indexed) / sizeof(ops_batch) };

static inline ops_indexed *ops_pass_indexed(const ops_pass *pass)
{
    return (ops_indexed *)ops_pass_batches(pass);
}

#endif
