/* SPDX-License-Identifier: Apache-2.0
 * Assembling a line: words put together by hand from the contract, every spelling, every error with
 * the operand and the range it names.
 */
#include "tests/hart.h"

#include <stdio.h>
#include <stdlib.h>

static void expect_word(unsigned revision, const char *text, uint32_t expected)
{
    uint32_t word = 0;
    ztl_error error;
    if (!ztl_assemble(revision, text, &word, &error))
        fail_msg("'%s': %s", text, error.text);
    if (word != expected)
        fail_msg("'%s': 0x%08x, expected 0x%08x", text, word, expected);
}

static void expect_error(unsigned revision, const char *text, const char *message)
{
    uint32_t word = 0x12345678;
    ztl_error error;
    if (ztl_assemble(revision, text, &word, &error))
        fail_msg("'%s' assembles to 0x%08x", text, word);
    assert_int_equal(word, 0x12345678);
    assert_string_equal(error.text, message);
}

/* Literal words, so that not even the helpers of the tests can be wrong. */
static void literal_words(void **state)
{
    (void)state;
    expect_word(2, "tl.load tl1, 0(a0)", 0x0000855b);
    expect_word(2, "tl.mload tl1, -1(a0)", 0x1ff0855b);
    expect_word(2, "tl.store tl31, 127(t6)", 0x27ff8fdb);
    expect_word(2, "tl.mstore tl2, 1(zero)", 0x3011005b);
    expect_word(2, "tl.concat.2 tl10, tl11, tl12", 0x04c5955b);
    expect_word(2, "tl.merge.0 tl13, tl14, tl15", 0x08f716db);
    expect_word(2, "tl.addi tl1, tl0, 50", 0x032020db);
    expect_word(2, "tl.xpose.01 tl1, tl2, a0", 0x0220b55b);
    expect_word(2, "tl.xpose.13 tl1, tl2, a0", 0x1420b55b);
    expect_word(2, "tl.permute.b tl1, tl2, a0", 0x2220b55b);
    expect_word(2, "tl.permute.d tl1, tl2, a0, comp", 0x6820b55b);
    expect_word(2, "tl.xpose.01 tl2, tl3, a0, reshape", 0xc231355b);
    expect_word(1, "tl.xpose.01 t1, t2, a0", 0x62a100db);
    expect_word(1, "tl.concat.1 t1, t2, t3", 0x823110db);
    expect_word(1, "tl.addi t1, t2, -2048", 0x800120db);
    expect_word(1, "tl.mload t1, a0, a1", 0xa0b530db);
    expect_word(1, "tl.mstore t1, a1, a0", 0xa2b0c55b);
}

/* Every mnemonic of both revisions. */
static void every_mnemonic(void **state)
{
    (void)state;
    static const struct {
        const char *suffix;
        unsigned code;
    } pairs[] = {{"01", 1},  {"02", 2}, {"03", 3}, {"12", 9}, {"13", 10},
                 {"23", 11}, {"00", 0}, {"11", 5}, {"33", 15}};
    char text[64];
    for (unsigned i = 0; i < 9; i++) {
        snprintf(text, sizeof text, "tl.xpose.%s tl7, tl8, x9", pairs[i].suffix);
        expect_word(2, text, word_xpose(pairs[i].code, 7, 8, 9));
        expect_word(1, text, word1_xpose(pairs[i].code, 7, 8, 9));
    }
    for (unsigned d = 0; d < 3; d++) {
        snprintf(text, sizeof text, "tl.concat.%u tl7, tl8, tl9", d);
        expect_word(2, text, word_concat(d, 7, 8, 9));
        expect_word(1, text, word1_concat(d, 7, 8, 9));
        snprintf(text, sizeof text, "tl.merge.%u tl7, tl8, tl9", d);
        expect_word(2, text, word_merge(d, 7, 8, 9));
    }
    expect_word(2, "tl.permute.b tl7, tl8, x9", word_permute(8, 7, 8, 9));
    expect_word(2, "tl.permute.h tl7, tl8, x9", word_permute(16, 7, 8, 9));
    expect_word(2, "tl.permute.w tl7, tl8, x9", word_permute(32, 7, 8, 9));
    expect_word(2, "tl.permute.d tl7, tl8, x9", word_permute(64, 7, 8, 9));
    expect_word(2, "tl.load tl7, 8(x9)", word_load(7, 8, 9));
    expect_word(2, "tl.mload tl7, 8(x9)", word_mload(7, 8, 9));
    expect_word(2, "tl.store tl7, 8(x9)", word_store(7, 8, 9));
    expect_word(2, "tl.mstore tl7, 8(x9)", word_mstore(7, 8, 9));
    expect_word(2, "tl.addi tl7, tl8, 9", word_addi(7, 8, 9));
    expect_word(1, "tl.addi tl7, tl8, 9", word1_addi(7, 8, 9));
    expect_word(1, "tl.mload tl7, x8, x9", word1_mload(7, 8, 9));
    expect_word(1, "tl.mstore tl7, x8, x9", word1_mstore(7, 8, 9));
}

