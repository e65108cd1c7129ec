/* SPDX-License-Identifier: Apache-2.0
 * Attributes that an operator does not have are refused by name.
 */
#include <stdio.h>
#include <string.h>

#include <ztl/ops.h>

#include "ops/operators/table.h"
#include "tests/unit.h"

/* What people know a field by: the first attribute that has it. */
static const struct {
    const char *name;
    size_t field;
} attributes[] = {
#define ZTL_ATTRIBUTE(ID, name, KIND, field, ...) {name, offsetof(ztl_ops_op, field)},
#define ZTL_FIELD(ID, KIND, field)                {#field, offsetof(ztl_ops_op, field)},
#include "ops/attributes.def"
};

static const char *name_of(enum ops_attribute attribute)
{
    size_t first = 0;
    while (attributes[first].field != attributes[attribute].field)
        first++;
    return attributes[first].name;
}

/* doc/operators.md says which; a test compares it with the table. */
static bool operator_has(enum ztl_ops_kind kind, const char *name)
{
    const ops_has *has = ztl_ops_operator(kind)->has;
    while (has->attribute != OPS_ATTRIBUTES && strcmp(name_of(has->attribute), name))
        has++;
    return has->attribute != OPS_ATTRIBUTES;
}

static const int64_t list[] = {1, 1};
static const double reals[] = {1, 1};

/* One attribute each, every field of ztl_ops_op among them. */
static const struct {
    const char *name;
    ztl_ops_op op;
} set[] = {
    {"mode", {.mode = ZTL_OPS_EDGE}},
    {"layout", {.layout = ZTL_OPS_NHWC}},
    {"axis", {.has_axis = true}},
    {"axis", {.axis = 1}},
    {"has_indices_shape", {.has_indices_shape = true}},
    {"blocksize", {.blocksize = 2}},
    {"allowzero", {.allowzero = 1}},
    {"groups", {.groups = 2}},
    {"batch_dims", {.batch_dims = 1}},
    {"num_outputs", {.num_outputs = 2}},
    {"value", {.value = 1}},
    {"value", {.wide = {1}}},
    {"value", {.wide = {0, 0, 1}}},
    {"addend", {.addend = 1}},
    {"pattern", {.pattern = "a -> a"}},
    {"lengths", {.lengths = "a=1"}},
    {"type", {.type = ZTL_TYPE_INT8}},
    {"perm", {.perm = {list, 2}}},
    {"axes", {.axes = {list, 2}}},
    {"starts", {.starts = {list, 2}}},
    {"ends", {.ends = {list, 2}}},
    {"steps", {.steps = {list, 2}}},
    {"pads", {.pads = {list, 2}}},
    {"indices", {.indices = {list, 2}}},
    {"indices_shape", {.indices_shape = {list, 2}}},
    {"condition", {.condition = {list, 2}}},
    {"shape", {.shape = {list, 2}}},
    {"split", {.split = {list, 2}}},
    {"repeats", {.repeats = {list, 2}}},
    {"shift", {.shift = {list, 2}}},
    {"scales", {.scales = {reals, 2}}},
    {"roi", {.roi = {reals, 2}}},
    {"sizes", {.sizes = {list, 2}}},
    {"sequence_lens", {.sequence_lens = {list, 2}}},
    {"coordinate_transformation_mode", {.coordinate = ZTL_OPS_ASYMMETRIC}},
    {"nearest_mode", {.nearest = ZTL_OPS_FLOOR}},
    {"keep_aspect_ratio_policy", {.aspect = ZTL_OPS_NOT_LARGER}},
    {"format", {.format = ZTL_OPS_VNNI2}},
    {"batch_axis", {.batch_axis = 1}},
    {"time_axis", {.time_axis = 1}},
    {"upper", {.lower = 1}},
    {"k", {.k = 1}},
    {"depth", {.depth = 1}},
    {"dtype", {.bits = 8}},
    {"values", {.on = {1}}},
    {"values", {.on = {0, 0, 0, 1}}},
    {"kernel", {.kernel = {list, 2}}},
    {"strides", {.strides = {list, 2}}},
    {"dilations", {.dilations = {list, 2}}},
};

static void check(unsigned kind, const char *name, const ztl_ops_op *op)
{
    const size_t inputs = ztl_ops_count_inputs((enum ztl_ops_kind)kind).least;
    ztl_ops_tensor in[3], out[4];
    ztl_error error = {""};
    char expected[100];
    for (unsigned i = 0; i < 3; i++)
        assert_true(ztl_ops_dense(&in[i], 8, 2, (int64_t[]){4, 4}));
    snprintf(expected, sizeof expected, "%s has no attribute %s", ztl_ops_name(op->kind), name);
    ztl_ops_infer(op, in, inputs, out, 4, &error);
    if (operator_has((enum ztl_ops_kind)kind, name)) {
        if (strstr(error.text, "no attribute"))
            fail_msg("%s: %s", name, error.text);
        return;
    }
    assert_string_equal(error.text, expected);
    error.text[0] = 0;
    assert_int_equal(ztl_ops_plan_space(op, in, inputs, out, 1), 0);
    assert_false(ztl_ops_make(op, in, inputs, out, 1, NULL, NULL, 0, &error));
    assert_string_equal(error.text, expected);
}

static void test_every_attribute(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < ZTL_OPS_KINDS; kind++)
        for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
            ztl_ops_op op = set[i].op;
            op.kind = (enum ztl_ops_kind)kind;
            check(kind, set[i].name, &op);
        }
}

/* A pointer to nothing is no attribute. */
static void test_empty_lists(void **state)
{
    (void)state;
    ztl_ops_tensor in, out;
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE, .axes = {list, 0}};
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){4, 4}));
    assert_int_equal(ztl_ops_infer(&op, &in, 1, &out, 1, NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_attribute),
        cmocka_unit_test(test_empty_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
