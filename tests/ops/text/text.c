/* SPDX-License-Identifier: Apache-2.0
 * Operators as text: the values of attributes, and names.
 */
#include "ops/text/text.h"

#include <string.h>

#include "tests/unit.h"

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
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
