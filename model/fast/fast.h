/* SPDX-License-Identifier: Apache-2.0
 * Fast bodies: what they share. A fast body does an instruction that is legal and ordinary; for
 * everything else, traps above all, it changes nothing and leaves the work to the plain body.
 */
#ifndef ZTL_FAST_H
#define ZTL_FAST_H

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

/* A set of kernels for one kind of machine. The front ends of model/fast/ check, plan and call
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

/* The front ends: true when the instruction is done, false when nothing was done. */
typedef bool ztl_fast_body(const ztl_step *step);
ztl_fast_body ztl_fast_load, ztl_fast_store, ztl_fast_concat, ztl_fast_merge, ztl_fast_addi,
    ztl_fast_xpose, ztl_fast_permute;

extern ztl_fast_body *const ztl_fast_front[ZTL_OPS];

/* Tries the fast body of the instruction, which is one of the state's revision. Fast bodies never
 * trap: what they decline goes the plain way from its first check on. */
static inline bool ztl_try_fast(const ztl_step *step)
{
    const ztl_insn_row *row = step->insn->row;
    return row && step->state->config.subsets & row->subset && step->state->bodies->permute &&
           ztl_fast_front[row->op](step);
}

/* The plan of an XPOSE or PERMUTE, in the state's cache; NULL when it traps. */
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

/* Blocks of four residues lie at the same offset in their pages. A load then waits for a store to
 * the other, as if it were the same address, so targets are chosen at other offsets than sources:
 * `avoid` has a bit for each residue, and the choice adds its own. */
#define ZTL_EVERY_FOURTH UINT64_C(0x1111111111)

static inline unsigned ztl_residue(const ztl_state *state, int32_t index)
{
    return 1u << state->at[index] % 4;
}

static inline unsigned ztl_pick_spare(uint64_t *spare, unsigned *avoid)
{
    uint64_t away = *spare & ~(ZTL_EVERY_FOURTH * *avoid);
    unsigned block = (unsigned)__builtin_ctzll(away ? away : *spare);
    *spare &= ~(UINT64_C(1) << block);
    *avoid |= 1u << block % 4;
    return block;
}

typedef struct ztl_blocks {
    unsigned first, second;
} ztl_blocks;

/* Two spare blocks, rather side by side: then offsets need no correction. */
static inline ztl_blocks ztl_pick_blocks(uint64_t *spare, unsigned *avoid)
{
    const uint64_t even = UINT64_C(0x5555555555555555);
    uint64_t twins = *spare & *spare >> 1 & even, away = twins & ~(ZTL_EVERY_FOURTH * *avoid);
    ztl_blocks picked;
    if (!twins) {
        picked.first = ztl_pick_spare(spare, avoid);
        picked.second = ztl_pick_spare(spare, avoid);
        return picked;
    }
    picked.first = (unsigned)__builtin_ctzll(away ? away : twins);
    picked.second = picked.first + 1;
    *spare &= ~(UINT64_C(3) << picked.first);
    *avoid |= 3u << picked.first % 4;
    return picked;
}

static inline ztl_pair ztl_pair_of_blocks(ztl_state *state, ztl_blocks blocks)
{
    return (ztl_pair){{state->tl[blocks.first], state->tl[blocks.second]}};
}

static inline ztl_pair ztl_pair_of_registers(ztl_state *state, int32_t first, int32_t second)
{
    return (ztl_pair){{ztl_register(state, first), ztl_register(state, second)}};
}

/* The offsets of lanes in a pair whose halves need not lie side by side. */
static inline const int32_t *ztl_in_pair(const int32_t *offset, ztl_pair pair,
                                         int32_t room[ZTL_PAIR_VECTORS])
{
    const int32_t gap = (int32_t)(pair.half[1] - pair.half[0]) - ZTL_REG_BYTES;
    if (gap == 0)
        return offset;
    for (unsigned n = 0; n < ZTL_PAIR_VECTORS; n++)
        room[n] = offset[n] + (gap & -(offset[n] >> (ZTL_PAIR_BITS - 1)));
    return room;
}

/* The block becomes the register, whose own is spare from then on. */
static inline void ztl_take_block(ztl_state *state, int32_t target, unsigned block)
{
    if (target == 0)
        return;
    state->spare ^= UINT64_C(1) << block | UINT64_C(1) << state->at[target];
    state->at[target] = (uint8_t)block;
}

/* A well mixed index below 2^bits. */
static inline unsigned ztl_hash(uint64_t key, unsigned bits)
{
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

#endif
