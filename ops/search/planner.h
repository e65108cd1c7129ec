/* SPDX-License-Identifier: Apache-2.0
 * The planner: which way each piece goes.
 */
#ifndef ZTL_OPS_PLANNER_H
#define ZTL_OPS_PLANNER_H

#include "ops/pack/pack.h"

/* A cost: Ztl instructions decide, then an estimate of CSR writes. */
typedef struct ops_cost {
    int64_t ztl, other;
} ops_cost;

/* More than any plan, and still fit to be added up. */
#define OPS_NEVER ((ops_cost){INT64_MAX >> 24, 0})

static inline bool ops_cheaper(ops_cost a, ops_cost b)
{
    return a.ztl != b.ztl ? a.ztl < b.ztl : a.other < b.other;
}

static inline ops_cost ops_sum(ops_cost a, ops_cost b)
{
    return (ops_cost){a.ztl + b.ztl, a.other + b.other};
}

/* Forms of tiles for which the PERMUTEs were looked for: many pieces have the same. */
enum { OPS_KNOWN_FORMS = 32 };

typedef struct ops_known_form {
    uint8_t key[16];
    bool has_permutes;
} ops_known_form;

/* Costs of pieces that were solved before: parts of different cuts are often alike. A cost depends
 * on the dimensions only, not on where a piece lies. */
enum { OPS_KNOWN_COSTS = 2048 };

typedef struct ops_known_cost {
    uint64_t key;   /* a hash of all that it depends on */
    uint32_t limit; /* a cost above this one is only known to be above */
    uint32_t ztl, other;
} ops_known_cost;

typedef struct ops_planner {
    ops_draft *draft;
    ops_arena *arena; /* the draft's */
    unsigned element; /* bytes */
    bool may_reload;  /* scratch memory is possible */
    bool wide;        /* slices by the time that they take a port: ztl_ops_machine.aim */
    uint64_t scratch_limit, scratch_top;
    uint64_t fill[OPS_WORDS]; /* the constant of the operator, one element of it */
    unsigned constant;        /* bytes after which it repeats */
    uint64_t enough; /* effort after which no more ways that divide the piece are looked for */
    ops_known_form known[OPS_KNOWN_FORMS];
    unsigned known_forms;
    ops_known_cost *cost; /* OPS_KNOWN_COSTS of them, or NULL */
    /* add-immediate */
    bool adds;
    uint32_t type;
    int64_t addend;
    bool shifts; /* runs start at the high nibble of a byte */
} ops_planner;

/* How often a piece may be divided: cut, or sent through scratch memory. ONCE: only by ways whose
 * parts are not divided again, and which are quickly reckoned. */
enum { OPS_DEPTH = 2, OPS_ONCE = 15 };

/* The same for the parts of a piece. */
static inline unsigned ops_less_depth(unsigned depth)
{
    return depth == OPS_ONCE ? 0 : depth - 1;
}

/* How many steps the search for ways that divide one piece may take: a few milliseconds. It ends
 * with what was found by then; few shapes come to that. Above: how often, for normal effort. */
enum { OPS_MOST_EFFORT = 300000 };

static inline unsigned ops_depth(const ops_planner *planner)
{
    static const unsigned depth[] = {OPS_DEPTH, OPS_DEPTH - 1, OPS_DEPTH + 1};
    return depth[planner->draft->level];
}

/* From here on, a piece may take so many steps. */
static inline void ops_start_effort(ops_planner *planner)
{
    static const uint64_t most[] = {OPS_MOST_EFFORT, OPS_MOST_EFFORT / 30, 10 * OPS_MOST_EFFORT};
    const ops_draft *draft = planner->draft;
    planner->enough = draft->effort + (most[draft->level] >> draft->halvings);
}

static inline bool ops_is_enough(const ops_planner *planner)
{
    bool is_enough = planner->draft->effort > planner->enough;
    planner->draft->is_cut_off |= is_enough;
    return is_enough;
}

/* The cost of the cheapest way, which is written if asked for. */
ops_cost ztl_ops_solve(ops_planner *planner, const ops_piece *piece, unsigned depth, bool write);

/* The cost, or something above `limit` instructions where it is above. */
ops_cost ztl_ops_cost_below(ops_planner *planner, const ops_piece *piece, unsigned depth,
                            int64_t limit);

/* Pieces with the same buffers, written the cheapest way. `whole`: a single run around constants
 * that may be filled instead of them; or NULL. */
void ztl_ops_solve_pieces(ops_planner *planner, const ops_piece *piece, size_t count,
                          const ops_piece *whole);

/* Writes as many of the first pieces as are better copied to scratch memory one after the other,
 * and from there to the target together. Returns how many these are. */
size_t ztl_ops_join_inputs(ops_planner *planner, const ops_piece *piece, size_t count);

/* Pieces of any buffers in blocks of a dimension that all have, through scratch memory: the cost,
 * NEVER where they do not have that form; written if asked for. `whole`: a single run with the
 * constant wherever no piece writes; or NULL. See divide/blocks.c. */
ops_cost ztl_ops_solve_blocks(ops_planner *planner, const ops_piece *piece, size_t count,
                              const ops_piece *whole, bool write);

/* The same with more positions of the dimension in scratch memory, where it has a few too few. See
 * divide/rounded_blocks.c. */
ops_cost ztl_ops_solve_rounded_blocks(ops_planner *planner, const ops_piece *piece, size_t count,
                                      bool write);

/* The least that any way takes: each KiB loaded and stored once. */
int64_t ztl_ops_least(const ops_planner *planner, const ops_piece *piece);

/* A better lower bound: without a run in common, slices are narrow or registers are permuted. */
int64_t ztl_ops_floor(const ops_planner *planner, const ops_piece *piece);

/* Notes of why the passes are as they are. Opens a note about pieces that are about to be written
 * and returns the one that was open; closing it makes that the open one again, and notes what the
 * way that was taken takes, and the instructions for a constant that the others would take too. */
ops_choice *ztl_ops_open_choice(ops_planner *planner, const ops_piece *piece, size_t pieces);
void ztl_ops_close_choice(ops_planner *planner, ops_choice *outer, unsigned taken, int64_t ztl,
                          int64_t constant);

/* A way that was tried and its cost, NEVER where none was found. Nothing where no note is open. */
void ztl_ops_note(ops_planner *planner, unsigned way, int64_t detail, ops_cost cost);

/* Puts the notes into the plan. */
void ztl_ops_write_choices(ops_draft *draft);

#endif
