/* SPDX-License-Identifier: Apache-2.0
 * Traps of the hart: handlers, causes, values, CSRs, user mode, interrupts.
 */
#include "tests/sim/code.h"

enum {
    MSTATUS = 0x300,
    MISA = 0x301,
    MIE = 0x304,
    MTVEC = 0x305,
    MCOUNTEREN = 0x306,
    MSCRATCH = 0x340,
    MEPC = 0x341,
    MCAUSE = 0x342,
    MTVAL = 0x343,
    MIP = 0x344,
    MCYCLE = 0xb00,
    MINSTRET = 0xb02,
    CYCLE = 0xc00,
    INSTRET = 0xc02,
    TSHAPE = 0x800,
    MIE_BIT = 1 << 3,
    MPIE_BIT = 1 << 7,
};

static const char full[] = "rv64imac_zicsr_zifencei_zba_zbb_ztl";

static ztl_hart *handled(const char *isa)
{
    ztl_hart *hart = make_hart(isa, ZTL_TRAP_STOP_UNHANDLED);
    assert_true(ztl_hart_csr_write(hart, MTVEC, HANDLER));
    return hart;
}

/* Steps over one trap and looks at what it left. */
static void expect_trap(ztl_hart *hart, uint64_t cause, uint64_t tval)
{
    uint64_t pc = ztl_hart_pc(hart), retired = ztl_hart_retired(hart);
    assert_int_equal(ztl_hart_step(hart), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_pc(hart), HANDLER);
    assert_int_equal(csr_of(hart, MCAUSE), cause);
    assert_int_equal(csr_of(hart, MTVAL), tval);
    assert_int_equal(csr_of(hart, MEPC), pc);
    assert_int_equal(ztl_hart_retired(hart), retired);
    assert_int_equal(ztl_hart_privilege(hart), ZTL_MACHINE);
    assert_int_equal(ztl_hart_last_trap(hart)->cause, cause);
    ztl_hart_set_pc(hart, pc);
}

static void test_causes(void **state)
{
    (void)state;
    ztl_hart *hart = handled(full);
    CODE(hart, BASE, ECALL);
    expect_trap(hart, 11, 0);
    ztl_hart_set_privilege(hart, ZTL_USER);
    expect_trap(hart, 8, 0);
    CODE(hart, BASE, EBREAK);
    expect_trap(hart, 3, BASE);
    CODE(hart, BASE, 0xffffffff);
    expect_trap(hart, 2, 0xffffffff);
    CODE(hart, BASE, 0);
    expect_trap(hart, 2, 0);
    CODE(hart, BASE, LW(A0, 4, ZERO));
    expect_trap(hart, 5, 4);
    CODE(hart, BASE, SW(A0, 8, ZERO));
    expect_trap(hart, 7, 8);
    CODE(hart, BASE, 0x1005a52f); /* lr.w a0, (a1) */
    ztl_hart_set_x(hart, A1, DATA + 2);
    expect_trap(hart, 4, DATA + 2);
    CODE(hart, BASE, 0x00c5a52f); /* amoadd.w a0, a2, (a1) */
    expect_trap(hart, 6, DATA + 2);
    ztl_hart_set_x(hart, A1, 0x100);
    expect_trap(hart, 7, 0x100);
    ztl_hart_set_pc(hart, 0x4000);
    expect_trap(hart, 1, 0x4000);
    ztl_hart_destroy(hart);
}

static void test_fetch_across_the_end(void **state)
{
    (void)state;
    ztl_hart *hart = handled(full);
    uint16_t half = 0x0513; /* the low half of addi a0, … */
    ztl_hart_write_memory(hart, BASE + RAM_BYTES - 2, &half, 2);
    ztl_hart_set_pc(hart, BASE + RAM_BYTES - 2);
    expect_trap(hart, 1, BASE + RAM_BYTES);
    ztl_hart_destroy(hart);
}

