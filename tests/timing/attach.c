/* SPDX-License-Identifier: Apache-2.0
 * The machine on a hart from C: interrupts, rd of the clock, regions, attaching and leaving.
 */
#include "tests/unit.h"

#include <string.h>

#include <ztl/timing.h>

enum { BASE = 0x1000, HANDLER = 0x1100, CSR_MSTATUS = 0x300, CSR_MIE = 0x304, CSR_MTVEC = 0x305 };
enum { CSR_CYCLE = 0xc00, CSR_INSTRET = 0xc02, CSR_TIME = 0xc01, SOFTWARE = 3 };
static const uint32_t nop = 0x13;

static ztl_hart *hart;
static ztl_timing *timing;

static int begin(void **state)
{
    (void)state;
    ztl_window ram = {BASE, 0x2000};
    ztl_hart_config config = ztl_hart_default_config();
    config.ram = &ram;
    config.reset_pc = BASE;
    hart = ztl_hart_create(&config, NULL);
    assert_non_null(hart);
    for (uint64_t at = BASE; at < BASE + 0x200; at += sizeof nop)
        ztl_hart_write_memory(hart, at, &nop, sizeof nop);
    ztl_timing_machine machine;
    assert_true(ztl_timing_parse("four,hart.jump=10", &machine, NULL));
    timing = ztl_timing_create(&machine);
    assert_non_null(timing);
    ztl_timing_attach(timing, hart);
    return 0;
}

static int end(void **state)
{
    (void)state;
    ztl_hart_destroy(hart);
    ztl_timing_destroy(timing);
    return 0;
}

static void put_ztl(uint64_t address)
{
    uint32_t word;
    assert_true(ztl_assemble(2, "tl.addi tl1, tl2, 1", &word, NULL));
    ztl_hart_write_memory(hart, address, &word, sizeof word);
}

static uint64_t hart_time(void)
{
    return ztl_timing_result(timing).hart;
}

static void interrupt(void)
{
    assert_true(ztl_hart_csr_write(hart, CSR_MTVEC, HANDLER));
    assert_true(ztl_hart_csr_write(hart, CSR_MIE, 1 << SOFTWARE));
    assert_true(ztl_hart_csr_write(hart, CSR_MSTATUS, 1 << 3));
    ztl_hart_set_interrupt(hart, SOFTWARE, true);
    ztl_hart_step(hart);
    assert_int_equal(ztl_hart_pc(hart), HANDLER);
}

/* The interrupt itself takes no time; the nop before it has a successor elsewhere. */
static void interrupt_after_a_scalar_instruction(void **state)
{
    (void)state;
    ztl_hart_step(hart);
    interrupt();
    assert_int_equal(hart_time(), 1);
    ztl_hart_step(hart);
    assert_int_equal(hart_time(), 1 + 10 + 1);
}

/* "5. t += 1": what the table adds is of scalar instructions. */
static void interrupt_after_a_ztl_instruction(void **state)
{
    (void)state;
    put_ztl(BASE);
    ztl_hart_step(hart);
    interrupt();
    ztl_hart_step(hart);
    assert_int_equal(hart_time(), 2);
}

static uint64_t read_csr(unsigned address)
{
    uint64_t value;
    assert_true(ztl_hart_csr_read(hart, address, &value));
    return value;
}

/* A jump: its cycles count once the hart is somewhere else. */
static void clock_reads_the_machine(void **state)
{
    (void)state;
    const uint32_t jump = 0x0080006f; /* j .+8 */
    ztl_hart_write_memory(hart, BASE + 4, &jump, sizeof jump);
    ztl_hart_run(hart, 2);
    assert_int_equal(hart_time(), 2);
    assert_int_equal(read_csr(CSR_CYCLE), 2 + 10);
    assert_int_equal(read_csr(CSR_INSTRET), 2);
    assert_int_equal(read_csr(CSR_TIME), 2);
    ztl_hart_set_clock(hart, NULL);
    assert_int_equal(read_csr(CSR_CYCLE), 2);
}

