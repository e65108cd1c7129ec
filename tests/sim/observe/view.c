/* SPDX-License-Identifier: Apache-2.0
 * Tensor registers as grids: what may be asked for, and how it looks.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include <ztl/observe.h>

#include "tests/unit.h"

static ztl_state hart;

static void refused(const char *text, const char *message)
{
    ztl_view view;
    ztl_error error = {""};
    assert_false(ztl_view_parse(text, &view, &error));
    assert_string_equal(error.text, message);
}

static void refuses(void **state)
{
    (void)state;
    refused("tl32", "register 'tl32' is not tl0 to tl31");
    refused("", "register '' is not tl0 to tl31");
    refused("x3:4", "register 'x3' is not tl0 to tl31");
    refused("tl:4", "register 'tl' is not tl0 to tl31");
    refused("tl1+tl99:4", "register 'tl99' is not tl0 to tl31");
    refused("tl1+", "register '' is not tl0 to tl31");
    refused("tl4294967297", "register 'tl4294967297' is not tl0 to tl31");
    refused("tl3:", "shape '': dimension 0 is '', must be a number from 1 on");
    refused("tl3:4x0x16", "shape '4x0x16': dimension 1 is '0', must be a number from 1 on");
    refused("tl3:4x-1", "shape '4x-1': dimension 1 is '-1', must be a number from 1 on");
    refused("tl3:4x", "shape '4x': dimension 1 is '', must be a number from 1 on");
    refused("tl3:1x1x1x1x1x1x1x1x1", "shape '1x1x1x1x1x1x1x1x1' has more than 8 dimensions");
    refused("tl3:4:int9", "type 'int9' is not one of byte int4 int8 int16 int32 fp4 e4m3 e5m2 e3m4 "
                          "fp16 bf16 fp32");
    refused("tl3:4:", "type '' is not one of byte int4 int8 int16 int32 fp4 e4m3 e5m2 e3m4 "
                      "fp16 bf16 fp32");
    refused("tl3:4:int8:x", "type 'int8:x' is not one of byte int4 int8 int16 int32 fp4 e4m3 e5m2 "
                            "e3m4 fp16 bf16 fp32");
    refused("tl3:1025", "the shape takes more than the 1024 bytes of the register");
    refused("tl3:16x65:byte", "the shape takes more than the 1024 bytes of the register");
    refused("tl3:513:int16", "the shape takes more than the 1024 bytes of the register");
    refused("tl1+tl2:2049", "the shape takes more than the 2048 bytes of the registers");
    refused("tl3:99999x99999x99999x99999x99999x99999", "the shape takes more than the 1024 bytes "
                                                       "of the register");
}

static void shows_in(unsigned width, const char *text, bool colour, const char *expected)
{
    ztl_view view;
    ztl_error error;
    char *printed;
    size_t size;
    if (!ztl_view_parse(text, &view, &error))
        fail_msg("%s", error.text);
    FILE *out = open_memstream(&printed, &size);
    ztl_view_print(&view, &hart, colour, width, out);
    fclose(out);
    assert_string_equal(printed, expected);
    free(printed);
}

static void shows(const char *text, bool colour, const char *expected)
{
    shows_in(0, text, colour, expected);
}

static void set(unsigned index, const void *bytes, size_t size)
{
    uint8_t contents[ZTL_REG_BYTES] = {0};
    memcpy(contents, bytes, size);
    ztl_set_register(&hart, index, contents);
}

static void prints_grids(void **state)
{
    (void)state;
    set(1, "\x01\x02\x03\x04\xff\x80\x7f\x10", 8);
    shows("tl1:2x4", false,
          "tl1 [2, 4] byte\n      0  1  2  3\n  0: 01 02 03 04\n  1: ff 80 7f 10\n");
    shows("tl1:8:int8", false,
          "tl1 [8] int8\n       0    1    2    3    4    5    6    7\n"
          "  :    1    2    3    4   -1 -128  127   16\n");
    shows("tl1:2x2x2:int8", false,
          "tl1 [2, 2, 2] int8\n"
          "  [0, :, :]\n        0    1\n  0:    1    2\n  1:    3    4\n"
          "  [1, :, :]\n        0    1\n  0:   -1 -128\n  1:  127   16\n");
    shows("tl1:1x2x1x2:int16", false,
          "tl1 [1, 2, 1, 2] int16\n"
          "  [0, 0, :, :]\n          0      1\n  0:    513   1027\n"
          "  [0, 1, :, :]\n          0      1\n  0: -32513   4223\n");
    shows("tl1:2:int32", false,
          "tl1 [2] int32\n            0         1\n  :  67305985 276791551\n");
    shows("tl1:4:int4", false, "tl1 [4] int4\n    0 1 2 3\n  : 1 0 2 0\n");
    set(2, "\x8f", 1);
    shows("tl2:2:int4", false, "tl2 [2] int4\n     0  1\n  : -1 -8\n");
    /* The longest index decides too. */
    shows("tl2:1x12:int4", false,
          "tl2 [1, 12] int4\n      0  1  2  3  4  5  6  7  8  9 10 11\n"
          "  0: -1 -8  0  0  0  0  0  0  0  0  0  0\n");
}

