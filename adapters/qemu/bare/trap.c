/* SPDX-License-Identifier: Apache-2.0
 * What a trap was, and whose it is.
 */
#include "adapters/qemu/bare/bare.h"
#include "adapters/qemu/bare/frame.h"
#include "adapters/qemu/emulate.h"
#include "adapters/qemu/guard.h"
#include "fast/fast.h"

enum {
#define ZTL_CAUSE(ID, code, words) CAUSE_##ID = code,
#include "isa/cause.def"
    A0 = 10,
    A1 = 11,
};

#define READ_CSR(name)                                                                             \
    __extension__({                                                                                \
        uintptr_t value_;                                                                          \
        __asm__ volatile("csrr %0, " #name : "=r"(value_));                                        \
        value_;                                                                                    \
    })
#define WRITE_CSR(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"((uintptr_t)(value)))

extern const char ztl_trap_entry[];
extern uint32_t ztl_trap_chain[];
int ztl_trap_handle(ztl_frame *frame);

static ztl_state hart;
static ztl_fast fast;
static ztl_statistics statistics;

static uint32_t fetch(uintptr_t pc)
{
    const volatile uint16_t *half = (const volatile uint16_t *)pc;
    uint32_t low = half[0];
    return (low & 3) == 3 ? low | (uint32_t)half[1] << 16 : low;
}

/* The model's registers have 64 bits on RV32 too. */
static enum ztl_emulated emulate(ztl_frame *frame, ztl_result *result)
{
    uint64_t x[32];
    for (int i = 1; i < 32; i++)
        x[i] = frame->x[i];
    enum ztl_emulated done = ztl_emulate(&hart, fetch(frame->pc), x, NULL, &statistics, result);
    for (int i = 1; i < 32; i++)
        frame->x[i] = (uintptr_t)x[i];
    return done;
}

/* A fault of ours while a Ztl instruction accesses memory. */
static bool guarded(ztl_frame *frame, uintptr_t cause)
{
    bool is_fault = cause == CAUSE_LOAD_FAULT || cause == CAUSE_STORE_FAULT ||
                    cause == CAUSE_LOAD_PAGE_FAULT || cause == CAUSE_STORE_PAGE_FAULT;
    if (!is_fault || !ztl_guard_covers(frame->pc))
        return false;
    frame->x[A0] = 1;
    frame->x[A1] = READ_CSR(mtval);
    frame->pc = (uintptr_t)ztl_guard_fault;
    return true;
}

/* 0: go on at the frame's pc; 1: the trap is for the handler before us. */
int ztl_trap_handle(ztl_frame *frame)
{
    uintptr_t cause = READ_CSR(mcause), value = READ_CSR(mtval);
    if (guarded(frame, cause))
        return 0;
    if (cause != CAUSE_ILLEGAL)
        return 1;
    ztl_result result;
    enum ztl_emulated done = emulate(frame, &result);
    if (done == ZTL_EMULATED) {
        frame->pc += 4;
        return 0;
    }
    if (done == ZTL_TRAPPED) {
        cause = result.cause;
        value = (uintptr_t)result.tval;
    }
    WRITE_CSR(mcause, cause);
    WRITE_CSR(mtval, value);
    return 1;
}

/* jal x0, offset; 0 when the offset does not fit. */
static uint32_t jump(intptr_t offset)
{
    if (offset < -0x100000 || offset > 0xffffe || offset % 2)
        return 0;
    uint32_t bits = (uint32_t)offset;
    return (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3ff) << 21 | (bits >> 11 & 1) << 20 |
           (bits >> 12 & 0xff) << 12 | 0x6f;
}

static bool start_hart(const ztl_config *config)
{
    return ztl_init(&hart, config) == ZTL_OK &&
           ztl_attach_accelerator(&hart, &fast, NULL) == ZTL_OK;
}

bool ztl_trap_install(const char *isa)
{
    ztl_config config = ztl_default_config();
    config.xlen = __riscv_xlen;
    if (isa && !ztl_config_of_isa(isa, &config, NULL))
        return false;
    uintptr_t before = READ_CSR(mtvec);
    if (before == (uintptr_t)ztl_trap_entry)
        return start_hart(&config);
    /* Without a handler before us, what is not ours stops the hart in a loop. */
    uint32_t chain = before ? jump((intptr_t)(before - (uintptr_t)ztl_trap_chain)) : jump(0);
    if (!chain || (before & 3))
        return false;
    start_hart(&config);
    *(volatile uint32_t *)ztl_trap_chain = chain;
    __asm__ volatile(".4byte 0x0000100f" ::: "memory"); /* fence.i */
    WRITE_CSR(mtvec, ztl_trap_entry);
    return true;
}

__attribute__((weak)) const char *ztl_trap_isa = "ztl";

static void __attribute__((constructor(101))) install_at_start(void)
{
    ztl_trap_install(ztl_trap_isa);
}
