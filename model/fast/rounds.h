/* SPDX-License-Identifier: Apache-2.0
 * Rounds: a straight piece of code that is executed again and again, on other addresses. Loads,
 * permutations and stores become one permutation from memory to memory that touches no register.
 */
#ifndef ZTL_ROUNDS_H
#define ZTL_ROUNDS_H

#include "model/fast/fast.h"

enum {
    ZTL_ROUND_STEPS = 192,
    ZTL_ROUND_LANES = 1 << (ZTL_ROUTE_BITS - ZTL_VECTOR_BITS),
    ZTL_ROUND_CSRS = 16,
};

/* An instruction, or a write of a CSR. Addresses count from the round's own: of loads from where it
 * reads, of stores from where it writes. */
typedef struct ztl_round_step {
    ztl_insn insn; /* without a row: the word of a CSR instruction */
    uint64_t a0, a1;
} ztl_round_step;

/* The loads, or the stores, of a round. */
typedef struct ztl_round_end {
    uint8_t step[ZTL_REGISTERS]; /* the registers that the round uses, from the first on */
    bool placed;                 /* what follows fits the CSRs */
    ztl_slices_plan slices;
    uint64_t low, size; /* of all slices, from the round's address */
    uint8_t address_bits;
    int32_t lane[ZTL_ROUND_LANES];   /* offsets in the registers, taken side by side */
    int32_t offset[ZTL_ROUND_LANES]; /* offsets in memory, from the lowest slice on */
} ztl_round_end;

typedef struct ztl_rounds {
    ztl_round_step step[ZTL_ROUND_STEPS];
    unsigned steps;
    /* What the steps come down to, as long as no CSR but the strides changes. */
    bool composed, composes;
    bool takes_perm; /* a PERMUTE comes before any write of tl_transpose_perm */
    uint32_t first_perm;
    bool copies;        /* registers are stored as they were loaded */
    unsigned registers; /* so many are loaded, and stored, side by side */
    uint8_t first_register;
    ztl_kernel kernel, used; /* in registers; in slices, which may be narrower than its vectors */
    uint8_t csr[ZTL_ROUND_CSRS]; /* steps that write one */
    unsigned csrs;
    bool usable;
    ztl_round_end end[2]; /* loads, stores */
} ztl_rounds;

/* compose.c: false when the steps have to be executed one by one. */
bool ztl_rounds_compose(ztl_rounds *rounds, ztl_state *state);

/* A CSR was written between two rounds. */
void ztl_rounds_csr_written(ztl_rounds *rounds, unsigned address);

/* Executes step n by itself; `context` is the caller's. */
typedef void ztl_alone(void *context, unsigned n);

/* Executes a round; false, and nothing done, when its steps have to be executed one by one. What
 * the registers of its steps hold afterwards is not defined. */
bool ztl_rounds_run(ztl_rounds *rounds, ztl_state *state, const ztl_memory *memory, uint64_t from,
                    uint64_t to, ztl_alone *alone, void *context);

#endif
