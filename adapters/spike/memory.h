/* SPDX-License-Identifier: Apache-2.0
 * Spike's RAM as the model takes it. Spike keeps RAM in separate pages of the host, which it never
 * moves or frees; pages that were used are in a table, by which the model moves bytes by pointer.
 */
#ifndef ZTL_SPIKE_MEMORY_H
#define ZTL_SPIKE_MEMORY_H

#include <riscv/processor.h>
#include <riscv/simif.h>

#include <ztl/ztl.h>

namespace ztl_spike
{

class memory
{
  public:
    memory(simif_t &machine, state_t &hart);
    memory(const memory &) = delete;

    /* Memory for one instruction: as fast as can be, or such that Spike's log has each access. */
    const ztl_memory *of(bool is_store, bool logged)
    {
        return logged ? &in_log : &fast[is_store].view;
    }

  private:
    enum { PAGE_BITS = 12, PAGE = 1 << PAGE_BITS, PAGES = 1024 };

    /* What loads use, or stores: copies between blocks that lie some MiB apart need both. */
    struct port {
        ztl_memory view;
        ztl_ram page[PAGES];
        memory *owner;
    };

    uint8_t *host(port &used, uint64_t address);
    size_t mapped(port &used, uint64_t address, size_t size);
    size_t move(port &used, bool is_store, uint64_t address, uint8_t *bytes, size_t size);

    static size_t load(void *context, uint64_t address, void *bytes, size_t size);
    static size_t store(void *context, uint64_t address, const void *bytes, size_t size);
    static size_t load_logged(void *context, uint64_t address, void *bytes, size_t size);
    static size_t store_logged(void *context, uint64_t address, const void *bytes, size_t size);

    simif_t &machine;
    state_t &hart;
    port fast[2]; /* of loads, of stores */
    ztl_memory in_log;
};

} // namespace ztl_spike

#endif
