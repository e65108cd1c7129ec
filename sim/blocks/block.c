/* SPDX-License-Identifier: Apache-2.0
 * The cache of blocks.
 */
#include "sim/blocks/block.h"

#include <stdlib.h>
#include <string.h>

/* One piece of memory, of a size for which calloc asks the system: it is zero already, and what is
 * not used is never touched. */
bool ztl_blocks_create(ztl_hart *hart)
{
    enum { LINE = 64 };
    block_cache *cache = calloc(1, sizeof *cache + LINE + BLOCK_ARENA);
    hart->blocks = cache;
    hart->steps = calloc(STEP_CACHE_ENTRIES, sizeof *hart->steps);
    if (!cache || !hart->steps)
        return false;
    cache->arena = (uint8_t *)(((uintptr_t)(cache + 1) + LINE - 1) & ~(uintptr_t)(LINE - 1));
    (hart->isa.xlen == 32 ? ztl_interpret32 : ztl_interpret64)(NULL, 0, cache->handlers);
    ztl_list_pairs(cache);
    ztl_blocks_forget(hart);
    return true;
}

void ztl_blocks_destroy(ztl_hart *hart)
{
    free(hart->blocks);
    free(hart->steps);
}

void ztl_blocks_forget(ztl_hart *hart)
{
    block_cache *cache = hart->blocks;
    if (cache->used)
        memset(cache->buckets, 0, sizeof cache->buckets);
    if (hart->has_steps)
        memset(hart->steps, 0, STEP_CACHE_ENTRIES * sizeof *hart->steps);
    hart->has_steps = false;
    cache->used = 0;
    cache->generation++;
    ztl_unmark_code(hart);
    hart->code_changed = false;
}

void *ztl_block_room(block_cache *cache, size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;
    if (BLOCK_ARENA - cache->used < rounded)
        return NULL;
    void *room = cache->arena + cache->used;
    cache->used += rounded;
    return room;
}

block *ztl_block_at(ztl_hart *hart, uint64_t pc)
{
    block_cache *cache = hart->blocks;
    for (block *known = cache->buckets[block_bucket(pc)]; known; known = known->next)
        if (known->pc == pc)
            return known;
    /* Enough for any block, so that translation fails only for want of something to fetch. */
    const size_t largest = 2 * sizeof(block) + BLOCK_SLOTS * sizeof(slot) +
                           BLOCK_INSNS * (sizeof(int32_t) + sizeof(ztl_insn) + 16) + 64;
    if (BLOCK_ARENA - cache->used < largest)
        ztl_blocks_forget(hart);
    block *fresh = ztl_translate(hart, pc);
    if (fresh) {
        block **bucket = &cache->buckets[block_bucket(pc)];
        fresh->next = *bucket;
        *bucket = fresh;
    }
    return fresh;
}
