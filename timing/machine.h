/* SPDX-License-Identifier: Apache-2.0
 * The machine under way.
 */
#ifndef ZTL_TIMING_MACHINE_H
#define ZTL_TIMING_MACHINE_H

#include "timing/step.h"

/* An access of a Ztl instruction whose end may still matter. */
typedef struct timing_access {
    uint64_t low, high, done;
    bool is_store;
} timing_access;

typedef struct timing_engine {
    uint64_t free;
    uint64_t *starts; /* of its last engines.queue instructions, in a ring */
    uint32_t oldest;
} timing_engine;

struct ztl_timing {
    ztl_timing_machine machine;
    uint64_t t;
    uint64_t latest;     /* start + busy + latency of all */
    uint64_t last_start; /* of all */
    uint64_t last_done;  /* of the instruction issued last */
    timing_engine engine[ZTL_TIMING_ENGINES];
    uint64_t port_free[ZTL_TIMING_PORTS];
    uint64_t written[ZTL_REGISTERS], read[ZTL_REGISTERS];
    timing_access *access; /* in no order */
    size_t access_count, access_size;
    uint64_t access_done; /* the latest of all ever; none matters from then on */
    bool failed;          /* no memory */
    ztl_timing_counts counts;
    timing_reader reader;
    ztl_timing_sink sink;
};

#endif
