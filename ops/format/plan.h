/* SPDX-License-Identifier: Apache-2.0
 * What a plan looks like. It is a head, then passes one after the other, then notes on why they are
 * as they are; offsets instead of pointers, so that it can be copied and sent to a hart.
 *
 * A pass is a short program of loads, permutes and stores that is run once for every batch. A batch
 * is where the first slices of its source and target are; all other slices follow from the stride
 * vectors of its group. Batches are listed, and all of them may be inside loops.
 *
 *     for each group:  set the stride CSRs
 *         for each index of the loops:
 *             for each batch of the group:  run the program at (batch.in, batch.out) + loops
 *
 * The order of batches is free: none reads what another one writes.
 */
#ifndef ZTL_OPS_PLAN_H
#define ZTL_OPS_PLAN_H

#include "ops/map/map.h"

/* What one instruction of a pass does. Registers count from 0; register r is tl(r+1). */
enum ops_code {
#define OPS_INSN(ID, ...) OPS_##ID,
#include "ops/format/insn.def"
    OPS_CODES
};

typedef struct ops_insn {
    uint8_t op; /* OPS_OP(code, reg): one byte, so that one jump finds what to do */
    uint8_t bit, width, spare;
    uint32_t arg;
    int64_t offset;
} ops_insn;

#define OPS_OP(code, reg) ((uint8_t)((code) | (reg) << 4))

static inline enum ops_code ops_code_of(const ops_insn *insn)
{
    return (enum ops_code)(insn->op & 15);
}

/* What tl_transpose_perm must be for INTERLEAVE3 and DEINTERLEAVE3. */
enum {
    OPS_INTERLEAVE3_ORDER = 2 | 1 << 2 | 3 << 4 | 0 << 6,
    OPS_DEINTERLEAVE3_ORDER = 3 | 1 << 2 | 0 << 4 | 2 << 6
};

/* Batches that share their stride vectors. */
typedef struct ops_group {
    uint32_t load, store; /* vectors */
    uint32_t first, count;
    uint32_t load_changes, store_changes; /* OPS_CHANGES_… */
} ops_group;

/* What of a vector must be written after the group before: nothing, all of it, or the blocks of
 * eight strides whose bits are set. The first group of a pass changes everything. */
enum { OPS_CHANGES_NOTHING = 0, OPS_CHANGES_ALL = 15, OPS_CHANGES_BLOCK = 8 };

typedef struct ops_batch {
    int64_t in, out;
} ops_batch;

typedef struct ops_vector {
    int32_t stride[OPS_SLICES];
} ops_vector;

enum ops_pass_kind {
    OPS_PASS_RUNS,        /* equal runs on both sides */
    OPS_PASS_TILES,       /* a permutation of index bits */
    OPS_PASS_INTERLEAVE3, /* three planes to alternating elements, or back */
    OPS_PASS_INTERLEAVE2, /* two planes to alternating elements, or back */
    OPS_PASS_PICK,        /* every k-th element */
    OPS_PASS_FILL,        /* a constant */
    OPS_PASS_WHERE,       /* masked by a condition */
    OPS_PASS_SCALAR,      /* element by element */
    OPS_PASS_UNPACK,      /* nibbles to the low nibbles of bytes */
    OPS_PASS_PACK,        /* the reverse */
    OPS_PASS_SHIFT4,      /* runs of nibbles that start in the middle of a byte */
    OPS_PASS_TRANSPOSE4,  /* squares of nibbles */
    OPS_PASS_INDEXED,     /* by indices that are read when it runs: format/indexed.h */
    OPS_PASS_KINDS
};

enum { OPS_BLOCK = 1024 /* bytes of a register */ };

/* What the program of a pass looks like, so that the executor need not look: the frequent ones have
 * code of their own, in which batches overlap. L, P, C, S: LOAD, PERMUTE, CONCAT, STORE, and the
 * register. format/body.c tells them apart. */
enum ops_body {
    OPS_BODY_NONE,        /* it has no program */
    OPS_BODY_ANY,         /* instruction by instruction */
    OPS_BODY_COPY,        /* L0 S0, both at offset 0 */
    OPS_BODY_SPREAD,      /* L0, then any number of S0 */
    OPS_BODY_FILL,        /* S0 */
    OPS_BODY_PAIR,        /* L0 [L1] P0 S0 [S1] */
    OPS_BODY_SPREAD_PAIR, /* [SHAPE] L0 [L1] P0 [SHAPE], then any number of S0, then of S1 */
    OPS_BODY_TILES_4,     /* L0 … L3; ORDER and the PERMUTEs of bit 1, then of bit 0; S0 … S3 */
    OPS_BODY_TILES_8,     /* the same with 8 registers, */
    OPS_BODY_TILES_16,    /* and with 16 */
    OPS_BODY_INTERLEAVE3, /* L0 L1 L2 INTERLEAVE3 S4 S5 S6 */
    OPS_BODY_DEINTERLEAVE3, /* L0 L1 L2 DEINTERLEAVE3 S4 S5 S6 */
    OPS_BODY_JOIN,          /* L0 … Lk C1 … Ck S8, k from 1 to 3 */
    OPS_BODIES
};

/* What holds of the stride vectors of a pass: those of loads, of stores are all of equal steps, so
 * that they need no list; all groups have the same one for stores. */
enum { OPS_LINEAR_LOADS = 1, OPS_LINEAR_STORES = 2, OPS_ONE_STORE = 4 };

/* The words of 64 bits of the largest element. */
enum { OPS_WORDS = 4 };

