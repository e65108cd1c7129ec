/* SPDX-License-Identifier: Apache-2.0
 * Sharing memory with another machine; its traps, host calls and stores as events of the hart.
 */
#define _GNU_SOURCE
#include "sim/cosim/mirror.h"

#include <sys/mman.h>

#include "sim/hart.h"

/* Instructions of a while: more than HTIF gives a program for the other half of a word. */
enum { WHILE = 1 << 20 };

bool ztl_mirror_share(ztl_hart *hart, int file)
{
    for (size_t i = 0; i < hart->region_count; i++) {
        const ztl_ram *ram = &hart->regions[i].ram;
        if (mmap(ram->bytes, (size_t)ram->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                 file, (off_t)ram->base) == MAP_FAILED)
            return false;
    }
    return true;
}

void ztl_mirror_trap(ztl_hart *hart, const ztl_trap *trap)
{
    hart->has_trapped = true;
    hart->last_trap = *trap;
    hart->pc = trap->pc;
}

void ztl_mirror_call(ztl_hart *hart)
{
    if (hart->hooks.semihost)
        hart->hooks.semihost(hart->hooks.context, hart);
}

void ztl_mirror_store(ztl_hart *hart, uint64_t address, unsigned size)
{
    uint64_t value = 0;
    ztl_load(hart, address, size, &value);
    if (hart->hooks.store)
        hart->hooks.store(hart->hooks.context, hart, address, size, value);
}

ztl_window ztl_mirror_watched(const ztl_hart *hart)
{
    return hart->hooks.store ? hart->hooks.store_range : (ztl_window){0, 0};
}

void ztl_mirror_advance(ztl_hart *hart)
{
    hart->retired += WHILE;
}

enum ztl_stop ztl_mirror_asked(const ztl_hart *hart)
{
    if (hart->exit_requested)
        return ZTL_STOP_EXIT;
    return hart->stop_requested ? ZTL_STOP_HOST : ZTL_STOP_LIMIT;
}
