/* SPDX-License-Identifier: Apache-2.0
 * Running: in blocks as long as nobody looks, else one by one.
 */
#include "sim/blocks/block.h"

/* Instructions between two looks at a request to stop: about a millisecond's worth. */
enum { CHUNK = 1 << 18 };

static bool at_breakpoint(const ztl_hart *hart)
{
    for (size_t i = 0; i < hart->breakpoint_count; i++)
        if (hart->breakpoints[i] == hart->pc)
            return true;
    return false;
}

static bool is_watched(const ztl_hart *hart)
{
    return hart->observer.happened || hart->breakpoint_count || hart->watchpoint_count ||
           ztl_pending_interrupt(hart) >= 0;
}

static bool take_stop_request(ztl_hart *hart)
{
    return atomic_load_explicit(&hart->stop_requested, memory_order_relaxed) &&
           atomic_exchange(&hart->stop_requested, false);
}

/* Runs blocks, within the limit; returns what is left of it. */
static uint64_t run_blocks(ztl_hart *hart, uint64_t limit)
{
    uint64_t chunk = limit < CHUNK ? limit : CHUNK, turn = hart->turn_at - hart->retired;
    chunk = turn < chunk ? turn : chunk;
    ztl_interpreter *interpret = hart->isa.xlen == 32 ? ztl_interpret32 : ztl_interpret64;
    return limit - chunk + interpret(hart, chunk, NULL);
}

static bool is_turn(const ztl_hart *hart)
{
    return hart->retired >= hart->turn_at;
}

/* Lets the hook change what runs; false when it has asked for the end. */
static bool take_turn(ztl_hart *hart)
{
    hart->turn_at = UINT64_MAX;
    hart->exit_requested = false;
    if (hart->hooks.turn)
        hart->hooks.turn(hart->hooks.context, hart);
    return !hart->exit_requested;
}

/* Runs at most *left instructions, and leaves there how many were not run. */
static enum ztl_stop run(ztl_hart *hart, uint64_t *left)
{
    bool started = false;
    while (*left > 0) {
        if (take_stop_request(hart))
            return ZTL_STOP_HOST;
        if (is_turn(hart) && !take_turn(hart))
            return ZTL_STOP_EXIT;
        if (hart->code_changed)
            ztl_blocks_forget(hart);
        if (started && at_breakpoint(hart))
            return ZTL_STOP_BREAKPOINT;
        started = true;
        if (*left >= BLOCK_INSNS && !is_watched(hart)) {
            *left = run_blocks(hart, *left);
            if (*left == 0 || hart->code_changed || is_turn(hart))
                continue;
        }
        enum ztl_stop stop = ztl_step_one(hart);
        --*left;
        if (stop != ZTL_STOP_LIMIT)
            return stop;
    }
    return ZTL_STOP_LIMIT;
}

enum ztl_stop ztl_hart_run(ztl_hart *hart, uint64_t limit)
{
    uint64_t left = limit;
    enum ztl_stop stop = run(hart, &left);
    hart->attempted += limit - left;
    return stop;
}

enum ztl_stop ztl_hart_step(ztl_hart *hart)
{
    return ztl_hart_run(hart, 1);
}

void ztl_hart_request_stop(ztl_hart *hart)
{
    atomic_store_explicit(&hart->stop_requested, true, memory_order_relaxed);
}

bool ztl_hart_stop_requested(const ztl_hart *hart)
{
    return atomic_load_explicit(&hart->stop_requested, memory_order_relaxed);
}

void ztl_hart_request_exit(ztl_hart *hart, int code)
{
    hart->exit_requested = true;
    hart->exit_code = code;
}

int ztl_hart_exit_code(const ztl_hart *hart)
{
    return hart->exit_code;
}
