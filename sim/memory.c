/* SPDX-License-Identifier: Apache-2.0
 * RAM: mapped lazily, read and written with the care that decoded code asks for.
 */
#define _GNU_SOURCE
#include "sim/hart.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/error.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "guest memory is little-endian, and so must the host be"
#endif

/* One bit for each two bytes of RAM. */
enum { CODE_UNIT_SHIFT = 1, CODE_BYTE_SHIFT = CODE_UNIT_SHIFT + 3 };

static uint64_t granules(const region *piece)
{
    return (piece->ram.size >> GRANULE_SHIFT) + 1;
}

static uint64_t code_bytes(const region *piece)
{
    return (piece->ram.size >> CODE_BYTE_SHIFT) + 1;
}

/* Host memory that costs nothing until it is touched. */
static void *reserve(uint64_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    void *bytes = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static void release(void *bytes, uint64_t size)
{
    if (bytes)
        munmap(bytes, (size_t)size);
}

static bool check_window(const ztl_hart *hart, const ztl_window *ram, ztl_error *error)
{
    uint64_t last = ztl_hart_wrap(hart, UINT64_MAX);
    if (ram->size == 0)
        return ztl_fail(error, "RAM at 0x%" PRIx64 " has no bytes", ram->base);
    if (ram->base > last || ram->size - 1 > last - ram->base)
        return ztl_fail(
            error, "RAM at 0x%" PRIx64 " of 0x%" PRIx64 " bytes leaves the %u-bit address space",
            ram->base, ram->size, hart->isa.xlen);
    for (size_t i = 0; i < hart->region_count; i++) {
        const ztl_ram *other = &hart->regions[i].ram;
        if (ram->base - other->base < other->size || other->base - ram->base < ram->size)
            return ztl_fail(error, "RAM at 0x%" PRIx64 " overlaps RAM at 0x%" PRIx64, ram->base,
                            other->base);
    }
    return true;
}

static bool add_region(ztl_hart *hart, const ztl_window *ram, ztl_error *error)
{
    if (!check_window(hart, ram, error))
        return false;
    region *piece = &hart->regions[hart->region_count++];
    *piece = (region){.ram = {ram->base, ram->size, reserve(ram->size)}, .code_low = UINT64_MAX};
    piece->flags = reserve(granules(piece));
    piece->code = reserve(code_bytes(piece));
    if (!piece->ram.bytes || !piece->flags || !piece->code)
        return ztl_fail(error, "the host cannot map RAM of 0x%" PRIx64 " bytes at 0x%" PRIx64,
                        ram->size, ram->base);
    return true;
}

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

static void set_hot(ztl_hart *hart, const region *piece, uint64_t address)
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

static void forget_windows(ztl_hart *hart)
{
    hart->hot.limit = 0;
    memset(hart->cold, 0, sizeof hart->cold);
}

region *ztl_region_of(const ztl_hart *hart, uint64_t address)
{
    for (size_t i = 0; i < hart->region_count; i++) {
        const ztl_ram *ram = &hart->regions[i].ram;
        if (address - ram->base < ram->size)
            return (region *)&hart->regions[i];
    }
    return NULL;
}

/* How many bytes from an address on lie in one region, may be used so (0: are mapped), at most
 * `size`; and where. */
static size_t span_for(const ztl_hart *hart, uint64_t address, size_t size, unsigned use,
                       region **piece)
{
    *piece = ztl_region_of(hart, address);
    if (!*piece)
        return 0;
    uint64_t left = (*piece)->ram.size - (address - (*piece)->ram.base);
    size_t here = left < size ? (size_t)left : size;
    return hart->map ? (size_t)ztl_map_span(hart->map, address, here, use) : here;
}

static size_t span(const ztl_hart *hart, uint64_t address, size_t size, region **piece)
{
    return span_for(hart, address, size, 0, piece);
}

/* How many bytes from an address on may be used so, at most `size`: the range may span regions, but
 * not go around the end of the address space. */
static size_t usable(const ztl_hart *hart, uint64_t address, size_t size, unsigned use)
{
    size_t done = 0;
    while (done < size) {
        region *piece;
        size_t count = span_for(hart, address + done, size - done, use, &piece);
        done += count;
        if (count == 0 || ztl_hart_wrap(hart, address + done) < address)
            break;
    }
    return done;
}

static void copy_out(const ztl_hart *hart, uint64_t address, uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        region *piece;
        size_t count = span(hart, address + done, size - done, &piece);
        memcpy(bytes + done, piece->ram.bytes + (address + done - piece->ram.base), count);
        done += count;
    }
}

