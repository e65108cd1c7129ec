/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine that is the CPU itself: a RISC-V Linux program that executes the words. Without Ztl
 * in hardware, libztl-trap stands in for it; the ISA argument must be what ZTL_ISA says. A thread
 * for each program, since a new thread's hart is at reset.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "tests/diff/harness.h"

enum { PLACE_BITS = 14, CODE_SIZE = 8 << PLACE_BITS, RETURN = 0x00008067 };

static uint32_t *code;
static diff_outcome last;

/* Loads a0 … a7 from `a`, calls the code, stores them back. */
void diff_call(uint64_t a[DIFF_GPRS], const void *code);
__asm__(".text\n"
        ".globl diff_call\n"
        "diff_call:\n"
        "   addi sp, sp, -32\n"
        "   sd ra, 24(sp)\n"
        "   sd s0, 16(sp)\n"
        "   mv s0, a0\n"
        "   mv t0, a1\n"
        "   ld a0, 0(s0)\n   ld a1, 8(s0)\n   ld a2, 16(s0)\n   ld a3, 24(s0)\n"
        "   ld a4, 32(s0)\n  ld a5, 40(s0)\n  ld a6, 48(s0)\n   ld a7, 56(s0)\n"
        "   jalr t0\n"
        "   sd a0, 0(s0)\n   sd a1, 8(s0)\n   sd a2, 16(s0)\n   sd a3, 24(s0)\n"
        "   sd a4, 32(s0)\n  sd a5, 40(s0)\n  sd a6, 48(s0)\n   sd a7, 56(s0)\n"
        "   ld ra, 24(sp)\n"
        "   ld s0, 16(sp)\n"
        "   addi sp, sp, 32\n"
        "   ret\n");

/* Notes what happened and goes on behind the instruction. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    uintptr_t pc = uc->uc_mcontext.__gregs[REG_PC];
    if (pc < (uintptr_t)code || pc >= (uintptr_t)code + CODE_SIZE)
        abort();
    enum diff_trap trap = signal == SIGILL   ? DIFF_ILLEGAL
                          : signal == SIGBUS ? DIFF_MISALIGNED
                                             : DIFF_FAULT;
    last = (diff_outcome){trap, trap == DIFF_ILLEGAL ? 0 : (uintptr_t)info->si_addr};
    uc->uc_mcontext.__gregs[REG_PC] = pc + 4;
}

/* Each word has a place by its value and stays there until another wants the place: rewriting
 * code is what costs most. */
static diff_outcome execute(uint32_t word, uint64_t x[DIFF_GPRS])
{
    uint32_t *place = code + 2 * (word * UINT32_C(0x9e3779b1) >> (32 - PLACE_BITS));
    if (place[0] != word) {
        place[0] = word;
        place[1] = RETURN;
        __builtin___clear_cache((char *)place, (char *)(place + 2));
    }
    last = (diff_outcome){DIFF_NO_TRAP, 0};
    diff_call(x, place);
    return last;
}

typedef struct thread_body {
    void (*body)(void *);
    void *context;
} thread_body;

static void *run_body(void *argument)
{
    thread_body *call = argument;
    call->body(call->context);
    return NULL;
}

static void fail(const char *what)
{
    perror(what);
    exit(2);
}

static void with_fresh_hart(void (*body)(void *), void *context)
{
    pthread_t thread;
    thread_body call = {body, context};
    if (pthread_create(&thread, NULL, run_body, &call) != 0)
        fail("pthread_create");
    pthread_join(thread, NULL);
}

static uint8_t *map(uintptr_t address, size_t size, int protection)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (address ? MAP_FIXED_NOREPLACE : 0);
    void *bytes = mmap((void *)address, size, protection, flags, -1, 0);
    if (bytes == MAP_FAILED || (address && bytes != (void *)address))
        fail("mmap");
    return bytes;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    code = (uint32_t *)(void *)map(0, CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC);
    uint8_t *memory = map(DIFF_MEMORY, DIFF_RW_SIZE, PROT_READ | PROT_WRITE);
    map(DIFF_MEMORY + DIFF_RO_OFFSET, DIFF_RO_SIZE, PROT_READ);
    uint8_t *dump = map(DIFF_DUMP, DIFF_PAGE, PROT_READ | PROT_WRITE);
    const diff_engine engine = {with_fresh_hart, execute, memory, dump, DIFF_DUMP};
    return diff_main(argc, argv, &engine);
}