static void engines(void **state)
{
    (void)state;
    static const char *const names[] = {"load", "comp", "store", "reshape"};
    char text[64];
    for (uint32_t e = 0; e < 4; e++) {
        snprintf(text, sizeof text, "tl.load tl1, 2(x3), %s", names[e]);
        expect_word(2, text, word_load(1, 2, 3) | e << 30);
        snprintf(text, sizeof text, "tl.merge.1 tl1, tl2, tl3 ,%s", names[e]);
        expect_word(2, text, word_merge(1, 1, 2, 3) | e << 30);
        snprintf(text, sizeof text, "tl.addi tl1, tl2, 3,%s ", names[e]);
        expect_word(2, text, word_addi(1, 2, 3) | e << 30);
    }
    const char *message =
        "operand 4 (engine): 'Comp' is not an engine: load, comp, store or reshape";
    expect_error(2, "tl.addi tl1, tl2, 3, Comp", message);
    expect_error(2, "tl.addi tl1, tl2, 3,",
                 "operand 4 (engine): expected an engine: load, comp, store or reshape");
    expect_error(2, "tl.load tl1, 0(a0) comp",
                 "operand 4 (engine): expected a comma and this operand");
    expect_error(1, "tl.addi tl1, tl2, 3, comp", "unexpected ', comp' after the last operand");
}

/* tl5, tlr5 and, where only a tensor register can stand, t5; t5 is x30 where a GPR stands. */
static void registers(void **state)
{
    (void)state;
    static const char *const abi[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                        "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                        "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                        "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    char text[64];
    for (unsigned i = 0; i < 32; i++) {
        snprintf(text, sizeof text, "tl.xpose.01 tl%u, tlr%u, x%u", i, 31 - i, i);
        expect_word(2, text, word_xpose(1, i, 31 - i, i));
        snprintf(text, sizeof text, "tl.xpose.01 t%u, tlr%u, %s", i, i, abi[i]);
        expect_word(2, text, word_xpose(1, i, i, i));
        snprintf(text, sizeof text, "tl.mstore t%u, %s, x%u", i, abi[i], 31 - i);
        expect_word(1, text, word1_mstore(i, i, 31 - i));
    }
    expect_word(2, "tl.xpose.01 t5, t6, t5", word_xpose(1, 5, 6, 30));
    expect_word(2, "tl.load t5, 0(t5)", word_load(5, 0, 30));
    expect_word(2, "tl.load t5, 0(fp)", word_load(5, 0, 8));
}

static void bad_registers(void **state)
{
    (void)state;
    static const char *const tensors[] = {
        "tl32", "tlr32", "t32", "tl05",          "tl",  "a0", "x1",
        "TL1",  "tl1x",  "5",   "tl99999999999", "tl-1"};
    ztl_error error;
    char text[64];
    uint32_t word;
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++) {
        snprintf(text, sizeof text, "tl.addi tl1, %s, 3", tensors[i]);
        assert_false(ztl_assemble(2, text, &word, &error));
        assert_non_null(strstr(error.text, "operand 2 (tlrs): '"));
        assert_non_null(strstr(error.text, "is not a tensor register, tl0 to tl31"));
    }
    expect_error(2, "tl.addi tl32, tl1, 3",
                 "operand 1 (tlrd): 'tl32' is not a tensor register, tl0 to tl31");
    expect_error(2, "tl.concat.0 tl1, tl2, tl32",
                 "operand 3 (tlrs2): 'tl32' is not a tensor register, tl0 to tl31");
    expect_error(2, "tl.addi , tl1, 3",
                 "operand 1 (tlrd): expected a tensor register, tl0 to tl31");
    static const char *const integers[] = {"x32", "t7", "a8",  "s12", "x01",
                                           "X1",  "A0", "tl3", "32"};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        snprintf(text, sizeof text, "tl.xpose.01 tl1, tl2, %s", integers[i]);
        assert_false(ztl_assemble(2, text, &word, &error));
        assert_non_null(strstr(error.text, "operand 3 (rs): '"));
        assert_non_null(strstr(error.text, "is not an integer register, x0 to x31 or an ABI name"));
    }
    expect_error(2, "tl.load tl1, 0(x32)",
                 "operand 3 (rs): 'x32' is not an integer register, x0 to x31 or an ABI name");
}

