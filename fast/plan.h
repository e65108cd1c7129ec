/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fast bodies remember from one execution to the next: plans, that is, what an operation
 * on one shape, type and set of masks comes down to. They are a cache, kept in an
 * accelerator: any of them may be forgotten at any time. doc/speed.md explains them.
 */
#ifndef ZTL_FAST_PLAN_H
#define ZTL_FAST_PLAN_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ZTL_PAIR_PLANS = 32,
    ZTL_MERGE_PLANS = 8,
    ZTL_CONCAT_PLANS = 8,
    ZTL_TABLE_PLANS = 8,
    ZTL_PAIR_PASSES = 5,      /* at most so many interleaves rearrange a 16-byte vector */
    ZTL_CONCAT_PIECES = 2048, /* one a nibble, at worst */
/* Only vectors of several lanes, and byte shuffles, need room for plans of these. */
#if defined __x86_64__ || defined ZTL_HAVE_AVX512
    ZTL_CONCAT_GATHERS = 640, /* byte shuffles of nibbles: 255 for each source, 128 for the rest */
    ZTL_PAIR_LANES = 128,
#else
    ZTL_CONCAT_GATHERS = 1,
    ZTL_PAIR_LANES = 1,
#endif
};

/* One interleave of all vectors with those that differ in one bit of their number. */
typedef struct ztl_pass {
    uint8_t unit; /* log2 of the bytes that stay together */
    uint8_t slot; /* the bit of the vector's number */
} ztl_pass;

/* What vector bodies do with groups of 16-byte lanes: which kernel, and its byte shuffles. */
typedef struct ztl_kernel {
    uint8_t kind;
    uint8_t before[16], after[16];
} ztl_kernel;

/* XPOSE and PERMUTE: a permutation of the bits of a byte's index in the pair. */
typedef struct ztl_pair_plan {
    uint64_t key; /* 0: none */
    bool identity;
    bool twice;       /* there is an intermediate result */
    uint8_t nibble;   /* 1 + the byte-index bit that first changes places with the nibble's, or 0 */
    uint8_t from[11]; /* the bit of the source's byte index that each bit of the result's takes */
    uint8_t passes;   /* portable body: how many of pass[] */
    ztl_pass pass[ZTL_PAIR_PASSES];
    union {
        uint16_t place[128]; /* portable body: where each vector goes at last, in bytes */
        struct {
            ztl_kernel kernel;
            int32_t from[ZTL_PAIR_LANES],
                to[ZTL_PAIR_LANES]; /* offsets of all lanes, group by group, vector by vector */
        } group;
    } as;
} ztl_pair_plan;

/* MERGE: the bits that come from the first source. */
typedef struct ztl_merge_plan {
    uint64_t key[2];  /* key[0] 0: none */
    uint16_t nibbles; /* of the block */
    _Alignas(64) uint8_t mask[1024];
    uint8_t tail[64]; /* which bits of its last, partial 64 bytes belong to the block */
} ztl_merge_plan;

/* CONCAT: sources are numbered through: what stays, then the first block, then the second. */
typedef struct ztl_concat_plan {
    uint64_t key[2]; /* key[0] 0: none */
    uint16_t pieces;
    bool nibbles; /* pieces count nibbles, not bytes */
    union {
        uint16_t piece[ZTL_CONCAT_PIECES]; /* start · 8 + code of the length */
        struct {
            uint8_t copies;         /* of two vectors side by side */
            uint8_t most;           /* of how many shuffles a vector is made */
            uint8_t copy_to[64];    /* which vector of the result */
            uint16_t copy_from[64]; /* as start */
            uint8_t made_of[18]; /* how many vectors of the result are made of so many shuffles */
            uint8_t place[128];  /* which vectors: first those made of one */
            uint16_t start[ZTL_CONCAT_GATHERS]; /* source · 2048 + offset */
            uint8_t shuffle[ZTL_CONCAT_GATHERS * 16];
        } gather;
    } as;
} ztl_concat_plan;

/* ADDI on 4- and 8-bit floats: the result for each byte. */
typedef struct ztl_table_plan {
    uint32_t key; /* 0: none */
    uint8_t table[256];
} ztl_table_plan;

/* LOAD and STORE: where the slices lie. */
typedef struct ztl_slices_plan {
    uint32_t stride[32]; /* stride, shape, ... mask: what the plan was made from */
    uint32_t shape;
    uint32_t type;
    uint32_t given_width;
    uint32_t mask;
    bool usable;
    bool masked;
    bool contiguous; /* all slices are one range */
    bool whole_32;   /* 32 slices of 32 bytes, all accessed */
    uint8_t count;
    uint8_t alignment;   /* that addresses must have */
    uint8_t offset_bits; /* all low bits that occur in offsets */
    uint16_t width;
    uint32_t active;    /* slices that are accessed */
    int64_t low, high;  /* their extent, from where a slice of stride 0 would be */
    int64_t offset[32]; /* of each, from the lowest */
} ztl_slices_plan;

typedef struct ztl_plans {
    ztl_pair_plan pair[ZTL_PAIR_PLANS];
    ztl_merge_plan merge[ZTL_MERGE_PLANS];
    ztl_concat_plan concat[ZTL_CONCAT_PLANS];
    uint8_t concat_used, concat_oldest; /* the last one used; the one to be replaced next */
    ztl_table_plan table[ZTL_TABLE_PLANS];
    ztl_slices_plan slices[2]; /* load, store */
} ztl_plans;

#endif
