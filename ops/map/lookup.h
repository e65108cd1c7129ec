/* SPDX-License-Identifier: Apache-2.0
 * Index maps with indices that are only known when a plan runs: which element goes where, as far as
 * that is known before.
 */
#ifndef ZTL_OPS_LOOKUP_H
#define ZTL_OPS_LOOKUP_H

#include "ops/map/map.h"

typedef struct ops_index {
    int64_t extent;    /* what negative indices count from */
    int64_t low, end;  /* the smallest index, and one past the largest */
    int64_t stride;    /* of a position, in units */
    int64_t step;      /* from the first index of a position to this one, in bytes */
    int64_t dimension; /* that it is the index of, for messages */
} ops_index;

enum ops_index_form {
    OPS_INDEX_GATHERS,  /* indices say where the source is */
    OPS_INDEX_SCATTERS, /* … where the target is */
    OPS_INDEX_ROTATES,  /* … where the first target is; those of the last loop follow, modulo
                           the extent */
    OPS_INDEX_SELECTS,  /* a condition says which positions of the last loop remain */
    OPS_INDEX_FORMS
};

/* Loops around one element. Everything is in the unit of the tensors: bytes, or nibbles; places of
 * indices are in bytes. See format/indexed.h for what it means. */
typedef struct ops_lookup {
    enum ops_index_form form;
    unsigned src, dst, input; /* input: the indices */
    unsigned bytes, count;    /* of an index; indices for a position */
    unsigned rank;
    int64_t in, out, at;
    ops_dim dim[OPS_DIMS];
    int64_t step[OPS_DIMS];
    ops_index index[ZTL_OPS_RANK];
    int64_t most;     /* positions that are looked at */
    bool flat;        /* SELECTS: from all loops, not from the last of them */
    int64_t count_at; /* SELECTS: in output 1 */
} ops_lookup;

static inline void ops_lookup_dim(ops_lookup *x, int64_t n, int64_t in, int64_t out, int64_t step)
{
    x->dim[x->rank] = (ops_dim){n, in, out};
    x->step[x->rank++] = step;
}

#endif
