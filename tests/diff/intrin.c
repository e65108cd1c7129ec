/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine of the host's intrinsics: each word by the functions that the macros of
 * <ztl/intrin/host.h> call, on the thread's hart, with the process's own memory at the programs'
 * addresses, traps through a handler of the thread. A word that no intrinsic stands for (an illegal
 * encoding) is executed on the same hart.
 *
 * An access to memory that is not mapped is SIGSEGV, as for any access of the host, in the middle
 * of an instruction. Here it is undone, and the model says whether it had to come and at which
 * address; that address is the one thing that is not the host's own.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <ztl/intrin/host.h>

#include "tests/diff/memory.h"

enum { OPCODE_SYSTEM = 0x73, FIRST_PAGE = 4096 };

static ztl_config config;
static diff_memory bytes;
static ztl_result trapped; /* what the last instruction ended with */

static sigjmp_buf on_fault;
static volatile sig_atomic_t guarded;
static struct {
    ztl_state hart;
    uint8_t memory[DIFF_RW_SIZE];
} before;

static enum ztl_intrin_resume note_trap(const ztl_intrin_trap *trap, void *context)
{
    (void)context;
    trapped = trap->result;
    return ZTL_INTRIN_SKIP;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info, (void)context;
    if (!guarded)
        abort();
    siglongjmp(on_fault, 1);
}

static void with_fresh_hart(void (*body)(void *), void *context)
{
    ztl_intrin_init(&config);
    ztl_intrin_set_trap_handler(note_trap, NULL);
    body(context);
}

/* The immediate forms have no intrinsics: their value goes the way of a register's. */
static void execute_csr(uint32_t word, uint64_t a[DIFF_GPRS])
{
    unsigned rs1 = word >> 15 & 31, rd = word >> 7 & 31;
    unsigned funct3 = word >> 12 & 3;
    bool immediate = word >> 14 & 1;
    uint64_t value = immediate ? rs1 : rs1 ? a[rs1 - DIFF_A0] : 0;
    bool writes = rs1 || funct3 == ZTL_INTRIN_CSRRW;
    ztl_intrin_site site = {.file = __FILE__,
                            .function = __func__,
                            .line = __LINE__,
                            .word = (word & 0xfff00000) | (writes ? ZTL_INTRIN_A1 : 0) << 15 |
                                    funct3 << 12 | ZTL_INTRIN_A0 << 7 | OPCODE_SYSTEM,
                            .id = ZTL_INSNS,
                            .revision = (uint8_t)config.revision};
    uint64_t old = ztl_intrin_csr(&site, value);
    if (trapped.status == ZTL_OK && rd)
        a[rd - DIFF_A0] = old;
}

/* Intrinsics take their GPRs as values, in a0, and in a1 the shape of Ztl 1. */
static void execute_intrinsic(const ztl_insn *insn, const uint64_t x[32])
{
    uint64_t value[2] = {0};
    ztl_intrin_site site = {.file = __FILE__,
                            .function = __func__,
                            .line = __LINE__,
                            .word = insn->word,
                            .id = (uint8_t)insn->row->id,
                            .revision = (uint8_t)config.revision};
    const ztl_operand_row *operand;
    for (size_t k = 0; (operand = ztl_isa_operand(insn->row->format, k)); k++) {
        site.operand[k] = insn->operand[k];
        if (operand->kind != ZTL_KIND_GPR && operand->kind != ZTL_KIND_BASE)
            continue;
        unsigned which = !strcmp(operand->name, "rshape");
        value[which] = x[insn->operand[k]];
        site.operand[k] = ZTL_INTRIN_A0 + (int32_t)which;
        site.word = (site.word & ~(UINT32_C(31) << operand->lsb)) | (uint32_t)site.operand[k]
                                                                        << operand->lsb;
    }
    ztl_intrin_execute(&site, value[0], value[1]);
}

/* What a signal left half done goes back; the model must find the fault too. */
static void settle_fault(uint32_t word, const uint64_t x[32], bool by_signal)
{
    const ztl_memory guest = diff_model_memory(&bytes);
    if (by_signal) {
        *ztl_intrin_state() = before.hart;
        memcpy(bytes.memory, before.memory, sizeof before.memory);
    }
    ztl_result expected = ztl_execute(ztl_intrin_state(), word, x, &guest);
    if (diff_model_outcome(&expected).trap != DIFF_FAULT) {
        fprintf(stderr, "diff: %08x faults on the host only\n", (unsigned)word);
        exit(1);
    }
    /* The first page is a fault by the handler, whose address counts. */
    if (by_signal || expected.tval >= FIRST_PAGE)
        trapped = expected;
}

static void execute_ztl(const ztl_insn *insn, const uint64_t x[32])
{
    before.hart = *ztl_intrin_state();
    memcpy(before.memory, bytes.memory, sizeof before.memory);
    bool by_signal = sigsetjmp(on_fault, 0) != 0;
    if (!by_signal) {
        guarded = 1;
        execute_intrinsic(insn, x);
    }
    guarded = 0;
    if (by_signal || diff_model_outcome(&trapped).trap == DIFF_FAULT)
        settle_fault(insn->word, x, by_signal);
}

static diff_outcome execute(uint32_t word, uint64_t a[DIFF_GPRS])
{
    uint64_t x[32] = {0};
    ztl_insn insn;
    memcpy(x + DIFF_A0, a, DIFF_GPRS * sizeof a[0]);
    trapped = (ztl_result){.status = ZTL_OK};
    if ((word & 0x7f) == OPCODE_SYSTEM)
        execute_csr(word, a);
    else if (ztl_decode(config.revision, word, &insn))
        execute_ztl(&insn, x);
    else
        trapped = ztl_execute(ztl_intrin_state(), word, x, &(ztl_memory){0});
    return diff_model_outcome(&trapped);
}

static uint8_t *map(uintptr_t address, size_t size, int protection)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    void *place = mmap((void *)address, size, protection, flags, -1, 0);
    if (place != (void *)address) {
        perror("diff: mmap");
        exit(2);
    }
    return place;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    bytes.memory = map(DIFF_MEMORY, DIFF_RW_SIZE, PROT_READ | PROT_WRITE);
    map(DIFF_MEMORY + DIFF_RO_OFFSET, DIFF_RO_SIZE, PROT_READ);
    bytes.dump = map(DIFF_DUMP, DIFF_PAGE, PROT_READ | PROT_WRITE);
    if (argc > 1)
        config = diff_config_of(argv[1]);
    const diff_engine engine = {with_fresh_hart, execute, bytes.memory, bytes.dump, DIFF_DUMP};
    return diff_main(argc, argv, &engine);
}
