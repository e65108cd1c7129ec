/* SPDX-License-Identifier: Apache-2.0
 *
 * The signals that the library catches, as the program sees them. The program's own sigaction,
 * signal, sigprocmask and pthread_sigmask come here: its actions for our signals are kept aside,
 * and SIGILL is never blocked, because a Ztl instruction must work wherever the program uses one.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "adapters/qemu/linux/linux.h"

#define EXPORT __attribute__((visibility("default")))

enum { SIGNALS = 65, SIGNAL_CANCEL = 32, SIGNAL_SETXID = 33 /* the C library's own */ };

/* What the program set for the signals we catch; and the lock around it, which is only held with
 * all signals blocked. */
static struct {
    kernel_action program;
    void (*ours)(int, siginfo_t *, void *);
} caught[SIGNALS];
static char lock;

static long kernel_sigaction(int signal, const kernel_action *new, kernel_action *old)
{
    kernel_action both;
    if (new) {
        both = *new;
        both.mask_for_qemu = both.mask;
    }
    return syscall(SYS_rt_sigaction, signal, new ? &both : NULL, old, sizeof(kernel_mask));
}

static long kernel_sigmask(int how, const kernel_mask *new, kernel_mask *old)
{
    return syscall(SYS_rt_sigprocmask, how, new, old, sizeof(kernel_mask));
}

static kernel_mask enter(void)
{
    kernel_mask all = ~(kernel_mask)0, before = 0;
    kernel_sigmask(SIG_SETMASK, &all, &before);
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
        ;
    return before;
}

static void leave(kernel_mask before)
{
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    kernel_sigmask(SIG_SETMASK, &before, NULL);
}

/* Our action: everything waits, but for the faults that emulation itself may cause. A stack that
 * the program set aside for its handler is used for faults only: overflows are among them. */
static void install(int signal)
{
    kernel_action ours = {.action = caught[signal].ours,
                          .flags = SA_SIGINFO | SA_RESTART,
                          .mask = ~(mask_of(SIGSEGV) | mask_of(SIGBUS))};
    if (signal != SIGILL)
        ours.flags |= caught[signal].program.flags & SA_ONSTACK;
    kernel_sigaction(signal, &ours, NULL);
}

void ztl_trap_catch(int signal, void (*action)(int, siginfo_t *, void *))
{
    kernel_sigaction(signal, NULL, &caught[signal].program);
    caught[signal].ours = action;
    install(signal);
}

/* Takes the program's action for a signal, and resets it where the program asked for that. */
static kernel_action take(int signal)
{
    kernel_mask before = enter();
    kernel_action action = caught[signal].program;
    if (action.flags & SA_RESETHAND)
        caught[signal].program.handler = SIG_DFL;
    leave(before);
    return action;
}

static void die_of(int signal)
{
    kernel_action fatal = {.handler = SIG_DFL};
    kernel_mask only = mask_of(signal);
    kernel_sigaction(signal, &fatal, NULL);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
    kernel_sigmask(SIG_UNBLOCK, &only, NULL);
    _exit(128 + signal);
}

void ztl_trap_deliver(int signal, siginfo_t *info, void *context, const ztl_result *ztl)
{
    ucontext_t *uc = context;
    kernel_action action = take(signal);
    if (action.handler == SIG_IGN && info->si_code <= 0)
        return;
    if (action.handler == SIG_DFL || action.handler == SIG_IGN) {
        if (info->si_code > 0)
            ztl_trap_note_death(info, context, ztl);
        die_of(signal);
    }
    kernel_mask mask;
    memcpy(&mask, &uc->uc_sigmask, sizeof mask);
    mask |= action.mask;
    if (!(action.flags & SA_NODEFER))
        mask |= mask_of(signal);
    mask &= ~mask_of(SIGILL);
    kernel_sigmask(SIG_SETMASK, &mask, NULL);
    if (action.flags & SA_SIGINFO)
        action.action(signal, info, context);
    else
        action.handler(signal);
}

static void to_kernel(const struct sigaction *from, kernel_action *to)
{
    *to = (kernel_action){.handler = from->sa_handler, .flags = (unsigned long)from->sa_flags};
    memcpy(&to->mask, &from->sa_mask, sizeof to->mask);
    to->mask &= ~mask_of(SIGILL);
}

static void from_kernel(const kernel_action *from, struct sigaction *to)
{
    memset(to, 0, sizeof *to);
    to->sa_handler = from->handler;
    to->sa_flags = (int)from->flags;
    memcpy(&to->sa_mask, &from->mask, sizeof from->mask);
}

static void exchange(int signal, const kernel_action *new, kernel_action *old)
{
    kernel_mask before = enter();
    *old = caught[signal].program;
    if (new) {
        caught[signal].program = *new;
        install(signal);
    }
    leave(before);
}

EXPORT int sigaction(int signal, const struct sigaction *new, struct sigaction *old)
{
    kernel_action new_action, old_action = {.flags = 0};
    if (new)
        to_kernel(new, &new_action);
    if (signal == SIGNAL_CANCEL || signal == SIGNAL_SETXID) {
        errno = EINVAL;
        return -1;
    }
    if (signal > 0 && signal < SIGNALS && caught[signal].ours)
        exchange(signal, new ? &new_action : NULL, &old_action);
    else if (kernel_sigaction(signal, new ? &new_action : NULL, &old_action) != 0)
        return -1;
    if (old)
        from_kernel(&old_action, old);
    return 0;
}

EXPORT void (*signal(int number, void (*handler)(int)))(int)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

EXPORT int sigprocmask(int how, const sigset_t *new, sigset_t *old)
{
    kernel_mask new_mask = 0, old_mask = 0;
    if (new)
        memcpy(&new_mask, new, sizeof new_mask);
    if (how != SIG_UNBLOCK)
        new_mask &= ~(mask_of(SIGILL) | mask_of(SIGNAL_CANCEL) | mask_of(SIGNAL_SETXID));
    if (kernel_sigmask(how, new ? &new_mask : NULL, &old_mask) != 0)
        return -1;
    if (old) {
        sigemptyset(old);
        memcpy(old, &old_mask, sizeof old_mask);
    }
    return 0;
}

EXPORT int pthread_sigmask(int how, const sigset_t *new, sigset_t *old)
{
    int before = errno;
    int error = sigprocmask(how, new, old) == 0 ? 0 : errno;
    errno = before;
    return error;
}
