/* SPDX-License-Identifier: Apache-2.0
 * Texts in buffers, names of registers, suggestions: the parts that the codec is made of.
 */
#include <stdio.h>

#include "tests/unit.h"

#include <string.h>

#include <ztl/ztl.h>

#include "codec/gpr.h"
#include "codec/suggest.h"
#include "codec/text.h"

static void numbers(void **state)
{
    (void)state;
    char buffer[128];
    ztl_text text = ztl_text_in(buffer, sizeof buffer);
    ztl_text_decimal(&text, INT64_MIN);
    ztl_text_char(&text, ' ');
    ztl_text_unsigned(&text, UINT64_MAX);
    ztl_text_char(&text, ' ');
    ztl_text_decimal(&text, 0);
    ztl_text_char(&text, ' ');
    ztl_text_hex(&text, 0x5b, 8);
    ztl_text_char(&text, ' ');
    ztl_text_hex(&text, UINT64_MAX, 1);
    ztl_text_char(&text, ' ');
    ztl_text_hex(&text, 0, 1);
    assert_string_equal(buffer, "-9223372036854775808 18446744073709551615 0 0x0000005b "
                                "0xffffffffffffffff 0x0");
    assert_int_equal(text.length, strlen(buffer));
}

static void words(void **state)
{
    (void)state;
    assert_true(ztl_exact_word("tl.addi tl1", 7, "tl.addi"));
    assert_false(ztl_exact_word("tl.addi tl1", 6, "tl.addi"));
    assert_false(ztl_exact_word("tl.addi tl1", 8, "tl.addi"));
    assert_false(ztl_exact_word("tl.Addi", 7, "tl.addi"));
    assert_true(ztl_starts_with("tl.concat.0", "tl.concat.3", 10));
    assert_false(ztl_starts_with("tl.concat.0", "tl.concat.3", 11));
    assert_false(ztl_starts_with("tl", "tl.concat", 9));
    assert_int_equal(ztl_register_index("tl5", 3, "tl"), 5);
    assert_int_equal(ztl_register_index("tl0", 3, "tl"), 0);
    assert_int_equal(ztl_register_index("tl", 2, "tl"), -1);
    assert_int_equal(ztl_register_index("t", 1, "tl"), -1);
    assert_int_equal(ztl_register_index("tl00", 4, "tl"), -1);
    assert_int_equal(ztl_register_index("tl5a", 4, "tl"), -1);
    assert_int_equal(ztl_register_index("tl4294967297", 12, "tl"), 1000);
}

static void integer_registers(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(ztl_gpr_index(ztl_gpr_name(i), strlen(ztl_gpr_name(i))), i);
    assert_string_equal(ztl_gpr_name(32), "");
    assert_int_equal(ztl_gpr_index("fp", 2), 8);
    assert_int_equal(ztl_gpr_index("pc", 2), -1);
    assert_int_equal(ztl_gpr_index("x31", 3), 31);
    assert_int_equal(ztl_gpr_index("x32", 3), -1);
    assert_int_equal(ztl_gpr_index("x4294967301", 11), -1);
    assert_int_equal(ztl_fpr_index("f31", 3), 31);
    assert_int_equal(ztl_fpr_index("f32", 3), -1);
}

static void expect_csr(unsigned revision, const char *typed, const char *expected)
{
    char name[64];
    bool found = ztl_suggest_csr(revision, typed, strlen(typed), name, sizeof name);
    assert_int_equal(found, expected != NULL);
    if (expected)
        assert_string_equal(name, expected);
}

static void csr_suggestions(void **state)
{
    (void)state;
    expect_csr(2, "tshap", "tshape");
    expect_csr(2, "TSHAEP", "tshape");
    expect_csr(2, "ttyp", "ttype");
    expect_csr(1, "ttyp", NULL); /* Ztl 1 has none of that name */
    expect_csr(2, "tmask_concat1", "tmask_concat_1");
    expect_csr(2, "tmask_concat_3", "tmask_concat_1");
    expect_csr(2, "tl_laod_mask", "tl_load_mask");
    expect_csr(2, "tl_load_strid7", "tl_load_stride7");
    expect_csr(2, "tl_stor_stride{31}", "tl_store_stride31");
    expect_csr(2, "tl_load_stride32", "tl_load_stride0 to tl_load_stride31");
    expect_csr(2, "tl_concat_mask1_scr", "tmask_concat_1"); /* by its other spelling */
    const char *const far[] = {
        "time",   "mstatus", "satp",
        "tdata1", "tinfo",   "x",
        "",       "12",      "a_name_that_is_longer_than_any_csr_of_any_revision"};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
        expect_csr(2, far[i], NULL);
}

static void suggestions(void **state)
{
    (void)state;
    assert_string_equal(ztl_suggest_mnemonic(2, "tl.lod", 6), "tl.load");
    assert_string_equal(ztl_suggest_mnemonic(1, "tl.lod", 6), "tl.mload");
    assert_string_equal(ztl_suggest_mnemonic(2, "tl.merg.2", 9), "tl.merge.2");
    ztl_suggestion best = {0}; /* two neighbours in each other's place are one mistake */
    ztl_suggest(&best, "rnu", 3, "bus");
    ztl_suggest(&best, "rnu", 3, "run");
    assert_string_equal(best.word, "run");
    assert_int_equal(best.distance, 1);
    best = (ztl_suggestion){0};
    ztl_suggest(&best, "badc", 4, "abcd");
    assert_int_equal(best.distance, 2);
    assert_null(ztl_suggest_mnemonic(2, "fence.i", 7));
    assert_null(ztl_suggest_mnemonic(3, "tl.load", 7));
    assert_null(ztl_suggest_mnemonic(2, "tl.load.tl.load.tl.load.tl.load.tl.load", 39));
}

static void version(void **state)
{
    (void)state;
    unsigned major, minor, patch;
    assert_int_equal(sscanf(ztl_version(), "%u.%u.%u", &major, &minor, &patch), 3);
    assert_int_equal(major, ZTL_VERSION_MAJOR);
    assert_int_equal(minor, ZTL_VERSION_MINOR);
    assert_int_equal(patch, ZTL_VERSION_PATCH);
    assert_int_equal(ztl_version_number(), (major * 100 + minor) * 100 + patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),           cmocka_unit_test(words),
        cmocka_unit_test(integer_registers), cmocka_unit_test(suggestions),
        cmocka_unit_test(csr_suggestions),   cmocka_unit_test(version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
