/* SPDX-License-Identifier: Apache-2.0
 * What a run lost cycles to: those in which its busiest engine or port did nothing.
 */
#ifndef ZTL_BENCH_CYCLES_LOSS_H
#define ZTL_BENCH_CYCLES_LOSS_H

#include <ztl/timing.h>

/* Causes: ID, key, words. */
#define OPS_LOSSES(LOSS)                                                                           \
    LOSS(START, "start", "before its first instruction")                                           \
    LOSS(HART, "hart", "the hart had not issued one")                                              \
    LOSS(QUEUE, "queue", "the hart waited for another queue")                                      \
    LOSS(ENGINE, "engine", "its engine did something else")                                        \
    LOSS(PORT, "port", "the port was taken")                                                       \
    LOSS(RAW, "raw", "a register was not written yet")                                             \
    LOSS(WAR, "war_waw", "a register was still in use")                                            \
    LOSS(MEMORY, "memory", "memory was not written yet")                                           \
    LOSS(END, "end", "after its last instruction")

enum ops_loss {
#define OPS_LOSS(ID, key, words) OPS_LOSS_##ID,
    OPS_LOSSES(OPS_LOSS)
#undef OPS_LOSS
        OPS_LOSS_COUNT
};

enum { OPS_UNITS = ZTL_TIMING_ENGINES + ZTL_TIMING_PORTS };

/* The busy and idle times of an engine or port so far. */
typedef struct ops_unit_loss {
    uint64_t end;    /* of its last instruction */
    uint64_t waited; /* cycles since then in which the hart waited */
    uint64_t loss[OPS_LOSS_COUNT];
    bool started;
} ops_unit_loss;

typedef struct ops_losses {
    ops_unit_loss unit[OPS_UNITS]; /* engines, then ports */
} ops_losses;

/* What collects them; starts from zeroes. */
ztl_timing_sink ztl_ops_losses_sink(ops_losses *losses);

/* Those of the busiest unit of a run that is over: with its bound they add up to its cycles. */
void ztl_ops_losses_of(const ops_losses *losses, const ztl_timing_machine *machine,
                       const ztl_timing_counts *counts, uint64_t loss[OPS_LOSS_COUNT]);

extern const char *const ztl_ops_loss_keys[OPS_LOSS_COUNT],
    *const ztl_ops_loss_words[OPS_LOSS_COUNT];

#endif