static void immediates(void **state)
{
    (void)state;
    char text[64];
    for (int imm = -128; imm < 128; imm++) {
        snprintf(text, sizeof text, "tl.addi tl1, tl2, %d", imm);
        expect_word(2, text, word_addi(1, 2, imm));
        snprintf(text, sizeof text, "tl.load tl1, %s0x%x(a0)", imm < 0 ? "-" : "", abs(imm));
        expect_word(2, text, word_load(1, imm, 10));
    }
    for (int imm = -2048; imm < 2048; imm++) {
        snprintf(text, sizeof text, "tl.addi tl1, tl2, %d", imm);
        expect_word(1, text, word1_addi(1, 2, imm));
    }
    expect_word(2, "tl.addi tl1, tl2, 0x1F", word_addi(1, 2, 31));
    expect_word(2, "tl.addi tl1, tl2, 0X1f", word_addi(1, 2, 31));
    expect_word(2, "tl.addi tl1, tl2, 0b101", word_addi(1, 2, 5));
    expect_word(2, "tl.addi tl1, tl2, -0B1", word_addi(1, 2, -1));
    expect_word(2, "tl.addi tl1, tl2, 017", word_addi(1, 2, 15));
    expect_word(2, "tl.addi tl1, tl2, +9", word_addi(1, 2, 9));
    expect_word(2, "tl.addi tl1, tl2, -0", word_addi(1, 2, 0));
    expect_word(2, "tl.load tl1, (a0)", word_load(1, 0, 10));
    expect_word(2, "tl.load tl1,(a0)", word_load(1, 0, 10));
    expect_word(2, "tl.store tl1, -128 ( a0 )", word_store(1, -128, 10));
}

static void bad_immediates(void **state)
{
    (void)state;
    static const struct {
        const char *number, *value;
    } beyond[] = {{"128", "128"},        {"-129", "-129"}, {"0x80", "128"},
                  {"0b10000000", "128"}, {"0200", "128"},  {"2147483648", "2147483648"}};
    char text[96], message[160];
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        snprintf(text, sizeof text, "tl.addi tl1, tl2, %s", beyond[i].number);
        snprintf(message, sizeof message,
                 "operand 3 (imm): %s is out of range, must be -128 to 127", beyond[i].value);
        expect_error(2, text, message);
        snprintf(text, sizeof text, "tl.load tl1, %s(a0)", beyond[i].number);
        snprintf(message, sizeof message,
                 "operand 2 (offset): %s is out of range, must be -128 to 127", beyond[i].value);
        expect_error(2, text, message);
    }
    expect_error(1, "tl.addi tl1, tl2, 2048",
                 "operand 3 (imm): 2048 is out of range, must be -2048 to 2047");
    expect_error(1, "tl.addi tl1, tl2, -2049",
                 "operand 3 (imm): -2049 is out of range, must be -2048 to 2047");
    uint32_t word;
    ztl_error error; /* however many digits, it does not wrap into the range */
    assert_false(ztl_assemble(2, "tl.addi tl1, tl2, 0x10000000000000000000000000000000000000001",
                              &word, &error));
    assert_non_null(strstr(error.text, "is out of range, must be -128 to 127"));
    static const char *const not_numbers[] = {"tl3", "0x",  "0b",  "0b2", "09",
                                              "1f",  "--1", "0xg", "+"};
    for (size_t i = 0; i < sizeof not_numbers / sizeof not_numbers[0]; i++) {
        snprintf(text, sizeof text, "tl.addi tl1, tl2, %s", not_numbers[i]);
        assert_false(ztl_assemble(2, text, &word, &error));
        assert_non_null(strstr(error.text, "operand 3 (imm): "));
        assert_non_null(strstr(error.text, "a number from -128 to 127"));
    }
    expect_error(2, "tl.addi tl1, tl2, ", "operand 3 (imm): expected a number from -128 to 127");
}

