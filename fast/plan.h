/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans: what an operation on one shape, type and set of masks amounts to. They are a cache in the
 * accelerator, not state: any of them may be dropped at any time. doc/speed.md explains them.
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
    ZTL_PAIR_PASSES = 5,      /* the most interleaves that a permutation takes */
    ZTL_CONCAT_PIECES = 2048, /* worst case: one per nibble */
/* Only kernels with byte shuffles and vectors of several lanes need these, that is, x86's. */
#if defined __x86_64__ || defined ZTL_HAVE_AVX512
    ZTL_CONCAT_GATHERS = 640, /* byte shuffles of nibbles: 255 for each source, 128 for the rest */
    ZTL_PAIR_LANES = 128,
    ZTL_NETWORK_VECTORS = 32, /* of 64 bytes in a pair */
#else
    ZTL_CONCAT_GATHERS = 1,
    ZTL_PAIR_LANES = 1,
    ZTL_NETWORK_VECTORS = 1,
#endif
};

/* A pass interleaves all vectors with those whose number differs in one bit. */
typedef struct ztl_pass {
    uint8_t unit; /* log2 of the bytes interleaved as one */
    uint8_t slot; /* the bit of the vector number */
} ztl_pass;

/* The kernel for groups of 16-byte lanes: its kind (fast.h), and its byte shuffles. */
typedef struct ztl_kernel {
    uint8_t kind;
    uint8_t before[16], after[16];
} ztl_kernel;

/* The network of vectors of 64 bytes: in stage k, vectors whose numbers differ in bit k exchange it
 * for a bit of the byte's index in the vector. Five cache lines with the start of the plan. */
typedef struct ztl_network {
    uint16_t from[ZTL_NETWORK_VECTORS], to[ZTL_NETWORK_VECTORS]; /* offsets, by number */
    uint8_t before[64], after[64]; /* orders of bytes, before and after the stages */
} ztl_network;

/* XPOSE and PERMUTE: a permutation of the bits of a byte's index in the pair. */
typedef struct ztl_pair_plan {
    uint64_t key; /* 0: none */
    bool identity;
    bool twice;       /* needs an intermediate result */
    uint8_t nibble;   /* 1 + the byte-index bit to swap with the nibble bit first; 0: none */
    uint8_t from[11]; /* bit j of the result's byte index is bit from[j] of the source's */
    uint8_t passes;   /* portable kernel: entries of pass[] */
    ztl_pass pass[ZTL_PAIR_PASSES];
    uint8_t stages; /* of the network */
    bool orders_before, orders_after, second_half;
    union {
        uint16_t place[128]; /* portable kernel: final offset of each vector */
        struct {
            ztl_kernel kernel;
            /* Offsets of all lanes, by group, vector and lane. */
            int32_t from[ZTL_PAIR_LANES], to[ZTL_PAIR_LANES];
        } group;
        _Alignas(64) ztl_network network;
    } as;
} ztl_pair_plan;

/* MERGE: a mask of the bits taken from the first source. */
typedef struct ztl_merge_plan {
    uint64_t key[2];  /* key[0] 0: none */
    uint16_t nibbles; /* of the block */
    _Alignas(64) uint8_t mask[1024];
    uint8_t tail[64]; /* mask of the block's bits in its last, partial 64 bytes */
} ztl_merge_plan;

/* CONCAT: the sources are the old target, the first block and the second, laid end to end. */
typedef struct ztl_concat_plan {
    uint64_t key[2]; /* key[0] 0: none */
    uint16_t pieces;
    bool nibbles; /* pieces count nibbles, not bytes */
    union {
        uint16_t piece[ZTL_CONCAT_PIECES]; /* start · 8 + code of the length */
        struct {
            uint8_t copies;                     /* of two adjacent vectors at a time */
            uint8_t most;                       /* shuffles that a vector takes, at most */
            uint8_t copy_to[64];                /* index of the result's vector */
            uint16_t copy_from[64];             /* encoded as start */
            uint8_t made_of[18];                /* number of vectors that take n shuffles */
            uint8_t place[128];                 /* vectors in ascending order of shuffles */
            uint16_t start[ZTL_CONCAT_GATHERS]; /* source · 2048 + offset */
            _Alignas(64) uint8_t shuffle[ZTL_CONCAT_GATHERS * 16];
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
    uint32_t stride[32]; /* stride to mask: the key of the plan */
    uint32_t shape;
    uint32_t type;
    uint32_t given_width;
    uint32_t mask;
    bool usable;
    bool masked;
    bool contiguous; /* all slices are one range */
    bool whole_32;   /* 32 slices of 32 bytes, all accessed */
    uint8_t count;
    uint8_t alignment;   /* required of addresses */
    uint8_t offset_bits; /* union of the low bits of offsets, for the check of alignment */
    uint16_t width;
    uint32_t active;    /* slices that are accessed */
    int64_t low, high;  /* their extent, relative to a slice of stride 0 */
    int64_t offset[32]; /* of each slice from the lowest */
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
