/* SPDX-License-Identifier: Apache-2.0
 * The recorder: the first iteration of a loop is recorded instead of executed; then it, and all
 * others, run fused as far as they can.
 */
#ifndef ZTL_FUSE_RECORD_H
#define ZTL_FUSE_RECORD_H

#include "fuse/loop.h"

enum { ZTL_KEPT_LOOPS = 8 };

typedef struct ztl_recorder {
    bool in_loop, recording, recorded;
    uint64_t from, to; /* of the current iteration */
    unsigned steps;    /* recorded so far */
    ztl_loop_step step[ZTL_LOOP_STEPS];
    const void *site[ZTL_LOOP_STEPS]; /* the caller's, of each step */
    ztl_loop *loop;                   /* that is running */
    ztl_loop kept[ZTL_KEPT_LOOPS];    /* the last ones: often they are run again */
    unsigned oldest;
} ztl_recorder;

/* Ends recording and forgets all loops. */
void ztl_recorder_reset(ztl_recorder *recorder);

/* An iteration begins that reads and writes here. */
static inline void ztl_record_iteration(ztl_recorder *recorder, const void *from, void *to)
{
    recorder->from = (uint64_t)(uintptr_t)from;
    recorder->to = (uint64_t)(uintptr_t)to;
}

/* What the current iteration's addresses add to those of a step. */
static inline uint64_t ztl_record_base(const ztl_recorder *recorder, const ztl_insn *insn)
{
    uint32_t effects = ztl_effects(insn->row);
    return effects & ZTL_LOADS ? recorder->from : effects & ZTL_STORES ? recorder->to : 0;
}

/* Records a step; false when there is no room. */
bool ztl_record_step(ztl_recorder *recorder, const ztl_insn *insn, uint64_t a0, uint64_t a1,
                     const void *site);

/* Recording ends: finds the loop among those kept, or puts it in the place of the oldest. */
void ztl_record_end(ztl_recorder *recorder, const ztl_state *state);

#endif