static void mnemonics(void **state)
{
    (void)state;
    expect_error(2, "tl.conct.1 tl1, tl2, tl3",
                 "unknown mnemonic 'tl.conct.1', did you mean 'tl.concat.1'?");
    expect_error(2, "tl.xpose tl1, tl2, a0",
                 "unknown mnemonic 'tl.xpose', did you mean 'tl.xpose.01'? The suffixes are .01, "
                 ".02, .03, .12, .13, .23, .00, .11, .33");
    expect_error(1, "tl.concat tl1, tl2, tl3",
                 "unknown mnemonic 'tl.concat', did you mean 'tl.concat.0'? The suffixes are .0, "
                 ".1, .2");
    expect_error(2, "tl.merge. tl1, tl2, tl3",
                 "unknown mnemonic 'tl.merge.': its suffix must be one of .0, .1, .2");
    expect_error(2, "tl.permute tl1, tl2, a0",
                 "unknown mnemonic 'tl.permute', did you mean 'tl.permute.b'? The suffixes are .b, "
                 ".w, .h, .d");
    expect_error(2, "tl.xpos tl1, tl2, a0",
                 "unknown mnemonic 'tl.xpos', did you mean 'tl.xpose.01'?");
    expect_error(2, "tl.mrege tl1, tl2, tl3",
                 "unknown mnemonic 'tl.mrege', did you mean 'tl.merge.0'?");
    expect_error(1, "tl.merge tl1, tl2, tl3",
                 "unknown mnemonic 'tl.merge': it is of Ztl 2, not of Ztl 1");
    expect_error(2, "tl.lod tl1, 0(a0)", "unknown mnemonic 'tl.lod', did you mean 'tl.load'?");
    expect_error(2, "TL.ADDI tl1, tl2, 3", "unknown mnemonic 'TL.ADDI', did you mean 'tl.addi'?");
    expect_error(2, "addi a0, a0, 1", "unknown mnemonic 'addi', did you mean 'tl.addi'?");
    expect_error(2, "vsetvli a0, a1, e8", "unknown mnemonic 'vsetvli'");
    expect_error(2, "", "unknown mnemonic ''");
    expect_error(2, "# tl.addi", "unknown mnemonic ''");
    expect_error(2, "tl.addi.a.very.long.name.that.is.no.mnemonic tl1, tl2, 3",
                 "unknown mnemonic 'tl.addi.a.very.long.name.that.is.no.mnemonic'");
    expect_error(2, "tl.concat.3 tl1, tl2, tl3",
                 "unknown mnemonic 'tl.concat.3': its suffix must be one of .0, .1, .2");
    expect_error(1, "tl.concat.3 tl1, tl2, tl3",
                 "unknown mnemonic 'tl.concat.3': its suffix must be one of .0, .1, .2");
    expect_error(2, "tl.merge.3 tl1, tl2, tl3",
                 "unknown mnemonic 'tl.merge.3': its suffix must be one of .0, .1, .2");
    expect_error(2, "tl.permute.q tl1, tl2, a0",
                 "unknown mnemonic 'tl.permute.q': its suffix must be one of .b, .w, .h, .d");
    static const char *const pairs[] = {"22", "10", "20", "30", "21", "31", "32", "04", "44", "0"};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char text[64], message[160];
        snprintf(text, sizeof text, "tl.xpose.%s tl1, tl2, a0", pairs[i]);
        snprintf(
            message, sizeof message,
            "unknown mnemonic 'tl.xpose.%s': its suffix must be one of .01, .02, .03, .12, .13, "
            ".23, .00, .11, .33",
            pairs[i]);
        expect_error(2, text, message);
        expect_error(1, text, message);
    }
}

