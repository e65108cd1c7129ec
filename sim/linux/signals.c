/* SPDX-License-Identifier: Apache-2.0
 * Signals: what a process wants done with them is kept, and those that end it do. No handler is
 * called.
 */
#include <errno.h>

#include "sim/linux/process.h"

enum { DEFAULT = 0, IGNORED = 1, SET_SIZE = 8 };
enum { ILL = 4, TRAP = 5, ABRT = 6, BUS = 7, KILL = 9, SEGV = 11, CHLD = 17, CONT = 18 };
enum { STOP = 19, URG = 23, WINCH = 28 };

const char *ztl_linux_signal_name(int signal)
{
    static const char *const names[] = {
        "signal 0",  "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
        "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
        "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
        "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS"};
    return signal >= 0 && signal < (int)(sizeof names / sizeof names[0]) ? names[signal]
                                                                         : "a real-time signal";
}

int ztl_linux_signal_of(const ztl_trap *trap)
{
    switch (trap->cause) {
    case CAUSE_BREAKPOINT:
        return TRAP;
    case CAUSE_ILLEGAL:
    case CAUSE_ECALL_USER:
    case CAUSE_ECALL_MACHINE:
        return ILL;
    case CAUSE_FETCH_MISALIGNED:
    case CAUSE_LOAD_MISALIGNED:
    case CAUSE_STORE_MISALIGNED:
        return BUS;
    default:
        return SEGV;
    }
}

int ztl_linux_signal(const ztl_linux *l)
{
    return l->ended_by;
}

static bool is_harmless(uint64_t signal)
{
    return signal == CHLD || signal == CONT || signal == URG || signal == WINCH ||
           (signal >= STOP && signal <= STOP + 3);
}

/* A signal that the process sends itself. */
static int64_t receive(ztl_linux *l, uint64_t signal)
{
    if (signal > SIGNALS)
        return -EINVAL;
    uint64_t handler = l->signal[signal].handler;
    if (!signal || handler == IGNORED || (handler == DEFAULT && is_harmless(signal)))
        return 0;
    if (handler != DEFAULT && signal != KILL) {
        if (!l->said_handler)
            ztl_linux_say(l, "%s: handlers of signals are not called",
                          ztl_linux_signal_name((int)signal));
        l->said_handler = true;
        return 0;
    }
    l->ended_by = (int)signal;
    ztl_hart_request_exit(l->hart, 128 + (int)signal);
    return 0;
}

static bool is_self(uint64_t process)
{
    return (uint32_t)process == PROCESS;
}

int64_t ztl_linux_kill(ztl_linux *l, const uint64_t *a)
{
    return is_self(a[0]) || !a[0] ? receive(l, (uint32_t)a[1]) : -ESRCH;
}

int64_t ztl_linux_tkill(ztl_linux *l, const uint64_t *a)
{
    return is_self(a[0]) ? receive(l, (uint32_t)a[1]) : -ESRCH;
}

int64_t ztl_linux_tgkill(ztl_linux *l, const uint64_t *a)
{
    return is_self(a[0]) && is_self(a[1]) ? receive(l, (uint32_t)a[2]) : -ESRCH;
}

int64_t ztl_linux_rt_sigaction(ztl_linux *l, const uint64_t *a)
{
    uint8_t old[24], fresh[24];
    if (a[0] < 1 || a[0] > SIGNALS || a[3] != SET_SIZE)
        return -EINVAL;
    if (a[1] && (a[0] == KILL || a[0] == STOP))
        return -EINVAL;
    guest_signal *signal = &l->signal[a[0]];
    put64(old, signal->handler);
    put64(old + 8, signal->flags);
    put64(old + 16, signal->mask);
    if (a[1] && !ztl_linux_get(l, a[1], fresh, sizeof fresh))
        return -EFAULT;
    if (a[2] && !ztl_linux_put(l, a[2], old, sizeof old))
        return -EFAULT;
    if (a[1])
        *signal = (guest_signal){get64(fresh), get64(fresh + 8), get64(fresh + 16)};
    return 0;
}

int64_t ztl_linux_rt_sigprocmask(ztl_linux *l, const uint64_t *a)
{
    enum { BLOCK, UNBLOCK, SET };
    uint8_t old[8], fresh[8] = {0};
    put64(old, l->signal_mask);
    if (a[3] != SET_SIZE || (a[1] && a[0] > SET))
        return -EINVAL;
    if (a[1] && !ztl_linux_get(l, a[1], fresh, sizeof fresh))
        return -EFAULT;
    if (a[2] && !ztl_linux_put(l, a[2], old, sizeof old))
        return -EFAULT;
    uint64_t set = get64(fresh);
    if (a[1])
        l->signal_mask = a[0] == BLOCK     ? l->signal_mask | set
                         : a[0] == UNBLOCK ? l->signal_mask & ~set
                                           : set;
    return 0;
}

int64_t ztl_linux_sigaltstack(ztl_linux *l, const uint64_t *a)
{
    enum { DISABLED = 2 };
    uint8_t bytes[24] = {0};
    put32(bytes + 8, DISABLED);
    if (a[0] && !ztl_linux_get(l, a[0], (uint8_t[24]){0}, 24))
        return -EFAULT;
    return !a[1] || ztl_linux_put(l, a[1], bytes, sizeof bytes) ? 0 : -EFAULT;
}