static void test_misaligned_target(void **state)
{
    (void)state;
    ztl_hart *hart = handled("rv64i_zicsr");
    CODE(hart, BASE, JALR(RA, A1, 0));
    ztl_hart_set_x(hart, A1, DATA + 2);
    expect_trap(hart, 0, DATA + 2);
    assert_int_equal(ztl_hart_x(hart, RA), 0);
    /* The same in blocks. */
    CODE(hart, HANDLER, JUMP_0);
    ztl_hart_csr_write(hart, MTVAL, 0);
    ztl_hart_csr_write(hart, MCAUSE, 9);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_LIMIT);
    assert_int_equal(csr_of(hart, MTVAL), DATA + 2);
    assert_int_equal(csr_of(hart, MCAUSE), 0);
    assert_int_equal(ztl_hart_x(hart, RA), 0);
    ztl_hart_destroy(hart);
}

static void test_absent_extensions(void **state)
{
    (void)state;
    ztl_hart *hart = handled("rv32i_zicsr");
    const uint32_t words[] = {
        0x02c58533, /* mul */ 0x1005a52f,    /* lr.w */ 0x0000100f,  /* fence.i */
        0x20c5a533, /* sh1add */ 0x40c5f533, /* andn */ 0x0005b503,  /* ld */
        0x0005851b, /* addiw */ 0x00000001,  /* c.nop */ 0x0000005b, /* custom-2 */
        0x02059513,                                                  /* slli by 32 */
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        CODE(hart, BASE, words[i]);
        expect_trap(hart, 2, words[i]);
    }
    ztl_hart_destroy(hart);
}

static void test_user_mode(void **state)
{
    (void)state;
    ztl_hart *hart = handled(full);
    assert_int_equal(csr_of(hart, MSTATUS) & 0x1888, 0); /* at reset, as Spike and QEMU */
    /* To user mode by mret, back by a CSR that it may not read. */
    ztl_hart_csr_write(hart, MSTATUS, MPIE_BIT);
    ztl_hart_csr_write(hart, MEPC, BASE + 0x100);
    CODE(hart, BASE, MRET);
    CODE(hart, BASE + 0x100, CSRRS(A0, MSCRATCH, ZERO));
    assert_int_equal(ztl_hart_step(hart), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_privilege(hart), ZTL_USER);
    assert_int_equal(ztl_hart_pc(hart), BASE + 0x100);
    assert_int_equal(csr_of(hart, MSTATUS) & 0x1888, MIE_BIT | MPIE_BIT);
    expect_trap(hart, 2, CSRRS(A0, MSCRATCH, ZERO));
    assert_int_equal(csr_of(hart, MSTATUS) & 0x1888, MPIE_BIT); /* MPP: user */
    ztl_hart_set_privilege(hart, ZTL_USER);
    CODE(hart, BASE + 0x100, MRET);
    expect_trap(hart, 2, MRET);
    ztl_hart_set_privilege(hart, ZTL_USER);
    CODE(hart, BASE + 0x100, CSRRS(A0, CYCLE, ZERO));
    expect_trap(hart, 2, CSRRS(A0, CYCLE, ZERO));
    ztl_hart_csr_write(hart, MCOUNTEREN, 1);
    ztl_hart_set_privilege(hart, ZTL_USER);
    assert_int_equal(ztl_hart_step(hart), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_pc(hart), BASE + 0x104);
    ztl_hart_destroy(hart);
}

