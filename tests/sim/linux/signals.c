/* SPDX-License-Identifier: Apache-2.0
 * Signals that a program sends itself or gets for a fault, and its handlers. Prints the same
 * wherever it runs, and ends by the signal that its argument names.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { A0 = 10 };
static volatile double factor = 1.5;
static volatile int calls;
static sigjmp_buf back;
static char own_stack[65536];

static void plain(int signal)
{
    volatile double product = factor * 3; /* in registers that must come back */
    printf("call %d: signal %d, %.2f\n", calls++, signal, product);
}

static void informed(int signal, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    sigset_t now;
    sigprocmask(SIG_SETMASK, NULL, &now);
    printf("call %d: signal %d code %d, mine %d, blocked %d before %d\n", calls++, signal,
           info->si_code, info->si_pid == getpid(), sigismember(&now, signal),
           sigismember(&c->uc_sigmask, signal));
}

static void leave(int signal, siginfo_t *info, void *context)
{
    (void)context;
    printf("signal %d for %p, code %d\n", signal, info->si_addr, info->si_code);
    siglongjmp(back, 7);
}

static void skip(int signal, siginfo_t *info, void *context)
{
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    printf("signal %d, here %d, mode %u\n", signal,
           info->si_addr == (void *)machine->__gregs[REG_PC], machine->__fpregs.__d.__fcsr >> 5);
    machine->__gregs[REG_PC] += 4;
    machine->__gregs[A0] = 99;
    __asm__ volatile("fmv.d.x ft0, zero\n fsrmi 3" : : : "ft0"); /* the program's come back */
}

/* Asks for a signal to be blocked that cannot be, by which the program may end, and for one that
 * can. */
static void block_all(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    sigaddset(&((ucontext_t *)context)->uc_sigmask, SIGKILL);
    sigaddset(&((ucontext_t *)context)->uc_sigmask, SIGURG);
}

static void elsewhere(int signal)
{
    char here;
    stack_t used;
    sigaltstack(NULL, &used);
    printf("signal %d, own stack %d, flags %d\n", signal,
           &here >= own_stack && &here < own_stack + sizeof own_stack, used.ss_flags);
}

static void nested(int signal)
{
    static int turn;
    printf("outer %d\n", turn);
    raise(SIGUSR1);
    if (turn++ == 0)
        raise(signal); /* waits */
    puts("outer ends");
}

static void set(int signal, void *handler, int flags)
{
    struct sigaction action = {.sa_flags = flags};
    if (flags & SA_SIGINFO)
        action.sa_sigaction = (void (*)(int, siginfo_t *, void *))handler;
    else
        action.sa_handler = (void (*)(int))handler;
    if (sigaction(signal, &action, NULL))
        perror("sigaction");
}

static void sent(void)
{
    double kept = factor * 7;
    sigset_t both, waiting;
    set(SIGUSR1, (void *)plain, 0);
    set(SIGUSR2, (void *)informed, SA_SIGINFO);
    printf("raise %d, kept %.1f\n", raise(SIGUSR1), kept);
    kill(getpid(), SIGUSR2);
    raise(SIGUSR2);
    set(SIGUSR2, (void *)informed, SA_SIGINFO | SA_NODEFER);
    raise(SIGUSR2);
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGUSR2);
    sigprocmask(SIG_BLOCK, &both, NULL);
    raise(SIGUSR2);
    raise(SIGUSR1);
    sigpending(&waiting);
    printf("waiting %d %d %d\n", sigismember(&waiting, SIGUSR1), sigismember(&waiting, SIGUSR2),
           sigismember(&waiting, SIGTERM));
    sigprocmask(SIG_UNBLOCK, &both, NULL);
    puts("unblocked");
    set(SIGUSR2, (void *)nested, 0);
    raise(SIGUSR2);
    signal(SIGUSR2, SIG_IGN);
    raise(SIGUSR2);
    raise(SIGCHLD);
    puts("ignored");
}

static void blocked_by_return(void)
{
    sigset_t now;
    set(SIGUSR2, (void *)block_all, SA_SIGINFO);
    raise(SIGUSR2);
    sigprocmask(SIG_SETMASK, NULL, &now);
    printf("blocked %d\n", sigismember(&now, SIGURG));
}

static void faults(void)
{
    volatile int turn = 0;
    set(SIGSEGV, (void *)leave, SA_SIGINFO);
    static const int constant[2] = {1, 2}; /* mapped, to be loaded only */
    for (; turn < 4; turn++)
        if (sigsetjmp(back, 1) == 0)
            *(volatile int *)(turn < 2 ? 24l + turn : (long)&constant[turn - 2]) = 1;
    set(SIGILL, (void *)skip, SA_SIGINFO);
    register long a0 __asm__("a0") = 1;
    long bits = 12345, mode;
    __asm__ volatile(
        "fsrmi 1\n fmv.d.x ft0, %1\n .word 0xffffffff\n fmv.x.d %1, ft0\n frrm %2\n fsrmi 0"
        : "+r"(a0), "+r"(bits), "=&r"(mode)
        :
        : "ft0");
    printf("a0 %ld, ft0 %ld, mode %ld\n", a0, bits, mode);
}

static void own(void)
{
    stack_t fresh = {.ss_sp = own_stack, .ss_size = sizeof own_stack};
    stack_t small = {.ss_sp = own_stack, .ss_size = 100};
    printf("stack %d, small %d\n", sigaltstack(&fresh, NULL), sigaltstack(&small, NULL));
    set(SIGWINCH, (void *)elsewhere, SA_ONSTACK);
    raise(SIGWINCH);
    set(SIGHUP, (void *)plain, SA_RESETHAND);
    raise(SIGHUP);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    sent();
    faults();
    own();
    blocked_by_return();
    if (argc > 1)
        raise(atoi(argv[1]));
    return 5;
}
