/* SPDX-License-Identifier: Apache-2.0
 *
 * A bare-metal program with a trap handler of its own, under the twin and under the monitor, rv64
 * and rv32: Ztl works, and every trap reaches the handler with the cause and value of the contract.
 * Prints a line for each check that fails; exits with their number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/intrin.h>

#ifdef TWIN
#include "adapters/qemu/bare/bare.h"
#endif

static int failures;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s; cause %lx tval %lx\n", __LINE__, #condition, cause, tval);        \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static volatile unsigned long cause, tval, status;
static uint8_t in[2048], out[1024];

/* Notes the trap, reads why, goes on behind the instruction (all of them have four bytes). */
static void __attribute__((interrupt("machine"), aligned(4))) handler(void)
{
    unsigned long c, v, pc, mode;
    __asm__ volatile("csrr %0, mcause\n csrr %1, mtval\n csrr %2, mepc\n csrr %3, mstatus"
                     : "=r"(c), "=r"(v), "=r"(pc), "=r"(mode));
    cause = c;
    tval = v;
    status = __riscv_ztl_csrr_tl_xpose_status();
    __asm__ volatile("csrw mepc, %0\n csrw mstatus, %1" ::"r"(pc + 4), "r"(mode));
}

static void forget(void)
{
    cause = tval = (unsigned long)-1;
}

static void test_results(void)
{
    for (unsigned i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i * 7);
    __riscv_ztl_csrw_ttype(0);
    __riscv_ztl_csrw_tl_load_width(0);
    __riscv_ztl_csrw_tl_store_width(0);
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    __riscv_ztl_load(1, in, 0);
    __riscv_ztl_load(2, in, 32);
    __riscv_ztl_xpose_01(1, 2, ZTL_DIMS(32, 64, 1, 1));
    __riscv_ztl_addi(3, 1, -3);
    __riscv_ztl_store(3, out, 0);
    for (unsigned i = 0; i < sizeof out; i++) {
        uint8_t was = in[i % 32 * 64 + i / 32];
        CHECK(out[i] == (was < 3 ? 0 : was - 3));
    }
    CHECK(__riscv_ztl_csrr_tshape() == ZTL_SHAPE(32, 32, 1));
}

static void test_ztl_traps(void)
{
    forget();
    __asm__ volatile("mv a0, zero\n .insn r 0x5b, 3, 1, a0, x1, x2" ::: "a0");
    CHECK(cause == 2 && tval == 0x0220b55b && status == 0x303);
    forget();
    __riscv_ztl_store(1, (void *)16, 0); /* nothing can be written there */
    CHECK(cause == 7 && tval == 16);
    forget();
    __riscv_ztl_load(1, (const void *)0x08000000, 0); /* nothing is there on this machine */
    CHECK(cause == 5 && tval == 0x08000000);
    __riscv_ztl_csrw_ttype(ZTL_TTYPE_INT32);
    __riscv_ztl_csrw_tl_load_width(32);
    __riscv_ztl_csrw_tl_store_width(32);
    forget();
    __riscv_ztl_load(1, in + 2, 0);
    CHECK(cause == 4 && tval == (unsigned long)(in + 2));
    forget();
    __riscv_ztl_store(1, in + 1, 0);
    CHECK(cause == 6 && tval == (unsigned long)(in + 1));
}

static void test_other_traps(void)
{
    forget();
    __asm__ volatile(".4byte 0xffffffff");
    CHECK(cause == 2);
    forget();
    __asm__ volatile("csrr a0, 0x8ff" ::: "a0");
    CHECK(cause == 2);
    forget();
    __asm__ volatile("ecall");
    CHECK(cause == 11);
    forget();
    __asm__ volatile(".option push\n .option norvc\n ebreak\n .option pop");
    CHECK(cause == 3);
    forget();
    __asm__ volatile(".option push\n .option norvc\n sb zero, 16(zero)\n .option pop");
    CHECK(cause == 7 && tval == 16);
}

int main(void)
{
    __asm__ volatile("csrw mtvec, %0" ::"r"(handler));
#ifdef TWIN
    forget();
    CHECK(!ztl_trap_install("ztlq"));
    CHECK(ztl_trap_install("ztl"));
#endif
    test_results();
    test_ztl_traps();
    test_other_traps();
    test_results();
    printf("%d failures\n", failures);
    return failures;
}
