/* SPDX-License-Identifier: Apache-2.0
 * Ways to carry out pieces. A way finds whether it can carry out a piece, what it would choose, and
 * what that costs; the search takes the cheapest. A way that divides a piece lists its parts, whose
 * costs and passes are theirs; any other writes its passes itself, from what it chose. A new way is
 * a file that defines one `ops_way`, and a line in ways.def; what it chose is a member of ops_pick.
 */
#ifndef ZTL_OPS_WAY_H
#define ZTL_OPS_WAY_H

#include "ops/search/planner.h"

/* What a way is looked for: a piece, or several with the same buffers; or a stage. */
typedef struct ops_query {
    ops_planner *planner;
    const ops_piece *piece;
    size_t count;
    const ops_piece *whole; /* constants: a single run around them that may be filled instead */
    unsigned depth;         /* how often a piece may still be divided */
    int64_t limit;          /* more instructions than that are of no use */
    const ops_node *best;   /* the cheapest so far; at first one that costs OPS_NEVER */
    const ops_moves *stage; /* its moves are the pieces; NULL where these have the same buffers */
    bool is_rest;           /* of a stage whose first pieces have found their way */
    ops_note *note;         /* where the ways that were tried are noted, or NULL */
} ops_query;

/* What a way takes, and whether it divides: those that do solve parts in the same manner, and are
 * only tried where the others are not good. ONCE: also for pieces that may be divided OPS_ONCE. */
enum ops_takes { OPS_PIECES, OPS_PIECE, OPS_DIVIDES, OPS_DIVIDES_ONCE, OPS_STAGE };

enum { OPS_MOST_PASSES = 3 };

/* The parts of a piece, one after the other: through scratch memory, or side by side. */
typedef struct ops_division {
    ops_piece part[OPS_MOST_PASSES];
    unsigned depth[OPS_MOST_PASSES]; /* how often each may be divided */
    unsigned count;
    uint64_t bytes; /* of scratch memory, from the planner's top on */
    int64_t other;  /* what the loops around them add */
} ops_division;

typedef struct ops_way {
    const char *name; /* for people; %u is ops_node.detail */
    /* Sets the cost, and what was chosen; a cost that is no cheaper than the best may be left out,
     * but must not depend on what that is. */
    bool (*find)(const ops_query *query, ops_node *found);
    /* A way that divides: the parts. False where there is not enough scratch memory for them. */
    bool (*divide)(const ops_query *query, const ops_pick *pick, ops_division *parts);
    /* Any other: the passes. */
    void (*write)(const ops_query *query, const ops_node *node);
} ops_way;

enum ops_way_id {
#define OPS_WAY(ID, name, ...) OPS_WAY_##ID,
#include "ops/search/ways/ways.def"
    OPS_WAYS
};

#define OPS_WAY(ID, name, ...) extern const ops_way ztl_ops_way_##name;
#include "ops/search/ways/ways.def"

/* A row of ways.def. */
typedef struct ops_way_row {
    const ops_way *way;
    enum ops_takes takes;
    unsigned worth;
} ops_way_row;

extern const ops_way_row ztl_ops_ways[OPS_WAYS];

static inline bool ops_divides(enum ops_takes takes)
{
    return takes == OPS_DIVIDES || takes == OPS_DIVIDES_ONCE;
}

/* The cheapest node for a piece, or 0 where that takes more than the limit: whoever asks holds it,
 * until it is dropped. */
unsigned ztl_ops_plan_piece(ops_planner *planner, const ops_piece *piece, unsigned depth,
                            int64_t limit);

/* The same for whatever a query asks, which is not remembered. */
unsigned ztl_ops_plan_query(ops_query *query);

static inline const ops_node *ops_node_at(const ops_planner *planner, unsigned node)
{
    return &planner->pool->node[node - 1];
}

