/* SPDX-License-Identifier: Apache-2.0
 * Choosing the cheapest way.
 */
#ifndef ZTL_OPS_SOLVE_H
#define ZTL_OPS_SOLVE_H

#include "ops/strategy.h"

enum { OPS_DEPTH = 2 };

/* How many steps the search for cuts and detours of one piece may take: a few milliseconds. It ends
 * with what was found by then; few shapes come to that. */
enum { OPS_MOST_EFFORT = 300000 };

static inline bool ops_is_enough(const ops_planner *planner)
{
    return *planner->effort > planner->enough;
}

/* The cost of the cheapest way, which is written if asked for. `depth`: how often a piece may still
 * be split or sent through scratch memory. */
ops_cost ops_solve(ops_planner *planner, const ops_piece *piece, unsigned depth, bool write);

/* The cost, or more than `limit` instructions where it is above. */
ops_cost ops_cost_below(ops_planner *planner, const ops_piece *piece, unsigned depth,
                        int64_t limit);

/* The least that any way takes: each KiB loaded and stored once. */
int64_t ops_least(const ops_planner *planner, const ops_piece *piece);

/* A closer look at the form: runs that are not those of the other side are cut into narrow slices,
 * or every pair of registers is permuted. */
int64_t ops_floor(const ops_planner *planner, const ops_piece *piece);

/* Pieces with the same buffers. */
ops_cost ops_pieces_cost(ops_planner *planner, const ops_piece *piece, size_t count);

/* Pieces with the same buffers as slices, those with runs of similar length together. */
ops_cost ops_slices_by_run(ops_planner *planner, const ops_piece *piece, size_t count, bool write);

/* Writes the pieces so that a slice which several of them read is loaded once, if that is cheaper
 * than `limit`; false if not. */
bool ops_share(ops_planner *planner, const ops_piece *piece, size_t count, ops_cost limit);

void ops_solve_pieces(ops_planner *planner, const ops_piece *piece, size_t count);

/* The same with a note of why; and the whole output filled instead of its border. */
void ops_explain_pieces(ops_planner *planner, const ops_piece *piece, size_t count);
void ops_explain_whole(ops_planner *planner, const ops_piece *whole, const ops_piece *border,
                       size_t count);

/* Writes as many of the first pieces as are better copied to scratch memory one after the other,
 * and from there to the target together; tells how many these are. */
size_t ops_beside(ops_planner *planner, const ops_piece *piece, size_t count);

/* Scratch: source to scratch memory in some order, and from there to the target. */
typedef struct ops_detour {
    ops_cost cost;
    uint64_t bytes;
    unsigned depth;         /* that the passes are solved with */
    unsigned split;         /* the dimension that is split into blocks of neighbours … */
    int64_t neighbours;     /* … if this is not 0 */
    int64_t step[OPS_DIMS]; /* of each dimension in scratch memory */
} ops_detour;

/* Finds a detour that is cheaper than `limit`. */
bool ops_detour_cost(ops_planner *planner, const ops_piece *piece, unsigned depth, ops_cost limit,
                     ops_detour *detour);

/* A detour with blocks of a dimension, which is one side's run, outside the runs of the other side:
 * these go on through all blocks, so that only the end of all is open, not that of each row. */
bool ops_detour_split(ops_planner *planner, const ops_piece *piece, unsigned d, int64_t neighbours,
                      ops_cost limit, ops_detour *detour);
void ops_detour_write(ops_planner *planner, const ops_piece *piece, const ops_detour *detour);

#endif
