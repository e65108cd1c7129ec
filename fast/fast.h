/* SPDX-License-Identifier: Apache-2.0
 * What the fast bodies share. A fast body executes the common legal cases of an instruction. In all
 * other cases, traps above all, it changes nothing, and the plain body takes over.
 */
#ifndef ZTL_FAST_H
#define ZTL_FAST_H

#include "fast/plan.h"
#include "model/model.h"

enum {
    ZTL_VECTOR = 16, /* bytes of a vector, the unit of plans */
    ZTL_VECTOR_BITS = 4,
    ZTL_PAIR_BYTES = 2 * ZTL_REG_BYTES,
    ZTL_PAIR_BITS = 11, /* of a byte's index in a pair */
    ZTL_PAIR_VECTORS = ZTL_PAIR_BYTES / ZTL_VECTOR,
    ZTL_REG_VECTORS = ZTL_REG_BYTES / ZTL_VECTOR,
    ZTL_ROUTE_BITS = 15, /* of a byte's index in 32 registers */
};

/* The two registers of a pair, not necessarily adjacent. */
typedef struct ztl_pair {
    uint8_t *half[2];
} ztl_pair;

/* A copy of contiguous bytes. */
typedef struct ztl_copy_run {
    int32_t from, to;
    uint32_t bytes;
} ztl_copy_run;

enum {
    ZTL_SELECT_VECTORS = 256, /* stored */
    ZTL_SELECT_PARTS = 768,
    ZTL_SELECT_MOST = 4, /* parts of one vector */
};

/* Vectors that are assembled with the same shuffles. */
typedef struct ztl_select_kind {
    uint16_t vectors;
    uint16_t parts; /* of each */
} ztl_select_kind;

/* Stored vectors, each the union of up to four byte shuffles (parts) of 16 loaded bytes. Vectors
 * with the same shuffles are listed together, so that a kernel keeps these in registers. */
typedef struct ztl_selection {
    unsigned kinds, vectors, parts;
    ztl_select_kind kind[ZTL_SELECT_VECTORS];
    int32_t place[ZTL_SELECT_VECTORS];             /* offset of each vector in the result */
    int32_t start[ZTL_SELECT_PARTS];               /* offset of each part in the source */
    uint8_t shuffle[ZTL_SELECT_PARTS][ZTL_VECTOR]; /* of each part of each kind */
} ztl_selection;

/* The kernels for one instruction set of the host. The bodies in fast/ check, plan and call them;
 * `plain` has none. A target may alias a source, except in permute and concat. */
typedef struct ztl_bodies {
    const char *name;
    bool (*runs_here)(void);
    unsigned lane_bits; /* log2 of the 16-byte lanes in a vector */
    /* CONCAT: how many bytes a byte shuffle yields (0: concat takes plans of pieces), and how many
     * it selects from. */
    uint8_t gather_bytes, gather_window;
    /* Completes a plan from its index bits, for permute. */
    void (*plan_pair)(ztl_pair_plan *plan);
    void (*permute)(const ztl_pair_plan *plan, ztl_pair to, ztl_pair between, ztl_pair from);
    /* permute for any number of lanes at any addresses; NULL: none. */
    void (*route)(const ztl_kernel *kernel, unsigned lanes, uint8_t *to, const int32_t *to_offset,
                  const uint8_t *from, const int32_t *from_offset);
    /* Gathers the vectors of a selection; NULL: none. */
    void (*select)(const ztl_selection *selection, uint8_t *to, const int32_t *to_offset,
                   const uint8_t *from, const int32_t *from_offset);
    void (*merge)(const ztl_merge_plan *plan, uint8_t *to, const uint8_t *first,
                  const uint8_t *second);
    void (*concat)(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3]);
    /* ADDI, for types that need no table; false for others. */
    bool (*add)(enum ztl_type type, uint8_t *to, const uint8_t *from, int addend);
    void (*look_up)(uint8_t *to, const uint8_t *from, const uint8_t table[256], unsigned bits);
    /* Slices between a register and host memory; `lowest` is the address of the lowest slice. */
    void (*load)(const ztl_slices_plan *plan, uint8_t *to, const uint8_t *lowest);
    void (*store)(const ztl_slices_plan *plan, uint8_t *lowest, const uint8_t *from);
    /* From memory to memory; `same` is the length of all runs, 0 if they differ. */
    void (*copy)(const ztl_copy_run *run, unsigned count, size_t same, uint8_t *to,
                 const uint8_t *from);
} ztl_bodies;

