/* SPDX-License-Identifier: Apache-2.0
 * Every word of custom-2 in Ztl 2.
 */
#include "tests/codec/words.h"

static const char *engine_text(uint32_t word)
{
    static const char *const texts[] = {"", ", comp", ", store", ", reshape"};
    return texts[word >> 30];
}

static int imm8(uint32_t word)
{
    int imm = (int)field(word, 27, 20);
    return imm >= 128 ? imm - 256 : imm;
}

static void expect_load_store(uint32_t word, bool with_text, expectation *e)
{
    static const char *const names[] = {"tl.load", "tl.mload", "tl.store", "tl.mstore"};
    unsigned tl = field(word, 19, 15), rs = field(word, 11, 7);
    e->legal = true;
    e->canonical = word & ~UINT32_C(0x7000); /* stores with funct3 010 become 000 */
    memcpy(e->operand, (int32_t[]){(int)tl, imm8(word), (int)rs}, 12);
    if (with_text)
        snprintf(e->text, sizeof e->text, "%s tl%u, %d(%s)%s", names[field(word, 29, 28)], tl,
                 imm8(word), gpr_names[rs], engine_text(word));
}

static void expect_move(uint32_t word, bool with_text, expectation *e)
{
    unsigned kind = field(word, 29, 27), dim = field(word, 26, 25);
    unsigned tlrd = field(word, 11, 7), tlrs1 = field(word, 19, 15), tlrs2 = field(word, 24, 20);
    e->legal = kind <= 2 && dim != 3;
    if (kind == 2) /* the second encoding of MERGE */
        e->canonical = (word & ~(UINT32_C(7) << 27)) | UINT32_C(1) << 27;
    memcpy(e->operand, (int32_t[]){(int)tlrd, (int)tlrs1, (int)tlrs2}, 12);
    if (with_text)
        snprintf(e->text, sizeof e->text, "tl.%s.%u tl%u, tl%u, tl%u%s", kind ? "merge" : "concat",
                 dim, tlrd, tlrs1, tlrs2, engine_text(word));
}

static void expect_addi(uint32_t word, bool with_text, expectation *e)
{
    unsigned tlrd = field(word, 11, 7), tlrs = field(word, 19, 15);
    if (field(word, 29, 29)) {
        expect_load_store(word, with_text, e);
        return;
    }
    e->legal = field(word, 28, 28) == 0;
    memcpy(e->operand, (int32_t[]){(int)tlrd, (int)tlrs, imm8(word)}, 12);
    if (with_text)
        snprintf(e->text, sizeof e->text, "tl.addi tl%u, tl%u, %d%s", tlrd, tlrs, imm8(word),
                 engine_text(word));
}

static void expect_pair(uint32_t word, bool with_text, expectation *e)
{
    static const char sizes[] = "bwhd"; /* funct5 10001 to 10100 */
    unsigned funct5 = field(word, 29, 25), emitted;
    unsigned tlrs1 = field(word, 19, 15), tlrs2 = field(word, 24, 20), rs = field(word, 11, 7);
    memcpy(e->operand, (int32_t[]){(int)tlrs1, (int)tlrs2, (int)rs}, 12);
    e->legal = funct5 < 16 || (funct5 >= 0x11 && funct5 <= 0x14);
    char name[32] = "";
    if (funct5 < 16) {
        const char *suffix = xpose_suffix(funct5, &emitted);
        e->canonical = (word & ~(UINT32_C(15) << 25)) | emitted << 25;
        if (with_text)
            snprintf(name, sizeof name, "tl.xpose.%s", suffix);
    } else if (e->legal && with_text) {
        snprintf(name, sizeof name, "tl.permute.%c", sizes[funct5 - 0x11]);
    }
    if (with_text)
        snprintf(e->text, sizeof e->text, "%s tl%u, tl%u, %s%s", name, tlrs1, tlrs2, gpr_names[rs],
                 engine_text(word));
}

static void expect_word(uint32_t word, bool with_text, expectation *e)
{
    static expecter *const by_funct3[8] = {expect_load_store, expect_move, expect_addi,
                                           expect_pair};
    e->legal = false;
    e->canonical = word;
    e->operands = 4;
    e->operand[3] = (int32_t)(word >> 30);
    if (by_funct3[field(word, 14, 12)])
        by_funct3[field(word, 14, 12)](word, with_text, e);
}

static void every_word(void **state)
{
    (void)state;
    check_words(2, expect_word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
