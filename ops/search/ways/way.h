/* SPDX-License-Identifier: Apache-2.0
 * Ways to carry out pieces. A way recognises the pieces that it can carry out (find), says how many
 * instructions that takes (cost), and appends passes to the plan (write); the planner takes the
 * cheapest. A new way is a file that defines one `ops_way`, and a line in ways.def; what it found
 * is kept in a member of `ops_found`.
 */
#ifndef ZTL_OPS_WAY_H
#define ZTL_OPS_WAY_H

#include "ops/search/planner.h"

typedef struct ops_way ops_way;
typedef struct ops_found ops_found;

/* What a way is looked for. */
typedef struct ops_query {
    ops_planner *planner;
    const ops_piece *piece; /* with the same buffers, if there are several */
    size_t count;
    const ops_piece *whole; /* constants: a single run around them that may be filled instead */
    unsigned depth;         /* how often a piece may still be divided */
    int64_t limit;          /* more instructions than that are of no use */
    const ops_found *best;  /* the cheapest so far; at first one that costs OPS_NEVER */
} ops_query;

/* Ways that divide a piece solve its parts again; they are only tried where the others are not
 * good. ONCE: also for pieces that may be divided OPS_ONCE. */
enum ops_divides { OPS_DIRECT, OPS_DIVIDES, OPS_DIVIDES_ONCE };

struct ops_way {
    const char *name; /* for people; %u is ops_found.detail */
    enum ops_divides divides;
    bool (*find)(const ops_query *query, ops_found *found);
    ops_cost (*cost)(const ops_query *query, ops_found *found); /* NULL: find sets found->cost */
    void (*write)(const ops_query *query, const ops_found *found);
};

enum ops_way_id {
#define OPS_WAY(ID, name) OPS_WAY_##ID,
#include "ops/search/ways/ways.def"
    OPS_WAYS
};

#define OPS_WAY(ID, name) extern const ops_way ztl_ops_way_##name;
#include "ops/search/ways/ways.def"

extern const ops_way *const ztl_ops_ways[OPS_WAYS];

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
    bool in_fits, out_fits; /* its step is a multiple of the slice's width */
    bool is_instance;
} ops_bit;

typedef struct ops_stage {
    uint8_t select; /* which bit of the register number takes part */
    uint8_t width;  /* log2 of the element's bytes */
    uint8_t order;  /* tl_transpose_perm */
    uint32_t dims;
} ops_stage;

typedef struct ops_tiles {
    unsigned run;    /* log2 of a slice's bytes: 5, or 4 with half of every register idle */
    int64_t width;   /* these bytes */
    unsigned stages; /* m */
    unsigned instance_bits;
    unsigned bits; /* 10 + m */
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

/* Interleave by 3 and by 2: see interleave3.c and interleave2.c. */
typedef struct ops_interleave3 {
    bool joins;        /* planes to alternating elements; else the reverse */
    int64_t plane;     /* the step from plane to plane */
    ops_piece grid[2]; /* where blocks of 32 elements are */
    unsigned grids;
} ops_interleave3;

typedef struct ops_interleave2 {
    bool joins;         /* planes to alternating elements; else the reverse */
    unsigned width;     /* of a row of one plane */
    unsigned rows;      /* of it in a register */
    unsigned planes;    /* 1: the same row twice, or only every other element is wanted */
    int64_t plane;      /* from one to the other */
    unsigned registers; /* joins: that are stored; 2 where the rows of the source are contiguous */
    int64_t step;       /* joins: from such a row to the next in the target */
    ops_piece grid[2];  /* where rows are; the last ones of a run may overlap those before */
    unsigned grids;
    ops_copies copies;
    ops_piece last; /* of one plane: what is left to runs */
} ops_interleave2;

/* Every k-th element: see pick.c. */
typedef struct ops_pick {
    unsigned step;     /* k */
    ops_piece grid[2]; /* where rows of 32 elements are: all but the last ones, and these */
} ops_pick;

/* Scratch memory: see via_scratch.c. */
typedef struct ops_detour {
    uint64_t bytes;
    unsigned depth;         /* that the passes are solved with */
    unsigned split;         /* the dimension that is split into blocks … */
    int64_t neighbours;     /* … of so many, if this is not 0 */
    int64_t step[OPS_DIMS]; /* of each dimension in scratch memory */
} ops_detour;

/* Shared loads: how each family of pieces is carried out, see shared_loads.c. */
enum { OPS_MOST_SHARING = 256 };

typedef struct ops_families {
    bool fragments; /* are allowed */
    bool found_fragments, shares;
    uint8_t manner[OPS_MOST_SHARING];
    ops_cost cost;
} ops_families;

struct ops_found {
    const ops_way *way;
    enum ops_way_id id;
    ops_cost cost;
    int64_t detail; /* a number for its name */
    union {
        unsigned width; /* runs, whole_output */
        ops_tiles tiles;
        ops_chunks chunks; /* long_runs */
        struct {
            unsigned from, to; /* dimensions of the source's run, and of the target's */
        } across;
        ops_interleave3 interleave3;
        ops_interleave2 interleave2;
        ops_pick pick;
        ops_detour detour; /* via_scratch, scratch_blocks */
        struct {
            unsigned dim;
            int64_t at;
        } cut;
        unsigned long_dim;   /* blocks, rounded */
        bool forwards_first; /* turned */
        struct {
            unsigned dim;
            int64_t times;
        } repeated;
        ops_families families;
    };
};

/* What the packer will make of the grids, where each batch costs each.ztl, and all of them
 * each.other; NEVER for far too many residues, and for so many that the cost is above the limit. */
ops_cost ztl_ops_batches_cost(const ops_planner *planner, const ops_tile *tile,
                              const ops_piece *grid, size_t grids, ops_cost each, int64_t limit);

/* Whether it is one piece whose elements are moved and not changed. */
bool ztl_ops_is_move(const ops_query *query);

/* Instructions above which a way is of no use, given the best cost so far. */
static inline int64_t ops_reach(const ops_query *query, ops_cost best)
{
    return best.ztl < query->limit ? best.ztl : query->limit;
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

/* Several pieces as slices, those with runs of similar length together; written if asked for. */
ops_cost ztl_ops_runs_by_length(ops_planner *planner, const ops_piece *piece, size_t count,
                                bool write);

/* Finds the PERMUTEs of a tile; false when there are none in as many stages. */
bool ztl_ops_find_permutes(ops_tiles *tiles);

/* Only whether there are, which the planner remembers. */
bool ztl_ops_has_permutes(ops_planner *planner, const ops_tiles *tiles);

/* A detour with blocks of dimension d, cheaper than `limit`; see scratch_blocks.c. */
bool ztl_ops_detour_blocks(ops_planner *planner, const ops_piece *piece, unsigned d,
                           int64_t neighbours, ops_cost limit, ops_found *found);
void ztl_ops_detour_write(const ops_query *query, const ops_found *found);

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

/* Many pieces are small ones: they are not divided. */
static inline unsigned ops_depth_for(size_t count)
{
    return count > 8 ? 0 : OPS_DEPTH;
}

#endif
