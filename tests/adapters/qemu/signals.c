/* SPDX-License-Identifier: Apache-2.0
 * A RISC-V Linux program under libztl-trap: signals, threads and processes are as they would be on
 * a CPU with Ztl. Prints a line for each check that fails; exits with their number.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <ztl/intrin.h>

static int failures;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s\n", __func__, __LINE__, #condition);                                 \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

enum { STATUS_SHAPE = 3, STATUS_ENCODING = 1 };

static volatile int caught;
static void *volatile caught_address;
static volatile int caught_code;
static unsigned long caught_status;

/* Every handler may use Ztl itself. */
static void skip(int number, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    caught = number;
    caught_address = info->si_addr;
    caught_code = info->si_code;
    caught_status = __riscv_ztl_csrr_tl_xpose_status();
    uc->uc_mcontext.__gregs[REG_PC] += 4;
}

static void catch_signal(int number, int flags)
{
    struct sigaction action = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO | flags};
    sigfillset(&action.sa_mask);
    sigaction(number, &action, NULL);
    caught = 0;
    caught_address = NULL;
}

static void shape_of_32_slices(void)
{
    __riscv_ztl_csrw_ttype(0);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(32, 1, 1));
    __riscv_ztl_csrw_tl_load_width(32);
    __riscv_ztl_csrw_tl_store_width(32);
}

static void test_illegal(void)
{
    catch_signal(SIGILL, 0);
    __riscv_ztl_xpose_01(1, 2, ZTL_DIMS(4, 4, 4, 4));
    CHECK(caught == SIGILL && caught_status == (3 << 8 | STATUS_SHAPE));
    catch_signal(SIGILL, 0);
    __asm__ volatile(".insn r 0x5b, 7, 0, x0, x0, x0");
    CHECK(caught == SIGILL && caught_status == (7 << 8 | STATUS_ENCODING));
    catch_signal(SIGILL, 0);
    __asm__ volatile(".4byte 0xffffffff");
    CHECK(caught == SIGILL && caught_status == (7 << 8 | STATUS_ENCODING));
    catch_signal(SIGILL, 0);
    __asm__ volatile("csrr a0, 0x8ff" ::: "a0");
    CHECK(caught == SIGILL);
}

static void test_faults(void)
{
    uint8_t *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(pages + 4096, 4096);
    shape_of_32_slices();
    catch_signal(SIGSEGV, 0);
    __riscv_ztl_load(1, pages + 4096 - 100, 0);
    CHECK(caught == SIGSEGV && caught_address == pages + 4096 && caught_code == SEGV_MAPERR);
    catch_signal(SIGSEGV, 0);
    memset(pages, 7, 4096);
    __riscv_ztl_store(0, pages + 4096 - 100, 0);
    CHECK(caught == SIGSEGV && caught_address == pages + 4096 && pages[4000] == 7);
    mprotect(pages, 4096, PROT_READ);
    catch_signal(SIGSEGV, 0);
    __riscv_ztl_store(0, pages, 0);
    CHECK(caught == SIGSEGV && caught_address == pages && caught_code == SEGV_ACCERR);
    catch_signal(SIGSEGV, 0);
    __asm__ volatile(".option push\n.option norvc\nsb zero, 0(%0)\n.option pop" ::"r"(pages));
    CHECK(caught == SIGSEGV && caught_address == pages);
    __riscv_ztl_csrw_ttype(ZTL_TTYPE_INT32);
    catch_signal(SIGBUS, 0);
    __riscv_ztl_load(1, pages + 2, 0);
    CHECK(caught == SIGBUS && caught_address == pages + 2 && caught_code == BUS_ADRALN);
    munmap(pages, 4096);
}

static void plain_handler(int number)
{
    caught = number;
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(5, 6, 7));
}

