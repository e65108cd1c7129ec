/* SPDX-License-Identifier: Apache-2.0
 * The ways to carry out a piece: each tells what it costs, and writes passes.
 */
#ifndef ZTL_OPS_STRATEGY_H
#define ZTL_OPS_STRATEGY_H

#include "ops/plan.h"

enum { OPS_MOST_COPIES = 64 };

/* The targets of a register that is stored several times: dimensions that stand still in the
 * source. */
typedef struct ops_copies {
    unsigned count;
    int64_t offset[OPS_MOST_COPIES];
} ops_copies;

/* Takes the dimensions that stand still in the source out of the piece, as far as they fit. */
void ops_take_copies(ops_piece *piece, ops_copies *copies);

/* How many bytes source and target have in common: a run, or an element. */
int64_t ops_run_bytes(const ops_piece *piece, unsigned element);

/* Slices: runs that both sides have in common, `width` bytes at a time. */
ops_cost ops_slices_cost(const ops_planner *planner, const ops_piece *piece, size_t count,
                         unsigned *width);
ops_cost ops_slices_below(const ops_planner *planner, const ops_piece *piece, int64_t limit,
                          unsigned *width);
void ops_slices_write(ops_planner *planner, const ops_piece *piece, size_t count, unsigned width);

/* The same with every slice stored at several places. */
ops_cost ops_copied_cost(const ops_planner *planner, const ops_piece *piece, size_t count,
                         const ops_copies *copies, unsigned *width);
void ops_copied_write(ops_planner *planner, const ops_piece *piece, size_t count,
                      const ops_copies *copies, unsigned width);

/* Bits: the runs of source and target lie along different dimensions; tiles go through 2^m
 * registers. */
enum { OPS_MOST_STAGES = 4, OPS_BITS = 10 + OPS_MOST_STAGES };

typedef struct ops_bit {
    int64_t in, out;        /* its steps; both 0 for the bits that number a batch's instances */
    int8_t in_low, out_low; /* its place in the source's and in the target's run, or -1 */
    bool in_fits, out_fits; /* a slice can be moved by its step */
    bool is_instance;
} ops_bit;

typedef struct ops_stage {
    uint8_t select; /* which bit of the register number takes part */
    uint8_t width;  /* log2 of the element's bytes */
    uint8_t order;  /* tl_transpose_perm */
    uint32_t dims;
} ops_stage;

typedef struct ops_bits {
    unsigned run;    /* log2 of a slice's bytes: 5, or 4 with half of every register idle */
    int64_t width;   /* these bytes */
    unsigned stages; /* m */
    unsigned instance_bits;
    unsigned bits; /* 10 + m */
    ops_bit bit[OPS_BITS];
    uint8_t start[OPS_BITS],
        end[OPS_BITS]; /* which bit is at each position: 0–9 within a register */
    ops_stage stage[OPS_MOST_STAGES + 2];
    unsigned stage_count;
    ops_copies copies;
    ops_piece grid[16]; /* where tiles are; the last of a dimension may overlap the one before */
    unsigned grids;
} ops_bits;

/* Fills in everything but the stages; false where the piece has no such form. */
bool ops_bits_of(const ops_planner *planner, const ops_piece *piece, unsigned run, ops_bits *bits);
ops_cost ops_bits_cost(const ops_planner *planner, const ops_bits *bits);
int64_t ops_bits_least(const ops_bits *bits); /* if all tiles agree modulo the width */

/* Finds the PERMUTEs; false when there are none in as many stages. */
bool ops_find_stages(ops_bits *bits);

/* Only whether there are, which the planner remembers. */
bool ops_has_stages(ops_planner *planner, const ops_bits *bits);
void ops_bits_write(ops_planner *planner, const ops_piece *piece, const ops_bits *bits);

/* How many of one side's run a batch of chunks takes. */
enum { OPS_NEIGHBOURS = 64 };

/* Chunks: the same in one round, with a run through several dimensions on one side. Everything is
 * as if that were the source; `is_back` tells that it is the target. */
typedef struct ops_chunks {
    bool is_back;
    ops_dim dim[OPS_DIMS]; /* of the run, innermost first */
    unsigned dims;
    int64_t run, chunks;    /* how many elements, and slices of 32 bytes */
    ops_dim neighbours;     /* the run of the other side */
    ops_dim loop[OPS_DIMS]; /* everything else */
    unsigned loops;
} ops_chunks;

bool ops_chunks_of(const ops_planner *planner, const ops_piece *piece, ops_chunks *chunks);
ops_cost ops_chunks_cost(const ops_chunks *chunks);
void ops_chunks_write(ops_planner *planner, const ops_piece *piece, const ops_chunks *chunks);

/* Weaving: three planes to or from interleaved elements. */
typedef struct ops_weaving {
    bool joins;        /* planes to elements; else the reverse */
    int64_t plane;     /* the step from plane to plane */
    ops_piece grid[2]; /* where blocks of 32 elements are */
    unsigned grids;
} ops_weaving;

bool ops_weaving_of(const ops_planner *planner, const ops_piece *piece, ops_weaving *weaving);
ops_cost ops_weaving_cost(const ops_planner *planner, const ops_weaving *weaving);
void ops_weaving_write(ops_planner *planner, const ops_piece *piece, const ops_weaving *weaving);

/* Spreading: the elements of two rows, or of one row twice, side by side. */
typedef struct ops_spreading {
    unsigned width;     /* of a row */
    unsigned rows;      /* that one register has when stored */
    unsigned registers; /* that are stored: 2 where rows continue each other in the source */
    int64_t step;       /* from such a row to the next in the target */
    int64_t plane;      /* from a row to the other in the source; 0 for twice the same */
    ops_piece grid[2];
    unsigned grids;
    ops_copies copies;
} ops_spreading;

bool ops_spreading_of(const ops_planner *planner, const ops_piece *piece, ops_spreading *spreading);
ops_cost ops_spreading_cost(const ops_planner *planner, const ops_spreading *spreading);
void ops_spreading_write(ops_planner *planner, const ops_piece *piece,
                         const ops_spreading *spreading);

/* Parting: elements that alternate go to two planes, or to one. */
typedef struct ops_parting {
    unsigned width; /* of a row of one plane */
    unsigned count; /* of rows in a register */
    unsigned planes;
    int64_t plane;     /* from one to the other */
    ops_piece rows[2]; /* where they are; the last ones of a run may overlap those before */
    unsigned grids;
    ops_piece last; /* with one plane: what is left to slices */
    ops_cost cost;
} ops_parting;

bool ops_parting_of(const ops_planner *planner, const ops_piece *piece, ops_parting *parting);
void ops_parting_write(ops_planner *planner, const ops_piece *piece, const ops_parting *parting);

#endif
