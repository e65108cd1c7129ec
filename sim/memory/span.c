/* SPDX-License-Identifier: Apache-2.0
 * Ranges of memory, which may span regions.
 */
#include "sim/memory/memory.h"

#include <string.h>

region *ztl_region_of(const ztl_hart *hart, uint64_t address)
{
    for (size_t i = 0; i < hart->region_count; i++) {
        const ztl_ram *ram = &hart->regions[i].ram;
        if (address - ram->base < ram->size)
            return (region *)&hart->regions[i];
    }
    return NULL;
}

size_t ztl_memory_span_for(const ztl_hart *hart, uint64_t address, size_t size, unsigned use,
                           region **piece)
{
    *piece = ztl_region_of(hart, address);
    if (!*piece)
        return 0;
    uint64_t left = (*piece)->ram.size - (address - (*piece)->ram.base);
    size_t here = left < size ? (size_t)left : size;
    return hart->map ? (size_t)ztl_map_span(hart->map, address, here, use) : here;
}

size_t ztl_memory_span(const ztl_hart *hart, uint64_t address, size_t size, region **piece)
{
    return ztl_memory_span_for(hart, address, size, 0, piece);
}

uint64_t ztl_memory_usable(const ztl_hart *hart, uint64_t address, uint64_t size, unsigned use)
{
    uint64_t done = 0;
    while (done < size) {
        region *piece;
        size_t count = ztl_memory_span_for(hart, address + done, size - done, use, &piece);
        done += count;
        if (count == 0 || ztl_hart_wrap(hart, address + done) < address)
            break;
    }
    return done;
}

void ztl_memory_copy_out(const ztl_hart *hart, uint64_t address, uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        region *piece;
        size_t count = ztl_memory_span(hart, address + done, size - done, &piece);
        memcpy(bytes + done, piece->ram.bytes + (address + done - piece->ram.base), count);
        done += count;
    }
}

void ztl_memory_copy_in(ztl_hart *hart, uint64_t address, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        region *piece;
        size_t count = ztl_memory_span(hart, address + done, size - done, &piece);
        uint64_t offset = address + done - piece->ram.base;
        hart->code_changed |= ztl_memory_touches_code(piece, offset, count);
        memcpy(piece->ram.bytes + offset, bytes + done, count);
        done += count;
    }
}

size_t ztl_hart_read_memory(const ztl_hart *hart, uint64_t address, void *bytes, size_t size)
{
    size_t count = ztl_memory_usable(hart, address, size, 0);
    ztl_memory_copy_out(hart, address, bytes, count);
    return count;
}

size_t ztl_hart_write_memory(ztl_hart *hart, uint64_t address, const void *bytes, size_t size)
{
    size_t count = ztl_memory_usable(hart, address, size, 0);
    ztl_memory_copy_in(hart, address, bytes, count);
    return count;
}
