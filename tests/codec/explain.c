/* SPDX-License-Identifier: Apache-2.0
 * Traps in words: every rule of the contract, reached by an instruction that breaks it.
 */
#include "tests/hart.h"

static unsigned reached[ZTL_RULES];

static void expect_text(const ztl_result *r, const char *expected)
{
    char text[128];
    assert_int_equal(ztl_explain(r, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
    reached[r->rule]++;
}

static void explain(uint32_t word, const char *expected)
{
    ztl_result r = run_word(word);
    assert_int_equal(r.status, ZTL_TRAP);
    expect_text(&r, expected);
}

static void encoding_and_type(void **state)
{
    (void)state;
    start_hart(2, 64);
    explain(0x0000405b, "ENCODING: 0x405b is no instruction of this revision");
    explain(0x00000013, "illegal instruction: 0x13 is no instruction of this revision");
    set_csr(CSR_TTYPE, 0x5);
    explain(word_addi(1, 2, 3), "TYPE: ttype = 0x5 names no element type");
    explain(word_load(1, 0, 0), "TYPE: ttype = 0x5 names no element type");
    explain(word_concat(0, 1, 2, 3), "TYPE: ttype = 0x5 names no element type");
    explain(word_xpose(1, 1, 2, 3), "TYPE: ttype = 0x5 names no element type");
    ztl_config config = {.revision = 2, .xlen = 64, .subsets = ZTL_SUBSET_X};
    assert_int_equal(ztl_init(&hart, &config), ZTL_OK);
    explain(word_addi(1, 2, 3), "ENCODING: the hart lacks the sub-extension of this instruction");
}

static void pairs(void **state)
{
    (void)state;
    start_hart(2, 64);
    x[10] = shape4(8, 16, 0, 2);
    explain(word_xpose(1, 1, 2, 10), "SHAPE: D2 = 0, must be 1 or more");
    x[10] = shape4(3, 16, 8, 2);
    explain(word_xpose(1, 1, 2, 10), "SHAPE: D0 = 3 is odd, must be even");
    x[10] = shape4(4, 8, 8, 4);
    explain(word_xpose(11, 4, 5, 10), "SHAPE: D0·D1·D2·D3 = 1024 bytes, must be 2048");
    set_csr(CSR_PERM, 0xe5);
    explain(word_permute(8, 1, 2, 10),
            "SHAPE: tl_transpose_perm = 0xe5 does not name each dimension once");
}

static void blocks(void **state)
{
    (void)state;
    start_hart(2, 64);
    set_csr(CSR_TSHAPE, shape3(8, 0, 4));
    explain(word_concat(0, 1, 2, 3), "SHAPE: D1 = 0, must be 1 or more");
    set_csr(CSR_TSHAPE, shape3(4, 33, 4));
    explain(word_concat(1, 1, 2, 3),
            "SHAPE: D1 = 33, must be 1 to 32 where a mask selects along it");
    set_csr(CSR_TSHAPE, shape3(8, 129, 1));
    explain(word_merge(0, 1, 2, 3), "SHAPE: D0·D1·D2 = 8256 bits, must be at most 8192");
    set_csr(CSR_TSHAPE, shape3(8, 4, 4));
    explain(word_merge(0, 1, 2, 3),
            "MASK_UNINITIALISED: CSR tmask_concat_1 (0x810) was never written");
    set_csr(CSR_MASK1, 0xff);
    explain(word_concat(0, 1, 2, 3),
            "MASK_UNINITIALISED: CSR tmask_concat_2 (0x811) was never written");
    set_csr(CSR_MASK2, 0x100000f);
    explain(word_concat(0, 1, 2, 3),
            "MASK_COUNT: the masks keep 12 positions, the dimension has 8");
    start_hart(1, 64);
    set_csr(CSR_TSHAPE, shape3(8, 8, 4));
    explain(word1_concat(0, 1, 2, 3),
            "SHAPE: the product of the dimensions = 256 bytes, must be 1024");
}

static void slices(void **state)
{
    (void)state;
    start_hart(2, 64);
    set_csr(CSR_TSHAPE, shape3(33, 1, 1));
    explain(word_load(1, 0, 5), "SHAPE: D0 = 33, must be 1 to 32");
    set_csr(CSR_TSHAPE, shape3(2, 3, 0));
    explain(word_load(1, 0, 5), "SHAPE: D2 = 0, must be 1 or more");
    set_csr(CSR_TSHAPE, shape3(2, 0, 3));
    explain(word_load(1, 0, 5), "SHAPE: D1 = 0, must be 1 or more");
    set_csr(CSR_TSHAPE, shape3(2, 3, 3));
    set_csr(CSR_TTYPE, 1);
    explain(word_store(1, 0, 5), "WIDTH: D1·D2 elements = 36 bits, not a whole number of bytes");
    set_csr(CSR_LOAD_WIDTH, 513);
    explain(word_load(1, 0, 5), "WIDTH: 2 slices of 513 bytes exceed 1024 bytes");
    set_csr(CSR_LOAD_WIDTH, 0xffffffff);
    explain(word_load(1, 0, 5), "WIDTH: 2 slices of 4294967295 bytes exceed 1024 bytes");
    set_csr(CSR_LOAD_WIDTH, 16);
    explain(word_mload(1, 0, 5), "MASK_UNINITIALISED: CSR tl_load_mask (0x812) was never written");
    explain(word_mstore(1, 0, 5) | 0,
            "WIDTH: D1·D2 elements = 36 bits, not a whole number of bytes");
    start_hart(1, 64);
    x[6] = shape4(8, 16, 16, 1);
    explain(word1_mload(1, 6, 5),
            "SHAPE: the product of the dimensions = 2048 bytes, must be 1024");
    x[6] = shape4(64, 16, 1, 1);
    explain(word1_mload(1, 6, 5), "SHAPE: D0 = 64, must be 1 to 32");
    x[6] = shape4(8, 16, 8, 0);
    explain(word1_mstore(1, 5, 6), "SHAPE: D3 = 0, must be 1 or more");
}

static void memory(void **state)
{
    (void)state;
    static uint8_t bytes[64];
    static const ztl_ram ram = {0x1000, sizeof bytes, bytes};
    static const ztl_memory small = {.ram = &ram, .ram_count = 1};
    ztl_config config = {2, 64, 0x1f, {0x1000, 8}, {0x2000, 8}};
    assert_int_equal(ztl_init(&hart, &config), ZTL_OK);
    hart_memory = &small;
    set_csr(CSR_TTYPE, 0x400);
    set_csr(CSR_TSHAPE, shape3(1, 2, 2));
    x[5] = 0x1002;
    explain(word_load(1, 0, 5), "load address misaligned: slice 0 (tl_load_stride0 = 0): address "
                                "0x1002 is not a multiple of the element's 4 bytes");
    explain(word_store(1, 0, 5), "store address misaligned: slice 0 (tl_store_stride0 = 0): "
                                 "address 0x1002 is not a multiple of the element's 4 bytes");
    x[5] = 0x1000;
    explain(word_load(1, 0, 5), "load access fault: slice 0 (tl_load_stride0 = 0): address 0x1008 "
                                "is outside the window");
    explain(word_store(1, 0, 5), "store access fault: slice 0 (tl_store_stride0 = 0): address "
                                 "0x1000 is outside the window");
    x[5] = 0x2000;
    explain(word_store(1, 0, 5), "store access fault: slice 0 (tl_store_stride0 = 0): address "
                                 "0x2000 is not mapped");
}

/* The slice at fault is named with the CSR that placed it, and the value that it has. */
static void strides(void **state)
{
    (void)state;
    static uint8_t bytes[64];
    static const ztl_ram ram = {0x1000, sizeof bytes, bytes};
    static const ztl_memory small = {.ram = &ram, .ram_count = 1};
    start_hart(2, 64);
    hart_memory = &small;
    x[5] = 0x1000;
    set_csr(CSR_TSHAPE, shape3(8, 1, 8));
    set_csr(CSR_LOAD_STRIDE + 5, 12);
    explain(word_load(1, 0, 5), "load access fault: slice 5 (tl_load_stride5 = 12): address 0x1060 "
                                "is not mapped");
    set_csr(CSR_STORE_STRIDE + 7, (uint32_t)-3);
    explain(word_store(1, 0, 5), "store access fault: slice 7 (tl_store_stride7 = -3): address "
                                 "0xfe8 is not mapped");
    set_csr(CSR_LOAD_MASK, 0xc0); /* slices 6 and 7 are there, and 5 is not looked at */
    assert_int_equal(run_word(word_mload(1, 0, 5)).status, ZTL_OK);
    set_csr(CSR_TTYPE, 0x400);
    set_csr(CSR_LOAD_WIDTH, 6);
    set_csr(CSR_LOAD_MASK, 0x22); /* slice 1 at 6 bytes, slice 5 at 72 */
    explain(word_mload(1, 0, 5), "load address misaligned: slice 1 (tl_load_stride1 = 1): address "
                                 "0x1006 is not a multiple of the element's 4 bytes");
    start_hart(1, 64); /* its slices lie in a row, without a stride */
    hart_memory = &small;
    set_csr(CSR_LOAD_MASK, 0xc);
    x[5] = 0x1000;
    x[6] = shape4(32, 32, 1, 1);
    explain(word1_mload(1, 6, 5), "load access fault: slice 2: address 0x1040 is not mapped");
}

static void csrs(void **state)
{
    (void)state;
    uint64_t rd;
    start_hart(1, 64);
    ztl_result r = ztl_csr_execute(&hart, word_csr(2, 1, CSR_TTYPE, 0), x, &rd);
    expect_text(&r, "illegal instruction: the hart has no CSR ttype (0x804)");
}

static void no_traps(void **state)
{
    (void)state;
    char text[8];
    start_hart(2, 64);
    ztl_result r = run_word(word_addi(1, 0, 1));
    expect_text(&r, "no trap");
    r = ztl_execute(NULL, 0, x, NULL);
    expect_text(&r, "the call was wrong: a NULL or misaligned pointer");
    assert_int_equal(ztl_explain(NULL, text, sizeof text), 48);
    assert_string_equal(text, "the cal");
    assert_int_equal(ztl_explain(NULL, NULL, 0), 48);
    r = (ztl_result){
        .status = ZTL_TRAP, .cause = ZTL_CAUSE_ILLEGAL, .rule = (enum ztl_rule)ZTL_RULES};
    assert_int_equal(ztl_explain(&r, text, sizeof text), strlen("illegal instruction: "));
}

/* No rule of the table went without an instruction that breaks it. */
static void every_rule(void **state)
{
    (void)state;
    for (unsigned rule = 1; rule < ZTL_RULES; rule++)
        if (!reached[rule])
            fail_msg("no test reaches the rule \"%s\"", ztl_rule_text((enum ztl_rule)rule));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoding_and_type),
        cmocka_unit_test(pairs),
        cmocka_unit_test(blocks),
        cmocka_unit_test(slices),
        cmocka_unit_test(memory),
        cmocka_unit_test(strides),
        cmocka_unit_test(csrs),
        cmocka_unit_test(no_traps),
        cmocka_unit_test(every_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
