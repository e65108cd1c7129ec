/* SPDX-License-Identifier: Apache-2.0
 * Loads, stores and fetches: by the window that was used last, or else wherever memory is.
 */
#include "sim/memory/memory.h"

#include <string.h>

/* The bytes from start to end, offsets in a region, as a window; start is that of a granule. */
static hot_region window_of(const region *piece, uint64_t start, uint64_t end)
{
    uint64_t size = end - start;
    return (hot_region){piece->ram.base + start, size < 8 ? 0 : size - 7, piece->ram.bytes + start,
                        piece->flags + (start >> GRANULE_SHIFT)};
}

/* Whether an access at an address is all in the hot window. */
static bool is_hot(const ztl_hart *hart, uint64_t address)
{
    return address - hart->hot.base < hart->hot.limit;
}

static bool is_narrow(const ztl_hart *hart)
{
    return hart->map || hart->guards_data;
}

/* What around an address can be loaded and, but for marked granules, stored; as offsets. */
static bool find_window(const ztl_hart *hart, const region *piece, uint64_t address,
                        uint64_t *start, uint64_t *end)
{
    const uint64_t granule = 1 << GRANULE_SHIFT, base = piece->ram.base;
    uint64_t first = base, last = base + (piece->ram.size - 1);
    if (hart->map) {
        bool found = ztl_map_window(hart->map, address, start, end);
        *start -= found ? base : 0;
        *end -= found ? base : 0;
        return found;
    }
    bool loads = ztl_pmp_window(hart, address, USE_LOAD, &first, &last);
    if (!loads || !ztl_pmp_window(hart, address, USE_STORE, &first, &last))
        return false;
    *start = (first - base + granule - 1) & ~(granule - 1);
    *end = last - base + 1;
    return address - base >= *start;
}

/* A process goes to and fro between its stack and its heap, so the last few windows are kept. */
static void set_hot_window(ztl_hart *hart, const region *piece, uint64_t address)
{
    uint64_t start = 0, end = 0;
    if (is_hot(hart, address) || !find_window(hart, piece, address, &start, &end))
        return;
    hart->cold[hart->coldest++ % COLD_WINDOWS] = hart->hot;
    hart->hot = window_of(piece, start, end);
}

void ztl_memory_set_hot(ztl_hart *hart, const region *piece, uint64_t address)
{
    if (is_narrow(hart))
        set_hot_window(hart, piece, address);
    else
        hart->hot = window_of(piece, 0, piece->ram.size);
}

/* Makes the window that an address is in the hot one, if it was that lately. */
static bool warm_up(ztl_hart *hart, uint64_t address)
{
    for (size_t i = 0; is_narrow(hart) && i < COLD_WINDOWS; i++) {
        hot_region window = hart->cold[i];
        if (address - window.base >= window.limit)
            continue;
        hart->cold[i] = hart->hot;
        hart->hot = window;
        return true;
    }
    return false;
}

void ztl_memory_forget_windows(ztl_hart *hart)
{
    hart->hot.limit = 0;
    memset(hart->cold, 0, sizeof hart->cold);
}

static bool is_allowed(const ztl_hart *hart, uint64_t address, unsigned size, enum ztl_use use)
{
    return !hart->guards_data || ztl_pmp_allows(hart, address, size, use);
}

bool ztl_memory_allows(const ztl_hart *hart, uint64_t address, unsigned size, enum ztl_use use)
{
    return ztl_memory_usable(hart, address, size, use) == size &&
           is_allowed(hart, address, size, use);
}

/* The byte of an access that goes byte by byte; NULL where it cannot be used so. */
static uint8_t *byte_of(const ztl_hart *hart, uint64_t address, enum ztl_use use)
{
    region *piece;
    return ztl_memory_span_for(hart, address, 1, use, &piece) && is_allowed(hart, address, 1, use)
               ? &piece->ram.bytes[address - piece->ram.base]
               : NULL;
}

/* PMP sees an access that is aligned as one. */
static bool goes_by_bytes(const ztl_hart *hart, uint64_t address, unsigned size)
{
    return !hart->guards_data || address % size;
}

uint64_t ztl_memory_fault(ztl_hart *hart, uint64_t address, unsigned size, enum ztl_use use)
{
    for (unsigned k = 0; k < size && address % size; k++) {
        uint64_t byte = ztl_hart_wrap(hart, address + k);
        if (!byte_of(hart, byte, use))
            return byte;
    }
    return address;
}

bool ztl_load_anywhere(ztl_hart *hart, uint64_t address, unsigned size, uint64_t *value)
{
    region *piece;
    *value = 0;
    if (warm_up(hart, address)) {
        memcpy(value, hart->hot.bytes + (address - hart->hot.base), size);
        return true;
    }
    if (ztl_memory_span_for(hart, address, size, USE_LOAD, &piece) == size &&
        is_allowed(hart, address, size, USE_LOAD)) {
        memcpy(value, piece->ram.bytes + (address - piece->ram.base), size);
        ztl_memory_set_hot(hart, piece, address);
        return true;
    }
    if (!goes_by_bytes(hart, address, size))
        return false;
    for (unsigned k = 0; k < size; k++) {
        const uint8_t *byte = byte_of(hart, ztl_hart_wrap(hart, address + k), USE_LOAD);
        if (!byte)
            return false;
        *value |= (uint64_t)*byte << (8 * k);
    }
    return true;
}

