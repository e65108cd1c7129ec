/* SPDX-License-Identifier: Apache-2.0
 * Configuration, reset and registers of a state; and calls that are wrong.
 */
#include "tests/hart.h"

static enum ztl_status init(ztl_config config)
{
    return ztl_init(&hart, &config);
}

static void defaults(void **state)
{
    (void)state;
    ztl_config config = ztl_default_config();
    assert_int_equal(config.revision, 2);
    assert_int_equal(config.xlen, 64);
    assert_int_equal(config.subsets, 0x1f);
    assert_int_equal(config.l1m.size, 0);
    assert_int_equal(config.l0m.size, 0);
    assert_int_equal(ztl_init(&hart, NULL), ZTL_OK);
    assert_memory_equal(&hart.config, &config, sizeof config);
}

static void reset(void **state)
{
    (void)state;
    static const uint8_t zero[ZTL_REG_BYTES];
    start_hart(2, 32);
    fill_registers();
    for (unsigned address = 0x800; address < 0x880; address++)
        (void)ztl_csr_write(&hart, address, UINT64_MAX);
    assert_int_equal(ztl_reset(&hart), ZTL_OK);
    assert_int_equal(hart.config.xlen, 32);
    for (unsigned i = 0; i < 32; i++) {
        expect_register(i, zero);
        assert_int_equal(get_csr(CSR_LOAD_STRIDE + i), i);
        assert_int_equal(get_csr(CSR_STORE_STRIDE + i), i);
    }
    assert_int_equal(get_csr(CSR_TSHAPE), 0);
    assert_int_equal(get_csr(CSR_PERM), 0xe4);
    assert_int_equal(get_csr(CSR_STATUS), 0);
    assert_int_equal(get_csr(CSR_LOAD_WIDTH), 0);
    set_csr(CSR_TSHAPE, shape3(1, 1, 1));
    run_illegal(word_merge(0, 1, 2, 3), MASK_UNINITIALISED);
}

static void configurations(void **state)
{
    (void)state;
    assert_int_equal(init((ztl_config){.revision = 1, .xlen = 32, .subsets = 0xf}), ZTL_OK);
    assert_int_equal(init((ztl_config){.revision = 2, .xlen = 64}), ZTL_OK);
    const ztl_config wrong[] = {
        {.revision = 0, .xlen = 64},
        {.revision = 3, .xlen = 64},
        {.revision = 2, .xlen = 0},
        {.revision = 2, .xlen = 128},
        {.revision = 2, .xlen = 33},
        {.revision = 2, .xlen = 64, .subsets = 0x20},
        {.revision = 1, .xlen = 64, .subsets = 0x10}, /* Ztlp is not of Ztl 1 */
        {.revision = 2, .xlen = 64, .l1m = {1, 0}, .l0m = {2, UINT64_MAX}},
        {.revision = 2, .xlen = 64, .l1m = {UINT64_MAX, 2}},
        {.revision = 2, .xlen = 32, .l1m = {0, UINT64_C(0x100000001)}},
        {.revision = 2, .xlen = 32, .l0m = {UINT64_C(0x100000000), 1}},
        {.revision = 2, .xlen = 32, .l0m = {0xffffffff, 2}},
    };
    static ztl_state before;
    memcpy(&before, &hart, sizeof before);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(init(wrong[i]), ZTL_MISUSE);
    assert_memory_equal(&hart, &before, sizeof before);
    assert_int_equal(init((ztl_config){.revision = 2, .xlen = 64, .l1m = {UINT64_MAX, 1}}), ZTL_OK);
    assert_int_equal(init((ztl_config){.revision = 2, .xlen = 64, .l1m = {1, UINT64_MAX}}), ZTL_OK);
    assert_int_equal(init((ztl_config){.revision = 2, .xlen = 32, .l0m = {0xffffffff, 1}}), ZTL_OK);
    assert_int_equal(
        init((ztl_config){.revision = 2, .xlen = 32, .l0m = {0, UINT64_C(0x100000000)}}), ZTL_OK);
}

static void registers(void **state)
{
    (void)state;
    uint8_t bytes[ZTL_REG_BYTES];
    static const uint8_t zero[ZTL_REG_BYTES];
    start_hart(2, 64);
    for (unsigned i = 0; i < 32; i++) {
        memset(bytes, (int)i + 1, sizeof bytes);
        assert_int_equal(ztl_set_register(&hart, i, bytes), ZTL_OK);
    }
    expect_register(0, zero);
    for (unsigned i = 1; i < 32; i++) {
        memset(bytes, (int)i + 1, sizeof bytes);
        expect_register(i, bytes);
    }
}

static void wrong_calls(void **state)
{
    (void)state;
    static const uint8_t bytes[ZTL_REG_BYTES];
    start_hart(2, 64);
    ztl_state *askew = (ztl_state *)((uintptr_t)&hart + 8);
    assert_int_equal(ztl_init(NULL, NULL), ZTL_MISUSE);
    assert_int_equal(ztl_init(askew, NULL), ZTL_MISUSE);
    assert_int_equal(ztl_reset(NULL), ZTL_MISUSE);
    assert_int_equal(ztl_reset(askew), ZTL_MISUSE);
    assert_null(ztl_get_register(NULL, 0));
    assert_null(ztl_get_register(askew, 0));
    assert_null(ztl_get_register(&hart, 32));
    assert_int_equal(ztl_set_register(NULL, 1, bytes), ZTL_MISUSE);
    assert_int_equal(ztl_set_register(askew, 1, bytes), ZTL_MISUSE);
    assert_int_equal(ztl_set_register(&hart, 32, bytes), ZTL_MISUSE);
    assert_int_equal(ztl_set_register(&hart, 1, NULL), ZTL_MISUSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),       cmocka_unit_test(reset),
        cmocka_unit_test(configurations), cmocka_unit_test(registers),
        cmocka_unit_test(wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
