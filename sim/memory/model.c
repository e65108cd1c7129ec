/* SPDX-License-Identifier: Apache-2.0
 * Memory as the model of Ztl sees it: RAM by pointer, and by call where somebody looks.
 */
#include "sim/memory/memory.h"

#include <string.h>

/* The callbacks of the model, for what it does not reach by pointer. */
static size_t ztl_unseen_load(void *context, uint64_t address, void *bytes, size_t size)
{
    size_t count = ztl_memory_usable(context, address, size, USE_LOAD);
    if (count == size && bytes)
        ztl_memory_copy_out(context, address, bytes, size);
    return count;
}

static size_t ztl_unseen_store(void *context, uint64_t address, const void *bytes, size_t size)
{
    size_t count = ztl_memory_usable(context, address, size, USE_STORE);
    if (count == size && bytes)
        ztl_memory_copy_in(context, address, bytes, size);
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
        ztl_memory_note(context, address, size, small_value(bytes, size), false);
    return count;
}

static size_t ztl_seen_store(void *context, uint64_t address, const void *bytes, size_t size)
{
    size_t count = ztl_unseen_store(context, address, bytes, size);
    if (count == size && bytes)
        ztl_memory_note(context, address, size, small_value(bytes, size), true);
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

void ztl_memory_list_ram(ztl_hart *hart)
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

void ztl_memory_serve_model(ztl_hart *hart)
{
    for (size_t i = 0; i < hart->region_count; i++)
        hart->load_ram[i] = hart->regions[i].ram;
    hart->ztl_load_memory = (ztl_memory){.load = ztl_unseen_load,
                                         .store = ztl_unseen_store,
                                         .context = hart,
                                         .ram = hart->load_ram,
                                         .ram_count = hart->region_count};
    hart->ztl_store_memory = hart->ztl_load_memory;
    hart->ztl_store_memory.ram = hart->store_ram;
    hart->ztl_seen_memory =
        (ztl_memory){.load = ztl_seen_load, .store = ztl_seen_store, .context = hart};
    ztl_memory_list_ram(hart);
}
