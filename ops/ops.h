/* SPDX-License-Identifier: Apache-2.0
 * What the planner's parts share: index maps, costs, working memory.
 */
#ifndef ZTL_OPS_INTERNAL_H
#define ZTL_OPS_INTERNAL_H

#include <string.h>

#include <ztl/ops.h>

/* Operators give pieces of up to 16 dimensions, two for each of a tensor; the last one is for the
 * words of wide elements. */
enum { OPS_MAP_DIMS = 16, OPS_DIMS, OPS_SLICE_BYTES = 32, OPS_SLICES = 32 };

/* The buffers of a piece. Inputs count from 0; outputs from OPS_OUT. */
enum { OPS_OUT = 64, OPS_SCRATCH = 128, OPS_FILL = 129 };

/* One dimension of an index map: n positions, a step in the source and one in the target. */
typedef struct ops_dim {
    int64_t n, in, out;
} ops_dim;

/* A part of an index map: for every index, element in + Σ k·dim.in of buffer src goes to element
 * out + Σ k·dim.out of buffer dst. In bytes, once ops_canonical has seen it. */
typedef struct ops_piece {
    unsigned src, dst, rank;
    bool anywhere; /* slices may lie at any byte: ztl_ops_machine.byte_strides */
    int64_t in, out;
    ops_dim dim[OPS_DIMS];
} ops_piece;

/* Working memory: results grow from the low end, what is only needed while planning from the
 * high end. */
typedef struct ops_arena {
    uint8_t *base;
    size_t low, high;
    bool full; /* something did not fit */
} ops_arena;

void *ops_keep(ops_arena *arena, size_t bytes);
void *ops_borrow(ops_arena *arena, size_t bytes);

/* An operator as an index map. */
typedef struct ops_map {
    ops_piece *piece;
    size_t count;
    ops_arena *arena;
    unsigned element;       /* bytes; 0 for 4 bits */
    uint64_t scratch_limit; /* bytes of scratch memory that pieces may go through */
    uint64_t scratch;       /* bytes of it that they use */
    bool keep_apart;        /* pieces of the target read the same elements: they share loads */
    bool may_overwrite;     /* pieces may write anything where constants belong … */
    bool fills_last;        /* … and do: constants come after everything else */
} ops_map;

ops_piece *ops_add_piece(ops_map *map, unsigned src, unsigned dst, int64_t in, int64_t out);
void ops_add_dim(ops_piece *piece, int64_t n, int64_t in, int64_t out);

/* Puts the pieces into the order in which they were added. */
void ops_in_order(ops_map *map);

/* Drops and joins dimensions, orders them, joins pieces. */
void ops_canonical(ops_map *map);
void ops_canonical_piece(ops_piece *piece);
int64_t ops_elements(const ops_piece *piece);

/* Every other index along a dimension, from the first or the second on. */
ops_piece ops_every_other(const ops_piece *piece, unsigned d, bool second);

/* Half-bytes to bytes where the map allows; false where it does not. */
bool ops_to_bytes(ops_map *map);

/* Elements of more than 8 bytes to words of 8, except for constants: their words may differ. */
void ops_to_words(ops_map *map);

/* A cost: Ztl instructions decide, then everything else. */
typedef struct ops_cost {
    int64_t ztl, other;
} ops_cost;

static inline bool ops_cheaper(ops_cost a, ops_cost b)
{
    return a.ztl != b.ztl ? a.ztl < b.ztl : a.other < b.other;
}

static inline int64_t ops_ceil(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static inline int64_t ops_mod(int64_t a, int64_t m)
{
    int64_t r = a % m;
    return r < 0 ? r + m : r;
}

int64_t ops_gcd(int64_t a, int64_t b);

/* More than any plan, and still fit to be added up. */
#define OPS_NEVER ((ops_cost){INT64_MAX >> 24, 0})

#endif