static void mnemonics_of_the_other_revision(void **state)
{
    (void)state;
    static const char *const only_2[] = {"tl.load",      "tl.store",     "tl.merge.0",
                                         "tl.merge.1",   "tl.merge.2",   "tl.permute.b",
                                         "tl.permute.w", "tl.permute.h", "tl.permute.d"};
    for (size_t i = 0; i < sizeof only_2 / sizeof only_2[0]; i++) {
        char text[64], message[96];
        snprintf(text, sizeof text, "%s tl1, tl2, tl3", only_2[i]);
        snprintf(message, sizeof message, "unknown mnemonic '%s': it is of Ztl 2, not of Ztl 1",
                 only_2[i]);
        expect_error(1, text, message);
    }
    expect_error(1, "tl.mload tl1, 0(a0)",
                 "operand 2 (rshape): '0' is not an integer register, x0 to x31 or an ABI name");
    expect_error(2, "tl.mload tl1, a0, a1",
                 "operand 2 (offset): 'a0' is not a number from -128 to 127");
    expect_error(2, "tl.load t2, x13, x14",
                 "operand 2 (offset): 'x13' is not a number from -128 to 127");
}

static void operands(void **state)
{
    (void)state;
    expect_error(2, "tl.addi", "operand 1 (tlrd): expected a tensor register, tl0 to tl31");
    expect_error(2, "tl.addi tl1", "operand 2 (tlrs): expected a comma and this operand");
    expect_error(2, "tl.addi tl1, tl2", "operand 3 (imm): expected a comma and this operand");
    expect_error(2, "tl.addi tl1 tl2, 3", "operand 2 (tlrs): expected a comma and this operand");
    expect_error(2, "tl.addi tl1, tl2, 3, comp, 4", "unexpected ', 4' after the last operand");
    expect_error(1, "tl.mload tl1, a0", "operand 3 (rbase): expected a comma and this operand");
    expect_error(1, "tl.mload tl1, a0, a1, a2", "unexpected ', a2' after the last operand");
    expect_error(2, "tl.load tl1", "operand 2 (offset): expected a comma and this operand");
    expect_error(2, "tl.load tl1, 4", "operand 3 (rs): expected an address, as in 0(a0)");
    expect_error(2, "tl.load tl1, 4(a0", "operand 3 (rs): expected a closing parenthesis");
    expect_error(2, "tl.load tl1, 4()",
                 "operand 3 (rs): expected an integer register, x0 to x31 or an ABI name");
    expect_error(2, "tl.load tl1, a0", "operand 2 (offset): 'a0' is not a number from -128 to 127");
}

static void spaces(void **state)
{
    (void)state;
    expect_word(2, "\t tl.addi\ttl1 ,tl2,\t3 \r\n", word_addi(1, 2, 3));
    expect_word(2, "tl.addi tl1,tl2,3", word_addi(1, 2, 3));
}

static void wrong_calls(void **state)
{
    (void)state;
    uint32_t word;
    ztl_error error;
    assert_false(ztl_assemble(2, NULL, &word, &error));
    assert_string_equal(error.text, "nothing to assemble, or no such revision");
    assert_false(ztl_assemble(2, "tl.addi tl1, tl2, 3", NULL, &error));
    assert_false(ztl_assemble(0, "tl.addi tl1, tl2, 3", &word, &error));
    assert_false(ztl_assemble(3, "tl.addi tl1, tl2, 3", &word, NULL));
    assert_true(ztl_assemble(2, "tl.addi tl1, tl2, 3", &word, &error));
    assert_string_equal(error.text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literal_words),  cmocka_unit_test(every_mnemonic),
        cmocka_unit_test(engines),        cmocka_unit_test(registers),
        cmocka_unit_test(bad_registers),  cmocka_unit_test(immediates),
        cmocka_unit_test(bad_immediates), cmocka_unit_test(mnemonics),
        cmocka_unit_test(operands),       cmocka_unit_test(mnemonics_of_the_other_revision),
        cmocka_unit_test(spaces),         cmocka_unit_test(wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