static bool unit_is_code(const region *piece, uint64_t offset)
{
    return piece->code[offset >> CODE_BYTE_SHIFT] >> (offset >> CODE_UNIT_SHIFT & 7) & 1;
}

/* Does decoded code come from these bytes? The flags of the granules answer first. */
static bool touches_code(const region *piece, uint64_t offset, size_t size)
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

static void copy_in(ztl_hart *hart, uint64_t address, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        region *piece;
        size_t count = span(hart, address + done, size - done, &piece);
        uint64_t offset = address + done - piece->ram.base;
        hart->code_changed |= touches_code(piece, offset, count);
        memcpy(piece->ram.bytes + offset, bytes + done, count);
        done += count;
    }
}

size_t ztl_hart_read_memory(const ztl_hart *hart, uint64_t address, void *bytes, size_t size)
{
    size_t count = usable(hart, address, size, 0);
    copy_out(hart, address, bytes, count);
    return count;
}

size_t ztl_hart_write_memory(ztl_hart *hart, uint64_t address, const void *bytes, size_t size)
{
    size_t count = usable(hart, address, size, 0);
    copy_in(hart, address, bytes, count);
    return count;
}

uint64_t ztl_memory_usable(const ztl_hart *hart, uint64_t address, uint64_t size, unsigned use)
{
    return usable(hart, address, size, use);
}

static bool is_allowed(const ztl_hart *hart, uint64_t address, unsigned size, enum ztl_use use)
{
    return !hart->guards_data || ztl_pmp_allows(hart, address, size, use);
}

bool ztl_memory_allows(const ztl_hart *hart, uint64_t address, unsigned size, enum ztl_use use)
{
    return usable(hart, address, size, use) == size && is_allowed(hart, address, size, use);
}

/* The byte of an access that goes byte by byte; NULL where it cannot be used so. */
static uint8_t *byte_of(const ztl_hart *hart, uint64_t address, enum ztl_use use)
{
    region *piece;
    return span_for(hart, address, 1, use, &piece) && is_allowed(hart, address, 1, use)
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
    if (span_for(hart, address, size, USE_LOAD, &piece) == size &&
        is_allowed(hart, address, size, USE_LOAD)) {
        memcpy(value, piece->ram.bytes + (address - piece->ram.base), size);
        set_hot(hart, piece, address);
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
    if (span_for(hart, address, size, USE_STORE, &piece) != size ||
        !is_allowed(hart, address, size, USE_STORE))
        return false;
    uint64_t offset = address - piece->ram.base;
    uint8_t flags =
        piece->flags[offset >> GRANULE_SHIFT] | piece->flags[(offset + size - 1) >> GRANULE_SHIFT];
    if ((flags & GRANULE_HOOK) || ((flags & GRANULE_CODE) && touches_code(piece, offset, size)))
        return false;
    memcpy(piece->ram.bytes + offset, &value, size);
    set_hot(hart, piece, address);
    return true;
}

static bool store_bytes(ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    region *piece;
    if (span_for(hart, address, size, USE_STORE, &piece) == size &&
        is_allowed(hart, address, size, USE_STORE)) {
        copy_in(hart, address, (const uint8_t *)&value, size);
        return true;
    }
    if (!goes_by_bytes(hart, address, size))
        return false;
    for (unsigned k = 0; k < size; k++)
        if (!byte_of(hart, ztl_hart_wrap(hart, address + k), USE_STORE))
            return false;
    for (unsigned k = 0; k < size; k++)
        copy_in(hart, ztl_hart_wrap(hart, address + k), (const uint8_t *)&value + k, 1);
    return true;
}

/* Notes an access for the observer and the watchpoints. */
static void note_access(ztl_hart *hart, uint64_t address, size_t size, uint64_t value,
                        bool is_store)
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
    note_access(hart, address, size, *value, false);
    return true;
}

