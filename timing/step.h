/* SPDX-License-Identifier: Apache-2.0
 * What the machine needs to know of an instruction that ran: all that decides over its cycles, and
 * nothing that depends on the machine.
 */
#ifndef ZTL_TIMING_STEP_H
#define ZTL_TIMING_STEP_H

#include <ztl/timing.h>

enum timing_kind { TIMING_PLAIN, TIMING_TRAP, TIMING_LOAD, TIMING_STORE, TIMING_MOVE, TIMING_ADD };

/* What an ordinary instruction does. */
enum timing_flag {
    TIMING_AFTER_JUMP = 1, /* the one before it is not the one before it in memory (of any kind) */
    TIMING_READS = 2,      /* memory */
    TIMING_WRITES = 4,
    TIMING_DIVIDES = 8,
    TIMING_FENCE = 16,
    TIMING_ZTL_CSR = 32, /* writes one */
};

typedef struct timing_step {
    uint8_t kind, flags;
    uint8_t engine_id, engine_kind; /* of a Ztl instruction, by id and by kind */
    uint32_t reads, writes;         /* tensor registers, a bit for each but tl0 */
    uint32_t bytes, slices;         /* accessed or moved; 0 slices: no access */
    uint64_t low, high;             /* addresses accessed; high < low: around the end of memory */
    uint64_t pc;
    uint32_t word;
} timing_step;

/* What has to be remembered from one event to the next. */
typedef struct timing_reader {
    bool may_jump; /* the last instruction: neither trapped nor Ztl, where hart.jump is not added */
    bool untaken;  /* it trapped, and that stopped the run */
    uint64_t pc, next; /* of it, and the next in memory */
} timing_reader;

/* Takes an event apart; false for one that is no instruction of its own. */
bool ztl_timing_read(timing_reader *reader, ztl_hart *hart, const ztl_event *event,
                     timing_step *step);

/* Whether the instruction at pc does not follow the last one in memory. */
static inline bool timing_is_after_jump(const timing_reader *reader, uint64_t pc)
{
    return reader->may_jump && pc != reader->next;
}

/* The rules. */
void ztl_timing_step(ztl_timing *timing, const timing_step *step);

#endif
