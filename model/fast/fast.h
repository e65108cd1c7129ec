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
};

/* The two halves of a pair, which need not lie side by side. */
typedef struct ztl_pair {
    uint8_t *half[2];
} ztl_pair;

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
    void (*merge)(const ztl_merge_plan *plan, uint8_t *to, const uint8_t *first,
                  const uint8_t *second);
    void (*concat)(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3]);
    /* ADDI of the types that need no table; false when the type is none of them. */
    bool (*add)(enum ztl_type type, uint8_t *to, const uint8_t *from, int addend);
    void (*look_up)(uint8_t *to, const uint8_t *from, const uint8_t table[256], unsigned bits);
    /* Slices between a register and host memory, where `lowest` is the lowest of them. */
    void (*load)(const ztl_slices_plan *plan, uint8_t *to, const uint8_t *lowest);
    void (*store)(const ztl_slices_plan *plan, uint8_t *lowest, const uint8_t *from);
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

/* Fills the body's part of a plan. from[j] is the bit of the source's byte index that bit j of the
 * result's byte index takes. */
void ztl_plan_passes(ztl_pair_plan *plan, const uint8_t from[ZTL_PAIR_BITS]);
void ztl_plan_groups(ztl_pair_plan *plan, const uint8_t from[ZTL_PAIR_BITS], unsigned lane_bits);

/* plan->kind of ztl_plan_groups: how many bits cross, whether lanes lie side by side, and whether
 * the bits that stay do so in their places: then interleaves of units so large are all there is to
 * do, without shuffles. A group has at least 2^ZTL_GROUP_LEAST vectors. */
enum {
    ZTL_GROUP_LEAST = 3,
    ZTL_GROUP_BITS = 7,
    ZTL_WHOLE_FROM = 8,
    ZTL_WHOLE_TO = 16,
    ZTL_UNITS = 32,
};

/* Blocks of four residues lie at the same offset in their pages. A load then waits for a store to
 * the other, as if it were the same address, so targets are chosen at other offsets than sources:
 * `avoid` has a bit for each residue, and the choice adds its own. */
static inline unsigned ztl_residue(const ztl_state *state, int32_t index)
{
    return 1u << state->at[index] % 4;
}

static inline unsigned ztl_pick_spare(uint64_t *spare, unsigned *avoid)
{
    uint64_t away = *spare & ~(UINT64_C(0x1111111111) * *avoid);
    unsigned block = (unsigned)__builtin_ctzll(away ? away : *spare);
    *spare &= ~(UINT64_C(1) << block);
    *avoid |= 1u << block % 4;
    return block;
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
