/* SPDX-License-Identifier: Apache-2.0
 * Faults where a handler cannot have its frame, or may not be called: its argument says which. What
 * it prints and how it ends is the same wherever it runs.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RESET = (int)SA_RESETHAND };
static char own_stack[8192] __attribute__((aligned(16)));
static sigjmp_buf back;
static volatile int zero;

static void say(const char *text)
{
    if (write(1, text, strlen(text)) < 0)
        _exit(99);
}

static void fault(void)
{
    *(volatile int *)8 = 1;
}

static void fault_again(int signal)
{
    (void)signal;
    fault();
}

static void ignore(int signal)
{
    (void)signal;
    say("called\n");
}

static void leave(int signal, siginfo_t *info, void *context)
{
    char text[64];
    (void)context;
    snprintf(text, sizeof text, "signal %d code %d\n", signal, info->si_code);
    say(text);
    _exit(6);
}

static void jump(int signal)
{
    siglongjmp(back, signal);
}

static int recurse(int depth)
{
    volatile char room[512];
    room[0] = (char)depth;
    return zero ? 0 : recurse(depth + 1) + room[0];
}

static void recurse_in_handler(int signal)
{
    recurse(signal);
}

static void set(int signal, void *handler, int flags)
{
    struct sigaction action = {.sa_flags = flags};
    memcpy(flags & SA_SIGINFO ? (void *)&action.sa_sigaction : (void *)&action.sa_handler, &handler,
           sizeof handler);
    if (sigaction(signal, &action, NULL))
        perror("sigaction");
}

static void use_stack(void *place)
{
    stack_t fresh = {.ss_sp = place, .ss_size = sizeof own_stack};
    if (sigaltstack(&fresh, NULL))
        perror("sigaltstack");
}

/* What follows runs without a stack. */
#define WITHOUT_STACK(code)                                                                        \
    __asm__ volatile("li sp, 64\n" code "\n1: li a0, 7\n li a7, 94\n ecall" : : : "memory")
#define SEND(signal) "li a0, 1000\n li a1, " #signal "\n li a7, 129\n ecall"

static void to_catch(void)
{
    use_stack(own_stack);
    set(SIGSEGV, (void *)leave, SA_SIGINFO | SA_ONSTACK);
}

static void send_without_stack(void)
{
    set(SIGUSR1, (void *)ignore, 0);
    register long process __asm__("s1") = getpid();
    __asm__ volatile("mv a0, s1\n li a1, 10\n li a7, 129\n li sp, 64\n ecall\n"
                     "li a0, 7\n li a7, 94\n ecall"
                     :
                     : "r"(process)
                     : "a0", "a1", "a7", "memory");
}

static void illegal_without_stack(void)
{
    set(SIGILL, (void *)ignore, 0);
    WITHOUT_STACK(".word 0xffffffff");
}

static void return_without_stack(void)
{
    WITHOUT_STACK("li a7, 139\n ecall");
}

static void block(int signal)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    sigprocmask(SIG_BLOCK, &one, NULL);
}

static void run(const char *which)
{
    void *nothing = mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int own = SA_ONSTACK | SA_NODEFER;
#define CASE(name) if (!strcmp(which, name))
    CASE("own stack, not deferred") use_stack(own_stack), set(SIGSEGV, (void *)fault_again, own);
    CASE("own stack, deferred")
    use_stack(own_stack), set(SIGSEGV, (void *)recurse_in_handler, SA_ONSTACK);
    CASE("own stack that is not there")
    use_stack(nothing), set(SIGSEGV, (void *)ignore, SA_ONSTACK);
    CASE("no handler there") use_stack(own_stack), set(SIGSEGV, nothing, own);
    CASE("no handler there, ordinary stack") set(SIGSEGV, nothing, SA_NODEFER);
    CASE("ordinary stack, not deferred") set(SIGSEGV, (void *)fault_again, SA_NODEFER);
    CASE("ordinary stack, deferred") set(SIGSEGV, (void *)fault_again, 0);
    CASE("once") set(SIGSEGV, (void *)fault_again, SA_NODEFER | RESET);
    CASE("blocked") set(SIGSEGV, (void *)ignore, 0), block(SIGSEGV);
    CASE("ignored") signal(SIGSEGV, SIG_IGN);
    CASE("overflow") set(SIGSEGV, (void *)ignore, 0), recurse(0);
    CASE("overflow, caught")
    {
        use_stack(own_stack);
        set(SIGSEGV, (void *)jump, SA_ONSTACK);
        for (volatile int turn = 0; turn < 3; turn++)
            if (!sigsetjmp(back, 1))
                recurse(0);
            else
                say("caught\n");
        _exit(5);
    }
    CASE("sent") send_without_stack();
    CASE("sent, caught") to_catch(), send_without_stack();
    CASE("sent, blocked") to_catch(), block(SIGSEGV), send_without_stack();
    CASE("illegal") illegal_without_stack();
    CASE("illegal, caught") to_catch(), illegal_without_stack();
    CASE("illegal, caught once")
    to_catch(), set(SIGSEGV, (void *)leave, SA_SIGINFO | SA_ONSTACK | RESET),
        illegal_without_stack();
    CASE("return") return_without_stack();
    CASE("return, caught") to_catch(), return_without_stack();
    fault();
}

int main(int count, char **word)
{
    if (count > 1)
        run(word[1]);
    return 1;
}
