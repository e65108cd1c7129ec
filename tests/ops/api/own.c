/* SPDX-License-Identifier: Apache-2.0
 * Plans in memory of the library's: results, and errors that leave nothing behind.
 */
#include <stdlib.h>
#include <string.h>

#include <ztl/ops.h>

#include "tests/unit.h"

enum { ROWS = 127, COLUMNS = 129 };

typedef struct matrices {
    ztl_ops_op op;
    ztl_ops_tensor in, out;
    uint8_t from[ROWS * COLUMNS], to[ROWS * COLUMNS];
    const void *source;
    void *target;
} matrices;

/* A transpose that goes through scratch memory. */
static void start(matrices *m)
{
    *m = (matrices){.op = ztl_ops_transpose(NULL, 0), .source = m->from, .target = m->to};
    assert_true(ztl_ops_dense(&m->in, 8, 2, (int64_t[]){ROWS, COLUMNS}));
    assert_int_equal(ztl_ops_infer(&m->op, &m->in, 1, &m->out, 1, NULL), 1);
    for (unsigned k = 0; k < ROWS * COLUMNS; k++)
        m->from[k] = (uint8_t)(k * 7 + k / 251);
}

static void expect_transposed(const matrices *m)
{
    for (unsigned r = 0; r < ROWS; r++)
        for (unsigned c = 0; c < COLUMNS; c++)
            assert_int_equal(m->to[c * ROWS + r], m->from[r * COLUMNS + c]);
}

static void test_apply(void **state)
{
    (void)state;
    matrices m;
    ztl_error error = {""};
    start(&m);
    assert_true(ztl_ops_apply(&m.op, &m.in, 1, &m.out, 1, &m.source, &m.target, &error));
    expect_transposed(&m);
}

static void test_plan(void **state)
{
    (void)state;
    matrices m;
    ztl_error error = {""};
    start(&m);
    ztl_ops_plan *plan = ztl_ops_plan_new(&m.op, &m.in, 1, &m.out, 1, NULL, &error);
    assert_non_null(plan);
    assert_true(ztl_ops_scratch_bytes(plan) > 0);
    for (unsigned i = 0; i < 2; i++) {
        memset(m.to, 0, sizeof m.to);
        assert_true(ztl_ops_plan_run(plan, &m.source, &m.target, &error));
        expect_transposed(&m);
    }
    ztl_ops_plan_free(plan);
    const ztl_ops_machine machine = {.no_scratch = true};
    plan = ztl_ops_plan_new(&m.op, &m.in, 1, &m.out, 1, &machine, &error);
    assert_non_null(plan);
    assert_int_equal(ztl_ops_scratch_bytes(plan), 0);
    memset(m.to, 0, sizeof m.to);
    assert_true(ztl_ops_run(plan, &m.source, &m.target, NULL, &error));
    expect_transposed(&m);
    ztl_ops_plan_free(plan);
    ztl_ops_plan_free(NULL);
}

/* A limit of 0 is none: only no_scratch forbids. */
static void test_default_machine(void **state)
{
    (void)state;
    matrices m;
    start(&m);
    const ztl_ops_machine zero = {0};
    ztl_ops_plan *plan = ztl_ops_plan_new(&m.op, &m.in, 1, &m.out, 1, NULL, NULL);
    ztl_ops_plan *same = ztl_ops_plan_new(&m.op, &m.in, 1, &m.out, 1, &zero, NULL);
    assert_non_null(plan);
    assert_non_null(same);
    assert_int_equal(ztl_ops_plan_bytes(plan), ztl_ops_plan_bytes(same));
    assert_memory_equal(plan, same, ztl_ops_plan_bytes(plan));
    ztl_ops_plan_free(plan);
    ztl_ops_plan_free(same);
}

static void test_errors(void **state)
{
    (void)state;
    matrices m;
    ztl_error error = {""};
    start(&m);
    m.op.axes = ztl_ops_list_of((const int64_t[]){0}, 1);
    assert_null(ztl_ops_plan_new(&m.op, &m.in, 1, &m.out, 1, NULL, &error));
    assert_string_equal(error.text, "transpose has no attribute axes");
    assert_null(ztl_ops_plan_new(&m.op, &m.in, 1, &m.out, 1, NULL, NULL));
    error.text[0] = 0;
    assert_false(ztl_ops_apply(&m.op, &m.in, 1, &m.out, 1, &m.source, &m.target, &error));
    assert_string_equal(error.text, "transpose has no attribute axes");
    start(&m);
    m.target = m.from;
    assert_false(ztl_ops_apply(&m.op, &m.in, 1, &m.out, 1, &m.source, &m.target, &error));
    assert_non_null(strstr(error.text, "input 0 and output 0 overlap"));
    m.target = NULL;
    assert_false(ztl_ops_apply(&m.op, &m.in, 1, &m.out, 1, &m.source, &m.target, &error));
    assert_string_equal(error.text, "output 0 is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_default_machine),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
