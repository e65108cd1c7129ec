/* SPDX-License-Identifier: Apache-2.0
 * Register renaming: results go to spare blocks of the state, which then become the registers.
 */
#ifndef ZTL_FAST_SPARE_H
#define ZTL_FAST_SPARE_H

#include "fast/fast.h"

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

/* Two spare blocks, adjacent if possible: then offsets need no correction. */
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

/* The block becomes the register; the register's old block becomes spare. */
static inline void ztl_take_block(ztl_state *state, int32_t target, unsigned block)
{
    if (target == 0)
        return;
    state->spare ^= UINT64_C(1) << block | UINT64_C(1) << state->at[target];
    state->at[target] = (uint8_t)block;
}

#endif
