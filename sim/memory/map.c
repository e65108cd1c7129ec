/* SPDX-License-Identifier: Apache-2.0
 * What of a process's address space is mapped, and for what.
 */
#include "sim/hart.h"

/* The piece that an address is in, or the next one above it. */
static size_t find(const ztl_map *map, uint64_t address)
{
    size_t low = 0, high = map->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->piece[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t ztl_map_span(const ztl_map *map, uint64_t address, uint64_t size, unsigned use)
{
    uint64_t at = address;
    for (size_t i = find(map, address); i < map->count && at - address < size; i++) {
        const ztl_mapping *m = &map->piece[i];
        if (m->start > at || (m->allows & use) != use)
            break;
        at = m->end;
    }
    return at - address < size ? at - address : size;
}

bool ztl_map_window(const ztl_map *map, uint64_t address, uint64_t *start, uint64_t *end)
{
    size_t i = find(map, address), first = i;
    if (i == map->count || map->piece[i].start > address || !(map->piece[i].allows & USE_LOAD))
        return false;
    while (first > 0 && map->piece[first - 1].end == map->piece[first].start &&
           (map->piece[first - 1].allows & USE_LOAD))
        first--;
    *start = map->piece[first].start;
    *end = map->piece[i].end;
    while (++i < map->count && map->piece[i].start == *end && (map->piece[i].allows & USE_LOAD))
        *end = map->piece[i].end;
    return true;
}
