/* SPDX-License-Identifier: Apache-2.0
 * Strangers' text for a terminal: what it would obey is shown, what it would print stays.
 */
#include <string.h>

#include "host/text.h"
#include "tests/unit.h"

static void becomes(const char *source, const char *expected)
{
    char text[200];
    assert_int_equal(ztl_safe_text(text, sizeof text, source), strlen(expected));
    assert_string_equal(text, expected);
}

static void prints(void **state)
{
    (void)state;
    becomes("", "");
    becomes("main.constprop.0<int&>$x ~\\", "main.constprop.0<int&>$x ~\\");
    becomes("gr\xc3\xb6\xc3\x9f"
            "e",
            "gr\xc3\xb6\xc3\x9f"
            "e");
    becomes("\xe5\xbd\xa2\xf0\x9f\x98\x80", "\xe5\xbd\xa2\xf0\x9f\x98\x80");
}

static void controls_are_shown(void **state)
{
    (void)state;
    becomes("\033[2J", "\\x1b[2J");
    becomes("\033]0;title\a", "\\x1b]0;title\\x07");
    becomes("a\nb\r\tc\b\x7f", "a\\x0ab\\x0d\\x09c\\x08\\x7f");
    becomes("\x9b"
            "31m",
            "\\x9b31m"); /* CSI as one byte */
    becomes("\xc2\x9b"
            "31m",
            "\\xc2\\x9b31m"); /* and in UTF-8 */
    becomes("\xe2\x80\xae"
            "fdp",
            "\\xe2\\x80\\xaefdp"); /* right to left */
    becomes("a\xe2\x80\xa8"
            "b",
            "a\\xe2\\x80\\xa8"
            "b"); /* a break of lines */
}

static void what_is_no_utf8_is_shown(void **state)
{
    (void)state;
    becomes("\xc3", "\\xc3"); /* cut off */
    becomes("\xe2\x80", "\\xe2\\x80");
    becomes("\xc0\x9b", "\\xc0\\x9b"); /* longer than need be */
    becomes("\xe0\x82\x9b", "\\xe0\\x82\\x9b");
    becomes("\xed\xa0\x80", "\\xed\\xa0\\x80");          /* half a pair */
    becomes("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* above all characters */
    becomes("\xff\x80z", "\\xff\\x80z");
    for (int c = 1; c < 256; c++) { /* no byte alone but ASCII comes through */
        char source[] = {(char)c, 0};
        if (c >= 0x20 && c < 0x7f)
            becomes(source, source);
        else {
            char text[8];
            assert_int_equal(ztl_safe_text(text, sizeof text, source), 4);
        }
    }
}

static void is_cut_between_characters(void **state)
{
    (void)state;
    char text[8];
    for (size_t size = 0; size <= sizeof text; size++) {
        memset(text, 'z', sizeof text);
        assert_int_equal(ztl_safe_text(text, size, "\033\xc3\xb6"), size < 5   ? 0
                                                                    : size < 7 ? 4
                                                                               : 6);
        for (size_t i = size; i < sizeof text; i++)
            assert_int_equal(text[i], 'z');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints),
        cmocka_unit_test(controls_are_shown),
        cmocka_unit_test(what_is_no_utf8_is_shown),
        cmocka_unit_test(is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
