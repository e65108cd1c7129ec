/* SPDX-License-Identifier: Apache-2.0
 * Every word of custom-2: legal exactly where sections 3 and 4 say so, taken apart as they say, and
 * back through text to the canonical word. The rules are written out by hand here.
 */
#ifndef ZTL_TEST_CODEC_WORDS_H
#define ZTL_TEST_CODEC_WORDS_H

#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#include <ztl/ztl.h>

/* What a word is, by the contract alone. */
typedef struct expectation {
    bool legal;
    uint32_t canonical;
    char text[64];
    int32_t operand[4];
    unsigned operands;
} expectation;

static inline uint32_t field(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

static const char *const gpr_names[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                          "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                          "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                          "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

/* XPOSE's [28:25]: the suffix and the value that assemblers emit. */
static inline const char *xpose_suffix(unsigned code, unsigned *emitted)
{
    static const struct {
        const char *suffix;
        unsigned emitted;
    } by_code[16] = {{"00", 0}, {"01", 1},  {"02", 2},  {"03", 3}, {"01", 1},  {"11", 5},
                     {"12", 9}, {"13", 10}, {"02", 2},  {"12", 9}, {"13", 10}, {"23", 11},
                     {"03", 3}, {"13", 10}, {"23", 11}, {"33", 15}};
    *emitted = by_code[code].emitted;
    return by_code[code].suffix;
}

typedef void expecter(uint32_t word, bool with_text, expectation *e);

static inline void check_word(unsigned revision, uint32_t word, bool with_text, expecter *expected)
{
    expectation e;
    ztl_insn insn, again;
    ztl_error error;
    char text[64];
    uint32_t back = 0;
    expected(word, with_text, &e);
    if (e.legal != ztl_decode(revision, word, &insn))
        fail_msg("0x%08x is %s", word, e.legal ? "legal" : "illegal");
    size_t length = ztl_disassemble(revision, word, text, sizeof text);
    if (!e.legal) {
        if (memcmp(text, ".word 0x", 8) || length != 16)
            fail_msg("0x%08x: '%s'", word, text);
        return;
    }
    if (insn.word != word || memcmp(insn.operand, e.operand, e.operands * sizeof e.operand[0]))
        fail_msg("0x%08x: wrong operands", word);
    if (with_text && strcmp(text, e.text))
        fail_msg("0x%08x: '%s', expected '%s'", word, text, e.text);
    if (!ztl_assemble(revision, text, &back, &error))
        fail_msg("0x%08x: '%s': %s", word, text, error.text);
    if (back != e.canonical)
        fail_msg("0x%08x: '%s' assembles to 0x%08x, not 0x%08x", word, text, back, e.canonical);
    if (!ztl_decode(revision, back, &again) || again.row != insn.row ||
        memcmp(again.operand, insn.operand, sizeof insn.operand))
        fail_msg("0x%08x and 0x%08x decode differently", word, back);
}

/* All 2^25 words, or a sample that visits every field's values in other combinations. */
static inline void check_words(unsigned revision, expecter *expected)
{
#ifdef ZTL_SAMPLED
    enum { STEP = 13 };
#else
    enum { STEP = 1 };
#endif
    for (uint32_t n = 0; n < UINT32_C(1) << 25; n += STEP)
        check_word(revision, n << 7 | 0x5b, n % 61 == 0, expected);
}

#endif
