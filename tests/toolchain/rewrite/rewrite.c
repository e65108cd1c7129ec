/* SPDX-License-Identifier: Apache-2.0
 * The rewriter on text: what it touches, what it leaves, and that nothing makes it stumble.
 */
#include "toolchain/rewrite/rewrite.h"

#include <string.h>

#include "tests/unit.h"

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* The rewritten text without prelude and first marker; the caller frees. */
static ztl_buffer rewrite(unsigned revision, const char *text, size_t length)
{
    ztl_rewriter r = {.revision = revision};
    ztl_buffer out = {0};
    ztl_rewrite_text(&r, "in.s", text, length);
    assert_false(r.body.failed);
    ztl_buffer_add(&out, strchr(ztl_buffer_text(&r.body), '\n') + 1);
    ztl_rewriter_free(&r);
    return out;
}

static void assert_rewritten(unsigned revision, const char *text, const char *wanted)
{
    ztl_buffer out = rewrite(revision, text, strlen(text));
    assert_string_equal(ztl_buffer_text(&out), wanted);
    ztl_buffer_free(&out);
}

static void test_instructions(void **state)
{
    (void)state;
    assert_rewritten(2, "a: tl.addi tl1, tl2, 3 # c\n", "a: .insn r 0x5b, 2, 0, x1, x2, x3# c\n");
    assert_rewritten(1, "\ttl.addi tl1, tl2, -1\n", "\t.insn r 0x5b, 2, 127, x1, x2, x31\n");
    assert_rewritten(2, "csrr a0, TSHAPE ;nop\n", "csrr a0, 0x800;nop\n");
}

static void test_missing_files(void **state)
{
    (void)state;
    assert_rewritten(2, ".include \"no such file\"\n",
                     ".error \"can't open no such file for reading: No such file or directory\"\n");
}

static void test_other_text_stays(void **state)
{
    static const char *const texts[] = {
        "\n",
        "add a0, a1, a2\n",
        ".string \"tl.addi tl1, tl2, 3\"\n",
        "# tl.addi tl1, tl2, 3\n",
        "/* tl.addi\n tl.addi */\n",
        "tl: nop\n",
        "tlx.addi a0\n",
        "la a0, tshape\n",
        "csrw mstatus, a0\n",
        "csrw\n",
        "csrr a0\n",
        ".word ';', ';\n",
        ".include \"\\name\"\n",
        "\\x tl.addi\n",
        "# 7 \"other.c\" 2\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_rewritten(2, texts[i], texts[i]);
}

static void test_locations_of_a_compiler(void **state)
{
    static const char text[] = ".file 1 \"dir\" \"part.h\"\n.loc 1 20 3\nnop\n#APP\nnop\n";
    ztl_rewriter r = {.revision = 2, .follow_loc = true};
    (void)state;
    ztl_rewrite_text(&r, "in.c", text, strlen(text));
    assert_string_equal(
        ztl_buffer_text(&r.body),
        "# 1 \"in.c\"\n.file 1 \"dir\" \"part.h\"\n.loc 1 20 3\n# 20 \"dir/part.h\"\nnop\n"
        "#APP\n# 20 \"dir/part.h\"\nnop\n");
    ztl_rewriter_free(&r);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

/* A line of pieces that mean something to the rewriter, and now and then of any byte. */
static void print_garbage(ztl_buffer *out, uint64_t *seed)
{
    static const char *const pieces[] = {"tl.",
                                         "tl.load",
                                         "tl.addi",
                                         "tl.xpose.",
                                         "tl.concat.\\d",
                                         "tl1",
                                         "\\x",
                                         "\\()",
                                         "\\",
                                         "(",
                                         ")",
                                         "{",
                                         "}",
                                         ",",
                                         ", ",
                                         ";",
                                         ":",
                                         "\"",
                                         "'",
                                         "/*",
                                         "*/",
                                         "//",
                                         "#",
                                         " ",
                                         "\t",
                                         "csrw ",
                                         "tshape",
                                         "csrr a0,",
                                         "tl_load_stride{",
                                         "tl_load_stride\\i",
                                         ".macro ",
                                         ".endm",
                                         ".rept 3",
                                         ".endr",
                                         ".include ",
                                         "\"x\"",
                                         "-128",
                                         "99999999999",
                                         "0x",
                                         "a0",
                                         "(a0)",
                                         "= 3",
                                         ".loc 1 2",
                                         ".file 1 ",
                                         "# 3 \"f\"",
                                         "\r",
                                         "load",
                                         "\n"};
    for (uint32_t n = next_random(seed) % 12; n > 0; n--) {
        if (next_random(seed) % 8 == 0)
            ztl_buffer_char(out, (char)(next_random(seed) % 255 + 1));
        else
            ztl_buffer_add(out, pieces[next_random(seed) % (sizeof pieces / sizeof pieces[0])]);
    }
    ztl_buffer_char(out, '\n');
}

static size_t count_lines(const ztl_buffer *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->length; i++)
        count += text->data[i] == '\n';
    return count;
}

/* Whatever comes in, the result has as many lines. */
static void test_garbage(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int round = 0; round < (SANITIZED ? 20000 : 100000); round++) {
        ztl_buffer text = {0};
        for (int line = 0; line < 4; line++)
            print_garbage(&text, &seed);
        ztl_buffer out = rewrite(1 + (unsigned)round % 2, text.data, text.length);
        assert_int_equal(count_lines(&out), count_lines(&text));
        ztl_buffer_free(&out);
        ztl_buffer_free(&text);
    }
}

/* The same cut off at every byte, in memory of exactly that size. */
static void test_cut_off(void **state)
{
    static const char text[] =
        "l: tl.load /* c */ tl1, FOO+(1<<2)(a0), comp # x\n"
        "csrw tl_load_stride{5}, a0 // y\n.ascii \"q\\\"\"; tl.xpose.\\d \\r\n";
    (void)state;
    for (size_t length = 0; length <= strlen(text); length++) {
        ztl_buffer part = {0};
        ztl_buffer_part(&part, text, length);
        ztl_buffer out = rewrite(2, ztl_buffer_text(&part), length);
        ztl_buffer_free(&out);
        ztl_buffer_free(&part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions),     cmocka_unit_test(test_missing_files),
        cmocka_unit_test(test_other_text_stays), cmocka_unit_test(test_locations_of_a_compiler),
        cmocka_unit_test(test_garbage),          cmocka_unit_test(test_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
