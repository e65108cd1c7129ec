/* SPDX-License-Identifier: Apache-2.0
 * When instructions would start on the machine `four` of doc/timing.md, if they were issued in the
 * order in which they are written. It only chooses among orders that are all right.
 */
#ifndef ZTL_OPS_EMIT_CLOCK_H
#define ZTL_OPS_EMIT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { CLOCK_ENGINES = 4, CLOCK_QUEUE = 4, CLOCK_REGISTERS = 32, CLOCK_STORES = 16 };

enum clock_port { CLOCK_LOAD, CLOCK_STORE, CLOCK_NO_PORT };

/* What an instruction needs of the machine. */
typedef struct clock_event {
    unsigned engine;
    enum clock_port port;
    int64_t busy, latency;
    uint32_t reads, writes; /* registers, but tl0 */
    int64_t low, high;      /* the bytes of a store: the first and one past the last */
} clock_event;

typedef struct clock_stored {
    int64_t low, high, done;
} clock_stored;

typedef struct emit_clock {
    int64_t now; /* of the hart */
    int64_t engine[CLOCK_ENGINES], port[2];
    int64_t queue[CLOCK_ENGINES][CLOCK_QUEUE]; /* when the last ones started, in turn */
    unsigned turn[CLOCK_ENGINES];
    int64_t written[CLOCK_REGISTERS], read[CLOCK_REGISTERS];
    clock_stored stored[CLOCK_STORES]; /* the last ones, in turn */
    unsigned stores;
} emit_clock;

/* The earliest start as far as everything but the hart goes; *memory: how much of it a store waits
 * for others only. */
int64_t ztl_ops_clock_ready(const emit_clock *clock, const clock_event *event, int64_t *memory);

void ztl_ops_clock_issue(emit_clock *clock, const clock_event *event);

#endif