/* Nodes in the pool: see node.c. */
unsigned ztl_ops_keep_node(ops_planner *planner, const ops_node *node);
unsigned ztl_ops_hold(ops_planner *planner, unsigned node);
void ztl_ops_drop(ops_planner *planner, unsigned node);
void ztl_ops_drop_parts(ops_planner *planner, ops_node *node);
unsigned ztl_ops_recall(ops_planner *planner, uint64_t key, int64_t limit, bool *is_known);
void ztl_ops_remember(ops_planner *planner, uint64_t key, int64_t limit, unsigned node);

/* Writes a node, for the piece or the pieces of the query that it was made for. */
void ztl_ops_write(const ops_query *query, const ops_node *node);

/* The same for a part, which is one piece. */
void ztl_ops_write_part(ops_planner *planner, const ops_piece *piece, unsigned depth,
                        unsigned node);

/* One of several pieces, planned by itself; and writing it. Of many, no nodes are kept: they are
 * not divided. */
ops_cost ztl_ops_plan_one(const ops_query *query, const ops_piece *piece, ops_node *node);
void ztl_ops_write_one(const ops_query *query, const ops_piece *piece, const ops_node *node,
                       unsigned *part);

/* From here on passes use so much scratch memory above `base`; ends by setting scratch_top back. */
void ztl_ops_use_scratch(ops_planner *planner, uint64_t bytes);

/* Tries a choice of a way that divides: it is kept in *found if it is cheaper than `limit`. */
bool ztl_ops_try(const ops_query *query, const ops_pick *pick, int64_t detail, ops_cost limit,
                 ops_node *found);

/* What a choice must be cheaper than: the best of this way, of the others, the limit. */
ops_cost ztl_ops_limit(const ops_query *query, const ops_node *found);

/* Whether so much scratch memory is left. */
bool ztl_ops_scratch_fits(const ops_planner *planner, uint64_t bytes);

/* The targets of a register that is stored several times: broadcast dimensions, which have a step
 * of 0 in the source. */
enum { OPS_MOST_COPIES = 64 };

typedef struct ops_copies {
    unsigned count;
    int64_t offset[OPS_MOST_COPIES];
} ops_copies;

/* Tiles: see tiles.c. */
enum { OPS_MOST_STAGES = 4, OPS_BITS = 10 + OPS_MOST_STAGES };

typedef struct ops_bit {
    int64_t in, out;        /* its steps; both 0 for the bits that number a batch's instances */
    int8_t in_low, out_low; /* its place in the source's and in the target's run, or -1 */
    bool in_fits, out_fits; /* its step is a multiple of the slice's width, on either side */
    bool is_instance;
} ops_bit;

typedef struct ops_stage {
    uint8_t select; /* which bit of the register number takes part */
    uint8_t width;  /* log2 of the element's bytes */
    uint8_t order;  /* tl_transpose_perm */
    uint32_t dims;
} ops_stage;

typedef struct ops_tiles {
    unsigned run[2]; /* log2 of the bytes of a slice that is loaded, stored: 4 to 6; with 4, half of
                        every register is idle */
    unsigned stages; /* m */
    unsigned spare_bits, instance_bits; /* the last ones: spare ones are in no run, and select
                                           registers */
    unsigned bits;                      /* 10 + m */
    ops_bit bit[OPS_BITS];
    uint8_t start[OPS_BITS], end[OPS_BITS]; /* the bit at each position; 0–9 are in a register */
    ops_stage stage[OPS_MOST_STAGES];
    ops_copies copies;
    ops_piece grid[16]; /* where tiles are; the last of a dimension may overlap the one before */
    unsigned grids;
} ops_tiles;

/* Chunks: see chunks.c. A run of one side: `n` elements that are contiguous there. Where each is on
 * the other side, in bytes, is in a table, or follows from the dimensions of the run, innermost
 * first: multiples of 32. */
enum { OPS_NEIGHBOURS = 64 }; /* in both registers of a batch, if only one run is that long */

typedef struct ops_axis {
    int64_t n;
    const int64_t *place; /* or NULL */
    unsigned dims;
    struct {
        int64_t n, step;
    } dim[OPS_DIMS];
} ops_axis;

