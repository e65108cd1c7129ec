/* SPDX-License-Identifier: Apache-2.0
 * Which body a program is, and that nothing like it is taken for it; what groups change.
 */
#include "ops/format/body.h"

#include "tests/ops/exec/program.h"

static enum ops_body body_of(program *p)
{
    return (enum ops_body)write_program(p, &(shape){0, 1, 1}, 100)->body;
}

static void test_each(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 20; round++)
        for (int body = OPS_BODY_ANY; body < OPS_BODIES; body++) {
            program p = make_program((enum ops_body)body);
            assert_int_equal(body_of(&p), body);
        }
}

/* A program without one of its instructions, with one more, or with another register is not of the
 * same body, unless bodies of any number of stores have one store more or less. */
static void test_others(void **state)
{
    (void)state;
    for (int body = OPS_BODY_COPY; body < OPS_BODIES; body++) {
        bool spreads = body == OPS_BODY_SPREAD || body == OPS_BODY_SPREAD_PAIR;
        program p = make_program((enum ops_body)body);
        for (uint32_t i = 0; i < p.form.insns; i++) {
            program q = p;
            bool stores = ops_code_of(&p.insn[i]) == OPS_STORE;
            if (!(spreads && stores)) {
                q.form.insns--;
                memmove(q.insn + i, q.insn + i + 1, (q.form.insns - i) * sizeof *q.insn);
                bool is_second = p.insn[i].op >> 4 && ops_code_of(&p.insn[i]) != OPS_PERMUTE;
                bool may_miss = is_second && (body == OPS_BODY_PAIR ||
                                              (body == OPS_BODY_SPREAD_PAIR && !stores));
                if (q.form.insns && !may_miss)
                    assert_int_not_equal(body_of(&q), body);
            }
            q = p;
            q.insn[i].op ^= 1 << 7; /* register 8 more, or less */
            if (body != OPS_BODY_FILL)
                assert_int_not_equal(body_of(&q), body);
        }
    }
}

static void test_details(void **state)
{
    (void)state;
    program p = make_program(OPS_BODY_COPY);
    p.insn[1].offset = 8;
    assert_int_equal(body_of(&p), OPS_BODY_SPREAD);
    p = make_program(OPS_BODY_PAIR);
    p.insn[2].bit = 1;
    assert_int_equal(body_of(&p), OPS_BODY_ANY);
    p = make_program(OPS_BODY_TILES_8);
    p.insn[10].arg ^= 1; /* one PERMUTE of a stage unlike the others */
    assert_int_equal(body_of(&p), OPS_BODY_ANY);
    p = make_program(OPS_BODY_TILES_4);
    p.insn[6].width ^= 1;
    assert_int_equal(body_of(&p), OPS_BODY_ANY);
    p = make_program(OPS_BODY_JOIN);
    p.insn[p.form.insns / 2].bit = 1; /* the first CONCAT adds to what is not there */
    assert_int_equal(body_of(&p), OPS_BODY_ANY);
}

/* Two groups whose vectors differ in the given strides. */
static const ops_group *two_groups(unsigned slices, const int32_t *strides, unsigned count)
{
    static ops_vector vector[3];
    ops_pass form = {.kind = OPS_PASS_RUNS,
                     .load_width = 1,
                     .store_width = 1,
                     .slices = slices,
                     .insns = 2,
                     .vectors = 3,
                     .groups = 2,
                     .batches = 2};
    ops_insn insn[] = {{.op = OPS_LOAD}, {.op = OPS_STORE}};
    ops_group group[] = {{.load = 0, .store = 2, .count = 1},
                         {.load = 1, .store = 2, .first = 1, .count = 1}};
    ops_batch batch[2] = {{0, 0}, {0, 0}};
    memset(vector, 0, sizeof vector);
    for (unsigned k = 0; k < count; k++)
        vector[1].stride[strides[k]] = 7;
    begin();
    ztl_ops_write_pass(&draft, &form, insn, vector, group, batch);
    return ops_pass_groups(ops_first_pass(draft.plan));
}

static void test_changes(void **state)
{
    (void)state;
    const ops_group *group = two_groups(32, (const int32_t[]){9, 15, 30}, 3);
    assert_int_equal(group[0].load_changes, OPS_CHANGES_ALL);
    assert_int_equal(group[0].store_changes, OPS_CHANGES_ALL);
    assert_int_equal(group[1].load_changes, 1 << 1 | 1 << 3);
    assert_int_equal(group[1].store_changes, OPS_CHANGES_NOTHING);
    assert_int_equal(draft.plan->stats.csr, 4 + 32 + 32 + 16);
    group = two_groups(8, (const int32_t[]){3}, 1); /* all are as few as a block */
    assert_int_equal(group[1].load_changes, OPS_CHANGES_ALL);
    assert_int_equal(draft.plan->stats.csr, 4 + 8 + 8 + 8);
    group = two_groups(32, (const int32_t[]){0, 8, 16, 24}, 4);
    assert_int_equal(group[1].load_changes, OPS_CHANGES_ALL);
}

static void test_strides(void **state)
{
    (void)state;
    two_groups(32, (const int32_t[]){9}, 1);
    assert_int_equal(ops_first_pass(draft.plan)->strides, OPS_LINEAR_STORES | OPS_ONE_STORE);
    two_groups(2, (const int32_t[]){1}, 1); /* two are always of equal steps */
    assert_int_equal(ops_first_pass(draft.plan)->strides,
                     OPS_LINEAR_LOADS | OPS_LINEAR_STORES | OPS_ONE_STORE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each),    cmocka_unit_test(test_others),
        cmocka_unit_test(test_details), cmocka_unit_test(test_changes),
        cmocka_unit_test(test_strides),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
