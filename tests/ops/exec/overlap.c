/* SPDX-License-Identifier: Apache-2.0
 * Batches that overlap, with registers in turn, against the same programs batch by batch and
 * instruction by instruction: the same bytes, whatever the body, the loops, the groups and their
 * lists. Registers that two batches in flight shared would mix these up.
 */
#include "ops/exec/exec.h"

#include <ztl/intrin.h>

#include "tests/ops/exec/program.h"

enum { SOURCE = 1 << 18, REACH = 1 << 16, MOST_WRITTEN = 1 << 24 };

static uint8_t source[SOURCE];

/* The meaning of a pass, as format/plan.h writes it down. */
static void run_plainly(const ops_pass *pass, uint8_t *to)
{
    const ops_vector *vector = ops_pass_vectors(pass);
    __riscv_ztl_csrw_ttype(0);
    __riscv_ztl_csrw_tshape(pass->tile_shape);
    __riscv_ztl_csrw_tl_load_width(pass->load_width);
    __riscv_ztl_csrw_tl_store_width(pass->store_width);
    __riscv_ztl_csrw_tl_transpose_perm(pass->order);
    for (uint32_t g = 0; g < pass->groups; g++) {
        const ops_group *group = &ops_pass_groups(pass)[g];
        __riscv_ztl_set_load_strides(vector[group->load].stride, pass->slices);
        __riscv_ztl_set_store_strides(vector[group->store].stride, pass->slices);
        int64_t at[OPS_DIMS] = {0}, in = 0, out = 0;
        do
            for (uint32_t b = group->first; b < group->first + group->count; b++)
                ztl_ops_run_program(pass, source + in + ops_pass_batches(pass)[b].in,
                                    to + out + ops_pass_batches(pass)[b].out);
        while (ztl_ops_next_index(pass, pass->loops, at, &in, &out));
    }
}

static void fill_plainly(const ops_pass *pass, uint8_t *to, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(pass->value[0] >> 8 * (i % 4));
}

static void check(enum ops_body body, const shape *s, unsigned round)
{
    program p = make_program(body);
    const ops_pass *pass = write_program(&p, s, REACH);
    assert_int_equal(pass->body, body);
    assert_true(p.written <= MOST_WRITTEN);
    uint8_t *expected = calloc(1, (size_t)p.written), *found = calloc(1, (size_t)p.written);
    assert_non_null(expected);
    assert_non_null(found);
    if (body == OPS_BODY_FILL)
        fill_plainly(pass, expected, p.written);
    else
        run_plainly(pass, expected);
    pass = ops_first_pass(draft.plan);
    ((ops_pass *)(uintptr_t)pass)->src = body == OPS_BODY_FILL ? OPS_FILL : 0;
    ((ops_pass *)(uintptr_t)pass)->dst = OPS_OUT;
    const void *in[] = {source};
    void *out[] = {found};
    ztl_ops_run_plan(draft.plan, in, out, NULL);
    if (memcmp(expected, found, (size_t)p.written))
        fail_msg("round %u: body %d, %u loops, %u groups of up to %u batches", round, (int)body,
                 s->loops, s->groups, s->most);
    free(expected);
    free(found);
}

static void test_bodies(void **state)
{
    (void)state;
    for (size_t i = 0; i < SOURCE; i++)
        source[i] = (uint8_t)below(256);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (int body = OPS_BODY_ANY; body < OPS_BODIES; body++) {
            shape s = {(unsigned)below(4), 1 + (unsigned)below(4), 1 + (unsigned)below(5)};
            check((enum ops_body)body, &s, round);
        }
}

/* Every number of batches up to where all sets of registers have had their turn twice, in a list
 * and in a loop. */
static void test_turns(void **state)
{
    (void)state;
    for (int body = OPS_BODY_ANY; body < OPS_BODIES; body++)
        for (unsigned batches = 1; batches <= 9; batches++)
            for (unsigned loops = 0; loops < 3; loops++)
                check((enum ops_body)body, &(shape){loops, 1 + batches % 3, batches}, batches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_turns),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
