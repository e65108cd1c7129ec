/* SPDX-License-Identifier: Apache-2.0
 * Spike's RAM, page by page. Devices are no RAM: Ztl accesses to them are access faults.
 */
#include "adapters/spike/memory.h"

#include <algorithm>
#include <cstring>

namespace ztl_spike
{

memory::memory(simif_t &machine, state_t &hart)
    : machine(machine), hart(hart), fast(), in_log{load_logged, store_logged, this, nullptr, 0},
      cache()
{
    for (port &one : fast) {
        one.view = {load, store, &one, one.piece, PIECES};
        one.owner = this;
    }
}

/* The host address of a byte of RAM, else NULL. Spike never moves or frees a page of RAM. */
uint8_t *memory::host(uint64_t address)
{
    const uint64_t number = address / PAGE;
    page &entry = cache[number % PAGES];
    if (entry.number != number || !entry.bytes)
        entry = {number, reinterpret_cast<uint8_t *>(machine.addr_to_mem(number * PAGE))};
    return entry.bytes ? entry.bytes + address % PAGE : nullptr;
}

/* How many bytes from an address on are RAM; the range does not wrap. */
size_t memory::mapped(uint64_t address, size_t size)
{
    size_t good = 0;
    while (good < size && host(address + good))
        good += PAGE - (address + good) % PAGE;
    return std::min(good, size);
}

void memory::copy(bool is_store, uint64_t address, uint8_t *bytes, size_t size)
{
    while (size) {
        const size_t part = std::min<size_t>(size, PAGE - address % PAGE);
        uint8_t *there = host(address);
        memcpy(is_store ? there : bytes, is_store ? bytes : there, part);
        address += part;
        bytes += part;
        size -= part;
    }
}

/* Gives the model a page, from now on. */
void memory::keep(port &used, uint64_t address)
{
    const uint64_t base = address - address % PAGE;
    used.piece[used.next] = {base, PAGE, host(base)};
    used.next = (used.next + 1) % PIECES;
}

size_t memory::load(void *context, uint64_t address, void *bytes, size_t size)
{
    port &used = *static_cast<port *>(context);
    const size_t good = used.owner->mapped(address, size);
    if (good < size)
        return good;
    used.owner->keep(used, address);
    if (bytes)
        used.owner->copy(false, address, static_cast<uint8_t *>(bytes), size);
    return size;
}

size_t memory::store(void *context, uint64_t address, const void *bytes, size_t size)
{
    port &used = *static_cast<port *>(context);
    const size_t good = used.owner->mapped(address, size);
    if (good < size)
        return good;
    used.owner->keep(used, address);
    if (bytes)
        used.owner->copy(true, address, static_cast<uint8_t *>(const_cast<void *>(bytes)), size);
    return size;
}

/* A load appears in the log with its address only: one entry for a slice. */
size_t memory::load_logged(void *context, uint64_t address, void *bytes, size_t size)
{
    memory &self = *static_cast<memory *>(context);
    const size_t good = self.mapped(address, size);
    if (good < size || !bytes)
        return good;
    self.copy(false, address, static_cast<uint8_t *>(bytes), size);
    self.hart.log_mem_read.push_back({address, 0, 0});
    return size;
}

/* The log takes values of 1, 2, 4 and 8 bytes. */
size_t memory::store_logged(void *context, uint64_t address, const void *bytes, size_t size)
{
    memory &self = *static_cast<memory *>(context);
    const size_t good = self.mapped(address, size);
    if (good < size || !bytes)
        return good;
    self.copy(true, address, static_cast<uint8_t *>(const_cast<void *>(bytes)), size);
    for (size_t at = 0; at < size;) {
        size_t part = 8;
        while (part > size - at)
            part /= 2;
        uint64_t value = 0;
        memcpy(&value, static_cast<const uint8_t *>(bytes) + at, part);
        self.hart.log_mem_write.push_back({address + at, value, (uint8_t)part});
        at += part;
    }
    return size;
}

} // namespace ztl_spike