bool ztl_store(ztl_hart *hart, uint64_t address, unsigned size, uint64_t value)
{
    if (!(is_hot(hart, address) && store_hot(hart, address, size, value)) &&
        !store_bytes(hart, address, size, value))
        return false;
    value = low_bytes(value, size);
    note_access(hart, address, size, value, true);
    const ztl_window *range = &hart->hooks.store_range;
    if (hart->hooks.store &&
        (address - range->base < range->size || (range->size && range->base - address < size)))
        hart->hooks.store(hart->hooks.context, hart, address, size, value);
    return true;
}

/* The callbacks of the model, for what it does not reach by pointer. */
static size_t ztl_unseen_load(void *context, uint64_t address, void *bytes, size_t size)
{
    size_t count = usable(context, address, size, USE_LOAD);
    if (count == size && bytes)
        copy_out(context, address, bytes, size);
    return count;
}

static size_t ztl_unseen_store(void *context, uint64_t address, const void *bytes, size_t size)
{
    size_t count = usable(context, address, size, USE_STORE);
    if (count == size && bytes)
        copy_in(context, address, bytes, size);
    return count;
}

static uint64_t small_value(const void *bytes, size_t size)
{
    uint64_t value = 0;
    if (size <= sizeof value)
        memcpy(&value, bytes, size);
    return value;
}

static size_t ztl_seen_load(void *context, uint64_t address, void *bytes, size_t size)
{
    size_t count = ztl_unseen_load(context, address, bytes, size);
    if (count == size && bytes)
        note_access(context, address, size, small_value(bytes, size), false);
    return count;
}

static size_t ztl_seen_store(void *context, uint64_t address, const void *bytes, size_t size)
{
    size_t count = ztl_unseen_store(context, address, bytes, size);
    if (count == size && bytes)
        note_access(context, address, size, small_value(bytes, size), true);
    return count;
}

/* The largest pieces of a map that may be used so, as many as there is room for; a piece with
 * decoded code in it is not stored to by pointer. */
static size_t list_pieces(const ztl_hart *hart, unsigned use, ztl_ram *ram, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < hart->map->count; i++) {
        const ztl_mapping *m = &hart->map->piece[i];
        const region *piece = ztl_region_of(hart, m->start);
        uint64_t start = m->start - piece->ram.base, end = m->end - piece->ram.base;
        bool has_code = start < piece->code_high && end > piece->code_low;
        if (!(m->allows & use) || (use == USE_STORE && has_code))
            continue;
        size_t at = count < room ? count++ : room;
        for (; at > 0 && ram[at - 1].size < end - start; at--)
            if (at < room)
                ram[at] = ram[at - 1];
        if (at < room)
            ram[at] = (ztl_ram){m->start, end - start, piece->ram.bytes + start};
    }
    return count;
}

static void list_mapped_ram(ztl_hart *hart)
{
    hart->ztl_load_memory.ram_count = list_pieces(hart, USE_LOAD, hart->load_ram, ZTL_HART_MAX_RAM);
    hart->ztl_store_memory.ram_count =
        list_pieces(hart, USE_STORE, hart->store_ram, 2 * ZTL_HART_MAX_RAM);
}

/* The RAM that Ztl stores may reach by pointer: all but the granules between the first and the
 * last decoded code. */
static void split_store_ram(ztl_hart *hart)
{
    size_t count = 0;
    if (hart->map) {
        list_mapped_ram(hart);
        return;
    }
    for (size_t i = 0; i < hart->region_count; i++) {
        const region *piece = &hart->regions[i];
        const ztl_ram *ram = &piece->ram;
        if (piece->code_low == UINT64_MAX) {
            hart->store_ram[count++] = *ram;
            continue;
        }
        hart->store_ram[count++] = (ztl_ram){ram->base, piece->code_low, ram->bytes};
        if (piece->code_high < ram->size)
            hart->store_ram[count++] =
                (ztl_ram){ram->base + piece->code_high, ram->size - piece->code_high,
                          ram->bytes + piece->code_high};
    }
    hart->ztl_store_memory.ram_count = count;
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
        size_t count = span(hart, address + done, size - done, &piece);
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
            split_store_ram(hart);
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
    forget_windows(hart);
    if (hart->guards_fetches && !can_run_code(hart))
        hart->code_changed = true;
}

