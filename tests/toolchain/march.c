/* SPDX-License-Identifier: Apache-2.0
 * ISA strings with Ztl in them, split for tools that know none.
 */
#include "toolchain/march.h"

#include <string.h>

#include "tests/unit.h"

static void assert_split(const char *isa, const char *base, const char *plain, const char *llvm,
                         unsigned revision)
{
    ztl_error error = {""};
    ztl_march march;
    assert_true(ztl_march_split(isa, &march, &error));
    assert_string_equal(march.base, base);
    assert_string_equal(march.plain, plain);
    assert_string_equal(march.llvm, llvm);
    assert_int_equal(march.revision, revision);
}

static void test_split(void **state)
{
    (void)state;
    assert_split("rv64gc", "rv64gc", "rv64gc", "rv64gc", 0);
    assert_split("rv64imac_zicsr_ztl", "rv64imac_zicsr", "rv64imac", "rv64imac", 2);
    assert_split("rv32i_ztlx1p0_zba_ztlm1p0", "rv32i_zba", "rv32i", "rv32i_zba", 1);
    assert_split("rv64i_zifencei_ztlp2p0", "rv64i_zifencei", "rv64i", "rv64i", 2);
    assert_split("", "", "", "", 0);
}

static void test_wrong_parts(void **state)
{
    static const char *const wrong[] = {"rv64i_ztl0p1",    "rv64i_ztl2",         "rv64i_ztlpp",
                                        "rv64i_ztlp1p0",   "rv64i_ztlx1p0_ztla", "rv64i_ztly",
                                        "rv64i_ztl_ztl1p0"};
    ztl_error error;
    ztl_march march;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        error.text[0] = '\0';
        assert_false(ztl_march_split(wrong[i], &march, &error));
        assert_true(strlen(error.text) > 10);
    }
}

static void test_abi(void **state)
{
    (void)state;
    assert_string_equal(ztl_march_abi("rv64imac"), "lp64");
    assert_string_equal(ztl_march_abi("rv64gc_zba"), "lp64d");
    assert_string_equal(ztl_march_abi("rv64imafdc"), "lp64d");
    assert_string_equal(ztl_march_abi("rv64imaf"), "lp64f");
    assert_string_equal(ztl_march_abi("rv64imac_zfinx"), "lp64");
    assert_string_equal(ztl_march_abi("rv32imac_zicsr"), "ilp32");
    assert_string_equal(ztl_march_abi("rv32e"), "ilp32e");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_wrong_parts),
        cmocka_unit_test(test_abi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
