/* SPDX-License-Identifier: Apache-2.0
 * Windows: what a block of a long dimension is on each side. See blocks.c.
 */
#ifndef ZTL_OPS_WINDOWS_H
#define ZTL_OPS_WINDOWS_H

#include "ops/search/ways/way.h"

enum { OPS_BLOCKS_PIECES = 1024, OPS_BLOCKS_WINDOWS = 16, OPS_BLOCKS_ROWS = 16384 };

/* What a block is on one side: `step` bytes for each position of the long dimension. */
typedef struct ops_window {
    unsigned buffer;
    int64_t step;      /* of the long dimension; 0 for a constant */
    int64_t low, high; /* the bytes of position 0 of the first block: all pieces have theirs here */
    int64_t gap;       /* backwards: so many of them no piece uses */
    int64_t base;      /* source: of its rows in scratch memory */
} ops_window;

typedef struct ops_blocks {
    ops_planner *planner;
    const ops_piece *piece;
    size_t count;
    const ops_piece *whole; /* a run with a constant wherever no piece writes; or NULL */
    ops_window in[OPS_BLOCKS_WINDOWS], out[OPS_BLOCKS_WINDOWS];
    unsigned ins, outs;
    uint8_t dim[OPS_BLOCKS_PIECES]; /* the long one of each piece, and its windows */
    uint8_t in_of[OPS_BLOCKS_PIECES], out_of[OPS_BLOCKS_PIECES];
    int64_t block, g; /* positions of a block; blocks */
    int64_t pitch;    /* of a row, in bytes */
    int64_t bytes;    /* of all rows */
} ops_blocks;

static inline bool ops_is_inside(int64_t step, const ops_window *w)
{
    return ops_magnitude(step) < ops_magnitude(w->step);
}

/* Windows and blocks of the pieces, by dimension d of the first; false where they have not that
 * form. */
bool ztl_ops_find_windows(ops_blocks *b, unsigned d);

/* The first byte of the first block; the rows of a block; the step of a dimension in scratch
 * memory: rows of the window, or whole windows. */
int64_t ztl_ops_window_low(const ops_blocks *b, const ops_window *w);
int64_t ztl_ops_window_rows(const ops_blocks *b, const ops_window *w);
int64_t ztl_ops_window_step(const ops_blocks *b, size_t i, unsigned d);

/* Pieces of any buffers in blocks of a dimension that all have: the cost, NEVER above the limit or
 * where they have not that form, and the dimension; and writing them. `whole`: a single run with
 * the constant wherever no piece writes; or NULL. */
ops_cost ztl_ops_blocks_cost(ops_planner *planner, const ops_piece *piece, size_t count,
                             const ops_piece *whole, int64_t limit, unsigned *dim);
void ztl_ops_blocks_write(ops_planner *planner, const ops_piece *piece, size_t count,
                          const ops_piece *whole, unsigned dim);

/* Whether all pieces of a stage may go together, its constants included. */
bool ztl_ops_may_go_together(const ops_query *query);

#endif
