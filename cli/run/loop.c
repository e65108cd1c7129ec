/* SPDX-License-Identifier: Apache-2.0
 * Running a program until something ends it.
 */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "cli/run/run.h"

/* Between two of these the host looks after HTIF. */
enum { INSTRUCTIONS_AT_ONCE = 1 << 20 };

bool run_find_library_handler(const run *r, uint64_t *address)
{
    ztl_symbol handler, printer;
    if (!ztl_program_find(r->program, "_trap", &handler) ||
        !ztl_program_find(r->program, "_ctrap", &printer))
        return false;
    *address = handler.address;
    return true;
}

static run_end ended(enum ztl_stop stop, enum run_status status)
{
    return (run_end){.stop = stop, .status = status};
}

/* True: the run is over. */
static bool judge(run *r, enum ztl_stop stop, run_end *end)
{
    switch (stop) {
    case ZTL_STOP_EXIT:
        *end = (run_end){.stop = stop, .code = ztl_hart_exit_code(r->hart)};
        if (r->process && ztl_linux_is_stuck(r->process))
            *end = ended(ZTL_STOP_WFI, RUN_ASLEEP);
        return true;
    case ZTL_STOP_TRAP:
    case ZTL_STOP_TRAP_LOOP:
        if (r->process && ztl_linux_catch(r->process))
            return false;
        *end = r->process ? run_linux_trapped(r, stop) : ended(stop, RUN_TRAPPED);
        return true;
    case ZTL_STOP_WFI:
        *end = ended(stop, RUN_ASLEEP);
        return true;
    case ZTL_STOP_HOST: /* by a signal, or because the trace cannot be written */
        *end = run_stopped();
        return true;
    case ZTL_STOP_BREAKPOINT:
        run_show_views(r, false);
        return false;
    default:
        if (run_is_stopped())
            *end = run_stopped();
        return run_is_stopped();
    }
}

/* Instructions left of --max-insns; those that trap count too, so that every run comes to an end.
 */
static uint64_t left_of(const run *r)
{
    uint64_t done = ztl_hart_attempted(r->hart), most = r->options->max_insns;
    return done < most ? most - done : 0;
}

static run_end run_until(run *r)
{
    run_end end;
    uint64_t left;
    run_show_views(r, false); /* the hart does not stop where it starts */
    while ((left = left_of(r))) {
        uint64_t now = left < INSTRUCTIONS_AT_ONCE ? left : INSTRUCTIONS_AT_ONCE;
        if (judge(r, ztl_hart_run(r->hart, now), &end))
            return end;
        if (ztl_host_poll(r->host, r->hart))
            return (run_end){.stop = ZTL_STOP_EXIT, .code = ztl_hart_exit_code(r->hart)};
    }
    return ended(ZTL_STOP_LIMIT, RUN_LIMIT);
}

static double now_in_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void add_breakpoints(run *r)
{
    for (size_t i = 0; i < r->options->view_count; i++) {
        const run_view *view = &r->options->view[i];
        if (!view->place)
            continue;
        ztl_hart_remove_breakpoint(r->hart, view->address); /* one is enough */
        ztl_hart_add_breakpoint(r->hart, view->address);
    }
}

run_end run_to_end(run *r)
{
    run_end end;
    uint64_t handler;
    if (run_find_library_handler(r, &handler))
        ztl_hart_set_default_handler(r->hart, handler);
    if (r->options->gdb && run_debug(r, &end))
        return end;
    add_breakpoints(r);
    double start = now_in_seconds();
    end = r->options->engine ? run_machine(r) : run_until(r);
    r->seconds = now_in_seconds() - start;
    return end;
}
