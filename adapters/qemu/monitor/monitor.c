/* SPDX-License-Identifier: Apache-2.0
 * The machine that the program believes to be on: machine mode, its CSRs, and Ztl.
 */
#include "adapters/qemu/monitor/monitor.h"

#include "adapters/qemu/bare/frame.h"
#include "adapters/qemu/emulate.h"
#include "codec/text.h"
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

/* Semihosting operations. */
enum { HOST_OPEN = 1, HOST_CLOSE = 2, HOST_WRITE0 = 4, HOST_WRITE = 5, HOST_EXIT = 0x18 };
enum { HOST_EXIT_EXTENDED = 0x20, HOST_OPEN_WRITE_BINARY = 5, HOST_FAILED = 0x20023 };

long ztl_monitor_host(long operation, const void *argument);
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
    bool has_handler;
} machine;

static ztl_state hart;
static ztl_fast fast;
static ztl_statistics statistics;
static const ztl_monitor_parameters *const parameters =
    (const ztl_monitor_parameters *)ZTL_MONITOR_PARAMETERS;

static void write_statistics(void)
{
    const char *path = parameters->statistics;
    uintptr_t length = 0;
    while (path[length])
        length++;
    if (!length)
        return;
    const uintptr_t open[] = {(uintptr_t)path, HOST_OPEN_WRITE_BINARY, length};
    long file = ztl_monitor_host(HOST_OPEN, open);
    const uintptr_t write[] = {(uintptr_t)file, (uintptr_t)&statistics, sizeof statistics};
    if (file >= 0)
        ztl_monitor_host(HOST_WRITE, write);
    ztl_monitor_host(HOST_CLOSE, write);
}

static void __attribute__((noreturn)) fail(const char *message)
{
    ztl_monitor_host(HOST_WRITE0, message);
    write_statistics();
    const uintptr_t block[] = {HOST_FAILED, 1};
    ztl_monitor_host(HOST_EXIT_EXTENDED, block);
    for (;;)
        ;
}

static void __attribute__((noreturn)) fail_unhandled(const ztl_frame *frame)
{
    char message[160];
    ztl_text text = ztl_text_in(message, sizeof message);
    ztl_text_add(&text, "ztl: trap without a handler: cause ");
    ztl_text_unsigned(&text, machine.cause);
    ztl_text_add(&text, ", pc ");
    ztl_text_hex(&text, frame->pc, 1);
    ztl_text_add(&text, ", tval ");
    ztl_text_hex(&text, machine.tval, 1);
    ztl_text_add(&text, "\n");
    fail(message);
}