static void test_csrs(void **state)
{
    (void)state;
    ztl_hart *hart = handled(full);
    uint64_t value;
    assert_int_equal(csr_of(hart, MISA), UINT64_C(0x8000000000901105));
    assert_false(ztl_hart_csr_write(hart, CYCLE, 1));
    assert_false(ztl_hart_csr_read(hart, 0x5c0, &value));
    assert_false(ztl_hart_csr_read(hart, 0xc80, &value)); /* cycleh, of RV32 */
    CODE(hart, BASE, CSRRW(A0, MSCRATCH, A1), CSRRS(A2, MSCRATCH, A3), CSRRW(ZERO, INSTRET, A1));
    ztl_hart_set_x(hart, A1, 0xf0);
    ztl_hart_set_x(hart, A3, 0x0f);
    ztl_hart_run(hart, 2);
    assert_int_equal(ztl_hart_x(hart, A2), 0xf0);
    assert_int_equal(csr_of(hart, MSCRATCH), 0xff);
    expect_trap(hart, 2, CSRRW(ZERO, INSTRET, A1));
    /* What csrw writes to minstret is what the next instruction reads. */
    CODE(hart, BASE, CSRRW(ZERO, MINSTRET, A1), CSRRS(A0, MINSTRET, ZERO),
         CSRRS(A2, MINSTRET, ZERO), CSRRS(A3, 0xf14, ZERO));
    ztl_hart_set_pc(hart, BASE);
    ztl_hart_run(hart, 4);
    assert_int_equal(ztl_hart_x(hart, A0), 0xf0);
    assert_int_equal(ztl_hart_x(hart, A2), 0xf1);
    assert_int_equal(ztl_hart_x(hart, A3), 0);
    /* Ztl's CSRs are there too, by name and number. */
    unsigned address;
    char name[40];
    assert_true(ztl_hart_csr_address(hart, "tshape", &address));
    assert_int_equal(address, TSHAPE);
    assert_true(ztl_hart_csr_address(hart, "hpmcounter31", &address));
    assert_int_equal(address, 0xc1f);
    assert_true(ztl_hart_csr_name(hart, 0x3b5, name, sizeof name));
    assert_string_equal(name, "pmpaddr5");
    assert_false(ztl_hart_csr_address(hart, "mcycleh", &address));
    CODE(hart, BASE, CSRRW(ZERO, TSHAPE, A1));
    ztl_hart_set_pc(hart, BASE);
    ztl_hart_step(hart);
    assert_int_equal(csr_of(hart, TSHAPE), 0xf0);
    ztl_hart_destroy(hart);
}

static void test_rv32_counters(void **state)
{
    (void)state;
    ztl_hart *hart = handled("rv32i_zicsr");
    uint64_t value;
    assert_true(ztl_hart_csr_write(hart, MCYCLE, 0xffffffff));
    assert_true(ztl_hart_csr_write(hart, 0xb80, 5));
    CODE(hart, BASE, ADDI(ZERO, ZERO, 0), CSRRS(A0, 0xc80, ZERO), CSRRS(A1, CYCLE, ZERO));
    ztl_hart_run(hart, 3);
    assert_int_equal(ztl_hart_x(hart, A0), 6);
    assert_int_equal(ztl_hart_x(hart, A1), 1);
    assert_true(ztl_hart_csr_read(hart, MISA, &value));
    assert_int_equal(value, 0x40100100);
    ztl_hart_destroy(hart);
}

static void test_interrupts(void **state)
{
    (void)state;
    ztl_hart *hart = handled(full);
    ztl_hart_csr_write(hart, MTVEC, HANDLER | 1);
    ztl_hart_csr_write(hart, MIE, 0xffff);
    assert_int_equal(csr_of(hart, MIE), 0x888);
    CODE(hart, BASE, CSRRWI(ZERO, MSTATUS, MIE_BIT), ADDI(A0, A0, 1), JUMP_0);
    ztl_hart_set_interrupt(hart, 7, true);
    ztl_hart_set_interrupt(hart, 3, true);
    assert_int_equal(csr_of(hart, MIP), 0x88);
    assert_int_equal(ztl_hart_run(hart, 2), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_pc(hart), HANDLER + 4 * 3);
    assert_int_equal(csr_of(hart, MCAUSE), UINT64_C(0x8000000000000003));
    assert_int_equal(csr_of(hart, MEPC), BASE + 4);
    assert_int_equal(ztl_hart_x(hart, A0), 0);
    assert_true(ztl_hart_last_trap(hart)->interrupt);
    ztl_hart_destroy(hart);
}

