/* SPDX-License-Identifier: Apache-2.0
 * Breakpoints and watchpoints.
 */
#include "sim/hart.h"

bool ztl_hart_add_breakpoint(ztl_hart *hart, uint64_t pc)
{
    if (hart->breakpoint_count == ZTL_HART_MAX_BREAKPOINTS)
        return false;
    hart->breakpoints[hart->breakpoint_count++] = pc;
    return true;
}

bool ztl_hart_remove_breakpoint(ztl_hart *hart, uint64_t pc)
{
    for (size_t i = 0; i < hart->breakpoint_count; i++)
        if (hart->breakpoints[i] == pc) {
            hart->breakpoints[i] = hart->breakpoints[--hart->breakpoint_count];
            return true;
        }
    return false;
}

bool ztl_hart_add_watchpoint(ztl_hart *hart, uint64_t address, uint64_t size, enum ztl_watch kind)
{
    if (hart->watchpoint_count == ZTL_HART_MAX_WATCHPOINTS || size == 0)
        return false;
    hart->watchpoints[hart->watchpoint_count++] = (watchpoint){address, size, kind};
    return true;
}

bool ztl_hart_remove_watchpoint(ztl_hart *hart, uint64_t address, uint64_t size,
                                enum ztl_watch kind)
{
    for (size_t i = 0; i < hart->watchpoint_count; i++) {
        const watchpoint *watch = &hart->watchpoints[i];
        if (watch->address != address || watch->size != size || watch->kind != kind)
            continue;
        hart->watchpoints[i] = hart->watchpoints[--hart->watchpoint_count];
        return true;
    }
    return false;
}

void ztl_hart_clear_points(ztl_hart *hart)
{
    hart->breakpoint_count = hart->watchpoint_count = 0;
}

ztl_watch_hit ztl_hart_watch_hit(const ztl_hart *hart)
{
    return hart->watch_hit;
}
