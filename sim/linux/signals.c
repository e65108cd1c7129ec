/* SPDX-License-Identifier: Apache-2.0
 * Signals: those that a process sends itself, and those that its faults mean. They wait while they
 * are blocked; then they are ignored, go to a handler, or end it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "sim/linux/process.h"

enum { DEFAULT = 0, IGNORED = 1, SET_SIZE = 8, SP = 2 };
enum { ILL = 4, TRAP = 5, BUS = 7, KILL = 9, CHLD = 17, CONT = 18 };
enum { STOP = 19, URG = 23, WINCH = 28 };
enum { SENT = 0, SENT_TO_THREAD = -6, BY_KERNEL = 0x80 }; /* codes */

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
        return GUEST_SIGSEGV;
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

static bool is_ignored(const ztl_linux *l, uint64_t signal)
{
    uint64_t handler = l->signal[signal].handler;
    return handler == IGNORED || (handler == DEFAULT && is_harmless(signal));
}

static bool has_handler(const ztl_linux *l, int signal)
{
    return l->signal[signal].handler != DEFAULT && l->signal[signal].handler != IGNORED;
}

/* Whether a handler gets what cannot wait: where there is none, or the signal is blocked, it ends
 * the process. */
static bool can_catch(const ztl_linux *l, int signal)
{
    return has_handler(l, signal) && !(l->signal_mask & ztl_linux_signal_bit(signal));
}

static void end_by(ztl_linux *l, int signal)
{
    l->ended_by = signal;
    ztl_hart_request_exit(l->hart, 128 + signal);
}

/* Enters the handler of a signal; false when its frame cannot be written. */
static bool enter(ztl_linux *l, const sent_signal *sent)
{
    enum { ONCE = (int)0x80000000 };
    guest_signal *action = &l->signal[sent->signal];
    bool good = ztl_linux_enter_handler(l, sent);
    if (action->flags & (unsigned)ONCE)
        action->handler = DEFAULT;
    return good;
}

/* No handler is left that could get the fault. */
static void end_for_frame(ztl_linux *l, int signal)
{
    char frame[80] = "no frame on the stack for a signal handler to return by";
    if (signal)
        snprintf(frame, sizeof frame, "no room on the stack for the frame of %s's handler",
                 ztl_linux_signal_name(signal));
    ztl_linux_say(l, "%s, which ends it by SIGSEGV: sp is 0x%" PRIx64, frame,
                  ztl_hart_x(l->hart, SP));
    end_by(l, GUEST_SIGSEGV);
}

void ztl_linux_force_fault(ztl_linux *l, int signal)
{
    const sent_signal fault = {.signal = GUEST_SIGSEGV, .code = BY_KERNEL};
    if (signal == GUEST_SIGSEGV || !can_catch(l, GUEST_SIGSEGV) || !enter(l, &fault))
        end_for_frame(l, signal);
}

/* What is done with a signal that is not blocked. */
static void act(ztl_linux *l, const sent_signal *sent)
{
    if (is_ignored(l, (uint64_t)sent->signal))
        return;
    if (!has_handler(l, sent->signal))
        end_by(l, sent->signal);
    else if (!enter(l, sent))
        ztl_linux_force_fault(l, sent->signal);
}

void ztl_linux_deliver(ztl_linux *l)
{
    uint64_t ready;
    while (!l->ended_by && (ready = l->waiting & ~l->signal_mask)) {
        int signal = 1 + __builtin_ctzll(ready);
        l->waiting &= ~ztl_linux_signal_bit(signal);
        act(l, &(sent_signal){.signal = signal, .code = l->signal[signal].code});
    }
    guest_thread *t = ztl_linux_current(l);
    if (!t->restores_mask) /* no handler does that: */
        return;
    t->restores_mask = false;
    l->signal_mask = t->old_mask;
}

bool ztl_linux_catch(ztl_linux *l)
{
    enum { BY_FAULT = 1, NOT_ALLOWED }; /* of memory: nothing is there, or it may not be used so */
    const ztl_trap *trap = ztl_hart_last_trap(l->hart);
    int signal = ztl_linux_signal_of(trap);
    if (!can_catch(l, signal))
        return false;
    bool is_access = signal == GUEST_SIGSEGV || signal == BUS;
    bool is_there = signal == GUEST_SIGSEGV && ztl_linux_is_mapped(l, trap->tval, trap->tval + 1);
    l->next = trap->pc;
    act(l, &(sent_signal){signal, is_there ? NOT_ALLOWED : BY_FAULT,
                          is_access ? trap->tval : trap->pc});
    ztl_hart_set_pc(l->hart, l->next);
    return !l->ended_by;
}

/* What of a thread is with the process while it runs. */
static uint64_t *waiting_of(ztl_linux *l, guest_thread *t)
{
    return t == ztl_linux_current(l) ? &l->waiting : &t->waiting;
}

static uint64_t mask_of(ztl_linux *l, const guest_thread *t)
{
    return t == ztl_linux_current(l) ? l->signal_mask : t->signal_mask;
}

