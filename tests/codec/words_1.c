/* SPDX-License-Identifier: Apache-2.0
 * Every word of custom-2 in Ztl 1.
 */
#include "tests/codec/words.h"

static void expect_xpose(uint32_t word, bool with_text, expectation *e)
{
    unsigned emitted, t1 = field(word, 11, 7), t2 = field(word, 19, 15), rs = field(word, 24, 20);
    const char *suffix = xpose_suffix(field(word, 28, 25), &emitted);
    e->legal = field(word, 31, 29) == 3;
    e->canonical = (word & 0xe1ffffff) | emitted << 25;
    memcpy(e->operand, (int32_t[]){(int)t1, (int)t2, (int)rs}, 12);
    if (with_text)
        snprintf(e->text, sizeof e->text, "tl.xpose.%s tl%u, tl%u, %s", suffix, t1, t2,
                 gpr_names[rs]);
}

static void expect_concat(uint32_t word, bool with_text, expectation *e)
{
    unsigned td = field(word, 11, 7), ts1 = field(word, 19, 15), ts2 = field(word, 24, 20);
    e->legal = field(word, 31, 27) == 0x10 && field(word, 26, 25) != 3;
    memcpy(e->operand, (int32_t[]){(int)td, (int)ts1, (int)ts2}, 12);
    if (with_text)
        snprintf(e->text, sizeof e->text, "tl.concat.%u tl%u, tl%u, tl%u", field(word, 26, 25), td,
                 ts1, ts2);
}

static void expect_addi(uint32_t word, bool with_text, expectation *e)
{
    unsigned td = field(word, 11, 7), ts = field(word, 19, 15);
    int imm = (int)field(word, 31, 20);
    imm -= imm >= 2048 ? 4096 : 0;
    e->legal = true;
    memcpy(e->operand, (int32_t[]){(int)td, (int)ts, imm}, 12);
    if (with_text)
        snprintf(e->text, sizeof e->text, "tl.addi tl%u, tl%u, %d", td, ts, imm);
}

static void expect_mload(uint32_t word, bool with_text, expectation *e)
{
    unsigned td = field(word, 11, 7), rshape = field(word, 19, 15), rbase = field(word, 24, 20);
    e->legal = field(word, 31, 25) == 0x50;
    memcpy(e->operand, (int32_t[]){(int)td, (int)rshape, (int)rbase}, 12);
    if (with_text)
        snprintf(e->text, sizeof e->text, "tl.mload tl%u, %s, %s", td, gpr_names[rshape],
                 gpr_names[rbase]);
}

static void expect_mstore(uint32_t word, bool with_text, expectation *e)
{
    unsigned rshape = field(word, 11, 7), ts = field(word, 19, 15), rbase = field(word, 24, 20);
    e->legal = field(word, 31, 25) == 0x51;
    memcpy(e->operand, (int32_t[]){(int)ts, (int)rbase, (int)rshape}, 12);
    if (with_text)
        snprintf(e->text, sizeof e->text, "tl.mstore tl%u, %s, %s", ts, gpr_names[rbase],
                 gpr_names[rshape]);
}

static void expect_word(uint32_t word, bool with_text, expectation *e)
{
    static expecter *const by_funct3[8] = {expect_xpose, expect_concat, expect_addi, expect_mload,
                                           expect_mstore};
    e->legal = false;
    e->canonical = word;
    e->operands = 3;
    if (by_funct3[field(word, 14, 12)])
        by_funct3[field(word, 14, 12)](word, with_text, e);
}

static void every_word(void **state)
{
    (void)state;
    check_words(1, expect_word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
