/* SPDX-License-Identifier: Apache-2.0
 * Working memory, all of it the caller's: a stack at either end.
 *
 *     base                    low            high              end
 *      | the plan so far       |  free        |  borrowed       |
 *
 * What is kept, the plan, grows upwards. What is only needed while planning is borrowed from the
 * top, and given back by setting `high` to what it was.
 */
#ifndef ZTL_OPS_ARENA_H
#define ZTL_OPS_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ops_arena {
    uint8_t *base;
    size_t low, high;
    bool full; /* something did not fit */
} ops_arena;

/* If it does not fit: NULL, and the arena is full. */
void *ztl_ops_keep(ops_arena *arena, size_t bytes);
void *ztl_ops_borrow(ops_arena *arena, size_t bytes);

#endif
