/* SPDX-License-Identifier: Apache-2.0
 * The rules of doc/timing.md, each where it is quoted.
 */
#include "timing/machine.h"

#include <stdlib.h>

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t divide_up(uint64_t amount, uint64_t by)
{
    return (amount + by - 1) / by;
}

/* ---- The list of accesses --------------------------------------------------------------- */

/* high < low: the range goes around the end of the address space. */
static bool overlaps(const timing_access *access, uint64_t low, uint64_t high)
{
    if (high < low)
        return access->high >= low || access->low <= high;
    return access->low <= high && access->high >= low;
}

/* "a load conflicts with Ztl stores, a store with Ztl loads and stores, whose range overlaps" */
static uint64_t conflicts_until(const ztl_timing *timing, const timing_step *step, bool is_store)
{
    uint64_t until = 0;
    if (timing->access_done <= timing->t)
        return 0;
    for (size_t i = 0; i < timing->access_count; i++) {
        const timing_access *access = &timing->access[i];
        if ((is_store || access->is_store) && access->done > until &&
            overlaps(access, step->low, step->high))
            until = access->done;
    }
    return until;
}

/* Whether `newer` holds up whatever `older` does, and longer: that it is done later follows, since
 * it waited for the older one or for the same port. */
static bool covers(const timing_access *newer, const timing_access *older)
{
    return newer->low <= older->low && newer->high >= older->high &&
           (newer->is_store || !older->is_store);
}

static bool make_room(ztl_timing *timing)
{
    if (timing->access_count < timing->access_size)
        return true;
    size_t size = timing->access_size ? 2 * timing->access_size : 64;
    timing_access *access = realloc(timing->access, size * sizeof *access);
    if (!access)
        return false;
    timing->access = access;
    timing->access_size = size;
    return true;
}

/* Time never goes back, so what is done at t delays nothing any more: it leaves the list. */
static void add_access(ztl_timing *timing, const timing_access *added)
{
    size_t kept = 0;
    for (size_t i = 0; i < timing->access_count; i++) {
        const timing_access *access = &timing->access[i];
        if (access->done > timing->t && !covers(added, access))
            timing->access[kept++] = *access;
    }
    timing->access_count = kept;
    timing->access_done = later(timing->access_done, added->done);
    if (make_room(timing))
        timing->access[timing->access_count++] = *added;
    else
        timing->failed = true;
}

/* ---- The hart's time -------------------------------------------------------------------- */

static void tell(const ztl_timing *timing, enum ztl_timing_doing what, uint64_t pc, uint64_t from)
{
    if (timing->sink.hart && timing->t > from)
        timing->sink.hart(timing->sink.context, what, pc, from, timing->t);
}

static void issue(ztl_timing *timing, uint64_t pc, uint64_t cycles)
{
    timing->t += cycles;
    timing->counts.issuing += cycles;
    tell(timing, ZTL_TIMING_RUNS, pc, timing->t - cycles);
}

static void wait_until(ztl_timing *timing, const timing_step *step, uint64_t time,
                       enum ztl_timing_doing why, uint64_t *count)
{
    uint64_t from = timing->t;
    if (time <= from)
        return;
    timing->t = time;
    *count += time - from;
    tell(timing, why, step->pc, from);
}

/* "An ordinary instruction that accesses memory first waits: a load until done of every Ztl store
 * whose range overlaps its bytes, a store until done of every Ztl load or store whose range does.
 * With csr.drain, an instruction that writes a Ztl CSR first waits until the start of every Ztl
 * instruction issued before. A fence first waits until done of every access in the list. Then
 * t += 1 + what the table adds." */
