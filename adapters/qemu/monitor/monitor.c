/* SPDX-License-Identifier: Apache-2.0
 * The machine that the program believes to be on: machine mode, its CSRs, and Ztl.
 */
#include "adapters/qemu/monitor/monitor.h"

#include "adapters/qemu/bare/frame.h"
#include "adapters/qemu/emulate.h"
#include "adapters/qemu/guard.h"
#include "fast/fast.h"

enum {
#define ZTL_CAUSE(ID, code, words) CAUSE_##ID = code,
#include "isa/cause.def"
    USER = 0,
    MACHINE = 3,
    STATUS_MIE = 1 << 3,
    STATUS_MPIE = 1 << 7,
    STATUS_MPP_SHIFT = 11,
    WORD_EBREAK = 0x00100073,
    WORD_MRET = 0x30200073,
    WORD_WFI = 0x10500073,
    A0 = 10,
    A1 = 11,
};

enum { HOST_WRITE_CHARACTER = 3, HOST_READ = 6 }; /* semihosting operations */

void ztl_monitor_bell(void);
void ztl_monitor_start(ztl_frame *frame);
void ztl_monitor_trap(ztl_frame *frame);

#define READ_CSR(name)                                                                             \
    __extension__({                                                                                \
        uintptr_t value_;                                                                          \
        __asm__ volatile("csrr %0, " #name : "=r"(value_));                                        \
        value_;                                                                                    \
    })

/* The CSRs of the program's machine mode. */
static struct {
    uintptr_t status, ie, tvec, scratch, epc, cause, tval, counteren;
    unsigned privilege;
    bool tvec_written;
} machine;

static ztl_state hart;
static ztl_fast fast;
static ztl_monitor_mailbox *const mailbox = (ztl_monitor_mailbox *)ZTL_MONITOR_MAILBOX;

static bool in_ram(uintptr_t address, uintptr_t size)
{
    return ztl_within_reach(mailbox->ram, address, size) == size;
}

/* Hands the program to the host, which does not answer when this is its end. */
static void ring(const ztl_frame *frame, enum ztl_monitor_event event)
{
    mailbox->event = event;
    for (int i = 1; i < 32; i++)
        mailbox->x[i] = frame->x[i];
    mailbox->pc = frame->pc;
    mailbox->privilege = machine.privilege;
    ztl_monitor_bell();
}

static uint32_t fetch(uintptr_t pc)
{
    const volatile uint16_t *half = (const volatile uint16_t *)pc;
    uint32_t low = half[0];
    return (low & 3) == 3 ? low | (uint32_t)half[1] << 16 : low;
}

static void end_by_trap(const ztl_frame *frame, enum ztl_monitor_event event, uintptr_t cause,
                        uintptr_t value, const ztl_result *ztl)
{
    mailbox->cause = cause;
    mailbox->tval = value;
    mailbox->ztl = ztl ? *ztl : (ztl_result){.status = ZTL_OK};
    ztl_csr_values_take(&mailbox->csrs, &hart);
    mailbox->word = mailbox->length = 0;
    if (cause != CAUSE_FETCH_MISALIGNED && cause != CAUSE_FETCH_FAULT) {
        mailbox->word = fetch(frame->pc);
        mailbox->length = (mailbox->word & 3) == 3 ? 4 : 2;
    }
    ring(frame, event);
}

static bool has_handler(void)
{
    uintptr_t handler = machine.tvec & ~(uintptr_t)3;
    return machine.tvec_written &&
           (!mailbox->library_handler || handler != mailbox->library_handler);
}

/* Takes a trap as machine mode would; ztl: of a Ztl instruction, else NULL. */
static void take_trap(ztl_frame *frame, uintptr_t cause, uintptr_t value, const ztl_result *ztl)
{
    uintptr_t handler = machine.tvec & ~(uintptr_t)3;
    if (!has_handler())
        end_by_trap(frame, ZTL_MONITOR_TRAP, cause, value, ztl);
    if (handler == frame->pc && machine.privilege == MACHINE)
        end_by_trap(frame, ZTL_MONITOR_TRAP_LOOP, cause, value, ztl);
    machine.epc = frame->pc;
    machine.cause = cause;
    machine.tval = value;
    uintptr_t enabled = machine.status & STATUS_MIE ? STATUS_MPIE : 0;
    machine.status = enabled | (uintptr_t)machine.privilege << STATUS_MPP_SHIFT;
    machine.privilege = MACHINE;
    frame->pc = handler;
}

static void return_from_trap(ztl_frame *frame)
{
    machine.privilege = machine.status >> STATUS_MPP_SHIFT & 3;
    machine.status = STATUS_MPIE | (machine.status & STATUS_MPIE ? STATUS_MIE : 0);
    frame->pc = machine.epc;
}

/* What can be written and read back; NULL for a CSR that only reads, or that there is none of. */
static uintptr_t *csr_of(unsigned address, uintptr_t *writable)
{
    *writable = UINTPTR_MAX;
    switch (address) {
    case 0x300:
        *writable = STATUS_MIE | STATUS_MPIE | 3 << STATUS_MPP_SHIFT;
        return &machine.status;
    case 0x304:
        return &machine.ie;
    case 0x305:
        return &machine.tvec;
    case 0x306:
        return &machine.counteren;
    case 0x340:
        return &machine.scratch;
    case 0x341:
        *writable = ~(uintptr_t)1;
        return &machine.epc;
    case 0x342:
        return &machine.cause;
    case 0x343:
        return &machine.tval;
    default:
        return NULL;
    }
}

/* The machine has no clock but cycles, which QEMU counts at some GHz: some 10 MHz. */
static uint64_t time_now(void)
{
    uint64_t cycles = READ_CSR(mcycle);
#if __riscv_xlen == 32
    cycles |= (uint64_t)READ_CSR(mcycleh) << 32;
#endif
    return cycles >> 8;
}

static bool read_only_csr(unsigned address, uintptr_t *value)
{
    switch (address) {
    case 0xc01:
        *value = (uintptr_t)time_now();
        return true;
#if __riscv_xlen == 32
    case 0xc81:
        *value = (uintptr_t)(time_now() >> 32);
        return true;
#endif
    case 0x301:
        *value = READ_CSR(misa);
        return true;
    case 0xb00:
        *value = READ_CSR(mcycle);
        return true;
    case 0xb02:
        *value = READ_CSR(minstret);
        return true;
    case 0x344:
    case 0xf11:
    case 0xf12:
    case 0xf13:
    case 0xf14:
        *value = 0;
        return true;
    default:
        return false;
    }
}

/* A CSR instruction of Zicsr on a CSR of machine mode, or on the clock. */
static bool machine_csr(ztl_frame *frame, uint32_t word)
{
    unsigned address = word >> 20, funct3 = word >> 12 & 7, source = word >> 15 & 31;
    uintptr_t writable, old = 0;
    uintptr_t *csr = csr_of(address, &writable);
    bool writes = (funct3 & 3) == 1 || source, is_read_only = address >> 10 == 3;
    if (machine.privilege < (address >> 8 & 3) || (funct3 & 3) == 0 || (writes && is_read_only) ||
        (!csr && !read_only_csr(address, &old)))
        return false;
    if (csr)
        old = *csr;
    uintptr_t operand = funct3 & 4 ? source : source ? frame->x[source] : 0;
    uintptr_t new = (funct3 & 3) == 1   ? operand
                    : (funct3 & 3) == 2 ? old | operand
                                        : old & ~operand;
    if (csr && writes)
        *csr = new &writable;
    if (csr == &machine.tvec)
        machine.tvec_written = true;
    if (word >> 7 & 31)
        frame->x[word >> 7 & 31] = old;
    frame->pc += 4;
    return true;
}

static enum ztl_emulated emulate(ztl_frame *frame, uint32_t word, ztl_result *result)
{
    uint64_t x[32];
    for (int i = 1; i < 32; i++)
        x[i] = frame->x[i];
    enum ztl_emulated done =
        ztl_emulate(&hart, word, x, mailbox->ram, &mailbox->statistics, result);
    for (int i = 1; i < 32; i++)
        frame->x[i] = (uintptr_t)x[i];
    return done;
}

static void sleep_for_ever(ztl_frame *frame)
{
    frame->pc += 4;
    ring(frame, ZTL_MONITOR_ASLEEP);
}

static void illegal(ztl_frame *frame)
{
    uint32_t word = fetch(frame->pc);
    ztl_result result;
    enum ztl_emulated done = emulate(frame, word, &result);
    if (done == ZTL_EMULATED)
        frame->pc += 4;
    else if (done == ZTL_TRAPPED)
        take_trap(frame, result.cause, (uintptr_t)result.tval, &result);
    else if (word == WORD_MRET && machine.privilege == MACHINE)
        return_from_trap(frame);
    else if (word == WORD_WFI)
        sleep_for_ever(frame);
    else if ((word & 0x7f) != 0x73 || !machine_csr(frame, word))
        take_trap(frame, CAUSE_ILLEGAL, word, NULL);
}

/* ebreak between two marks is a call to the host. */
static bool is_host_call(uintptr_t pc)
{
    return in_ram(pc - 4, 12) && fetch(pc) == WORD_EBREAK && fetch(pc - 4) == 0x01f01013 &&
           fetch(pc + 4) == 0x40705013;
}

/* QEMU sees only what its harts store: what the host has put into memory may be code. */
static void renew(uintptr_t address, uintptr_t size)
{
    if (!in_ram(address, size))
        return;
    for (uintptr_t at = address & -sizeof at; at < address + size; at += sizeof at)
        *(volatile uintptr_t *)at = *(volatile uintptr_t *)at;
}

/* C libraries write character by character: a line takes one ring of the bell. */
static bool keep_character(const ztl_frame *frame)
{
    uintptr_t address = frame->x[A1];
    if (frame->x[A0] != HOST_WRITE_CHARACTER || !in_ram(address, 1) ||
        mailbox->console_size == sizeof mailbox->console)
        return false;
    char character = *(const volatile char *)address;
    if (character != '\n')
        mailbox->console[mailbox->console_size++] = character;
    return character != '\n';
}

static void host_call(ztl_frame *frame)
{
    if (keep_character(frame)) {
        frame->x[A0] = 0;
        frame->pc += 4;
        return;
    }
    uintptr_t block[3] = {0};
    const uintptr_t size = sizeof block;
    if (frame->x[A0] == HOST_READ && in_ram(frame->x[A1], size))
        ztl_guard_copy(block, (const void *)frame->x[A1], size);
    ring(frame, ZTL_MONITOR_CALL);
    frame->x[A0] = (uintptr_t)mailbox->x[A0];
    frame->pc += 4;
    renew(block[1], block[2]);
}

void ztl_monitor_trap(ztl_frame *frame)
{
    uintptr_t cause = READ_CSR(mcause), value = READ_CSR(mtval);
    if (cause == CAUSE_ILLEGAL)
        illegal(frame);
    else if (cause == CAUSE_BREAKPOINT && is_host_call(frame->pc))
        host_call(frame);
    else if (cause == CAUSE_ECALL_USER && machine.privilege == MACHINE)
        take_trap(frame, CAUSE_ECALL_MACHINE, 0, NULL);
    else
        take_trap(frame, cause, value, NULL);
}

#define WRITE_CSR(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value))

/* User mode has the program's RAM, and nothing else: two entries for each piece, of which the first
 * is where it begins and the second, top of range, its end with all rights. */
static void confine(void)
{
    enum { PIECE = 0x0f00, RIGHTS_BITS = 16 };
    uintptr_t edge[2 * ZTL_MONITOR_RAMS] = {0};
    uint64_t rights = 0;
    for (unsigned i = 0; i < ZTL_MONITOR_RAMS && mailbox->ram[i].size; i++) {
        edge[2 * i] = (uintptr_t)(mailbox->ram[i].base >> 2);
        edge[2 * i + 1] = (uintptr_t)((mailbox->ram[i].base + mailbox->ram[i].size) >> 2);
        rights |= (uint64_t)PIECE << (RIGHTS_BITS * i);
    }
    WRITE_CSR(pmpaddr0, edge[0]);
    WRITE_CSR(pmpaddr1, edge[1]);
    WRITE_CSR(pmpaddr2, edge[2]);
    WRITE_CSR(pmpaddr3, edge[3]);
    WRITE_CSR(pmpaddr4, edge[4]);
    WRITE_CSR(pmpaddr5, edge[5]);
    WRITE_CSR(pmpaddr6, edge[6]);
    WRITE_CSR(pmpaddr7, edge[7]);
    WRITE_CSR(pmpcfg0, (uintptr_t)rights);
#if __riscv_xlen == 32
    WRITE_CSR(pmpcfg1, (uintptr_t)(rights >> 32));
#endif
}

void ztl_monitor_start(ztl_frame *frame)
{
    ztl_config config = ztl_default_config();
    config.xlen = __riscv_xlen;
    config.l1m = (ztl_window){mailbox->l1m_base, mailbox->l1m_size};
    config.l0m = (ztl_window){mailbox->l0m_base, mailbox->l0m_size};
    confine();
    machine.privilege = MACHINE;
    for (int i = 0; i < 32; i++)
        frame->x[i] = 0;
    frame->pc = (uintptr_t)mailbox->entry;
    if (!ztl_config_of_isa(mailbox->isa, &config, NULL) || ztl_init(&hart, &config) != ZTL_OK ||
        ztl_attach_accelerator(&hart, &fast, NULL) != ZTL_OK)
        ring(frame, ZTL_MONITOR_CONFUSED);
}
