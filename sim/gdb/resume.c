/* SPDX-License-Identifier: Apache-2.0
 * Running at a debugger's command.
 */
#include <inttypes.h>
#include <stdio.h>

#include "sim/gdb/session.h"

/* Between two looks at the connection for an interrupt. */
enum { CHUNK = 1 << 20 };

/* gdb's numbers. */
enum {
    SIGNAL_INT = 2,
    SIGNAL_ILL = 4,
    SIGNAL_TRAP = 5,
    SIGNAL_BUS = 10,
    SIGNAL_SEGV = 11,
    SIGNAL_TERM = 15,
    SIGNAL_XCPU = 24,
};

static int signal_of_trap(const ztl_trap *trap)
{
    switch (trap->cause) {
    case 3:
        return SIGNAL_TRAP;
    case 0:
    case 4:
    case 6:
        return SIGNAL_BUS;
    case 1:
    case 5:
    case 7:
        return SIGNAL_SEGV;
    default:
        return SIGNAL_ILL;
    }
}

/* A stop, of which thread where there are several, and what is told beside it. */
static void note_stop(ztl_gdb_state *s, int signal, const char *more)
{
    unsigned list[ZTL_GDB_THREADS];
    char thread[32] = "";
    if (ztl_gdb_threads(s, list, ZTL_GDB_THREADS) > 1)
        snprintf(thread, sizeof thread, "thread:%x;", s->running + 1);
    snprintf(s->last_stop, sizeof s->last_stop, "%c%02x%s%s", *thread || *more ? 'T' : 'S',
             (unsigned)signal, thread, more);
}

static void note_signal(ztl_gdb_state *s, int signal)
{
    note_stop(s, signal, "");
}

void ztl_gdb_stopped_first(ztl_gdb_state *s)
{
    note_signal(s, SIGNAL_TRAP);
}

/* The program is no more: by a signal, as gdb sees it. */
static void finish(ztl_gdb_state *s, enum ztl_gdb_end end, int signal)
{
    s->over = true;
    s->end = end;
    snprintf(s->last_stop, sizeof s->last_stop, "X%02x", (unsigned)signal);
}

/* For RISC-V gdb expects a watchpoint to stop before the access, and steps over it by itself. The
 * hart stops after it: gdb is shown the pc of the access, and its step only moves pc on. */
static void stopped_at_watchpoint(ztl_gdb_state *s)
{
    ztl_watch_hit hit = ztl_hart_watch_hit(s->hart);
    s->behind = true;
    s->behind_pc = ztl_hart_pc(s->hart);
    ztl_hart_set_pc(s->hart, hit.pc);
    const char *kind = hit.kind == ZTL_WATCH_STORE  ? "watch"
                       : hit.kind == ZTL_WATCH_LOAD ? "rwatch"
                                                    : "awatch";
    char more[40];
    snprintf(more, sizeof more, "%s:%" PRIx64 ";", kind, hit.address);
    note_stop(s, SIGNAL_TRAP, more);
}

static void stopped(ztl_gdb_state *s, enum ztl_stop why)
{
    s->running = ztl_hart_thread(s->hart);
    switch (why) {
    case ZTL_STOP_EXIT:
        snprintf(s->last_stop, sizeof s->last_stop, "W%02x",
                 (unsigned)ztl_hart_exit_code(s->hart) & 0xff);
        s->over = true;
        s->end = ZTL_GDB_EXITED;
        break;
    case ZTL_STOP_WATCHPOINT:
        stopped_at_watchpoint(s);
        break;
    case ZTL_STOP_TRAP:
    case ZTL_STOP_TRAP_LOOP:
        note_signal(s, signal_of_trap(ztl_hart_last_trap(s->hart)));
        break;
    case ZTL_STOP_HOST:
        note_signal(s, SIGNAL_INT);
        break;
    default:
        note_signal(s, SIGNAL_TRAP);
        break;
    }
}

/* Instructions left of the limit. */
static uint64_t left_of(const ztl_gdb_state *s)
{
    uint64_t done = ztl_hart_attempted(s->hart), most = s->config->max_insns;
    if (!most)
        return UINT64_MAX;
    return done < most ? most - done : 0;
}

bool ztl_gdb_cut(ztl_gdb_state *s)
{
    if (!s->config->is_cut || !s->config->is_cut(s->config->context))
        return false;
    finish(s, ZTL_GDB_CUT, SIGNAL_TERM);
    return true;
}

