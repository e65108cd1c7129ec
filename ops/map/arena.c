/* SPDX-License-Identifier: Apache-2.0
 * Working memory.
 */
#include "ops/map/arena.h"

/* Rounds up to words; false if that does not fit. */
static bool fits(ops_arena *arena, size_t *bytes)
{
    *bytes = (*bytes + 7) & ~(size_t)7;
    arena->full |= *bytes > arena->high - arena->low;
    return *bytes <= arena->high - arena->low;
}

void *ztl_ops_keep(ops_arena *arena, size_t bytes)
{
    if (!fits(arena, &bytes))
        return NULL;
    arena->low += bytes;
    return arena->base + arena->low - bytes;
}

void *ztl_ops_borrow(ops_arena *arena, size_t bytes)
{
    if (!fits(arena, &bytes))
        return NULL;
    arena->high -= bytes;
    return arena->base + arena->high;
}