static void nothing_is_counted_when_detached(void **state)
{
    (void)state;
    ztl_hart_run(hart, 3);
    ztl_hart_set_observer(hart, NULL);
    ztl_hart_run(hart, 3);
    assert_int_equal(hart_time(), 3);
}

/* A slice around the end of memory is one slice, from address 0 to the last: 64 bytes, 1 … 2, done
 * at
 * 10. Any load waits for it. */
static void slice_around_the_end(void **state)
{
    (void)state;
    enum { A0 = 10, A1 = 11, TSHAPE = 0x800 };
    const ztl_window ram[] = {{0, 0x2000}, {0xfffff000, 0x1000}};
    const uint32_t lw = 0x0005a603; /* lw a2, 0(a1) */
    ztl_hart_config config = {
        .isa = "rv32imac_zicsr_ztl", .ram = ram, .ram_count = 2, .reset_pc = BASE};
    ztl_timing_machine machine;
    ztl_hart *small = ztl_hart_create(&config, NULL);
    assert_true(small && ztl_timing_parse("four", &machine, NULL));
    ztl_timing *time = ztl_timing_create(&machine);
    uint32_t store;
    assert_true(ztl_assemble(2, "tl.store tl1, 0(a0), store", &store, NULL));
    ztl_hart_write_memory(small, BASE, &store, sizeof store);
    ztl_hart_write_memory(small, BASE + 4, &lw, sizeof lw);
    assert_true(ztl_hart_csr_write(small, TSHAPE, 0x010140));
    ztl_hart_set_x(small, A0, 0xffffffe0);
    ztl_hart_set_x(small, A1, 0x500);
    ztl_timing_attach(time, small);
    ztl_hart_run(small, 2);
    ztl_timing_counts counts = ztl_timing_result(time);
    assert_int_equal(counts.port[1].busy, 1);
    assert_int_equal(counts.wait_memory, 9);
    assert_int_equal(counts.hart, 10 + 2);
    ztl_hart_destroy(small);
    ztl_timing_destroy(time);
}

/* "max(⌈in / l1m.bytes⌉, ⌈out / l0m.bytes⌉)" */
static void floor_of_an_operator(void **state)
{
    (void)state;
    ztl_timing_machine machine;
    assert_true(ztl_timing_parse("four,l0m.bytes=32", &machine, NULL));
    assert_int_equal(ztl_timing_floor(&machine, 6401, 640), 101);
    assert_int_equal(ztl_timing_floor(&machine, 6400, 3201), 101);
    assert_int_equal(ztl_timing_floor(&machine, 0, 0), 0);
}

static void describing_a_machine(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "four", "kinds", "one", "wide", "wide,hart.load=0", "kinds,csr.drain=yes"};
    ztl_timing_machine machine;
    char text[200];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_true(ztl_timing_parse(texts[i], &machine, NULL));
        assert_int_equal(ztl_timing_describe(&machine, text, sizeof text), strlen(texts[i]));
        assert_string_equal(text, texts[i]);
        ztl_timing_describe(&machine, text, 3);
        assert_memory_equal(text, texts[i], 2);
        assert_int_equal(text[2], '\0');
    }
    ztl_timing_machine before = machine;
    assert_false(ztl_timing_parse("one,hart.load=x", &machine, NULL));
    assert_memory_equal(&machine, &before, sizeof machine); /* an error changes nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(interrupt_after_a_scalar_instruction, begin, end),
        cmocka_unit_test_setup_teardown(interrupt_after_a_ztl_instruction, begin, end),
        cmocka_unit_test_setup_teardown(clock_reads_the_machine, begin, end),
        cmocka_unit_test_setup_teardown(nothing_is_counted_when_detached, begin, end),
        cmocka_unit_test(slice_around_the_end),
        cmocka_unit_test(floor_of_an_operator),
        cmocka_unit_test(describing_a_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
