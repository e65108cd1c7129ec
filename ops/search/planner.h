/* SPDX-License-Identifier: Apache-2.0
 * The planner: which way each piece goes. A plan is a tree of nodes: a node is a piece, the way
 * that it goes, what that costs, and the nodes of the parts that the way divides it into. The
 * search makes the cheapest tree; writing is a walk over it, which chooses nothing.
 */
#ifndef ZTL_OPS_PLANNER_H
#define ZTL_OPS_PLANNER_H

#include "ops/format/time.h"
#include "ops/pack/pack.h"

/* A cost: what is to be few decides (Ztl instructions, or cycles: cost.c), then an estimate of CSR
 * writes. `ztl` are the instructions, whatever decides. */
typedef struct ops_cost {
    int64_t key, other, ztl;
} ops_cost;

/* More than any plan, and still fit to be added up. */
#define OPS_NEVER ((ops_cost){INT64_MAX >> 24, 0, INT64_MAX >> 24})

static inline bool ops_cheaper(ops_cost a, ops_cost b)
{
    return a.key != b.key ? a.key < b.key : a.other < b.other;
}

static inline ops_cost ops_sum(ops_cost a, ops_cost b)
{
    return (ops_cost){a.key + b.key, a.other + b.other, a.ztl + b.ztl};
}

static inline ops_cost ops_times(ops_cost cost, size_t n)
{
    return (ops_cost){cost.key * (int64_t)n, cost.other * (int64_t)n, cost.ztl * (int64_t)n};
}

/* Where a piece lies in scratch memory: see divide/via_scratch.c. */
typedef struct ops_layout {
    uint8_t order[OPS_DIMS]; /* the dimensions, innermost first */
    uint8_t row, pitch;      /* after so many dimensions, rows begin at multiples of … */
    uint8_t split;           /* the dimension that is split into blocks … */
    uint8_t depth;           /* how often the passes may be divided */
    int64_t neighbours;      /* … of so many, if this is not 0 */
} ops_layout;

/* What a way chose, as far as it does not follow from the piece. */
typedef union ops_pick {
    unsigned width; /* runs, whole_output */
    struct {
        uint8_t in, out; /* tiles: log2 of the bytes of a slice that is loaded, stored; */
        uint8_t spare;   /* whether a bit that is in no run selects the register */
    } run;
    struct {
        uint8_t from, to; /* across, long_runs: dimensions of the source's run, of the target's */
    } runs;
    struct {
        bool joins, contiguous; /* interleave2 */
        int64_t n;
    } rows;
    ops_layout layout; /* via_scratch */
    struct {
        unsigned dim;
        int64_t n; /* cut, repeated */
    } along;
    unsigned long_dim;   /* blocks, rounded */
    bool forwards_first; /* turned */
    bool fragments;      /* shared_loads */
    struct {
        size_t count;
        bool joined;
    } first; /* buffers: so many of the first pieces */
} ops_pick;

enum { OPS_MOST_PARTS = 8 };

typedef struct ops_node {
    ops_cost cost;  /* of the parts, and of what the way adds */
    int64_t detail; /* a number for the way's name */
    ops_pick pick;
    uint8_t way;                   /* enum ops_way_id */
    uint8_t note;                  /* one past the note on why it was chosen, or 0 */
    uint8_t parts, searched;       /* searched: ways that divide were looked for */
    uint16_t part[OPS_MOST_PARTS]; /* nodes of the pool */
    uint16_t held;                 /* by how many nodes, and by what is remembered */
} ops_node;

/* What was found for a piece before: parts of different cuts are often alike. A tree depends on the
 * dimensions only, not on where a piece lies. */
typedef struct ops_known {
    uint64_t key;   /* a hash of all that the tree depends on */
    uint32_t limit; /* no node: nothing was found within so many instructions */
    uint16_t node;
} ops_known;

/* As many as a search needs; at the least, where memory is short and no piece is divided. */
enum { OPS_NODES = 640, OPS_KNOWN = 1024, OPS_FEWEST_NODES = 8 };