/* The default is rows of 32 elements, in two parts; a pair continues in the second register. */
static void prints_pairs_and_defaults(void **state)
{
    (void)state;
    ztl_view view;
    uint8_t bytes[ZTL_REG_BYTES];
    memset(bytes, 1, sizeof bytes);
    ztl_set_register(&hart, 1, bytes);
    memset(bytes, 2, sizeof bytes);
    ztl_set_register(&hart, 2, bytes);
    shows("tl1+tl2:2:byte", false, "tl1+tl2 [2] byte\n     0  1\n  : 01 01\n");
    assert_true(ztl_view_parse("tl2+tl1", &view, NULL));
    assert_int_equal(view.dim[0], 64);
    assert_int_equal(view.dim[1], 32);
    char expected[16000] = "tl2+tl1 [64, 32] byte\n", *at = expected + strlen(expected);
    for (unsigned part = 0; part < 2; part++) {
        at += sprintf(at, "     ");
        for (unsigned column = 16 * part; column < 16 * part + 16; column++)
            at += sprintf(at, " %2u", column);
        for (unsigned row = 0; row < 64; row++) {
            at += sprintf(at, "\n  %2u:", row);
            for (unsigned column = 0; column < 16; column++)
                at += sprintf(at, row < 32 ? " 02" : " 01");
        }
        at += sprintf(at, "\n");
    }
    shows("tl2+tl1", false, expected);
}

/* No line is longer than it may be, whatever the shape, the type and the numbers; and as few parts
 * are made as that takes. */
static void fits_the_width(void **state)
{
    (void)state;
    static const char *const views[] = {"tl1",           "tl1+tl2",        "tl1:1024",
                                        "tl1:2x512",     "tl1:16x16:fp32", "tl1:256:int32",
                                        "tl1:8x8x16",    "tl1:1024x1",     "tl1+tl2:1x2048",
                                        "tl1:2048:int4", "tl1:1x512:e4m3"};
    uint8_t bytes[ZTL_REG_BYTES];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 37 + 129);
    ztl_set_register(&hart, 1, bytes);
    for (unsigned width = 40; width <= 200; width += 40)
        for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
            ztl_view view;
            char *printed, *rest;
            size_t size;
            assert_true(ztl_view_parse(views[i], &view, NULL));
            FILE *out = open_memstream(&printed, &size);
            ztl_view_print(&view, &hart, false, width, out);
            fclose(out);
            for (char *line = strtok_r(printed, "\n", &rest); line;
                 line = strtok_r(NULL, "\n", &rest))
                if (strlen(line) > width)
                    fail_msg("%s in %u columns: '%s'", views[i], width, line);
            free(printed);
        }
    set(2, "\x11\x22\x33\x44\x55", 5);
    shows_in(20, "tl2:1x5", false, "tl2 [1, 5] byte\n      0  1  2  3  4\n  0: 11 22 33 44 55\n");
    shows_in(18, "tl2:1x5", false,
             "tl2 [1, 5] byte\n      0  1  2\n  0: 11 22 33\n      3  4\n  0: 44 55\n");
    shows_in(1, "tl2:1x2", false, "tl2 [1, 2] byte\n      0\n  0: 11\n      1\n  0: 22\n");
}

/* Values of the formats that anybody can look up. */
static void prints_floats(void **state)
{
    (void)state;
    set(1, "\x00\x3c\x00\xc0\x00\x7c\x00\xfe\x01\x00\xff\x7b", 12);
    shows("tl1:6:fp16", false,
          "tl1 [6] fp16\n             0          1          2          3          4          5\n"
          "  :          1         -2        inf        nan 5.9605e-08      65504\n");
    set(1, "\x80\x3f\x80\xff\x49\x40", 6);
    shows("tl1:3:bf16", false, "tl1 [3] bf16\n        0     1     2\n  :     1  -inf 3.141\n");
    set(1, "\x38\x7e\x7f\xfe\x01\x00", 6);
    shows("tl1:6:e4m3", false,
          "tl1 [6] e4m3\n             0          1          2          3          4          5\n"
          "  :          1        448        nan       -448 0.00195312          0\n");
    set(1, "\x3c\x7b\x7c\xfd", 4);
    shows("tl1:4:e5m2", false,
          "tl1 [4] e5m2\n        0     1     2     3\n  :     1 57344   inf   nan\n");
    set(1, "\x30\x6f\xf0", 3);
    shows("tl1:3:e3m4", false, "tl1 [3] e3m4\n       0    1    2\n  :    1 15.5 -inf\n");
    set(1, "\x17\xf9", 2);
    shows("tl1:4:fp4", false, "tl1 [4] fp4\n       0    1    2    3\n  :    6  0.5 -0.5   -6\n");
    set(1, "\xdb\x0f\x49\x40\x00\x00\x80\x7f", 8);
    shows("tl1:2:fp32", false,
          "tl1 [2] fp32\n             0          1\n  : 3.14159274        inf\n");
}

static void colours_by_value(void **state)
{
    (void)state;
    set(1, "\x00\xff", 2);
    shows("tl1:2", true,
          "tl1 [2] byte\n     0  1\n  : \033[38;5;61m00\033[0m \033[38;5;209mff\033[0m\n");
    shows("tl0:1", true, "tl0 [1] byte\n     0\n  : \033[38;5;61m00\033[0m\n");
}

static int start(void **state)
{
    (void)state;
    return ztl_init(&hart, NULL) == ZTL_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses),
        cmocka_unit_test(prints_grids),
        cmocka_unit_test(prints_pairs_and_defaults),
        cmocka_unit_test(fits_the_width),
        cmocka_unit_test(prints_floats),
        cmocka_unit_test(colours_by_value),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