extern const ztl_bodies ztl_bodies_portable, ztl_bodies_avx2, ztl_bodies_avx512;

/* One fast body for each row of the list. */
#define ZTL_FAST(OP, name) ztl_fast_body ztl_fast_##name;
#include "fast/bodies.def"

/* An accelerator: the bodies, their kernels, and the cache of plans. */
typedef struct ztl_fast {
    struct ztl_accelerator accelerator;
    const ztl_bodies *bodies;
    ztl_plans plans;
} ztl_fast;

/* The kernels in use; NULL for a state without accelerator. */
static inline const ztl_bodies *ztl_bodies_used(const ztl_state *state)
{
    return state->accelerator ? ((const ztl_fast *)state->accelerator)->bodies : NULL;
}

/* The same two for a state that has one. */
static inline const ztl_bodies *ztl_bodies_of(const ztl_state *state)
{
    return ((const ztl_fast *)state->accelerator)->bodies;
}

static inline ztl_plans *ztl_plans_of(const ztl_state *state)
{
    return &((ztl_fast *)state->accelerator)->plans;
}

/* The plan of an XPOSE or PERMUTE, in the accelerator; NULL when it traps, and for others. */
const ztl_pair_plan *ztl_plan_pair(const ztl_step *step);

/* The plan of a LOAD or STORE; false when it traps whatever its address. */
bool ztl_plan_slices(const ztl_step *step, bool is_store, ztl_slices_plan *plan);

/* Changes the strides of a plan. */
void ztl_move_slices(ztl_slices_plan *plan, const uint32_t *stride);

/* Whether guest bytes [first, first + length) lie in the window of loads or stores and, on RV32,
 * within the address space. Differences are modulo 2^64: for an address below a window the offset
 * is huge, and the comparison fails as it should. */
static inline bool ztl_in_window(const ztl_config *config, bool is_store, uint64_t first,
                                 uint64_t length)
{
    const ztl_window *window = is_store ? &config->l0m : &config->l1m;
    if (config->xlen == 32 && (first > UINT32_MAX || length > UINT32_MAX - first))
        return false;
    return !window->size || (first - window->base <= window->size &&
                             length <= window->size - (first - window->base));
}

/* The host address of guest bytes [first, first + length), if all of them also lie in one piece of
 * RAM; else NULL. */
static inline uint8_t *ztl_reach(const ztl_config *config, const ztl_memory *memory, bool is_store,
                                 uint64_t first, uint64_t length)
{
    if (!memory || !ztl_in_window(config, is_store, first, length))
        return NULL;
    const ztl_ram *ram = ztl_ram_at(memory, first);
    return ram && length <= ram->size - (first - ram->base) ? ram->bytes + (first - ram->base)
                                                            : NULL;
}

/* fast/apart.c: a load or store whose slices lie in several pieces of RAM, the lowest at guest
 * address `lowest`. False, and nothing has changed, where some of it is in none. */
bool ztl_load_apart(const ztl_step *step, const ztl_slices_plan *plan, uint64_t lowest);
bool ztl_store_apart(const ztl_step *step, const ztl_slices_plan *plan, uint64_t lowest);

/* Plans the passes of the portable kernel. */
void ztl_plan_passes(ztl_pair_plan *plan);

/* The same for vectors of several lanes: chooses the kernel and computes the offsets of 2^(bits -
 * 4) lanes. Bit j of the result's byte index is bit from[j] of the source's. bits: ZTL_PAIR_BITS to
 * ZTL_ROUTE_BITS. */
void ztl_plan_groups(ztl_kernel *kernel, int32_t *from_offset, int32_t *to_offset,
                     const uint8_t *from, unsigned bits, unsigned lane_bits);

/* A group is the 2^c vectors that differ in the c index bits that cross, at least 2^GROUP_LEAST.
 * The kind of a kernel is c and these flags; doc/speed.md shows which bits cross. */
enum {
    ZTL_GROUP_LEAST = 3,
    ZTL_GROUP_BITS = 7, /* mask of c */
    ZTL_WHOLE_FROM = 8, /* the lanes of a vector are adjacent in the source: one load each */
    ZTL_WHOLE_TO = 16,  /* the same in the target: one store each */
    ZTL_UNITS = 32,     /* low bits stay in place: interleaves of units suffice, no byte shuffle */
    ZTL_PAIRS = 64,     /* two loads and an exchange of lanes give two vectors (AVX2) */
};

/* A hash below 2^bits. */
static inline unsigned ztl_hash(uint64_t key, unsigned bits)
{
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

#endif