typedef struct ops_pool {
    ops_node *node;
    ops_known *known;
    unsigned nodes, knowns;
    unsigned made, free, hand; /* free: the first of a list, by part[0]; hand: what is forgotten
                                  next */
} ops_pool;

/* Room for nodes, borrowed; false where there is none. And a pool in which there are no nodes. */
bool ztl_ops_borrow_pool(ops_arena *arena, ops_pool *pool, unsigned nodes, unsigned knowns);
void ztl_ops_clear_pool(ops_pool *pool);

/* Forms of tiles for which the PERMUTEs were looked for: many pieces have the same. */
enum { OPS_KNOWN_FORMS = 32 };

typedef struct ops_known_form {
    uint8_t key[16];
    bool has_permutes;
} ops_known_form;

typedef struct ops_planner {
    ops_draft *draft;
    ops_arena *arena; /* the draft's */
    unsigned element; /* bytes */
    bool may_reload;  /* scratch memory is possible */
    ops_machine machine;
    bool by_time; /* cycles are to be few, not instructions: ztl_ops_machine.aim */
    uint64_t scratch_limit, scratch_top;
    uint64_t fill[OPS_WORDS]; /* the constant of the operator, one element of it */
    unsigned constant;        /* bytes after which it repeats */
    uint64_t enough; /* effort after which no more ways that divide the piece are looked for */
    ops_known_form known[OPS_KNOWN_FORMS];
    unsigned known_forms;
    ops_pool *pool;
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
 * with what was found by then; few shapes come to that. */
enum { OPS_MOST_EFFORT = 300000 };

/* How often a piece may be divided, by effort; many pieces are small ones and are not. */
static inline unsigned ops_depth(const ops_planner *planner, size_t pieces)
{
    static const unsigned depth[] = {OPS_DEPTH, OPS_DEPTH - 1, OPS_DEPTH + 1};
    return pieces > OPS_MOST_PARTS ? 0 : depth[planner->draft->level];
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

/* The moves of a map that come one after the other in any order, pieces of any buffers; and the
 * constants around them. Pieces with the same buffers are neighbours. */
typedef struct ops_moves {
    const ops_piece *piece, *fill;
    size_t count, fills;
    bool fills_last;       /* the constants overwrite what the moves wrote */
    unsigned fill_element; /* constants are in elements, also where the moves are in words */
    const ops_piece
        *whole; /* the only output as a single run, all of which may be filled; or NULL */
} ops_moves;

/* Pieces that are solved together: planning takes four copies of them. */
enum { OPS_MOST_TOGETHER = 1 << 14 };

/* Plans a stage, and writes its passes. */
void ztl_ops_solve_stage(ops_planner *planner, const ops_moves *stage);

/* The cost of a piece, or something above `limit` instructions where it is above. */
ops_cost ztl_ops_cost_below(ops_planner *planner, const ops_piece *piece, unsigned depth,
                            int64_t limit);

/* Writes a piece that is not divided: what that takes is quickly found, and always the same. */
void ztl_ops_write_undivided(ops_planner *planner, const ops_piece *piece);

/* The least that any way takes: each KiB loaded and stored once. */
int64_t ztl_ops_least(const ops_planner *planner, const ops_piece *piece);

/* Puts the notes on why the passes are as they are into the plan. */
void ztl_ops_write_choices(ops_draft *draft);

/* What making the constant costs. */
ops_cost ztl_ops_constant_cost(const ops_planner *planner);

/* A better lower bound: without a run in common, slices are narrow or registers are permuted. */
int64_t ztl_ops_floor(const ops_planner *planner, const ops_piece *piece);

/* Pieces with the same buffers, single or not divided, as slices of the runs that they have: see
 * divide/runs_by_length.c. */
ops_cost ztl_ops_runs_by_length(ops_planner *planner, const ops_piece *piece, size_t count,
                                bool write);

#endif
