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
};

/* An instruction, or a write of a CSR. Addresses count from the round's own: of loads from where it
 * reads, of stores from where it writes. */
typedef struct ztl_round_step {
    ztl_insn insn; /* without a row: the word of a CSR instruction */
    uint64_t a0, a1;
} ztl_round_step;

/* The loads, or the stores, of a round. */
typedef struct ztl_round_end {
    uint32_t registers;          /* a bit for each */
    unsigned count;              /* of them */
    uint8_t step[ZTL_REGISTERS]; /* of each, by their numbers */
    uint32_t shape;              /* tshape there */
    ztl_slices_plan slices;
    uint64_t low, size; /* of all slices, from the round's address */
    uint8_t address_bits;
    int32_t lane[ZTL_ROUND_LANES];   /* ROUTE: offsets in the registers, taken side by side */
    int32_t offset[ZTL_ROUND_LANES]; /* in memory, from the lowest slice on; COPY: of registers */
} ztl_round_end;

enum ztl_round_kind {
    ZTL_ROUND_ALONE,  /* step by step */
    ZTL_ROUND_COPY,   /* registers are stored as they were loaded */
    ZTL_ROUND_ROUTE,  /* index bits change places */
    ZTL_ROUND_SELECT, /* bytes are chosen */
};

/* CSRs whose values may change within a round. */
enum { ZTL_ROUND_OWN = 4 };

typedef struct ztl_rounds {
    ztl_round_step step[ZTL_ROUND_STEPS];
    unsigned steps;
    bool checked; /* no CSR has been written since all of the following was found to fit */
    /* What the steps come down to, as long as no CSR but the strides changes. */
    bool composed;
    enum ztl_round_kind kind;
    const ztl_bodies *bodies;
    uint32_t entry[ZTL_SLOTS];  /* CSRs before the round */
    bool takes[ZTL_ROUND_OWN];  /* which of its own a round uses before it writes them */
    bool changes;               /* whether it writes one that it used before */
    uint8_t csr[ZTL_ROUND_OWN]; /* the last steps that write one of them */
    unsigned csrs;
    unsigned lanes;          /* ROUTE: of all slices */
    ztl_kernel kernel, used; /* ROUTE, in registers; in slices, maybe narrower than its vectors */
    ztl_copy_run run[ZTL_MAX_SLICES]; /* COPY: of a register */
    unsigned runs;
    uint32_t same_run;       /* bytes of all of them; 0: they differ */
    uint64_t apart;          /* the least distance of two of their targets; 0: not known */
    bool usable;             /* all of it, as far as strides go too */
    bool moved;              /* strides have changed within the loop */
    ztl_round_end end[2];    /* loads, stores */
    ztl_selection selection; /* SELECT, in registers; place and start in memory are `offset`s */
} ztl_rounds;

enum { ZTL_ROUND_LOADS, ZTL_ROUND_STORES };

/* compose.c: finds the kind. */
void ztl_rounds_compose(ztl_rounds *rounds, ztl_state *state);

/* select.c: the steps from `first` to `end`, which come between loads and stores, as a selection of
 * bytes; false when they are none. */
bool ztl_rounds_select(ztl_rounds *rounds, ztl_state *state, unsigned first, unsigned end);

/* The CSRs that a round may write. */
typedef struct ztl_round_csr_place {
    uint8_t slot;
    uint16_t address;
} ztl_round_csr_place;
extern const ztl_round_csr_place ztl_round_own[ZTL_ROUND_OWN];

/* The slices of the loads, or stores; false when they trap whatever their address. */
bool ztl_rounds_slices(const ztl_rounds *rounds, ztl_state *state, bool is_store,
                       ztl_slices_plan *plan);

static inline enum ztl_op ztl_round_op(const ztl_round_step *step)
{
    return step->insn.row ? (enum ztl_op)step->insn.row->op : ZTL_OPS;
}

/* log2 of the slices' width; 0 when vectors do not lie in them one by one. */
static inline unsigned ztl_slice_bits(const ztl_slices_plan *plan)
{
    bool fits =
        plan->width % ZTL_VECTOR == 0 && (unsigned)plan->count * plan->width == ZTL_REG_BYTES;
    return fits ? (unsigned)__builtin_ctz(plan->width) : 0;
}

/* The GPRs that a permutation of a round sees. */
static inline void ztl_round_gprs(const ztl_round_step *step, uint64_t x[32])
{
    ztl_fill_bytes(x, 0, 32 * sizeof *x);
    x[step->insn.operand[2]] = step->a0;
}

/* Executes a CSR step of a round: only plain writes are recorded. */
static inline bool ztl_round_csr(ztl_state *state, const ztl_round_step *step)
{
    return ztl_csr_put(state, step->insn.word >> 20, step->a1);
}

/* Whether CSRs but for strides, and those that rounds may write, are the same. */
bool ztl_rounds_same_csrs(const ztl_state *state, const uint32_t csr[ZTL_SLOTS]);

/* Whether these are its steps, and CSRs are what they were composed with; makes them its steps. */
bool ztl_rounds_have(const ztl_rounds *rounds, const ztl_state *state, const ztl_round_step *step,
                     unsigned steps);
void ztl_rounds_set(ztl_rounds *rounds, const ztl_round_step *step, unsigned steps);

/* Whether strides, too, are what they were last. */
bool ztl_rounds_placed(const ztl_rounds *rounds, const ztl_state *state);

/* A CSR may have been written since the last round. */
static inline void ztl_rounds_csr_written(ztl_rounds *rounds)
{
    rounds->checked = false;
}

/* Where rounds read, or write: the first, and how far the next is from each. */
typedef struct ztl_series {
    uint64_t first;
    int64_t step;
} ztl_series;

/* Executes up to n rounds but for their writes of CSRs: of these the caller executes the steps
 * `csr`. Returns how many: 0, and nothing done, when the first one's steps have to be executed one
 * by one. What the registers of its steps hold afterwards is not defined. */
uint64_t ztl_rounds_run(ztl_rounds *rounds, ztl_state *state, const ztl_memory *memory,
                        const ztl_series at[2], uint64_t n);

#endif
