/* SPDX-License-Identifier: Apache-2.0
 * HTIF: commands in one store or in two, in either order; exits, the console, the proxied calls.
 */
#include "tests/sim/host/machine.h"

enum { TOHOST = RAM + 0x2000, FROMHOST = RAM + 0x2008 };

static machine m;

/* There is no program with these symbols here. */
static void start(const char *isa)
{
    machine_start(&m, isa, NULL);
    m.host->tohost = TOHOST;
    m.host->fromhost = FROMHOST;
    m.host->has_fromhost = true;
}

static void store(uint64_t address, unsigned size, uint64_t value)
{
    ztl_hart_write_memory(m.hart, address, &value, size);
    if (address - TOHOST < 8)
        ztl_host_tohost(m.host, m.hart, address, size, value);
}

static uint64_t load(uint64_t address)
{
    uint64_t value;
    assert_int_equal(ztl_hart_read_memory(m.hart, address, &value, 8), 8);
    return value;
}

static const uint64_t putchar_a = UINT64_C(0x0101000000000000) | 'a';

static void one_store(void **state)
{
    (void)state;
    start("rv64i_zicsr");
    store(TOHOST, 8, putchar_a);
    assert_string_equal(m.output[0], "a");
    assert_int_equal(load(TOHOST), 0);
    assert_int_equal(load(FROMHOST), 0);
    store(TOHOST, 8, 0); /* nothing */
    store(TOHOST, 8, 7 << 1 | 1);
    assert_int_equal(ztl_hart_exit_code(m.hart), 7);
    machine_end(&m);
}

static void two_stores(void **state)
{
    (void)state;
    start("rv32i_zicsr");
    store(TOHOST, 4, (uint32_t)putchar_a); /* odd: alone it would be an exit */
    assert_false(ztl_host_poll(m.host, m.hart));
    store(TOHOST + 4, 4, putchar_a >> 32);
    assert_string_equal(m.output[0], "a");
    store(TOHOST + 4, 4, putchar_a >> 32);
    assert_false(ztl_host_poll(m.host, m.hart));
    store(TOHOST, 4, 'b');
    assert_string_equal(m.output[0], "ab");
    store(TOHOST, 4, 5 << 1 | 1); /* a loop that stores the low half only */
    store(TOHOST, 4, 5 << 1 | 1);
    assert_int_equal(ztl_hart_exit_code(m.hart), 5);
    machine_end(&m);
}

/* A program that stores half a command and then waits is answered in the end. */
static void half_a_store(void **state)
{
    (void)state;
    static const uint32_t forever = 0x0000006f; /* j . */
    start("rv32i_zicsr");
    ztl_hart_write_memory(m.hart, RAM, &forever, 4);
    store(TOHOST, 4, 9 << 1 | 1);
    assert_int_equal(ztl_hart_run(m.hart, 1000), ZTL_STOP_LIMIT);
    assert_false(ztl_host_poll(m.host, m.hart));
    assert_int_equal(ztl_hart_run(m.hart, 1000000), ZTL_STOP_LIMIT);
    assert_true(ztl_host_poll(m.host, m.hart));
    assert_int_equal(ztl_hart_exit_code(m.hart), 9);
    machine_end(&m);
}

static uint64_t proxy(uint64_t number, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t words[8] = {number, a, b, c};
    ztl_hart_write_memory(m.hart, BLOCK, words, sizeof words);
    store(FROMHOST, 8, 0);
    store(TOHOST, 8, BLOCK);
    assert_int_equal(load(FROMHOST), 1);
    return load(BLOCK);
}

static void proxied_calls(void **state)
{
    (void)state;
    start("rv64i_zicsr");
    ztl_hart_write_memory(m.hart, TEXT, "hello", 5);
    assert_int_equal(proxy(64, 1, TEXT, 5), 5);
    assert_int_equal(proxy(64, 2, TEXT + 1, 1), 1);
    assert_string_equal(m.output[0], "hello");
    assert_string_equal(m.output[1], "e");
    assert_int_equal((int64_t)proxy(64, 3, TEXT, 5), -9);
    assert_int_equal((int64_t)proxy(64, 1, 0, 5), -14);
    assert_int_equal((int64_t)proxy(56, 0, TEXT, 5), -38); /* openat: no files here */
    proxy(93, 33, 0, 0);
    assert_int_equal(ztl_hart_exit_code(m.hart), 33);
    store(TOHOST, 8, 0x10); /* a block that is not there */
    machine_end(&m);
}

static void console_input(void **state)
{
    (void)state;
    start("rv64i_zicsr");
    m.input = "q";
    store(TOHOST, 8, UINT64_C(1) << 56);
    assert_true(load(FROMHOST) == (UINT64_C(1) << 56 | 0x100 | 'q'));
    store(FROMHOST, 8, 0);
    store(TOHOST, 8, UINT64_C(1) << 56);
    assert_int_equal(load(FROMHOST), 0);     /* nothing more to read */
    store(TOHOST, 8, UINT64_C(5) << 56 | 1); /* a device that is not there */
    machine_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_store),     cmocka_unit_test(two_stores),
        cmocka_unit_test(half_a_store),  cmocka_unit_test(proxied_calls),
        cmocka_unit_test(console_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