/* Runs until something is to be said: *why, unless the session is over. */
static void run(ztl_gdb_state *s, bool is_step, enum ztl_stop *why)
{
    const ztl_gdb_config *config = s->config;
    uint64_t left, chunk = is_step ? 1 : CHUNK;
    bool closed = false;
    while ((left = left_of(s))) {
        *why = ztl_hart_run(s->hart, left < chunk ? left : chunk);
        if (ztl_gdb_cut(s))
            return;
        if (*why == ZTL_STOP_LIMIT && config->has_ended && config->has_ended(config->context))
            *why = ZTL_STOP_EXIT;
        if (is_step || *why != ZTL_STOP_LIMIT)
            return;
        if (ztl_packet_interrupted(&s->packets, &closed)) {
            *why = ZTL_STOP_HOST;
            return;
        }
        if (closed) { /* nobody is there to be answered */
            s->over = true;
            s->end = ZTL_GDB_LOST;
            return;
        }
    }
    finish(s, ZTL_GDB_LIMIT, SIGNAL_XCPU);
}

/* Whether gdb has a breakpoint there: one that can be removed is there. */
static bool has_breakpoint(ztl_gdb_state *s, uint64_t pc)
{
    bool there = ztl_hart_remove_breakpoint(s->hart, pc);
    if (there)
        ztl_hart_add_breakpoint(s->hart, pc);
    return there;
}

/* Moves pc past an access that a watchpoint stopped at, unless gdb put pc elsewhere. True when
 * that is all there is to do: a step, or a breakpoint there. */
static bool catch_up(ztl_gdb_state *s, bool is_step)
{
    bool moved = s->behind && ztl_hart_pc(s->hart) == ztl_hart_watch_hit(s->hart).pc;
    s->behind = false;
    if (!moved)
        return false;
    ztl_hart_set_pc(s->hart, s->behind_pc);
    return is_step || has_breakpoint(s, s->behind_pc);
}

static void go_on(ztl_gdb_state *s, bool is_step)
{
    enum ztl_stop why = ZTL_STOP_BREAKPOINT;
    ztl_gdb_show(s, s->running);
    if (!catch_up(s, is_step))
        run(s, is_step, &why);
    if (!s->over)
        stopped(s, why);
    ztl_gdb_say(s, s->last_stop);
}

/* c, s, C and S with the signal, which the hart has no use for. */
static bool take_action(const char **at, bool *is_step)
{
    char action = **at;
    uint64_t signal;
    if (action != 'c' && action != 's' && action != 'C' && action != 'S')
        return false;
    ++*at;
    *is_step = action == 's' || action == 'S';
    return action == 'c' || action == 's' || ztl_gdb_take_number(at, &signal);
}

/* c and s are followed by an address to go on from, C and S by a signal and ; and the address. */
void ztl_gdb_resume(ztl_gdb_state *s, const char *packet)
{
    const char *at = packet;
    ztl_gdb_show(s, s->running);
    uint64_t pc = ztl_hart_pc(s->hart);
    bool is_step, has_signal = *packet == 'C' || *packet == 'S';
    bool good = take_action(&at, &is_step);
    if (good && *at)
        good =
            (!has_signal || ztl_gdb_take_char(&at, ';')) && ztl_gdb_take_number(&at, &pc) && !*at;
    if (!good) {
        ztl_gdb_say_ok(s, false);
        return;
    }
    ztl_hart_set_pc(s->hart, pc);
    go_on(s, is_step);
}

/* ;ACTION[:THREAD] once or more; of those for one of our threads the first counts, and that thread
 * goes on first. */
void ztl_gdb_resume_threads(ztl_gdb_state *s, const char *actions)
{
    const char *at = actions;
    bool good = *at, decided = false, is_step = false;
    unsigned first = s->running;
    while (good && *at) {
        bool ours = true, steps;
        unsigned thread = s->running;
        good = ztl_gdb_take_char(&at, ';') && take_action(&at, &steps) &&
               (!ztl_gdb_take_char(&at, ':') || ztl_gdb_take_thread(s, &at, &ours, &thread));
        if (good && ours && !decided) {
            decided = true;
            is_step = steps;
            first = thread;
        }
    }
    if (!good || !decided) {
        ztl_gdb_say_ok(s, false);
        return;
    }
    s->behind &= first == s->running;
    s->running = first;
    go_on(s, is_step);
}
