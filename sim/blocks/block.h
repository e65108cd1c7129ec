/* SPDX-License-Identifier: Apache-2.0
 * Blocks: decoded code as the interpreter runs it.
 *
 * A block starts at a pc and goes on, through jumps whose target is known and through branches that
 * are not taken, until it meets a jump to an unknown place, an instruction that has to be run by
 * itself, or BLOCK_INSNS. It is left early by the branches that are taken.
 */
#ifndef ZTL_SIM_BLOCK_H
#define ZTL_SIM_BLOCK_H

#include "sim/hart.h"

enum {
    BLOCK_INSNS = 64, /* at most; fits a byte */
    BLOCK_SLOTS = 2 * BLOCK_INSNS + 2,
    BLOCK_BUCKETS = 1 << 13,
    BLOCK_ARENA = 4 << 20, /* bytes for blocks; when they are used up, all is forgotten */
};

/* Handlers beyond those of sim/decode/base.def. */
enum block_op {
    OP_LEAVE = OPS, /* the instruction has to be run by itself */
    OP_GOTO,        /* the block ends here; a link follows */
    OP_PC,          /* rd = pc of the block + imm */
    OP_TENSOR,      /* a Ztl instruction; its ztl_insn follows */
    OP_TENSOR_CSR,  /* a CSR instruction on a CSR of Ztl; imm is the word */
    OP_FLOAT,       /* a floating-point instruction; imm is what ztl_float_run wants */
    OP_LAST_SINGLE = OP_FLOAT,
#define FUSED(A, B) OP_##A##_##B,
#include "sim/blocks/fused.def"
    BLOCK_OPS
};

typedef struct block block;

/* One slot. The first of an instruction says what to do; a second one, where there is a second,
 * holds a pointer, and in imm the target of a link, as an offset from the block's pc. */
typedef struct slot {
    union {
        const void *handler;
        block *link; /* NULL until the target is known as a block */
        const ztl_insn *ztl;
    };
    uint8_t rd, rs1, rs2;
    uint8_t index; /* instructions of the block that come before this one */
    int32_t imm;
} slot;

struct block {
    uint64_t pc;
    block *next;            /* of the same bucket */
    const int32_t *offsets; /* from the block's pc, of each instruction */
    size_t count;           /* of instructions */
    slot slots[];
};

typedef struct block_cache {
    const void *handlers[BLOCK_OPS]; /* by enum base_op and enum block_op; NULL: OP_LEAVE */
    /* The enum block_op of two instructions; 0: none. */
    uint16_t pairs[INTEGER_INSNS][INTEGER_INSNS];
    uint64_t generation; /* counts how often all was forgotten */
    uint8_t *arena;
    size_t used;
    block *buckets[BLOCK_BUCKETS];
} block_cache;

static inline size_t block_bucket(uint64_t pc)
{
    return (size_t)(pc >> 1 ^ pc >> 14) % BLOCK_BUCKETS;
}

/* The block that starts at pc, translated if need be; NULL when nothing can be fetched there. May
 * forget all blocks: then the generation changes. */
block *ztl_block_at(ztl_hart *hart, uint64_t pc);

/* Room in the arena, aligned for anything; NULL when there is none. */
void *ztl_block_room(block_cache *cache, size_t size);

/* sim/blocks/translate.c: fills cache->pairs. */
void ztl_list_pairs(block_cache *cache);

/* sim/blocks/translate.c: the block at pc; NULL when there is no room or nothing to fetch. */
block *ztl_translate(ztl_hart *hart, uint64_t pc);

#endif
