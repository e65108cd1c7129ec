/* SPDX-License-Identifier: Apache-2.0
 * The canonical text, and buffers of any size.
 */
#include "tests/unit.h"

#include <string.h>

#include <ztl/ztl.h>

static void expect_text(unsigned revision, uint32_t word, const char *expected)
{
    char text[64];
    assert_int_equal(ztl_disassemble(revision, word, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

static void canonical_texts(void **state)
{
    (void)state;
    expect_text(2, 0x0000855b, "tl.load tl1, 0(a0)");
    expect_text(2, 0x1ff0855b, "tl.mload tl1, -1(a0)");
    expect_text(2, 0x27ff8fdb, "tl.store tl31, 127(t6)");
    expect_text(2, 0x3011005b, "tl.mstore tl2, 1(zero)");
    expect_text(2, 0x3011205b, "tl.mstore tl2, 1(zero)"); /* funct3 010, [29] = 1 */
    expect_text(2, 0x2800a05b, "tl.store tl1, -128(zero)");
    expect_text(2, 0x08f716db, "tl.merge.0 tl13, tl14, tl15");
    expect_text(2, 0x10f716db, "tl.merge.0 tl13, tl14, tl15"); /* [29:25] 010dd */
    expect_text(2, 0x80c5955b, "tl.concat.0 tl10, tl11, tl12, store");
    expect_text(2, 0x032020db, "tl.addi tl1, tl0, 50");
    expect_text(2, 0x1420b45b, "tl.xpose.13 tl1, tl2, s0");
    expect_text(2, 0x0e20b55b, "tl.xpose.13 tl1, tl2, a0"); /* 0111 */
    expect_text(2, 0x0820b55b, "tl.xpose.01 tl1, tl2, a0"); /* 0100 */
    expect_text(2, 0x1e20b55b, "tl.xpose.33 tl1, tl2, a0");
    expect_text(2, 0xe820b55b, "tl.permute.d tl1, tl2, a0, reshape");
    expect_text(1, 0x62a100db, "tl.xpose.01 tl1, tl2, a0");
    expect_text(1, 0x800120db, "tl.addi tl1, tl2, -2048");
    expect_text(1, 0xa0b530db, "tl.mload tl1, a0, a1");
    expect_text(1, 0xa2b0c55b, "tl.mstore tl1, a1, a0");
}

static void other_words(void **state)
{
    (void)state;
    expect_text(2, 0x00000013, ".word 0x00000013");
    expect_text(2, 0xffffffff, ".word 0xffffffff");
    expect_text(2, 0x0000405b, ".word 0x0000405b");
    expect_text(1, 0x0000855b, ".word 0x0000855b");
    expect_text(0, 0x0000855b, ".word 0x0000855b");
    expect_text(3, 0x0000855b, ".word 0x0000855b");
}

static void any_buffer(void **state)
{
    (void)state;
    const char *whole = "tl.load tl1, 0(a0)";
    char text[32];
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, '~', sizeof text);
        assert_int_equal(ztl_disassemble(2, 0x0000855b, text, size), strlen(whole));
        size_t kept = size == 0 ? 0 : size - 1 < strlen(whole) ? size - 1 : strlen(whole);
        assert_memory_equal(text, whole, kept);
        if (size)
            assert_int_equal(text[kept], '\0');
        for (size_t i = size ? kept + 1 : 0; i < sizeof text; i++)
            assert_int_equal(text[i], '~');
    }
    assert_int_equal(ztl_disassemble(2, 0x0000855b, NULL, 0), strlen(whole));
    assert_int_equal(ztl_disassemble(2, 0x0000855b, NULL, 99), strlen(whole));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canonical_texts),
        cmocka_unit_test(other_words),
        cmocka_unit_test(any_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
