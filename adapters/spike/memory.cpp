/* SPDX-License-Identifier: Apache-2.0
 * Spike's RAM, page by page. Devices are no RAM: Ztl accesses to them are access faults.
 */
#include "adapters/spike/memory.h"

#include <algorithm>
#include <cstring>

namespace ztl_spike
{

memory::memory(simif_t &machine, state_t &hart)
    : machine(machine), hart(hart), fast(), in_log{load_logged, store_logged, this, nullptr, 0, 0}
{
    for (port &one : fast) {
        one.view = {load, store, &one, one.page, PAGES, PAGE_BITS};
        one.owner = this;
    }
}

/* The host address of a byte of RAM, else NULL. Its page is in the table from now on. */
uint8_t *memory::host(port &used, uint64_t address)
{
    const uint64_t base = address - address % PAGE;
    ztl_ram &entry = used.page[address / PAGE % PAGES];
    if (entry.base != base || !entry.size) {
        auto *bytes = reinterpret_cast<uint8_t *>(machine.addr_to_mem(base));
        if (!bytes)
            return nullptr;
        entry = {base, PAGE, bytes};
    }
    return entry.bytes + address % PAGE;
}

/* How many bytes from an address on are RAM; the range does not wrap. */
size_t memory::mapped(port &used, uint64_t address, size_t size)
{
    size_t good = 0;
    while (good < size && host(used, address + good))
        good += PAGE - (address + good) % PAGE;
    return std::min(good, size);
}

size_t memory::move(port &used, bool is_store, uint64_t address, uint8_t *bytes, size_t size)
{
    const size_t good = mapped(used, address, size);
    if (good < size || !bytes)
        return good;
    for (size_t done = 0, part; done < size; done += part) {
        uint8_t *there = host(used, address + done), *here = bytes + done;
        part = std::min<size_t>(size - done, PAGE - (address + done) % PAGE);
        memcpy(is_store ? there : here, is_store ? here : there, part);
    }
    return size;
}

size_t memory::load(void *context, uint64_t address, void *bytes, size_t size)
{
    port &used = *static_cast<port *>(context);
    return used.owner->move(used, false, address, static_cast<uint8_t *>(bytes), size);
}

size_t memory::store(void *context, uint64_t address, const void *bytes, size_t size)
{
    port &used = *static_cast<port *>(context);
    auto *from = static_cast<uint8_t *>(const_cast<void *>(bytes));
    return used.owner->move(used, true, address, from, size);
}

/* A load appears in the log with its address only: one entry for a slice. */
size_t memory::load_logged(void *context, uint64_t address, void *bytes, size_t size)
{
    memory &self = *static_cast<memory *>(context);
    const size_t good = load(&self.fast[false], address, bytes, size);
    if (good < size || !bytes)
        return good;
    self.hart.log_mem_read.push_back({address, 0, 0});
    return size;
}

/* The log takes values of 1, 2, 4 and 8 bytes. */
size_t memory::store_logged(void *context, uint64_t address, const void *bytes, size_t size)
{
    memory &self = *static_cast<memory *>(context);
    const size_t good = store(&self.fast[true], address, bytes, size);
    if (good < size || !bytes)
        return good;
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
