/* SPDX-License-Identifier: Apache-2.0
 * Fast bodies: what they share. A fast body does an instruction that is legal and ordinary; for
 * everything else, traps above all, it changes nothing and leaves the work to the plain body.
 */
#ifndef ZTL_FAST_H
#define ZTL_FAST_H

#include "fast/plan.h"
#include "model/model.h"

enum {
    ZTL_VECTOR = 16, /* bytes of the vectors that plans speak of */
    ZTL_VECTOR_BITS = 4,
    ZTL_PAIR_BYTES = 2 * ZTL_REG_BYTES,
    ZTL_PAIR_BITS = 11, /* of a byte's index in a pair */
    ZTL_PAIR_VECTORS = ZTL_PAIR_BYTES / ZTL_VECTOR,
    ZTL_REG_VECTORS = ZTL_REG_BYTES / ZTL_VECTOR,
    ZTL_ROUTE_BITS = 15, /* of a byte's index in 32 registers */
};

/* The two halves of a pair, which need not lie side by side. */
typedef struct ztl_pair {
    uint8_t *half[2];
} ztl_pair;

/* Bytes that are next to each other at both ends of a copy. */
typedef struct ztl_copy_run {
    int32_t from, to;
    uint32_t bytes;
} ztl_copy_run;

enum {
    ZTL_SELECT_VECTORS = 256, /* of what is stored */
    ZTL_SELECT_PARTS = 768,
    ZTL_SELECT_MOST = 4, /* parts of a vector */
};

/* Vectors that are put together by the same shuffles. */
typedef struct ztl_select_kind {
    uint16_t vectors;
    uint16_t parts; /* of each */
} ztl_select_kind;

/* Vectors that are put together from parts, each a byte shuffle of 16 loaded bytes, kind by kind.
 */
typedef struct ztl_selection {
    unsigned kinds, vectors, parts;
    ztl_select_kind kind[ZTL_SELECT_VECTORS];
    int32_t place[ZTL_SELECT_VECTORS], start[ZTL_SELECT_PARTS]; /* of vectors, and of their parts */
    uint8_t shuffle[ZTL_SELECT_PARTS][ZTL_VECTOR];              /* of the parts of kinds */
} ztl_selection;

/* A set of kernels for one kind of machine. The front ends of fast/ check, plan and call
 * them. `plain` has none. A target may be one of the sources, except that of permute and concat. */
typedef struct ztl_bodies {
    const char *name;
    bool (*runs_here)(void);
    unsigned lane_bits; /* log2 of the 16-byte lanes of a vector; 0: plans of passes */
    /* CONCAT: bytes of the result that a byte shuffle makes, 0: plans of pieces; and how many it
     * chooses from. */
    uint8_t gather_bytes, gather_window;
    void (*permute)(const ztl_pair_plan *plan, ztl_pair to, ztl_pair between, ztl_pair from);
    /* The same of any number of lanes, each anywhere; NULL: none. */
    void (*route)(const ztl_kernel *kernel, unsigned lanes, uint8_t *to, const int32_t *to_offset,
                  const uint8_t *from, const int32_t *from_offset);
    /* Vectors put together from parts, each anywhere; NULL: none. */
    void (*select)(const ztl_selection *selection, uint8_t *to, const int32_t *to_offset,
                   const uint8_t *from, const int32_t *from_offset);
    void (*merge)(const ztl_merge_plan *plan, uint8_t *to, const uint8_t *first,
                  const uint8_t *second);
    void (*concat)(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3]);
    /* ADDI of the types that need no table; false when the type is none of them. */
    bool (*add)(enum ztl_type type, uint8_t *to, const uint8_t *from, int addend);
    void (*look_up)(uint8_t *to, const uint8_t *from, const uint8_t table[256], unsigned bits);
    /* Slices between a register and host memory, where `lowest` is the lowest of them. */
    void (*load)(const ztl_slices_plan *plan, uint8_t *to, const uint8_t *lowest);
    void (*store)(const ztl_slices_plan *plan, uint8_t *lowest, const uint8_t *from);
    /* From memory to memory; `same` is what all runs have in common, 0: nothing. */
    void (*copy)(const ztl_copy_run *run, unsigned count, size_t same, uint8_t *to,
                 const uint8_t *from);
} ztl_bodies;

extern const ztl_bodies ztl_bodies_portable, ztl_bodies_avx2, ztl_bodies_avx512;

/* One fast body for each row of the list. */
#define ZTL_FAST(OP, name) ztl_fast_body ztl_fast_##name;
#include "fast/bodies.def"

/* An accelerator: its bodies, the kernels that they call, and what they have planned. */
typedef struct ztl_fast {
    struct ztl_accelerator accelerator;
    const ztl_bodies *bodies;
    ztl_plans plans;
} ztl_fast;

/* Only the first is for states that may have no accelerator: NULL then. */
static inline const ztl_bodies *ztl_bodies_used(const ztl_state *state)
{
    return state->accelerator ? ((const ztl_fast *)state->accelerator)->bodies : NULL;
}

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

/* The same plan with other strides. */
void ztl_move_slices(ztl_slices_plan *plan, const uint32_t *stride);

/* The host's bytes from `first` on, when all `length` of them are RAM, within the window of loads
 * or stores and within the address space; else NULL. A difference of addresses modulo 2^64 that
 * lies within the piece is that piece's offset, so an address outside it does no harm. */
static inline uint8_t *ztl_reach(const ztl_config *config, const ztl_memory *memory, bool is_store,
                                 uint64_t first, uint64_t length)
{
    const ztl_window *window = is_store ? &config->l0m : &config->l1m;
    if (!memory || !memory->ram ||
        (config->xlen == 32 && (first > UINT32_MAX || length > UINT32_MAX - first)))
        return NULL;
    if (window->size &&
        (first - window->base > window->size || length > window->size - (first - window->base)))
        return NULL;
    for (size_t i = 0; i < memory->ram_count; i++) {
        const ztl_ram *ram = &memory->ram[i];
        uint64_t offset = first - ram->base;
        if (offset < ram->size && length <= ram->size - offset)
            return ram->bytes + offset;
    }
    return NULL;
}

/* Fills the portable body's part of a plan. from[j] is the bit of the source's byte index that bit
 * j of the result's byte index takes. */
void ztl_plan_passes(ztl_pair_plan *plan, const uint8_t from[ZTL_PAIR_BITS]);

/* The same for vectors of several lanes: a kernel, and the offsets of 2^(bits - 4) lanes. There are
 * at least ZTL_PAIR_BITS bits, and at most ZTL_ROUTE_BITS. */
void ztl_plan_groups(ztl_kernel *kernel, int32_t *from_offset, int32_t *to_offset,
                     const uint8_t *from, unsigned bits, unsigned lane_bits);

/* The kind of a kernel: how many bits cross, whether lanes lie side by side, and whether
 * the bits that stay do so in their places: then interleaves of units so large are all there is to
 * do, without shuffles. A group has at least 2^ZTL_GROUP_LEAST vectors. PAIRS: vectors of two lanes
 * whose numbers differ in the bit above those that cross lie side by side in the source, lane by
 * lane, so two loads and an exchange of lanes make both. */
enum {
    ZTL_GROUP_LEAST = 3,
    ZTL_GROUP_BITS = 7,
    ZTL_WHOLE_FROM = 8,
    ZTL_WHOLE_TO = 16,
    ZTL_UNITS = 32,
    ZTL_PAIRS = 64,
};

/* A well mixed index below 2^bits. */
static inline unsigned ztl_hash(uint64_t key, unsigned bits)
{
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

#endif
