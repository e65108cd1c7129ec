/* SPDX-License-Identifier: Apache-2.0
 * Fused loops. A recorded loop body of loads, register instructions and stores runs as one kernel
 * from memory to memory that touches no register:
 *
 *     tl.load tl1; tl.load tl2; tl.xpose.01 tl1, tl2; tl.store tl1; tl.store tl2
 *
 * is a permutation of the index bits of 2 KiB. recognise.c finds what a body amounts to, loop.c
 * where in memory it happens, and runs it.
 */
#ifndef ZTL_FUSE_LOOP_H
#define ZTL_FUSE_LOOP_H

#include "fast/fast.h"

enum {
    ZTL_LOOP_STEPS = 192,
    ZTL_LOOP_LANES = 1 << (ZTL_ROUTE_BITS - ZTL_VECTOR_BITS),
    ZTL_LOOP_CSRS = 4, /* that an iteration may write */
};

/* An instruction or a write of a CSR. Addresses are relative to the iteration's: those of loads to
 * where it reads, those of stores to where it writes. */
typedef struct ztl_loop_step {
    ztl_insn insn; /* without a row: the word of a CSR instruction */
    uint64_t a0, a1;
} ztl_loop_step;

/* The loads, or the stores, of an iteration. */
typedef struct ztl_loop_end {
    uint32_t registers;          /* a bit for each */
    unsigned count;              /* of them */
    uint8_t step[ZTL_REGISTERS]; /* of each, in the order of register numbers */
    uint32_t shape;              /* tshape there */
    ztl_slices_plan slices;
    uint64_t low, size;             /* extent of all slices, from the iteration's address */
    uint8_t address_bits;           /* all low bits that occur in addresses */
    int32_t lane[ZTL_LOOP_LANES];   /* ROUTE: offsets in the registers, laid side by side */
    int32_t offset[ZTL_LOOP_LANES]; /* in memory, from the lowest slice; COPY: of each register */
} ztl_loop_end;

enum ztl_loop_kind {
    ZTL_LOOP_STEPWISE, /* not fused: step by step */
    ZTL_LOOP_COPY,     /* registers are stored as they were loaded */
    ZTL_LOOP_ROUTE,    /* a permutation of index bits */
    ZTL_LOOP_SELECT,   /* each stored byte is one of the loaded bytes */
};

typedef struct ztl_loop {
    ztl_loop_step step[ZTL_LOOP_STEPS];
    unsigned steps;
    bool checked; /* no CSR was written since the rest was found valid */

    /* What the steps amount to. Valid while no CSR but the strides changes. */
    bool recognised;
    enum ztl_loop_kind kind;
    const ztl_bodies *bodies;
    uint32_t entry[ZTL_SLOTS];   /* CSRs before the loop */
    bool live_in[ZTL_LOOP_CSRS]; /* read before the first write */
    bool carried;                /* a live-in CSR is written: the next iteration reads it */
    uint8_t csr[ZTL_LOOP_CSRS];  /* the step of the last write of each CSR written */
    unsigned csrs;
    unsigned lanes;    /* ROUTE: 16-byte lanes of an iteration */
    ztl_kernel kernel; /* ROUTE, on whole registers */

    /* Where it happens. Valid while strides stay as they are, too. */
    bool usable;
    bool strides_change;              /* they have changed within the loop */
    ztl_kernel placed_kernel;         /* ROUTE, where slices may be narrower than its vectors */
    ztl_copy_run run[ZTL_MAX_SLICES]; /* COPY: of one register */
    unsigned runs;
    uint32_t same_run;  /* length of all runs; 0: they differ */
    uint64_t least_gap; /* between the targets of two runs; 0: not known */
    ztl_loop_end end[2];
    ztl_selection selection; /* SELECT, on registers laid side by side */
} ztl_loop;

enum { ZTL_LOOP_LOADS, ZTL_LOOP_STORES };

/* recognise.c: finds the kind. */
void ztl_loop_recognise(ztl_loop *loop, ztl_state *state);

/* selection.c: the steps [first, end) between loads and stores as a selection of bytes; false when
 * they are none. */
bool ztl_loop_select(ztl_loop *loop, ztl_state *state, unsigned first, unsigned end);

/* The CSRs that an iteration may write. */
typedef struct ztl_loop_csr_place {
    uint8_t slot;
    uint16_t address;
    uint32_t read; /* effect of the instructions that read it */
} ztl_loop_csr_place;
extern const ztl_loop_csr_place ztl_loop_csrs[ZTL_LOOP_CSRS];

/* The slices of the loads or stores; false when they trap whatever their address. */
bool ztl_loop_slices(const ztl_loop *loop, ztl_state *state, bool is_store, ztl_slices_plan *plan);

/* log2 of the slices' width; 0 when a 16-byte vector may cross their ends. */
static inline unsigned ztl_slice_bits(const ztl_slices_plan *plan)
{
    bool fits =
        plan->width % ZTL_VECTOR == 0 && (unsigned)plan->count * plan->width == ZTL_REG_BYTES;
    return fits ? (unsigned)__builtin_ctz(plan->width) : 0;
}

/* The GPRs that an instruction of a loop sees: recorded ones name a0 and a1 only. */
static inline void ztl_loop_gprs(const ztl_loop_step *step, uint64_t x[32])
{
    enum { A0 = 10, A1 = 11 };
    ztl_fill_bytes(x, 0, 32 * sizeof *x);
    x[A0] = step->a0;
    x[A1] = step->a1;
}

/* Executes a CSR step: only plain writes are recorded. */
static inline bool ztl_loop_csr(ztl_state *state, const ztl_loop_step *step)
{
    return ztl_csr_put(state, step->insn.word >> 20, step->a1);
}

/* Whether the CSRs are the same, strides and those that a loop may write aside. */
bool ztl_loop_same_csrs(const ztl_state *state, const uint32_t csr[ZTL_SLOTS]);

/* Whether these are the loop's steps, recognised with the CSRs as they are now. */
bool ztl_loop_has(const ztl_loop *loop, const ztl_state *state, const ztl_loop_step *step,
                  unsigned steps);

/* Makes it another loop. */
void ztl_loop_set(ztl_loop *loop, const ztl_loop_step *step, unsigned steps);

/* Whether the strides are what they were at its last run. */
bool ztl_loop_is_placed(const ztl_loop *loop, const ztl_state *state);

/* Tells a loop that a CSR may have been written since its last run. */
static inline void ztl_loop_csr_written(ztl_loop *loop)
{
    loop->checked = false;
}

/* Where iterations read, or write: the first one, and the distance to the next. */
typedef struct ztl_series {
    uint64_t first;
    int64_t step;
} ztl_series;

/* Runs up to n iterations without their CSR writes: the caller then executes the steps `csr`.
 * Returns how many were run: 0, and nothing done, when the first has to go step by step. Registers
 * that the steps write have no defined contents afterwards. */
uint64_t ztl_loop_run(ztl_loop *loop, ztl_state *state, const ztl_memory *memory,
                      const ztl_series at[2], uint64_t n);

#endif
