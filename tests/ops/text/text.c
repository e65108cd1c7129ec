/* SPDX-License-Identifier: Apache-2.0
 * Operators as text: which attributes each has, as ONNX and PyTorch define them, and their values.
 */
#include "ops/text/text.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit.h"

/* Needed ones first, then the others. */
static const struct {
    const char *name, *needs, *takes;
} operators[] = {
    {"transpose", "", "perm"},
    {"reshape", "shape", "allowzero"},
    {"flatten", "", "axis"},
    {"squeeze", "", "axes"},
    {"unsqueeze", "axes", ""},
    {"concat", "axis", ""},
    {"split", "", "axis split num_outputs"},
    {"slice", "starts ends", "axes steps"},
    {"pad", "pads", "axes mode value"},
    {"gather", "indices", "axis"},
    {"compress", "condition", "axis"},
    {"tile", "repeats", ""},
    {"expand", "shape", ""},
    {"roll", "shift", "axes"},
    {"flip", "", "axes"},
    {"depth-to-space", "blocksize", "mode"},
    {"space-to-depth", "blocksize", "mode"},
    {"resize", "",
     "scales sizes axes coordinate_transformation_mode nearest_mode keep_aspect_ratio_policy roi "
     "extrapolation_value"},
    {"where", "", ""},
    {"im2col", "kernel", "pads value strides dilations groups layout"},
    {"col2im", "kernel shape", "pads mode value strides dilations groups layout"},
    {"focus", "blocksize", "axis"},
    {"add", "addend", ""},
    {"fill", "value", ""},
    {"identity", "", ""},
    {"upsample", "scales", ""},
    {"reverse-sequence", "sequence_lens", "batch_axis time_axis"},
    {"trilu", "", "upper k"},
    {"center-crop-pad", "shape", "axes"},
    {"eye-like", "", "k dtype"},
    {"one-hot", "indices depth", "axis values dtype"},
    {"constant-of-shape", "shape", "value dtype"},
    {"gather-elements", "indices", "axis"},
    {"gather-nd", "indices", "batch_dims"},
    {"scatter-elements", "indices", "axis"},
    {"scatter-nd", "indices", ""},
    {"tensor-scatter", "", "indices axis mode"},
};

static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += n)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

static void test_attributes(void **state)
{
    (void)state;
    assert_int_equal(sizeof operators / sizeof operators[0], ZTL_OPS_KINDS);
    for (unsigned k = 0; k < ZTL_OPS_KINDS; k++) {
        ztl_ops_op op = {0};
        const ztl_op_attribute *a;
        assert_true(ztl_op_find(operators[k].name, &op));
        for (size_t i = 0; (a = ztl_op_attribute_at(i)); i++) {
            const char *name = a->option + 2;
            bool needs = has_word(operators[k].needs, name);
            bool takes = needs || has_word(operators[k].takes, name);
            if (ztl_op_needs(op.kind, a) != needs || ztl_op_takes(op.kind, a) != takes)
                fail_msg("%s %s", operators[k].name, a->option);
        }
    }
}

static enum ztl_op_parse take(ztl_op_text *text, const char *option, const char *value,
                              const char *words)
{
    ztl_error error = {""};
    enum ztl_op_parse result = ztl_op_option(text, option, value, &error);
    if (!strstr(error.text, words))
        fail_msg("%s %s: '%s', not '%s'", option, value, error.text, words);
    return result;
}

static void test_values(void **state)
{
    (void)state;
    ztl_op_text t = {.op = {.kind = ZTL_OPS_PAD}};
    assert_int_equal(take(&t, "--pads", "1,-2,0x10", ""), ZTL_OP_TAKEN);
    assert_int_equal(t.op.pads.count, 3);
    assert_int_equal(t.op.pads.value[1], -2);
    assert_int_equal(t.op.pads.value[2], 16);
    assert_int_equal(take(&t, "--pads", "", ""), ZTL_OP_TAKEN); /* replaces the list */
    assert_int_equal(t.op.pads.count, 0);
    assert_int_equal(t.used, 1);
    assert_int_equal(take(&t, "--condition", "0110", ""), ZTL_OP_TAKEN);
    assert_int_equal(t.op.condition.count, 4);
    assert_int_equal(t.op.condition.value[2], 1);
    assert_false(t.op.has_axis);
    assert_int_equal(take(&t, "--axis", "-1", ""), ZTL_OP_TAKEN);
    assert_true(t.op.has_axis && t.op.axis == -1);
    assert_int_equal(take(&t, "--mode", "reflect", ""), ZTL_OP_TAKEN);
    assert_int_equal(t.op.mode, ZTL_OPS_REFLECT);
    assert_int_equal(take(&t, "--layout", "NHWC", ""), ZTL_OP_TAKEN);
    assert_int_equal(t.op.layout, ZTL_OPS_NHWC);
    assert_int_equal(take(&t, "--value", "3", ""), ZTL_OP_UNKNOWN);
    assert_int_equal(take(&t, "--paths", "3", ""), ZTL_OP_UNKNOWN);
    assert_int_equal(take(&t, "--pads", "1,,2", "',2' is no list"), ZTL_OP_BAD);
    assert_int_equal(take(&t, "--pads", "1,", "is no list of whole numbers"), ZTL_OP_BAD);
    assert_int_equal(take(&t, "--pads", "99999999999999999999", "is out of range"), ZTL_OP_BAD);
    assert_int_equal(take(&t, "--axis", "1x", "'1x' is no number"), ZTL_OP_BAD);
    assert_int_equal(take(&t, "--groups", "0", "0 is not 1 or more"), ZTL_OP_BAD);
    assert_int_equal(take(&t, "--condition", "012", "'012' is none of 0 and 1"), ZTL_OP_BAD);
    assert_int_equal(take(&t, "--mode", "DCR", "none of constant, edge, reflect, wrap"),
                     ZTL_OP_BAD);
    t.op.kind = ZTL_OPS_DEPTH_TO_SPACE;
    assert_int_equal(take(&t, "--mode", "wrap", "'wrap' is none of DCR, CRD"), ZTL_OP_BAD);
    assert_int_equal(take(&t, "--mode", "CRD", ""), ZTL_OP_TAKEN);
    assert_int_equal(t.op.mode, ZTL_OPS_CRD);
    ztl_op_free(&t);
}

static void test_names(void **state)
{
    (void)state;
    ztl_ops_op op;
    assert_false(ztl_op_find("transposed", &op));
    assert_string_equal(ztl_op_close("transposd"), "transpose");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_attributes),
                                       cmocka_unit_test(test_values), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
