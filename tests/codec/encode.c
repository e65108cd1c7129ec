/* SPDX-License-Identifier: Apache-2.0
 * Encoding: operands at both ends of their ranges, and one beyond.
 */
#include "tests/hart.h"

static bool encode(unsigned id, int32_t a, int32_t b, int32_t c, int32_t d, uint32_t *word,
                   ztl_error *error)
{
    ztl_insn insn = {.row = ztl_isa_insn(id), .operand = {a, b, c, d}};
    return ztl_encode(&insn, word, error);
}

static void words(void **state)
{
    (void)state;
    uint32_t word;
    ztl_error error;
    assert_true(encode(ZTL_INSN_ADDI, 31, 0, -128, 3, &word, &error));
    assert_int_equal(word, word_addi(31, 0, -128) | 3u << 30);
    assert_string_equal(error.text, "");
    assert_true(encode(ZTL_INSN_MSTORE, 31, 127, 31, 2, &word, &error));
    assert_int_equal(word, word_mstore(31, 127, 31) | 2u << 30);
    assert_true(encode(ZTL_INSN_V1_ADDI, 1, 2, 2047, 99, &word, &error)); /* no fourth operand */
    assert_int_equal(word, word1_addi(1, 2, 2047));
}

/* The second encodings come back as the first. */
static void canonical(void **state)
{
    (void)state;
    ztl_insn insn;
    uint32_t word;
    assert_true(ztl_decode(2, word_merge(1, 1, 2, 3) ^ 3u << 27, &insn));
    assert_true(ztl_encode(&insn, &word, NULL));
    assert_int_equal(word, word_merge(1, 1, 2, 3));
}

static void out_of_range(void **state)
{
    (void)state;
    static const struct {
        unsigned id;
        int32_t operand[4];
        const char *message;
    } wrong[] = {
        {ZTL_INSN_ADDI, {32, 0, 0, 0}, "operand 1 (tlrd): 32 is out of range, must be 0 to 31"},
        {ZTL_INSN_ADDI, {0, -1, 0, 0}, "operand 2 (tlrs): -1 is out of range, must be 0 to 31"},
        {ZTL_INSN_ADDI,
         {0, 0, 128, 0},
         "operand 3 (imm): 128 is out of range, must be -128 to 127"},
        {ZTL_INSN_ADDI,
         {0, 0, -129, 0},
         "operand 3 (imm): -129 is out of range, must be -128 to 127"},
        {ZTL_INSN_ADDI, {0, 0, 0, 4}, "operand 4 (engine): 4 is out of range, must be 0 to 3"},
        {ZTL_INSN_LOAD, {0, 0, 32, 0}, "operand 3 (rs): 32 is out of range, must be 0 to 31"},
        {ZTL_INSN_V1_ADDI,
         {0, 0, 2048, 0},
         "operand 3 (imm): 2048 is out of range, must be -2048 to 2047"},
        {ZTL_INSN_V1_MLOAD,
         {0, INT32_MIN, 0, 0},
         "operand 2 (rshape): -2147483648 is out of range, must be 0 to 31"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint32_t word = 0x12345678;
        ztl_error error;
        const int32_t *o = wrong[i].operand;
        assert_false(encode(wrong[i].id, o[0], o[1], o[2], o[3], &word, &error));
        assert_string_equal(error.text, wrong[i].message);
        assert_int_equal(word, 0x12345678);
    }
}

static void wrong_calls(void **state)
{
    (void)state;
    uint32_t word;
    ztl_error error;
    ztl_insn insn = {0};
    assert_false(ztl_encode(NULL, &word, &error));
    assert_string_equal(error.text, "no instruction to encode");
    assert_false(ztl_encode(&insn, &word, NULL));
    insn.row = ztl_isa_insn(0);
    assert_false(ztl_encode(&insn, NULL, NULL));
    insn.operand[0] = 99;
    assert_false(ztl_encode(&insn, &word, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(canonical),
        cmocka_unit_test(out_of_range),
        cmocka_unit_test(wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
