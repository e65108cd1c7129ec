/* SPDX-License-Identifier: Apache-2.0
 * How long a plan keeps ports and engines busy, on the machine `four` of doc/timing.md: 64 bytes a
 * cycle, and one slice of a port.
 */
#ifndef ZTL_OPS_PORTS_H
#define ZTL_OPS_PORTS_H

#include "ops/format/plan.h"

enum { OPS_PORT_BYTES = 64 };

/* Cycles of one load or store. */
static inline int64_t ops_port_busy(int64_t slices, int64_t width)
{
    int64_t bytes = (slices * width + OPS_PORT_BYTES - 1) / OPS_PORT_BYTES;
    return bytes > slices ? bytes : slices;
}

/* Of the busiest port or engine, over all passes that have a program. */
uint64_t ztl_ops_busy_cycles(const ztl_ops_plan *plan);

#endif
