/* SPDX-License-Identifier: Apache-2.0
 * Spike's RAM as the model takes it. Spike keeps RAM in separate pages of the host; pages used last
 * are given to the model, which then moves bytes by pointer.
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
    enum { PAGE = 4096, PAGES = 1024, PIECES = 4 };

    struct page {
        uint64_t number;
        uint8_t *bytes; /* NULL: not looked up yet */
    };

    /* What loads use, or stores. */
    struct port {
        ztl_memory view;
        ztl_ram piece[PIECES];
        unsigned next; /* piece to be replaced */
        memory *owner;
    };

    uint8_t *host(uint64_t address);
    size_t mapped(uint64_t address, size_t size);
    void copy(bool is_store, uint64_t address, uint8_t *bytes, size_t size);
    void keep(port &used, uint64_t address);

    static size_t load(void *context, uint64_t address, void *bytes, size_t size);
    static size_t store(void *context, uint64_t address, const void *bytes, size_t size);
    static size_t load_logged(void *context, uint64_t address, void *bytes, size_t size);
    static size_t store_logged(void *context, uint64_t address, const void *bytes, size_t size);

    simif_t &machine;
    state_t &hart;
    port fast[2]; /* of loads, of stores */
    ztl_memory in_log;
    page cache[PAGES];
};

} // namespace ztl_spike

#endif