static void test_actions(void)
{
    struct sigaction action;
    catch_signal(SIGILL, SA_NODEFER);
    sigaction(SIGILL, NULL, &action);
    CHECK(action.sa_sigaction == skip && (action.sa_flags & SA_SIGINFO));
    CHECK((void *)signal(SIGSEGV, plain_handler) == (void *)skip);
    CHECK(signal(SIGSEGV, SIG_DFL) == plain_handler);
    CHECK(signal(SIGILL, SIG_IGN) != SIG_ERR);
    raise(SIGILL);
    signal(SIGILL, plain_handler);
    caught = 0;
    raise(SIGILL);
    CHECK(caught == SIGILL && __riscv_ztl_csrr_tshape() == ZTL_SHAPE(5, 6, 7));
    CHECK(sigaction(99, NULL, &action) == -1);
}

static void test_masks(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(1, 2, 3));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    CHECK(__riscv_ztl_csrr_tshape() == ZTL_SHAPE(1, 2, 3));
    struct sigaction action = {.sa_handler = plain_handler};
    sigfillset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    CHECK(caught == SIGUSR1 && __riscv_ztl_csrr_tshape() == ZTL_SHAPE(5, 6, 7));
}

static sigjmp_buf back;
static void jump(int number)
{
    siglongjmp(back, number);
}

static void test_jump(void)
{
    signal(SIGILL, jump);
    for (volatile int i = 0; i < 3; i++) {
        volatile int number = sigsetjmp(back, 1);
        if (number == 0)
            __riscv_ztl_xpose_01(1, 2, 0);
        CHECK(number == SIGILL);
    }
}

/* How a child ends that does what `body` says. */
static int end_of(void (*body)(void))
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

static void die_illegal(void)
{
    signal(SIGILL, SIG_DFL);
    __riscv_ztl_xpose_01(1, 2, 0);
}

static void die_of_fault(void)
{
    signal(SIGSEGV, SIG_DFL);
    shape_of_32_slices();
    __riscv_ztl_load(1, (const void *)8, 0);
}

static void die_second_time(void)
{
    catch_signal(SIGILL, (int)SA_RESETHAND);
    __riscv_ztl_xpose_01(1, 2, 0);
    if (caught == SIGILL)
        __riscv_ztl_xpose_01(1, 2, 0);
}

static void child_of_fork(void)
{
    unsigned long inherited = __riscv_ztl_csrr_tshape();
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(9, 9, 9));
    _exit(inherited == ZTL_SHAPE(4, 4, 4) ? 42 : 1);
}

static void test_processes(void)
{
    CHECK(WTERMSIG(end_of(die_illegal)) == SIGILL);
    CHECK(WTERMSIG(end_of(die_of_fault)) == SIGSEGV);
    CHECK(WTERMSIG(end_of(die_second_time)) == SIGILL);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(4, 4, 4));
    CHECK(WEXITSTATUS(end_of(child_of_fork)) == 42);
    CHECK(__riscv_ztl_csrr_tshape() == ZTL_SHAPE(4, 4, 4));
}

/* A thread's hart starts at reset and is its own. */
static void *in_thread(void *argument)
{
    unsigned long mine = ZTL_SHAPE(1, 1, (uintptr_t)argument), good = 0;
    good = __riscv_ztl_csrr_tshape() == 0 && __riscv_ztl_csrr_load_stride(31) == 31;
    __riscv_ztl_csrw_tshape(mine);
    for (int i = 0; i < 200; i++)
        good &= __riscv_ztl_csrr_tshape() == mine;
    return (void *)(uintptr_t)good;
}

static void test_threads(void)
{
    enum { THREADS = 8 };
    pthread_t thread[THREADS];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 32768);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(3, 3, 3));
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], &small, in_thread, (void *)(i + 1));
    for (unsigned i = 0; i < THREADS; i++) {
        void *good = NULL;
        pthread_join(thread[i], &good);
        CHECK(good != NULL);
    }
    CHECK(__riscv_ztl_csrr_tshape() == ZTL_SHAPE(3, 3, 3));
}

int main(void)
{
    test_illegal();
    test_faults();
    test_actions();
    test_masks();
    test_jump();
    test_processes();
    test_threads();
    printf("%d failures\n", failures);
    return failures;
}
