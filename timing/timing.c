/* SPDX-License-Identifier: Apache-2.0
 * A machine as an observer of a hart.
 */
#include "timing/machine.h"

#include <stdlib.h>

ztl_timing *ztl_timing_create(const ztl_timing_machine *machine)
{
    ztl_timing *timing = calloc(1, sizeof *timing);
    if (!timing)
        return NULL;
    timing->machine = *machine;
    for (size_t e = 0; e < ZTL_TIMING_ENGINES; e++) {
        uint64_t **starts = &timing->engine[e].starts;
        if (!(*starts = calloc(machine->engines_queue, sizeof **starts))) {
            ztl_timing_destroy(timing);
            return NULL;
        }
    }
    return timing;
}

void ztl_timing_destroy(ztl_timing *timing)
{
    if (!timing)
        return;
    for (size_t e = 0; e < ZTL_TIMING_ENGINES; e++)
        free(timing->engine[e].starts);
    free(timing->access);
    free(timing);
}

static void happened(void *context, ztl_hart *hart, const ztl_event *event)
{
    ztl_timing *timing = context;
    timing_step step;
    if (ztl_timing_read(&timing->reader, hart, event, &step))
        ztl_timing_step(timing, &step);
}

ztl_observer ztl_timing_observer(ztl_timing *timing)
{
    return (ztl_observer){timing, happened};
}

uint64_t ztl_timing_now(const ztl_timing *timing, uint64_t pc)
{
    return timing->t + (timing_is_after_jump(&timing->reader, pc) ? timing->machine.hart_jump : 0);
}

static uint64_t now(void *context, const ztl_hart *hart)
{
    return ztl_timing_now(context, ztl_hart_pc(hart));
}

ztl_clock ztl_timing_clock(ztl_timing *timing)
{
    return (ztl_clock){timing, now};
}

void ztl_timing_attach(ztl_timing *timing, ztl_hart *hart)
{
    ztl_observer observer = ztl_timing_observer(timing);
    ztl_clock clock = ztl_timing_clock(timing);
    ztl_hart_set_observer(hart, &observer);
    ztl_hart_set_clock(hart, &clock);
}

void ztl_timing_set_sink(ztl_timing *timing, const ztl_timing_sink *sink)
{
    timing->sink = sink ? *sink : (ztl_timing_sink){0};
}

ztl_timing_counts ztl_timing_result(const ztl_timing *timing)
{
    ztl_timing_counts counts = timing->counts;
    counts.hart = timing->t;
    counts.cycles = timing->latest > timing->t ? timing->latest : timing->t;
    return counts;
}

bool ztl_timing_failed(const ztl_timing *timing)
{
    return timing->failed;
}