/* A pass whose source has a run, and whose target has another one. */
typedef struct ops_chunks {
    unsigned src, dst;
    int64_t in, out;        /* where both begin */
    ops_axis axis[2];       /* the source's run, and the target's */
    ops_dim loop[OPS_DIMS]; /* everything else */
    unsigned loops;
} ops_chunks;

/* The dimensions of a side's run, innermost first. */
typedef struct ops_chain {
    unsigned dims;
    uint8_t dim[OPS_DIMS];
} ops_chain;

/* What a program takes for one batch of the tile. */
ops_use ztl_ops_tile_use(const ops_planner *planner, const ops_tile *tile, const ops_insn *insn,
                         unsigned count);

/* The cost of so many batches, which write so many CSRs. */
ops_cost ztl_ops_price(const ops_planner *planner, const ops_use *use, int64_t batches,
                       int64_t other);

/* What the packer will make of the grids; NEVER for far too many residues, and for so many that the
 * cost is above the limit. */
ops_cost ztl_ops_batches_cost(const ops_planner *planner, const ops_tile *tile,
                              const ops_piece *grid, size_t grids, const ops_use *use,
                              int64_t other, int64_t limit);

/* Whether it is one piece whose elements are moved and not changed. */
bool ztl_ops_is_move(const ops_query *query);

/* Instructions above which a way is of no use, given the best cost so far. */
static inline int64_t ops_reach(const ops_query *query, ops_cost best)
{
    return best.key < query->limit ? best.key : query->limit;
}

/* Takes broadcast dimensions out of the piece, as far as their copies fit. */
void ztl_ops_take_copies(ops_piece *piece, ops_copies *copies);

/* How many contiguous bytes source and target have in common: a run, or an element. */
int64_t ztl_ops_run_bytes(const ops_piece *piece, unsigned element);

/* Runs as slices of `width` bytes, each stored at all copies. Without copies, a single piece has
 * those of its own broadcast dimensions. */
ops_cost ztl_ops_runs_cost(const ops_planner *planner, const ops_piece *piece, size_t count,
                           const ops_copies *copies, int64_t limit, unsigned *width);
void ztl_ops_runs_write(ops_planner *planner, const ops_piece *piece, size_t count,
                        const ops_copies *copies, unsigned width);

/* What a batch of tiles takes. */
ops_use ztl_ops_tiles_use(const ops_planner *planner, const ops_tiles *tiles);

/* Finds the PERMUTEs of a tile; false when there are none in as many stages. */
bool ztl_ops_find_permutes(ops_tiles *tiles);

/* Only whether there are, which the planner remembers. */
bool ztl_ops_has_permutes(ops_planner *planner, const ops_tiles *tiles);

/* PERMUTEs of tiles between the loads and stores of their registers, which are at these places;
 * returns how many instructions. */
unsigned ztl_ops_tiles_program(const ops_tiles *tiles, const int64_t *in, const int64_t *out,
                               ops_insn *insn);

/* The run of a side, as far as its steps on the other one are multiples of `unit`; the first
 * dimensions of both runs as the axes of chunks, everything else as loops: false where they have
 * one in common, or a run is shorter than a chunk; and whether strides reach all of a piece. */
ops_chain ztl_ops_follow_run(const ops_piece *piece, unsigned element, bool is_source,
                             int64_t unit);
bool ztl_ops_set_chunks(const ops_piece *piece, const ops_chain chain[2], unsigned from,
                        unsigned to, unsigned element, ops_chunks *chunks);
bool ztl_ops_is_within_reach(const ops_piece *piece);

/* Where element k of a run is on the other side. */
int64_t ztl_ops_axis_place(const ops_axis *axis, int64_t k);

/* What a pass of chunks costs, NEVER if a run is too short or there are too many chunks; whether
 * there is memory to plan it; and writing it. */
ops_cost ztl_ops_chunks_cost(const ops_planner *planner, const ops_chunks *chunks);
bool ztl_ops_chunks_fit(const ops_planner *planner, const ops_chunks *chunks);
void ztl_ops_chunks_write(ops_planner *planner, const ops_chunks *chunks);

#endif
