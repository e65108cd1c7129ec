/* SPDX-License-Identifier: Apache-2.0
 * Index maps: which element of which input goes where in which output.
 */
#ifndef ZTL_OPS_MAP_H
#define ZTL_OPS_MAP_H

#include <string.h>

#include <ztl/ops.h>

#include "ops/map/arena.h"

/* Operators give pieces of up to 16 dimensions, two for each of a tensor; the last one is for the
 * words of elements above 8 bytes. */
enum { OPS_MAP_DIMS = 16, OPS_DIMS };

/* A register holds up to 32 slices; a full one has 32 of 32 bytes. */
enum { OPS_SLICES = 32, OPS_SLICE_BYTES = 32 };

/* The buffers of a piece. Inputs count from 0; outputs from OPS_OUT. Two constants: pieces of the
 * second come after all others, over which they may write. */
enum { OPS_OUT = 64, OPS_SCRATCH = 128, OPS_FILL = 129, OPS_FILL_ON = 130 };

static inline bool ops_is_constant(unsigned src)
{
    return src >= OPS_FILL;
}

/* One dimension: n positions, a step in the source and one in the target. */
typedef struct ops_dim {
    int64_t n, in, out;
} ops_dim;

/* A part of a map, as a nest of loops: for all k0 < dim[0].n, k1 < dim[1].n, …
 *     target[out + Σ ki·dim[i].out] = source[in + Σ ki·dim[i].in]
 * In canonical form everything is in bytes, and the dimensions go from the largest step of the
 * target to the smallest. A constant has steps of 0 in its source. */
typedef struct ops_piece {
    unsigned src, dst, rank;
    int64_t in, out;
    ops_dim dim[OPS_DIMS];
} ops_piece;

/* An operator as an index map. */
typedef struct ops_map {
    ops_piece *piece;
    size_t count, constants; /* all, and how many of them are constants */
    ops_arena *arena;
    unsigned element;       /* bytes; 0 for 4 bits */
    uint64_t scratch_limit; /* bytes of scratch memory that pieces may go through */
    uint64_t scratch;       /* bytes of it that they use */
    unsigned choice;        /* of ways through it, the last being none: which one pieces take */
    unsigned choices;       /* how many follow the first, all of which are to be planned, … */
    uint64_t least_direct;  /* … the last one only where the others take so many instructions */
    bool keep_apart;    /* pieces read the same elements, so do not join them: they share loads */
    bool may_overwrite; /* pieces may write anything where constants belong … */
    bool fills_last;    /* … and do: constants come after everything else */
} ops_map;

ops_piece *ztl_ops_add_piece(ops_map *map, unsigned src, unsigned dst, int64_t in, int64_t out);
void ztl_ops_add_dim(ops_piece *piece, int64_t n, int64_t in, int64_t out);

/* Pieces are added newest first; this puts them into the operator's order. */
void ztl_ops_in_order(ops_map *map);

/* Drops dimensions of 1, sorts the others, joins what continues each other; the same for all pieces
 * of a map, where pieces a constant step apart become one piece with a dimension more. */
void ztl_ops_canonical_piece(ops_piece *piece);
void ztl_ops_canonical(ops_map *map);

int64_t ztl_ops_elements(const ops_piece *piece);

/* Nibbles to bytes, where every run has whole bytes; else false. */
bool ztl_ops_to_bytes(ops_map *map);

/* Elements of more than 8 bytes to words of 8, except for constants: their words may differ. */
void ztl_ops_to_words(ops_map *map);

/* Cuts a piece along dimension d: the first n positions, and the rest. */
void ztl_ops_cut(const ops_piece *piece, unsigned d, int64_t n, ops_piece part[2]);

/* Dimension d in blocks of n: the places of whole blocks, and of one at the end that overlaps the
 * one before if the extent is no multiple of n. Returns how many grids that makes: 1 or 2. */
unsigned ztl_ops_blocks(const ops_piece *piece, unsigned d, int64_t n, ops_piece grid[2]);

/* Every other position of a dimension, from the first or the second on. */
ops_piece ztl_ops_every_other(const ops_piece *piece, unsigned d, bool second);

static inline int64_t ops_ceil(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* From 0 to m - 1, also for a < 0. */
static inline int64_t ops_mod(int64_t a, int64_t m)
{
    int64_t r = a % m;
    return r < 0 ? r + m : r;
}

static inline int64_t ops_magnitude(int64_t a)
{
    return a < 0 ? -a : a;
}

/* The largest k with 2^k <= n. */
static inline unsigned ops_log2(int64_t n)
{
    unsigned bits = 0;
    while (n >> (bits + 1))
        bits++;
    return bits;
}

int64_t ztl_ops_gcd(int64_t a, int64_t b);

/* Single nibbles of a buffer: the even ones are the low four bits of their bytes. */
static inline unsigned ops_nibble(const uint8_t *bytes, int64_t at)
{
    return bytes[at >> 1] >> (at & 1 ? 4 : 0) & 15;
}

static inline void ops_set_nibble(uint8_t *bytes, int64_t at, unsigned value)
{
    uint8_t *byte = &bytes[at >> 1];
    *byte = (uint8_t)(at & 1 ? (*byte & 0x0f) | value << 4 : (*byte & 0xf0) | value);
}

#endif
