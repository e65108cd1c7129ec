/* SPDX-License-Identifier: Apache-2.0
 * The rules of doc/timing.md, as far as orders depend on them.
 */
#include "ops/emit/clock.h"

static void raise(int64_t *least, int64_t value)
{
    if (*least < value)
        *least = value;
}

static void wait_for_registers(int64_t *start, const emit_clock *c, const clock_event *e)
{
    for (uint32_t left = e->reads | e->writes; left; left &= left - 1)
        raise(start, c->written[__builtin_ctz(left)]);
    for (uint32_t left = e->writes; left; left &= left - 1)
        raise(start, c->read[__builtin_ctz(left)]);
}

int64_t ztl_ops_clock_ready(const emit_clock *c, const clock_event *e, int64_t *memory)
{
    int64_t start = c->engine[e->engine];
    if (e->port != CLOCK_NO_PORT)
        raise(&start, c->port[e->port]);
    wait_for_registers(&start, c, e);
    int64_t alone = start;
    for (unsigned i = 0; e->port == CLOCK_STORE && i < CLOCK_STORES; i++)
        if (e->low < c->stored[i].high && c->stored[i].low < e->high)
            raise(&start, c->stored[i].done);
    *memory = start - alone;
    return start;
}

void ztl_ops_clock_issue(emit_clock *c, const clock_event *e)
{
    int64_t memory;
    unsigned turn = c->turn[e->engine]++ % CLOCK_QUEUE;
    int64_t *oldest = &c->queue[e->engine][turn];
    raise(&c->now, *oldest);
    int64_t start = ztl_ops_clock_ready(c, e, &memory);
    raise(&start, c->now + 1);
    c->now++;
    *oldest = start;
    int64_t end = start + e->busy;
    c->engine[e->engine] = end;
    if (e->port != CLOCK_NO_PORT)
        c->port[e->port] = end;
    for (uint32_t left = e->reads; left; left &= left - 1)
        raise(&c->read[__builtin_ctz(left)], end);
    for (uint32_t left = e->writes; left; left &= left - 1)
        c->written[__builtin_ctz(left)] = end + e->latency;
    if (e->port == CLOCK_STORE)
        c->stored[c->stores++ % CLOCK_STORES] = (clock_stored){e->low, e->high, end + e->latency};
}