void ztl_memory_set_map(ztl_hart *hart, const ztl_map *map, uint64_t start, uint64_t end)
{
    const region *piece = ztl_region_of(hart, start);
    hart->map = map;
    if (piece && touches_code(piece, start - piece->ram.base, end - start))
        hart->code_changed = true;
    mark_fixed(hart, start, end, 0);
    forget_windows(hart);
    split_store_ram(hart);
}

void ztl_unmark_code(ztl_hart *hart)
{
    for (size_t i = 0; i < hart->region_count; i++) {
        region *piece = &hart->regions[i];
        madvise(piece->flags, (size_t)granules(piece), MADV_DONTNEED);
        madvise(piece->code, (size_t)code_bytes(piece), MADV_DONTNEED);
        piece->code_low = UINT64_MAX;
        piece->code_high = 0;
    }
    ztl_mark_hook(hart);
    mark_fixed(hart, 0, UINT64_MAX, USE_STORE); /* all are unmarked */
    split_store_ram(hart);
}

void ztl_memory_clear(ztl_hart *hart)
{
    for (size_t i = 0; i < hart->region_count; i++)
        madvise(hart->regions[i].ram.bytes, (size_t)hart->regions[i].ram.size, MADV_DONTNEED);
    hart->code_changed = true;
}

static void zero_bytes(uint8_t *bytes, uint64_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)bytes;
    uint64_t before = -start & (page - 1);
    if (before >= size || size - before < page) {
        memset(bytes, 0, size);
        return;
    }
    uint64_t whole = (size - before) & ~(uint64_t)(page - 1);
    memset(bytes, 0, before);
    madvise(bytes + before, whole, MADV_DONTNEED);
    memset(bytes + before + whole, 0, size - before - whole);
}

void ztl_memory_zero(ztl_hart *hart, uint64_t address, uint64_t size)
{
    for (uint64_t done = 0; done < size;) {
        region *piece;
        uint64_t count = span(hart, address + done, size - done, &piece);
        if (!count)
            return;
        hart->code_changed |= touches_code(piece, address + done - piece->ram.base, count);
        zero_bytes(piece->ram.bytes + (address + done - piece->ram.base), count);
        done += count;
    }
}

static bool fetch_half(const ztl_hart *hart, uint64_t pc, uint16_t *half)
{
    if (usable(hart, pc, sizeof *half, USE_FETCH) < sizeof *half ||
        (hart->guards_fetches && !ztl_pmp_allows(hart, pc, sizeof *half, USE_FETCH)))
        return false;
    copy_out(hart, pc, (uint8_t *)half, sizeof *half);
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

bool ztl_memory_create(ztl_hart *hart, const ztl_hart_config *config, ztl_error *error)
{
    if (config->ram_count < 1 || config->ram_count > ZTL_HART_MAX_RAM)
        return ztl_fail(error, "%zu pieces of RAM; 1 to %d are possible", config->ram_count,
                        ZTL_HART_MAX_RAM);
    for (size_t i = 0; i < config->ram_count; i++) {
        if (!add_region(hart, &config->ram[i], error))
            return false;
        hart->load_ram[i] = hart->regions[i].ram;
    }
    set_hot(hart, &hart->regions[0], hart->regions[0].ram.base);
    hart->ztl_load_memory = (ztl_memory){.load = ztl_unseen_load,
                                         .store = ztl_unseen_store,
                                         .context = hart,
                                         .ram = hart->load_ram,
                                         .ram_count = hart->region_count};
    hart->ztl_store_memory = hart->ztl_load_memory;
    hart->ztl_store_memory.ram = hart->store_ram;
    hart->ztl_seen_memory =
        (ztl_memory){.load = ztl_seen_load, .store = ztl_seen_store, .context = hart};
    split_store_ram(hart);
    return true;
}

void ztl_memory_destroy(ztl_hart *hart)
{
    for (size_t i = 0; i < hart->region_count; i++) {
        region *piece = &hart->regions[i];
        release(piece->flags, granules(piece));
        release(piece->code, code_bytes(piece));
        release(piece->ram.bytes, piece->ram.size);
    }
}