/* The first thread that does not block a signal; the first of all, if none. */
static guest_thread *taker_of(ztl_linux *l, int signal)
{
    guest_thread *first = NULL;
    for (size_t i = 0; i < MAX_THREADS; i++) {
        guest_thread *t = &l->thread[i];
        if (t->state == THREAD_FREE)
            continue;
        if (!(mask_of(l, t) & ztl_linux_signal_bit(signal)))
            return t;
        first = first ? first : t;
    }
    return first;
}

void ztl_linux_send(ztl_linux *l, guest_thread *t, int signal, int code)
{
    enum { RESTART = 0x10000000 };
    const guest_signal *action = &l->signal[signal];
    t = t ? t : taker_of(l, signal);
    if (is_ignored(l, (uint64_t)signal))
        return;
    l->signal[signal].code = code;
    *waiting_of(l, t) |= ztl_linux_signal_bit(signal);
    if (t->state != THREAD_WAITING || mask_of(l, t) & ztl_linux_signal_bit(signal))
        return;
    if (t->wait.restarts && action->flags & RESTART)
        t->state = THREAD_READY; /* the call is made again behind the handler */
    else
        ztl_linux_end_wait(l, t, -EINTR);
}

static int64_t receive(ztl_linux *l, guest_thread *t, uint64_t signal, int code)
{
    if (signal > SIGNALS)
        return -EINVAL;
    if (signal)
        ztl_linux_send(l, t, (int)signal, code);
    return 0;
}

int64_t ztl_linux_kill(ztl_linux *l, const uint64_t *a)
{
    bool is_self = (uint32_t)a[0] == PROCESS || !a[0];
    return is_self ? receive(l, NULL, (uint32_t)a[1], SENT) : -ESRCH;
}

int64_t ztl_linux_tkill(ztl_linux *l, const uint64_t *a)
{
    guest_thread *t = ztl_linux_thread(l, a[0]);
    return t ? receive(l, t, (uint32_t)a[1], SENT_TO_THREAD) : -ESRCH;
}

int64_t ztl_linux_tgkill(ztl_linux *l, const uint64_t *a)
{
    const uint64_t rest[] = {a[1], a[2]};
    return (uint32_t)a[0] == PROCESS ? ztl_linux_tkill(l, rest) : -ESRCH;
}

/* Waits for a signal, with another mask until its handler returns. */
int64_t ztl_linux_rt_sigsuspend(ztl_linux *l, const uint64_t *a)
{
    const guest_wait wait = {.what = "a signal", .deadline = NEVER};
    guest_thread *t = ztl_linux_current(l);
    uint8_t bytes[SET_SIZE];
    if (a[1] != SET_SIZE)
        return -EINVAL;
    if (!ztl_linux_get(l, a[0], bytes, sizeof bytes))
        return -EFAULT;
    t->restores_mask = true;
    t->old_mask = l->signal_mask;
    l->signal_mask = ztl_linux_can_block(get64(bytes));
    if (l->waiting & ~l->signal_mask)
        return -EINTR;
    return ztl_linux_wait(l, &wait);
}

int64_t ztl_linux_rt_sigaction(ztl_linux *l, const uint64_t *a)
{
    uint8_t old[24], fresh[24]; /* two words and the mask */
    const unsigned mask = 2 * word_size(l), size = mask + SET_SIZE;
    if (a[0] < 1 || a[0] > SIGNALS || a[3] != SET_SIZE)
        return -EINVAL;
    if (a[1] && (a[0] == KILL || a[0] == STOP))
        return -EINVAL;
    guest_signal *signal = &l->signal[a[0]];
    put_word(l, old, 0, signal->handler);
    put_word(l, old, 1, signal->flags);
    put64(old + mask, signal->mask);
    if (a[1] && !ztl_linux_get(l, a[1], fresh, size))
        return -EFAULT;
    if (a[2] && !ztl_linux_put(l, a[2], old, size))
        return -EFAULT;
    if (a[1])
        *signal = (guest_signal){get_word(l, fresh, 0), get_word(l, fresh, 1),
                                 ztl_linux_can_block(get64(fresh + mask)), signal->code};
    if (is_ignored(l, a[0]))
        l->waiting &= ~ztl_linux_signal_bit((int)a[0]);
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
    uint64_t set = ztl_linux_can_block(get64(fresh));
    if (a[1])
        l->signal_mask = a[0] == BLOCK     ? l->signal_mask | set
                         : a[0] == UNBLOCK ? l->signal_mask & ~set
                                           : set;
    return 0;
}

int64_t ztl_linux_rt_sigpending(ztl_linux *l, const uint64_t *a)
{
    uint8_t bytes[SET_SIZE];
    put64(bytes, l->waiting & l->signal_mask);
    if (a[1] > SET_SIZE)
        return -EINVAL;
    return ztl_linux_put(l, a[0], bytes, a[1]) ? 0 : -EFAULT;
}