/* To the hot window, where nothing is known about the granules. */
static bool store_hot(const ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    uint64_t offset = address - hart->hot.base;
    if (hart->hot.flags[offset >> GRANULE_SHIFT] |
        hart->hot.flags[(offset + size - 1) >> GRANULE_SHIFT])
        return false;
    memcpy(hart->hot.bytes + offset, &value, size);
    return true;
}

bool ztl_store_plain(ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    region *piece;
    if (warm_up(hart, address) && store_hot(hart, address, size, value))
        return true;
    if (ztl_memory_span_for(hart, address, size, USE_STORE, &piece) != size ||
        !is_allowed(hart, address, size, USE_STORE))
        return false;
    uint64_t offset = address - piece->ram.base;
    uint8_t flags =
        piece->flags[offset >> GRANULE_SHIFT] | piece->flags[(offset + size - 1) >> GRANULE_SHIFT];
    if ((flags & GRANULE_HOOK) ||
        ((flags & GRANULE_CODE) && ztl_memory_touches_code(piece, offset, size)))
        return false;
    memcpy(piece->ram.bytes + offset, &value, size);
    ztl_memory_set_hot(hart, piece, address);
    return true;
}

static bool store_bytes(ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    region *piece;
    if (ztl_memory_span_for(hart, address, size, USE_STORE, &piece) == size &&
        is_allowed(hart, address, size, USE_STORE)) {
        ztl_memory_copy_in(hart, address, (const uint8_t *)&value, size);
        return true;
    }
    if (!goes_by_bytes(hart, address, size))
        return false;
    for (unsigned k = 0; k < size; k++)
        if (!byte_of(hart, ztl_hart_wrap(hart, address + k), USE_STORE))
            return false;
    for (unsigned k = 0; k < size; k++)
        ztl_memory_copy_in(hart, ztl_hart_wrap(hart, address + k), (const uint8_t *)&value + k, 1);
    return true;
}

void ztl_memory_note(ztl_hart *hart, uint64_t address, size_t size, uint64_t value, bool is_store)
{
    ztl_event *event = hart->event;
    if (event && event->access_count < ZTL_EVENT_MAX_ACCESSES)
        event->access[event->access_count++] =
            (ztl_access){address, value, (uint32_t)size, is_store};
    enum ztl_watch kind = is_store ? ZTL_WATCH_STORE : ZTL_WATCH_LOAD;
    for (size_t i = 0; i < hart->watchpoint_count && !hart->watch_triggered; i++) {
        const watchpoint *watch = &hart->watchpoints[i];
        bool inside = address - watch->address < watch->size;
        if (!(watch->kind & kind) || (!inside && watch->address - address >= size))
            continue;
        hart->watch_triggered = true;
        hart->watch_hit = (ztl_watch_hit){inside ? address : watch->address, watch->kind, hart->pc};
    }
}

static uint64_t low_bytes(uint64_t value, unsigned size)
{
    return value << (64 - 8 * size) >> (64 - 8 * size);
}

bool ztl_load(ztl_hart *hart, uint64_t address, unsigned size, uint64_t *value)
{
    if (is_hot(hart, address)) {
        memcpy(value, hart->hot.bytes + (address - hart->hot.base), sizeof *value);
        *value = low_bytes(*value, size);
    } else if (!ztl_load_anywhere(hart, address, size, value))
        return false;
    ztl_memory_note(hart, address, size, *value, false);
    return true;
}

bool ztl_store(ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    if (!(is_hot(hart, address) && store_hot(hart, address, size, value)) &&
        !store_bytes(hart, address, size, value))
        return false;
    value = low_bytes(value, size);
    ztl_memory_note(hart, address, size, value, true);
    const ztl_window *range = &hart->hooks.store_range;
    if (hart->hooks.store &&
        (address - range->base < range->size || (range->size && range->base - address < size)))
        hart->hooks.store(hart->hooks.context, hart, address, size, value);
    return true;
}

static bool fetch_half(const ztl_hart *hart, uint64_t pc, uint16_t *half)
{
    if (ztl_memory_usable(hart, pc, sizeof *half, USE_FETCH) < sizeof *half ||
        (hart->guards_fetches && !ztl_pmp_allows(hart, pc, sizeof *half, USE_FETCH)))
        return false;
    ztl_memory_copy_out(hart, pc, (uint8_t *)half, sizeof *half);
    return true;
}

bool ztl_fetch(const ztl_hart *hart, uint64_t pc, uint32_t *word, uint64_t *fault)
{
    uint16_t low, high;
    *fault = pc;
    if (!fetch_half(hart, pc, &low))
        return false;
    *word = low;
    if (ztl_hart_insn_length(low) == 2)
        return true;
    *fault = ztl_hart_wrap(hart, pc + 2);
    if (!fetch_half(hart, *fault, &high))
        return false;
    *word |= (uint32_t)high << 16;
    return true;
}
