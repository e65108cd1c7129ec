/* SPDX-License-Identifier: Apache-2.0
 * Idle cycles of engines and ports by cause.
 */
#include "bench/cycles/loss.h"

#include <string.h>

#define KEY(ID, key, words)  key,
#define WORD(ID, key, words) words,
const char *const ztl_ops_loss_keys[OPS_LOSS_COUNT] = {OPS_LOSSES(KEY)};
const char *const ztl_ops_loss_words[OPS_LOSS_COUNT] = {OPS_LOSSES(WORD)};

/* The instruction that ends a gap waited for one thing; where that was its issue, the hart either
 * worked or waited for the queue of another engine. */
static void end_gap(ops_unit_loss *unit, const ztl_timing_span *span)
{
    static const enum ops_loss losses[ZTL_TIMING_CAUSE_COUNT] = {
        [ZTL_TIMING_ISSUE] = OPS_LOSS_HART, [ZTL_TIMING_ENGINE] = OPS_LOSS_ENGINE,
        [ZTL_TIMING_PORT] = OPS_LOSS_PORT,  [ZTL_TIMING_RAW] = OPS_LOSS_RAW,
        [ZTL_TIMING_WAR] = OPS_LOSS_WAR,    [ZTL_TIMING_MEMORY] = OPS_LOSS_MEMORY};
    uint64_t gap = span->start - unit->end, queue = 0;
    enum ops_loss cause = unit->started ? losses[span->cause] : OPS_LOSS_START;
    if (cause == OPS_LOSS_HART)
        queue = unit->waited < gap ? unit->waited : gap;
    unit->loss[cause] += gap - queue;
    unit->loss[OPS_LOSS_QUEUE] += queue;
    unit->started = true;
    unit->end = span->end;
    unit->waited = 0;
}

static void take_span(void *context, const ztl_timing_span *span)
{
    ops_losses *losses = context;
    end_gap(&losses->unit[span->engine], span);
    if (span->port >= 0)
        end_gap(&losses->unit[ZTL_TIMING_ENGINES + span->port], span);
}

static void take_stretch(void *context, enum ztl_timing_doing what, uint64_t pc, uint64_t from,
                         uint64_t to)
{
    ops_losses *losses = context;
    (void)pc;
    if (what == ZTL_TIMING_RUNS)
        return;
    for (unsigned u = 0; u < OPS_UNITS; u++) {
        uint64_t idle = losses->unit[u].end;
        if (to > idle)
            losses->unit[u].waited += to - (from > idle ? from : idle);
    }
}

ztl_timing_sink ztl_ops_losses_sink(ops_losses *losses)
{
    return (ztl_timing_sink){losses, take_span, take_stretch};
}

/* The one that ztl_timing_bound names. */
static unsigned busiest(const ztl_timing_machine *machine, const ztl_timing_counts *counts)
{
    uint64_t bound = ztl_timing_bound(machine, counts, NULL);
    for (unsigned p = 0; p < ZTL_TIMING_PORTS; p++)
        if (counts->port[p].busy == bound)
            return ZTL_TIMING_ENGINES + p;
    for (unsigned e = 0; e < ZTL_TIMING_ENGINES; e++)
        if (counts->engine[e].busy == bound)
            return e;
    return 0;
}

void ztl_ops_losses_of(const ops_losses *losses, const ztl_timing_machine *machine,
                       const ztl_timing_counts *counts, uint64_t loss[OPS_LOSS_COUNT])
{
    const ops_unit_loss *unit = &losses->unit[busiest(machine, counts)];
    memcpy(loss, unit->loss, sizeof unit->loss);
    loss[OPS_LOSS_END] = counts->cycles - unit->end;
}