static void test_wfi(void **state)
{
    (void)state;
    ztl_hart *hart = handled(full);
    CODE(hart, BASE, WFI, WFI, JUMP_0);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_WFI);
    assert_int_equal(ztl_hart_pc(hart), BASE + 4);
    ztl_hart_csr_write(hart, MIE, 0x80);
    ztl_hart_set_interrupt(hart, 7, true);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_LIMIT);
    ztl_hart_destroy(hart);
}

static void test_policy(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_UNHANDLED);
    CODE(hart, BASE, ADDI(A0, ZERO, 1), 0x0000005b, JUMP_0); /* tl.load with tshape 0 */
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    const ztl_trap *trap = ztl_hart_last_trap(hart);
    assert_int_equal(trap->pc, BASE + 4);
    assert_int_equal(trap->word, 0x5b);
    assert_int_equal(trap->length, 4);
    assert_int_equal(trap->ztl.status, ZTL_TRAP);
    assert_int_equal(trap->ztl.reason, ZTL_REASON_SHAPE);
    assert_int_equal(ztl_hart_pc(hart), BASE + 4);
    assert_int_equal(csr_of(hart, MCAUSE), 0);
    /* With a handler whose first instruction traps there is no way on. */
    ztl_hart_csr_write(hart, MTVEC, 0);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP_LOOP);
    /* A longer circle is stopped by the limit, since what traps counts too. */
    ztl_hart_csr_write(hart, MTVEC, HANDLER);
    CODE(hart, HANDLER, ADDI(A1, A1, 1), ECALL);
    ztl_hart_set_pc(hart, BASE);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_x(hart, A1), 499);
    ztl_hart_set_trap_policy(hart, ZTL_TRAP_STOP_ALWAYS);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    ztl_hart_destroy(hart);
}

/* Traps that would go to the handler of a library count as unhandled, and so do those from before
 * mtvec is written. */
static void test_default_handler(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_UNHANDLED);
    ztl_hart_set_default_handler(hart, HANDLER);
    CODE(hart, BASE, ECALL);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    assert_true(ztl_hart_csr_write(hart, MTVEC, HANDLER));
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    assert_true(ztl_hart_csr_write(hart, MTVEC, HANDLER | 1)); /* vectored */
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_pc(hart), BASE);
    assert_true(ztl_hart_csr_write(hart, MTVEC, HANDLER + 4));
    CODE(hart, HANDLER + 4, JUMP_0);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_LIMIT);
    assert_int_equal(ztl_hart_pc(hart), HANDLER + 4);
    ztl_hart_destroy(hart);
}

/* Instructions that trap are attempts, whether the trap is taken or stops the hart. */
static void test_attempts(void **state)
{
    (void)state;
    ztl_hart *hart = make_hart(full, ZTL_TRAP_STOP_UNHANDLED);
    CODE(hart, BASE, ADDI(A0, A0, 1), ECALL);
    CODE(hart, HANDLER, MRET);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_attempted(hart), 2);
    assert_int_equal(ztl_hart_retired(hart), 1);
    assert_true(ztl_hart_csr_write(hart, MTVEC, HANDLER));
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_LIMIT); /* ecall, mret, ecall, ... */
    assert_int_equal(ztl_hart_attempted(hart), 1002);
    assert_int_equal(ztl_hart_retired(hart), 501);
    ztl_hart_reset(hart);
    assert_int_equal(ztl_hart_retired(hart), 0);
    assert_int_equal(ztl_hart_attempted(hart), 1002);
    CODE(hart, BASE, JUMP_0);
    assert_int_equal(ztl_hart_run(hart, 5000000), ZTL_STOP_LIMIT); /* in blocks */
    assert_int_equal(ztl_hart_attempted(hart), 5001002);
    ztl_hart_destroy(hart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_handler),
        cmocka_unit_test(test_attempts),
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_fetch_across_the_end),
        cmocka_unit_test(test_misaligned_target),
        cmocka_unit_test(test_absent_extensions),
        cmocka_unit_test(test_user_mode),
        cmocka_unit_test(test_csrs),
        cmocka_unit_test(test_rv32_counters),
        cmocka_unit_test(test_interrupts),
        cmocka_unit_test(test_wfi),
        cmocka_unit_test(test_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