/* Takes a trap as machine mode would. */
static void take_trap(ztl_frame *frame, uintptr_t cause, uintptr_t value)
{
    machine.epc = frame->pc;
    machine.cause = cause;
    machine.tval = value;
    if (!machine.has_handler)
        fail_unhandled(frame);
    uintptr_t enabled = machine.status & STATUS_MIE ? STATUS_MPIE : 0;
    machine.status = enabled | (uintptr_t)machine.privilege << STATUS_MPP_SHIFT;
    machine.privilege = MACHINE;
    frame->pc = machine.tvec & ~(uintptr_t)3;
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

static bool read_only_csr(unsigned address, uintptr_t *value)
{
    switch (address) {
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

/* A CSR instruction of Zicsr on a CSR of machine mode. */
static bool machine_csr(ztl_frame *frame, uint32_t word)
{
    unsigned address = word >> 20, funct3 = word >> 12 & 7, source = word >> 15 & 31;
    uintptr_t writable, old = 0;
    uintptr_t *csr = csr_of(address, &writable);
    if (machine.privilege != MACHINE || (funct3 & 3) == 0 ||
        (!csr && !read_only_csr(address, &old)))
        return false;
    if (csr)
        old = *csr;
    uintptr_t operand = funct3 & 4 ? source : source ? frame->x[source] : 0;
    uintptr_t new = (funct3 & 3) == 1   ? operand
                    : (funct3 & 3) == 2 ? old | operand
                                        : old & ~operand;
    if (csr && ((funct3 & 3) == 1 || source))
        *csr = new &writable;
    if (csr == &machine.tvec)
        machine.has_handler = true;
    if (word >> 7 & 31)
        frame->x[word >> 7 & 31] = old;
    frame->pc += 4;
    return true;
}

static uint32_t fetch(uintptr_t pc)
{
    const volatile uint16_t *half = (const volatile uint16_t *)pc;
    uint32_t low = half[0];
    return (low & 3) == 3 ? low | (uint32_t)half[1] << 16 : low;
}

static enum ztl_emulated emulate(ztl_frame *frame, uint32_t word, ztl_result *result)
{
    uint64_t x[32];
    for (int i = 1; i < 32; i++)
        x[i] = frame->x[i];
    enum ztl_emulated done = ztl_emulate(&hart, word, x, &statistics, result);
    for (int i = 1; i < 32; i++)
        frame->x[i] = (uintptr_t)x[i];
    return done;
}

static void illegal(ztl_frame *frame)
{
    uint32_t word = fetch(frame->pc);
    ztl_result result;
    enum ztl_emulated done = emulate(frame, word, &result);
    if (done == ZTL_EMULATED)
        frame->pc += 4;
    else if (done == ZTL_TRAPPED)
        take_trap(frame, result.cause, (uintptr_t)result.tval);
    else if (word == WORD_MRET && machine.privilege == MACHINE)
        return_from_trap(frame);
    else if (word == WORD_WFI)
        frame->pc += 4;
    else if ((word & 0x7f) != 0x73 || !machine_csr(frame, word))
        take_trap(frame, CAUSE_ILLEGAL, word);
}

/* ebreak between two marks is a call to the host. */
static bool is_host_call(uintptr_t pc)
{
    return fetch(pc) == WORD_EBREAK && fetch(pc - 4) == 0x01f01013 && fetch(pc + 4) == 0x40705013;
}

static void host_call(ztl_frame *frame)
{
    long operation = (long)frame->x[A0];
    if (operation == HOST_EXIT || operation == HOST_EXIT_EXTENDED)
        write_statistics();
    frame->x[A0] = (uintptr_t)ztl_monitor_host(operation, (const void *)frame->x[A1]);
    frame->pc += 4;
}

void ztl_monitor_trap(ztl_frame *frame)
{
    uintptr_t cause = READ_CSR(mcause), value = READ_CSR(mtval);
    if (cause == CAUSE_ILLEGAL)
        illegal(frame);
    else if (cause == CAUSE_BREAKPOINT && is_host_call(frame->pc))
        host_call(frame);
    else if (cause == CAUSE_ECALL_USER && machine.privilege == MACHINE)
        take_trap(frame, CAUSE_ECALL_MACHINE, 0);
    else
        take_trap(frame, cause, value);
}

void ztl_monitor_start(ztl_frame *frame)
{
    ztl_config config = ztl_default_config();
    config.xlen = __riscv_xlen;
    config.l1m = (ztl_window){parameters->l1m_base, parameters->l1m_size};
    config.l0m = (ztl_window){parameters->l0m_base, parameters->l0m_size};
    if (parameters->magic != ZTL_MONITOR_MAGIC ||
        !ztl_config_of_isa(parameters->isa, &config, NULL, 0) || ztl_init(&hart, &config) != ZTL_OK)
        fail("ztl: the monitor's parameters are wrong\n");
    ztl_attach_accelerator(&hart, &fast, NULL);
    statistics.magic = ZTL_STATISTICS_MAGIC;
    machine.privilege = MACHINE;
    for (int i = 0; i < 32; i++)
        frame->x[i] = 0;
    frame->pc = (uintptr_t)parameters->entry;
}