/* A pass is followed by its instructions, vectors, groups and batches. */
typedef struct ops_pass {
    uint64_t bytes; /* of all of it */
    uint32_t kind;
    uint32_t src, dst;
    uint32_t load_width, store_width, slices;
    uint32_t tile_shape; /* tshape; while planning, 0 stands for `slices` */
    uint32_t order;      /* tl_transpose_perm, unless instructions change it */
    uint32_t insns, vectors, groups, batches;
    uint32_t loops;
    uint32_t element; /* WHERE, SCALAR: bytes, 0 for 4 bits; FILL: bytes of the constant, 0 if the
                         pass before has made it */
    uint64_t value[OPS_WORDS]; /* FILL; WHERE, SCALAR of nibbles, the first: what each of the 16
                                  becomes */
    uint32_t body, strides;    /* enum ops_body; OPS_LINEAR_… and OPS_ONE_STORE */
    int64_t in, out;           /* WHERE, SCALAR, PACK, UNPACK: where element 0 is */
    int64_t insns_at, groups_at, batches_at; /* from here; in a plan they follow, but a part of a
                                                pass that is run on its own has them elsewhere */
    ops_dim loop[OPS_DIMS];
} ops_pass;

/* Says that what belongs to a pass follows it. */
static inline void ops_pass_follows(ops_pass *pass)
{
    pass->insns_at = (int64_t)sizeof *pass;
    pass->groups_at = pass->insns_at + (int64_t)pass->insns * (int64_t)sizeof(ops_insn) +
                      (int64_t)pass->vectors * (int64_t)sizeof(ops_vector);
    pass->batches_at = pass->groups_at + (int64_t)pass->groups * (int64_t)sizeof(ops_group);
}

/* Whether a block of nibbles, unpacked, takes two registers. */
static inline bool ops_fills_pair(const ops_pass *pass)
{
    return pass->load_width == OPS_BLOCK && pass->store_width == OPS_BLOCK;
}

/* Why passes are as they are: the ways that were costed, the one taken first, then from the
 * cheapest on. Choices within a choice follow it. */
typedef struct ops_tried {
    uint32_t way, detail; /* enum ops_way_id; a number that its name has a place for */
    int64_t ztl, key;     /* instructions; what was to be few */
} ops_tried;

enum { OPS_MOST_TRIED = 7 };

typedef struct ops_choice {
    uint32_t first, passes; /* which passes these are */
    uint32_t pieces, count;
    uint32_t taken, searched; /* a way; whether ways that divide the piece were looked for */
    int64_t least;            /* of what was to be few: each KiB loaded and stored once */
    int64_t written;          /* instructions of the passes: as many as the way that was taken */
    ops_tried tried[OPS_MOST_TRIED];
} ops_choice;

/* Whether a plan reads indices; and whether output 0 may be input 0, which passes that are not
 * indexed copy else. */
enum ops_plan_indexed { OPS_NOT_INDEXED, OPS_INDEXED_PLAN, OPS_IN_PLACE };

struct ztl_ops_plan {
    uint64_t bytes;
    uint64_t scratch;
    uint64_t used, made; /* bytes of the inputs that are used, each once; of the outputs */
    ztl_ops_stats stats;
    uint32_t passes;
    uint32_t element;
    uint32_t inputs, outputs;
    uint64_t choices, choice_count; /* where they are, and how many there are */
    uint64_t spans;   /* where the spans are: those of the inputs, then of the outputs */
    uint64_t effort;  /* steps that planning took: the same on every machine */
    uint64_t indexed; /* enum ops_plan_indexed */
    uint64_t by_time; /* cycles were to be few, not instructions */
};

/* The bytes of a buffer that a tensor takes: from the first to one past the last. */
typedef struct ops_span {
    uint64_t low, high;
} ops_span;

static inline ops_insn *ops_pass_insns(const ops_pass *pass)
{
    return (ops_insn *)((uint8_t *)(uintptr_t)pass + pass->insns_at);
}

static inline ops_vector *ops_pass_vectors(const ops_pass *pass)
{
    return (ops_vector *)(ops_pass_insns(pass) + pass->insns);
}

static inline ops_group *ops_pass_groups(const ops_pass *pass)
{
    return (ops_group *)((uint8_t *)(uintptr_t)pass + pass->groups_at);
}

static inline ops_batch *ops_pass_batches(const ops_pass *pass)
{
    return (ops_batch *)((uint8_t *)(uintptr_t)pass + pass->batches_at);
}

static inline const ops_pass *ops_next_pass(const ops_pass *pass)
{
    return (const ops_pass *)((const uint8_t *)pass + pass->bytes);
}

static inline const ops_choice *ops_choices(const ztl_ops_plan *plan)
{
    return (const ops_choice *)((const uint8_t *)plan + plan->choices);
}

static inline const ops_pass *ops_first_pass(const ztl_ops_plan *plan)
{
    return (const ops_pass *)(plan + 1);
}

/* How often a batch of a pass is run. */
static inline int64_t ops_loop_runs(const ops_pass *pass)
{
    int64_t runs = 1;
    for (unsigned d = 0; d < pass->loops; d++)
        runs *= pass->loop[d].n;
    return runs;
}

/* How often the program of a pass is run. */
static inline uint64_t ops_runs(const ops_pass *pass)
{
    return pass->batches * (uint64_t)ops_loop_runs(pass);
}

/* The map of nibbles that stay as they are: nibble k of it is k. */
#define OPS_UNCHANGED UINT64_C(0xfedcba9876543210)

#endif
