/* SPDX-License-Identifier: Apache-2.0
 * What is known of granules of RAM: decoded code comes from them, stores to them are watched or
 * refused.
 */
#include "sim/memory/memory.h"

static bool unit_is_code(const region *piece, uint64_t offset)
{
    return piece->code[offset >> CODE_BYTE_SHIFT] >> (offset >> CODE_UNIT_SHIFT & 7) & 1;
}

bool ztl_memory_touches_code(const region *piece, uint64_t offset, size_t size)
{
    if (offset >= piece->code_high || offset + size <= piece->code_low)
        return false;
    uint64_t end = offset + size;
    for (uint64_t at = offset; at < end; at = ((at >> GRANULE_SHIFT) + 1) << GRANULE_SHIFT) {
        if (!(piece->flags[at >> GRANULE_SHIFT] & GRANULE_CODE))
            continue;
        uint64_t stop = ((at >> GRANULE_SHIFT) + 1) << GRANULE_SHIFT;
        for (uint64_t unit = at & ~UINT64_C(1); unit < end && unit < stop; unit += 2)
            if (unit_is_code(piece, unit))
                return true;
    }
    return false;
}

static void mark_units(region *piece, uint64_t offset, uint64_t end)
{
    for (uint64_t at = offset; at < end; at++) {
        piece->code[at >> CODE_BYTE_SHIFT] |= (uint8_t)(1 << (at >> CODE_UNIT_SHIFT & 7));
        piece->flags[at >> GRANULE_SHIFT] |= GRANULE_CODE;
    }
}

void ztl_mark_code(ztl_hart *hart, uint64_t address, unsigned size)
{
    for (unsigned done = 0; done < size;) {
        region *piece;
        size_t count = ztl_memory_span(hart, address + done, size - done, &piece);
        if (count == 0)
            return;
        uint64_t offset = address + done - piece->ram.base;
        uint64_t end = offset + count;
        mark_units(piece, offset, end);
        if (offset < piece->code_low || end > piece->code_high) {
            uint64_t granule = UINT64_C(1) << GRANULE_SHIFT;
            uint64_t low = offset & ~(granule - 1), high = (end + granule - 1) & ~(granule - 1);
            piece->code_low = low < piece->code_low ? low : piece->code_low;
            piece->code_high = high > piece->code_high ? high : piece->code_high;
            ztl_memory_list_ram(hart);
        }
        done += (unsigned)count;
    }
}

void ztl_mark_hook(ztl_hart *hart)
{
    const ztl_window *range = &hart->hooks.store_range;
    for (uint64_t k = 0; k < range->size; k++) {
        region *piece = ztl_region_of(hart, range->base + k);
        if (piece)
            piece->flags[(range->base + k - piece->ram.base) >> GRANULE_SHIFT] |= GRANULE_HOOK;
    }
}

/* Marks what of a range is mapped and not to be stored to; leaves out what allows `except`. */
static void mark_fixed(ztl_hart *hart, uint64_t start, uint64_t end, unsigned except)
{
    for (size_t i = 0; hart->map && i < hart->map->count; i++) {
        const ztl_mapping *m = &hart->map->piece[i];
        uint64_t from = m->start > start ? m->start : start, to = m->end < end ? m->end : end;
        if (from >= to || !(m->allows & USE_LOAD) || (m->allows & except))
            continue;
        const region *piece = ztl_region_of(hart, from);
        bool is_fixed = !(m->allows & USE_STORE);
        for (uint64_t at = from; at < to; at += 1 << GRANULE_SHIFT) {
            uint8_t *flags = &piece->flags[(at - piece->ram.base) >> GRANULE_SHIFT];
            if (!(*flags & GRANULE_FIXED) == is_fixed) /* else nothing is touched */
                *flags ^= GRANULE_FIXED;
        }
    }
}

/* Whether all code that is decoded may be run. */
static bool can_run_code(const ztl_hart *hart)
{
    for (size_t i = 0; i < hart->region_count; i++) {
        const region *piece = &hart->regions[i];
        uint64_t first = 0, last = UINT64_MAX, base = piece->ram.base;
        if (piece->code_low < piece->code_high &&
            (!ztl_pmp_window(hart, base + piece->code_low, USE_FETCH, &first, &last) ||
             base + (piece->code_high - 1) > last))
            return false;
    }
    return true;
}

void ztl_memory_recheck(ztl_hart *hart)
{
    if (hart->region_count == 0) /* being made */
        return;
    hart->guards_data = ztl_pmp_checks(hart, USE_LOAD);
    hart->guards_fetches = ztl_pmp_checks(hart, USE_FETCH);
    ztl_memory_forget_windows(hart);
    if (hart->guards_fetches && !can_run_code(hart))
        hart->code_changed = true;
}

void ztl_memory_set_map(ztl_hart *hart, const ztl_map *map, uint64_t start, uint64_t end)
{
    const region *piece = ztl_region_of(hart, start);
    hart->map = map;
    if (piece && ztl_memory_touches_code(piece, start - piece->ram.base, end - start))
        hart->code_changed = true;
    mark_fixed(hart, start, end, 0);
    ztl_memory_forget_windows(hart);
    ztl_memory_list_ram(hart);
}

void ztl_unmark_code(ztl_hart *hart)
{
    for (size_t i = 0; i < hart->region_count; i++)
        ztl_memory_unmark(&hart->regions[i]);
    ztl_mark_hook(hart);
    mark_fixed(hart, 0, UINT64_MAX, USE_STORE); /* all are unmarked */
    ztl_memory_list_ram(hart);
}
