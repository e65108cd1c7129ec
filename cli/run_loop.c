/* SPDX-License-Identifier: Apache-2.0
 * Running a program until something ends it.
 */
#define _GNU_SOURCE /* ppoll */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cli/run.h"

/* Between two of these the host looks after HTIF. */
enum { INSTRUCTIONS_AT_ONCE = 1 << 20 };

enum { CSR_MTVEC = 0x305 };

/* Signal handlers have nothing else to find the hart by. */
static ztl_hart *volatile running;
static volatile sig_atomic_t caught; /* the signal */

static void on_signal(int signal_number)
{
    caught = signal_number;
    ztl_hart *hart = running;
    if (hart)
        ztl_hart_request_stop(hart);
}

/* Signals come only while ppoll waits, so that none is missed just before it. */
int run_wait(int file, int milliseconds)
{
    sigset_t ours, before;
    struct pollfd input = {.fd = file, .events = POLLIN};
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    int ready = 0;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGALRM);
    sigprocmask(SIG_BLOCK, &ours, &before);
    if (!caught)
        ready = ppoll(&input, 1, milliseconds < 0 ? NULL : &time, &before);
    bool is_interrupted = ready < 0 && errno == EINTR;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return caught ? -1 : ready != 0 && !is_interrupted;
}

bool run_may_write(int file)
{
    struct pollfd output = {.fd = file, .events = POLLOUT};
    return !caught || poll(&output, 1, 0) != 0;
}

static void catch_signals(run *r)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    running = r->hart;
    caught = 0;
    sigaction(SIGINT, &action, NULL);
    double timeout = r->options->timeout;
    if (timeout > 0) {
        sigaction(SIGALRM, &action, NULL);
        time_t whole = (time_t)timeout;
        struct itimerval timer = {
            .it_value = {whole, (suseconds_t)((timeout - (double)whole) * 999999) + 1},
            .it_interval = {.tv_usec = 50000}}; /* for a write that had not begun to wait */
        setitimer(ITIMER_REAL, &timer, NULL);
    }
}

static void release_signals(void)
{
    struct itimerval none = {0};
    setitimer(ITIMER_REAL, &none, NULL);
    signal(SIGALRM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    running = NULL;
}

/* picolibc's start-up code installs a trap handler of its own, which only prints registers. A trap
 * that would go there is one that the program does not handle. */
bool run_find_library_handler(const run *r, uint64_t *address)
{
    ztl_symbol handler, printer;
    if (!ztl_program_find(r->program, "_trap", &handler) ||
        !ztl_program_find(r->program, "_ctrap", &printer))
        return false;
    *address = handler.address;
    return true;
}

static bool is_unhandled(const run *r)
{
    uint64_t handler, mtvec;
    return !run_find_library_handler(r, &handler) ||
           !ztl_hart_debug_csr_read(r->hart, CSR_MTVEC, &mtvec) ||
           (mtvec & ~UINT64_C(3)) == handler;
}

static run_end ended(enum ztl_stop stop, enum run_status status)
{
    return (run_end){.stop = stop, .status = status};
}

run_end run_stopped(void)
{
    return ended(ZTL_STOP_HOST, caught == SIGALRM ? RUN_TIMEOUT
                                : caught          ? RUN_INTERRUPTED
                                                  : (enum run_status)ZTL_EXIT_FAILURE);
}

/* True: the run is over. */
static bool judge(run *r, enum ztl_stop stop, run_end *end)
{
    switch (stop) {
    case ZTL_STOP_EXIT:
        *end = (run_end){.stop = stop, .code = ztl_hart_exit_code(r->hart)};
        return true;
    case ZTL_STOP_TRAP:
        *end = ended(stop, RUN_TRAPPED);
        if (is_unhandled(r))
            return true;
        ztl_hart_set_trap_policy(r->hart, ZTL_TRAP_STOP_UNHANDLED);
        return false;
    case ZTL_STOP_TRAP_LOOP:
        *end = ended(stop, RUN_TRAPPED);
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
        if (caught)
            *end = run_stopped();
        return caught != 0;
    }
}

static run_end run_until(run *r)
{
    run_end end;
    uint64_t left = r->options->max_insns;
    run_show_views(r, false); /* the hart does not stop where it starts */
    for (;;) {
        uint64_t now = left < INSTRUCTIONS_AT_ONCE ? left : INSTRUCTIONS_AT_ONCE;
        uint64_t before = ztl_hart_retired(r->hart);
        enum ztl_stop stop = ztl_hart_run(r->hart, now);
        uint64_t done = stop == ZTL_STOP_LIMIT ? now : ztl_hart_retired(r->hart) - before;
        left -= done < left ? done : left;
        if (judge(r, stop, &end))
            return end;
        if (ztl_host_poll(r->host, r->hart))
            return (run_end){.stop = ZTL_STOP_EXIT, .code = ztl_hart_exit_code(r->hart)};
        if (left == 0)
            return ended(ZTL_STOP_LIMIT, RUN_LIMIT);
    }
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
    uint64_t handler;
    if (run_find_library_handler(r, &handler))
        ztl_hart_set_trap_policy(r->hart, ZTL_TRAP_STOP_ALWAYS);
    run_end end;
    if (r->options->gdb && run_debug(r, &end))
        return end;
    add_breakpoints(r);
    catch_signals(r);
    double start = now_in_seconds();
    end = r->options->engine ? run_machine(r) : run_until(r);
    r->seconds = now_in_seconds() - start;
    release_signals();
    return end;
}