static void step_plain(ztl_timing *timing, const timing_step *step)
{
    const ztl_timing_machine *machine = &timing->machine;
    ztl_timing_counts *counts = &timing->counts;
    uint64_t cycles = 1;
    counts->instructions++;
    if (step->flags & (TIMING_READS | TIMING_WRITES))
        wait_until(timing, step, conflicts_until(timing, step, step->flags & TIMING_WRITES),
                   ZTL_TIMING_WAITS_MEMORY, &counts->wait_memory);
    if (machine->csr_drain && step->flags & TIMING_ZTL_CSR)
        wait_until(timing, step, timing->last_start, ZTL_TIMING_WAITS_DRAIN, &counts->wait_drain);
    if (step->flags & TIMING_FENCE)
        wait_until(timing, step, timing->access_done, ZTL_TIMING_WAITS_MEMORY,
                   &counts->wait_memory);
    if (step->flags & TIMING_READS)
        cycles += machine->hart_load;
    if (step->flags & TIMING_DIVIDES)
        cycles += machine->hart_divide;
    issue(timing, step->pc, cycles);
}

/* ---- Ztl instructions ------------------------------------------------------------------- */

/* "1. While at t there are engines.queue instructions of e that start later than t, t moves to the
 * earliest of these starts." An engine's starts ascend, and never more than engines.queue of them
 * are later than t: the earliest is that of the instruction so many before this one. */
static void enter_queue(ztl_timing *timing, const timing_step *step, const timing_engine *engine)
{
    wait_until(timing, step, engine->starts[engine->oldest], ZTL_TIMING_WAITS_QUEUE,
               &timing->counts.wait_queue);
}

static void not_before(ztl_timing_span *span, uint64_t time, enum ztl_timing_cause cause,
                       unsigned reg)
{
    if (time <= span->start)
        return;
    span->start = time;
    span->cause = cause;
    span->reg = (uint8_t)reg;
}

static unsigned take_register(uint32_t *set)
{
    unsigned reg = (unsigned)__builtin_ctz(*set);
    *set &= *set - 1;
    return reg;
}

/* "2. start = max(t + engines.issue, free(e), free(p) if it accesses memory at all, written(r) of
 * every r read, written(r) and read(r) of every r written, done of every access in the list that
 * conflicts)" */
static void find_start(const ztl_timing *timing, const timing_step *step, ztl_timing_span *span)
{
    span->ready = span->start = timing->t + timing->machine.engines_issue;
    span->cause = ZTL_TIMING_ISSUE;
    not_before(span, timing->engine[span->engine].free, ZTL_TIMING_ENGINE, 0);
    if (span->port >= 0)
        not_before(span, timing->port_free[span->port], ZTL_TIMING_PORT, 0);
    for (uint32_t set = step->reads; set;) {
        unsigned reg = take_register(&set);
        not_before(span, timing->written[reg], ZTL_TIMING_RAW, reg);
    }
    for (uint32_t set = step->writes; set;) {
        unsigned reg = take_register(&set);
        not_before(span, later(timing->written[reg], timing->read[reg]), ZTL_TIMING_WAR, reg);
    }
    if (span->port >= 0)
        not_before(span, conflicts_until(timing, step, step->kind == TIMING_STORE),
                   ZTL_TIMING_MEMORY, 0);
}

/* "3. busy = for LOAD and STORE max(⌈bytes accessed / bytes⌉, ⌈slices accessed / slices⌉), for the
 * others ⌈bytes moved / bytes⌉; at least 1." */
static uint64_t busy_cycles(const ztl_timing_machine *machine, const timing_step *step,
                            uint32_t *latency)
{
    uint64_t busy = 1;
    switch (step->kind) {
    case TIMING_LOAD:
        *latency = machine->l1m_latency;
        busy = later(busy, divide_up(step->slices, machine->l1m_slices));
        return later(busy, divide_up(step->bytes, machine->l1m_bytes));
    case TIMING_STORE:
        *latency = machine->l0m_latency;
        busy = later(busy, divide_up(step->slices, machine->l0m_slices));
        return later(busy, divide_up(step->bytes, machine->l0m_bytes));
    case TIMING_ADD:
        *latency = machine->add_latency;
        return divide_up(step->bytes, machine->add_bytes);
    default:
        *latency = machine->move_latency;
        return divide_up(step->bytes, machine->move_bytes);
    }
}

