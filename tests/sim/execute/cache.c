/* SPDX-License-Identifier: Apache-2.0
 * Instructions on blocks of memory: cbo.zero clears the 64 bytes around an address and nothing
 * else; all need the memory, and in user mode menvcfg.
 */
#include "tests/sim/code.h"

enum {
    FILLED = 0x10001000,
    SIZE = 0x2000,
    BLOCK = 64,
    MENVCFG = 0x30a,
    INVAL = 0x0005a00f, /* of the block at a1 */
    CLEAN = 0x0015a00f,
    FLUSH = 0x0025a00f,
    ZERO_BLOCK = 0x0045a00f,
    AT = 11
};

static ztl_hart *make(const char *isa)
{
    ztl_error error;
    ztl_window ram = {0x10000000, SIZE};
    ztl_hart_config config = {.isa = isa, .ram = &ram, .ram_count = 1, .reset_pc = ram.base};
    ztl_hart *hart = ztl_hart_create(&config, &error);
    assert_non_null(hart);
    return hart;
}

static void fill(ztl_hart *hart)
{
    uint8_t bytes[4 * BLOCK];
    memset(bytes, 0xa5, sizeof bytes);
    ztl_hart_write_memory(hart, FILLED, bytes, sizeof bytes);
}

/* The bytes from FILLED on are as filled, but for a block of zeros; -1: no block. */
static void expect_block(ztl_hart *hart, int at)
{
    uint8_t bytes[4 * BLOCK];
    ztl_hart_read_memory(hart, FILLED, bytes, sizeof bytes);
    for (int k = 0; k < (int)sizeof bytes; k++)
        assert_int_equal(bytes[k], at >= 0 && k >= at && k < at + BLOCK ? 0 : 0xa5);
}

static void expect_trap(ztl_hart *hart, uint32_t word, uint64_t cause, uint64_t tval)
{
    assert_int_equal(ztl_hart_execute(hart, word), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_last_trap(hart)->cause, cause);
    assert_int_equal(ztl_hart_last_trap(hart)->tval, tval);
}

static void test_zero(void **state)
{
    (void)state;
    static const char *const isas[] = {"rv32i_zicboz_zicbom", "rv64i_zicboz_zicbom"};
    for (unsigned i = 0; i < 2; i++)
        for (uint64_t offset = 0; offset < BLOCK; offset += 7) {
            ztl_hart *hart = make(isas[i]);
            fill(hart);
            ztl_hart_set_x(hart, AT, FILLED + BLOCK + offset);
            assert_int_equal(ztl_hart_execute(hart, CLEAN), ZTL_STOP_LIMIT);
            assert_int_equal(ztl_hart_execute(hart, FLUSH), ZTL_STOP_LIMIT);
            assert_int_equal(ztl_hart_execute(hart, INVAL), ZTL_STOP_LIMIT);
            expect_block(hart, -1);
            assert_int_equal(ztl_hart_execute(hart, ZERO_BLOCK), ZTL_STOP_LIMIT);
            expect_block(hart, BLOCK);
            ztl_hart_destroy(hart);
        }
}

/* Code that is cleared is not what runs afterwards. */
static void test_code(void **state)
{
    (void)state;
    ztl_hart *hart = make("rv64i_zicboz");
    CODE(hart, 0x10000000, ADDI(5, 5, 1), ZERO_BLOCK, ADDI(5, 5, 1), 0x00000013);
    ztl_hart_set_x(hart, AT, 0x10000004);
    assert_int_equal(ztl_hart_run(hart, 1000), ZTL_STOP_TRAP);
    assert_int_equal(ztl_hart_last_trap(hart)->cause, 2);
    assert_int_equal(ztl_hart_pc(hart), 0x10000008);
    assert_int_equal(ztl_hart_x(hart, 5), 1);
    ztl_hart_destroy(hart);
}

static void test_faults(void **state)
{
    (void)state;
    static const uint32_t words[] = {INVAL, CLEAN, FLUSH, ZERO_BLOCK};
    ztl_hart *hart = make("rv64i_zicboz_zicbom");
    for (unsigned i = 0; i < 4; i++) {
        ztl_hart_set_x(hart, AT, 0x20000003);
        expect_trap(hart, words[i], 7, 0x20000003);
    }
    ztl_hart_destroy(hart);
    hart = make("rv64i");
    for (unsigned i = 0; i < 4; i++)
        expect_trap(hart, words[i], 2, words[i]);
    ztl_hart_destroy(hart);
}

/* Runs a word in user mode with a value of menvcfg. */
static bool is_allowed(ztl_hart *hart, uint32_t word, uint64_t menvcfg)
{
    ztl_hart_reset(hart);
    ztl_hart_csr_write(hart, MENVCFG, menvcfg);
    ztl_hart_set_x(hart, AT, FILLED);
    ztl_hart_set_privilege(hart, ZTL_USER);
    return ztl_hart_execute(hart, word) == ZTL_STOP_LIMIT;
}

static void test_user(void **state)
{
    (void)state;
    ztl_hart *hart = make("rv64i_zicsr_zicboz_zicbom");
    for (uint64_t bits = 0; bits < 16; bits++) {
        uint64_t invalidates = bits & 3;
        assert_int_equal(is_allowed(hart, INVAL, bits << 4), invalidates == 1 || invalidates == 3);
        assert_int_equal(is_allowed(hart, CLEAN, bits << 4), bits >> 2 & 1);
        assert_int_equal(is_allowed(hart, FLUSH, bits << 4), bits >> 2 & 1);
        assert_int_equal(is_allowed(hart, ZERO_BLOCK, bits << 4), bits >> 3 & 1);
    }
    ztl_hart_destroy(hart);
    uint64_t value;
    hart = make("rv64i_zicsr");
    ztl_hart_csr_write(hart, MENVCFG, ~UINT64_C(0));
    assert_true(ztl_hart_debug_csr_read(hart, MENVCFG, &value));
    assert_int_equal(value, 1);
    ztl_hart_destroy(hart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_zero), cmocka_unit_test(test_code),
                                       cmocka_unit_test(test_faults), cmocka_unit_test(test_user)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
