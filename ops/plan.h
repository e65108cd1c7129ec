/* SPDX-License-Identifier: Apache-2.0
 * The form of a plan: passes, each a short program that is run for every batch of slices.
 */
#ifndef ZTL_OPS_PLAN_H
#define ZTL_OPS_PLAN_H

#include "ops/ops.h"

/* What one instruction of a pass does. Registers count from 0; register r is tl(r+1). */
enum ops_code {
    OPS_LOAD,    /* reg from the batch's source + offset */
    OPS_STORE,   /* reg to the batch's target + offset */
    OPS_PERMUTE, /* the pair reg, reg + 2^bit; arg: the dimensions; width: log2 of the element */
    OPS_ORDER,   /* tl_transpose_perm = arg */
    OPS_ADD,     /* offset to every element of reg, whose ttype is arg */
    OPS_WEAVE,   /* three planes in registers 0–2 to interleaved elements in 4–6 */
    OPS_UNWEAVE, /* the reverse */
    OPS_SHAPE,   /* tshape = arg: loads and stores have different numbers of slices */
    OPS_TURN,    /* squares of arg by arg half-bytes in registers 0 and 1, transposed */
    OPS_SHIFT,   /* the high halves of register 0 and the low ones of 1 to 0; tshape = arg */
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

/* Batches that share their stride vectors. */
typedef struct ops_group {
    uint32_t load, store; /* vectors */
    uint32_t first, count;
} ops_group;

typedef struct ops_batch {
    int64_t in, out;
} ops_batch;

typedef struct ops_vector {
    int32_t stride[OPS_SLICES];
} ops_vector;

enum ops_pass_kind {
    OPS_PASS_SLICES, /* equal runs on both sides */
    OPS_PASS_BITS,   /* a permutation of index bits */
    OPS_PASS_WEAVE,  /* a small odd factor */
    OPS_PASS_SPREAD, /* two planes to alternating elements, or back */
    OPS_PASS_FILL,   /* a constant */
    OPS_PASS_SELECT, /* where */
    OPS_PASS_SCALAR, /* element by element */
    OPS_PASS_UNPACK, /* half-bytes to the low halves of bytes */
    OPS_PASS_PACK,   /* the reverse */
    OPS_PASS_SHIFT,  /* slices that start with the high half of a byte */
    OPS_PASS_TURN,   /* squares of half-bytes */
    OPS_PASS_KINDS
};

enum { OPS_BLOCK = 1024, OPS_HALVES_CSRS = 8 /* that a pass of blocks writes */ };

/* The words of 64 bits of the largest element. */
enum { OPS_WORDS = 4 };

/* A pass is followed by its instructions, vectors, groups and batches. */
typedef struct ops_pass {
    uint64_t bytes; /* of all of it */
    uint32_t kind;
    uint32_t src, dst;
    uint32_t load_width, store_width, slices;
    uint32_t tile_shape; /* tshape; 0 is `slices` */
    uint32_t order;      /* tl_transpose_perm, unless instructions change it */
    uint32_t insns, vectors, groups, batches;
    uint32_t loops;
    uint32_t element; /* SELECT, SCALAR: bytes, 0 for 4 bits; FILL: bytes of the constant, 0 if it
                         is made */
    uint64_t value[OPS_WORDS]; /* FILL; SELECT, SCALAR of half-bytes, the first: what each of the 16
                                  becomes */
    int64_t in, out;           /* SELECT, SCALAR: where element 0 is */
    ops_dim loop[OPS_DIMS];
} ops_pass;

/* Whether a block of half-bytes, unpacked, takes two registers. */
static inline bool ops_fills_pair(const ops_pass *pass)
{
    return pass->load_width == OPS_BLOCK && pass->store_width == OPS_BLOCK;
}

/* Ways to carry out a piece, or several pieces with the same buffers. */
enum ops_way {
    OPS_WAY_SLICES, /* detail: their width */
    OPS_WAY_BITS,   /* detail: registers */
    OPS_WAY_CHUNKS,
    OPS_WAY_WEAVING,
    OPS_WAY_SPREADING,
    OPS_WAY_PARTING,
    OPS_WAY_SPLIT, /* detail: where */
    OPS_WAY_SCRATCH,
    OPS_WAY_SHARED,
    OPS_WAY_BY_RUN,
    OPS_WAY_APART,
    OPS_WAY_BORDER,
    OPS_WAY_WHOLE,
    OPS_WAYS
};

/* Why passes are as they are: the ways that were costed, the one taken first, then from the
 * cheapest on. Choices within a choice follow it. */
typedef struct ops_tried {
    uint32_t way, detail;
    int64_t ztl;
} ops_tried;

enum { OPS_MOST_TRIED = 7, OPS_MOST_CHOICES = 48 };

typedef struct ops_choice {
    uint32_t first, passes; /* which passes these are */
    uint32_t pieces, count;
    uint32_t taken, searched; /* a way; whether cuts and detours were looked for */
    int64_t least;            /* instructions: each KiB loaded and stored once */
    ops_tried tried[OPS_MOST_TRIED];
} ops_choice;

struct ztl_ops_plan {
    uint64_t bytes;
    uint64_t scratch;
    uint64_t lower_bound;
    ztl_ops_stats stats;
    uint32_t passes;
    uint32_t element;
    uint32_t inputs, outputs;
    uint64_t choices, choice_count; /* where they are, and how many there are */
    uint64_t only_counts;           /* it is for a machine that does not exist */
    uint64_t spans;  /* where the spans are: those of the inputs, then of the outputs */
    uint64_t effort; /* steps that planning took: the same on every machine */
};

/* The bytes of a buffer that a tensor takes: first, and behind the last. */
typedef struct ops_span {
    uint64_t low, high;
} ops_span;

static inline ops_insn *ops_pass_insns(const ops_pass *pass)
{
    return (ops_insn *)(pass + 1);
}

static inline ops_vector *ops_pass_vectors(const ops_pass *pass)
{
    return (ops_vector *)(ops_pass_insns(pass) + pass->insns);
}

static inline ops_group *ops_pass_groups(const ops_pass *pass)
{
    return (ops_group *)(ops_pass_vectors(pass) + pass->vectors);
}

static inline ops_batch *ops_pass_batches(const ops_pass *pass)
{
    return (ops_batch *)(ops_pass_groups(pass) + pass->groups);
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

/* Runs a plan whose arguments have been checked. */
void ops_run_plan(const ztl_ops_plan *plan, const void *const *in, void *const *out, void *scratch);

/* Half-bytes that stay as they are. */
#define OPS_UNCHANGED UINT64_C(0xfedcba9876543210)

/* Forms of tiles for which the PERMUTEs were looked for: many pieces have the same. */
enum { OPS_KNOWN_FORMS = 32 };

typedef struct ops_known_form {
    uint8_t key[16];
    bool has_stages;
} ops_known_form;

/* Costs of pieces that were solved before: parts of different cuts and detours are often alike. A
 * cost depends on the dimensions only, not on where a piece lies. */
enum { OPS_KNOWN_COSTS = 1024 };

typedef struct ops_known_cost {
    uint64_t key;  /* a hash of all that it depends on */
    int64_t limit; /* a cost above this one is only known to be above */
    ops_cost cost;
} ops_known_cost;

/* How short memory is: shorter lists, or loops instead of them, whatever that costs. */
enum ops_thrift { OPS_EASY, OPS_TIGHT, OPS_TIGHTEST };

/* What the planner writes a plan with. */
typedef struct ops_planner {
    ops_arena *arena;
    ztl_ops_plan *plan;
    unsigned element;
    bool may_reload; /* scratch passes are possible */
    uint64_t scratch_limit, scratch_top;
    uint64_t fill[OPS_WORDS]; /* the constant of the operator, one element of it */
    unsigned constant;        /* how many bytes of it differ: it repeats after these */
    bool is_made;             /* the pass before has made it */
    enum ops_thrift thrift;
    uint64_t *effort; /* steps of planning so far */
    uint64_t enough;  /* steps after which cuts and detours are no longer looked for */
    ops_known_form known[OPS_KNOWN_FORMS];
    unsigned known_forms;
    ops_known_cost *cost; /* OPS_KNOWN_COSTS of them, or NULL */
    /* add-immediate */
    bool adds;
    uint32_t type;
    int64_t addend;
    bool shifts;                                /* slices start with the high half of a byte */
    ops_choice choice[OPS_MOST_CHOICES], *open; /* open: the one that ways are noted in, or NULL */
    uint32_t choices;
} ops_planner;

/* Begins a choice about pieces that are about to be written; NULL when there are too many. */
ops_choice *ops_open_choice(ops_planner *planner, const ops_piece *piece, size_t pieces);

/* A way that was tried and its cost, NEVER where none was found; of a way's costs the least is
 * kept. Like the next one it does nothing when no choice is open. */
void ops_note(ops_planner *planner, enum ops_way way, int64_t detail, ops_cost cost);

/* The way that the passes go. */
void ops_take(ops_planner *planner, enum ops_way way);

/* The passes are written; ways are noted in `outer` again. */
void ops_close_choice(ops_planner *planner, ops_choice *outer);

/* Puts the choices into the plan. */
void ops_write_choices(ops_planner *planner);

/* Sorts indices by key, in place. */
void ops_sort_by_key(uint32_t *index, size_t n, const uint64_t *key);

/* What a batch moves: how the slices of a load and of a store belong to instances. Slice i of a
 * load lies in[i] bytes from the place of instance in_of[i]; of a store likewise. */
typedef struct ops_tile {
    unsigned width;     /* of a slice */
    unsigned out_step;  /* of a stored slice, where it differs; else 0 */
    unsigned instances; /* of a batch */
    unsigned slices;
    int64_t in[OPS_SLICES], out[OPS_SLICES];
    uint8_t in_of[OPS_SLICES], out_of[OPS_SLICES];
    unsigned in_width, out_width; /* the moduli of the residue classes: width, or 1 for none */
} ops_tile;

/* After how many steps of a dimension the same residue classes come again. */
int64_t ops_class_period(const ops_dim *dim, int64_t in_width, int64_t out_width);

/* How many batches the instances at the pieces' positions make; -1 for far too many classes, or
 * more than `most`. The steps that counting takes are added to the effort. */
int64_t ops_count_batches(uint64_t *effort, const ops_piece *grid, size_t count, int64_t in_width,
                          int64_t out_width, int64_t instances, int64_t most);

/* Writes a pass as it is given: its vectors, groups and batches are counted in `form`. */
void ops_write_pass(ops_planner *planner, const ops_pass *form, const ops_insn *insn,
                    unsigned insns, const ops_vector *vector, const ops_group *group,
                    const ops_batch *batch);

/* Writes a pass that runs `insns` for all instances. */
void ops_pack(ops_planner *planner, const ops_pass *form, const ops_insn *insn, unsigned insns,
              const ops_tile *tile, const ops_piece *grid, size_t count);

#endif