/* "4. free(e) = start + busy; free(p) = start + busy; read(r) = max(read(r), start + busy) of every
 * r read; written(r) = start + busy + latency of every r written. The access is done at
 * start + busy for a load, at start + busy + latency for a store." */
static void occupy(ztl_timing *timing, const timing_step *step, const ztl_timing_span *span)
{
    timing_engine *engine = &timing->engine[span->engine];
    engine->free = span->end;
    engine->starts[engine->oldest] = span->start;
    engine->oldest = engine->oldest + 1 == timing->machine.engines_queue ? 0 : engine->oldest + 1;
    for (uint32_t set = step->reads; set;) {
        unsigned reg = take_register(&set);
        timing->read[reg] = later(timing->read[reg], span->end);
    }
    for (uint32_t set = step->writes; set;)
        timing->written[take_register(&set)] = span->done;
    timing->last_start = later(timing->last_start, span->start);
    timing->latest = later(timing->latest, span->done);
    timing->last_done = span->done;
    if (span->port < 0)
        return;
    bool is_store = step->kind == TIMING_STORE;
    timing->port_free[span->port] = span->end;
    add_access(timing, &(timing_access){step->low, step->high, is_store ? span->done : span->end,
                                        is_store});
}

static void count_span(ztl_timing *timing, const ztl_timing_span *span, uint64_t free_before)
{
    ztl_timing_unit *engine = &timing->counts.engine[span->engine];
    uint64_t busy = span->end - span->start;
    if (engine->instructions) /* idle cycles count from the first start on */
        engine->idle[span->cause] += span->start - free_before;
    engine->instructions++;
    engine->busy += busy;
    if (span->port >= 0) {
        timing->counts.port[span->port].instructions++;
        timing->counts.port[span->port].busy += busy;
    }
}

static int choose_port(const ztl_timing_machine *machine, const timing_step *step)
{
    bool accesses = (step->kind == TIMING_LOAD || step->kind == TIMING_STORE) && step->slices;
    if (!accesses)
        return -1;
    return step->kind == TIMING_STORE && !machine->ports_shared;
}

static unsigned choose_engine(const ztl_timing_machine *machine, const timing_step *step)
{
    if (machine->engines_count == 1)
        return 0;
    return machine->engines_by ? step->engine_kind : step->engine_id;
}

static void step_ztl(ztl_timing *timing, const timing_step *step)
{
    uint32_t latency;
    ztl_timing_span span = {.number = timing->counts.ztl_instructions,
                            .pc = step->pc,
                            .word = step->word,
                            .engine = (uint8_t)choose_engine(&timing->machine, step),
                            .port = (int8_t)choose_port(&timing->machine, step),
                            .bytes = step->bytes,
                            .slices = step->slices,
                            .arrived = timing->t};
    timing_engine *engine = &timing->engine[span.engine];
    uint64_t free_before = engine->free;
    timing->counts.instructions++;
    timing->counts.ztl_instructions++;
    enter_queue(timing, step, engine);
    span.issued = timing->t;
    find_start(timing, step, &span);
    span.end = span.start + busy_cycles(&timing->machine, step, &latency);
    span.done = span.end + latency;
    occupy(timing, step, &span);
    count_span(timing, &span, free_before);
    if (timing->sink.span)
        timing->sink.span(timing->sink.context, &span);
    issue(timing, step->pc, 1); /* "5. t += 1." */
}

void ztl_timing_step(ztl_timing *timing, const timing_step *step)
{
    if (step->flags & TIMING_AFTER_JUMP)
        issue(timing, step->pc, timing->machine.hart_jump);
    if (step->kind == TIMING_PLAIN) {
        step_plain(timing, step);
    } else if (step->kind == TIMING_TRAP) { /* "t += 1 + hart.trap. Nothing else" */
        timing->counts.traps++;
        issue(timing, step->pc, 1 + timing->machine.hart_trap);
    } else {
        step_ztl(timing, step);
    }
}
