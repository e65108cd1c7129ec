/* SPDX-License-Identifier: Apache-2.0
 * What planning may take, on random transposes: steps, scratch memory and memory of its own; and
 * that more of any never makes a plan longer.
 */
#include <stdio.h>
#include <stdlib.h>

#include <ztl/ops.h>

#include "ops/format/plan.h"
#include "tests/unit.h"

/* What is counted here. */
static const ztl_ops_machine few_instructions = {.aim = ZTL_OPS_FEW_INSTRUCTIONS};

enum { SHAPES = 40 };

typedef struct shape {
    ztl_ops_tensor in, out;
    int64_t perm[ZTL_OPS_RANK];
    ztl_ops_op op;
} shape;

static uint64_t state = UINT64_C(88172645463325252);

static unsigned below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % n;
}

static void make_shape(shape *s)
{
    static const int extents[] = {1,  2,  3,  4,  5,  7,  8,  9,  12, 14,
                                  16, 19, 24, 28, 32, 49, 64, 77, 127};
    int64_t extent[6], n;
    unsigned rank;
    do {
        rank = 2 + below(5);
        n = 1;
        for (unsigned d = 0; d < rank; d++)
            n *= extent[d] = extents[below(sizeof extents / sizeof extents[0])];
    } while (n < 4096 || n > 100000);
    for (unsigned d = 0; d < rank; d++) {
        unsigned k = below(d + 1);
        s->perm[d] = s->perm[k];
        s->perm[k] = d;
    }
    assert_true(ztl_ops_dense(&s->in, 8u << below(3), rank, extent));
    s->op = ztl_ops_transpose(s->perm, rank);
    assert_int_equal(ztl_ops_infer(&s->op, &s->in, 1, &s->out, 1, NULL), 1);
}

/* Instructions, scratch memory and steps of a plan. */
typedef struct made {
    uint64_t total, scratch, steps;
} made;

static made plan(const shape *s, ztl_ops_machine machine)
{
    machine.aim = ZTL_OPS_FEW_INSTRUCTIONS;
    ztl_error error;
    ztl_ops_plan *p = ztl_ops_plan_new(&s->op, &s->in, 1, &s->out, 1, &machine, &error);
    assert_non_null(p);
    ztl_ops_stats stats = ztl_ops_plan_stats(p);
    made m = {ztl_ops_total(&stats), ztl_ops_scratch_bytes(p), p->effort};
    ztl_ops_plan_free(p);
    return m;
}

/* Whether a plan is longer than one with less memory of a kind, and not because it no longer takes
 * more than four times the tensor of scratch memory for less than a tenth. */
static bool is_longer(const shape *s, made next, made last)
{
    uint64_t tensor = s->in.size > s->out.size ? s->in.size : s->out.size;
    bool is_fair = last.scratch > 4 * tensor && next.scratch <= 4 * tensor &&
                   9 * next.total <= 10 * last.total;
    return next.total > last.total && !is_fair;
}

/* No scratch memory, then half the tensor of it, once to eight times, any: no plan is longer than
 * one before, and beyond four times a tenth is saved. */
static void check_rungs(const shape *s, enum ztl_ops_effort effort)
{
    made last = plan(s, (ztl_ops_machine){.no_scratch = true, .effort = effort}), four = last;
    assert_int_equal(last.scratch, 0);
    for (unsigned k = 0; k < 6; k++) {
        uint64_t limit = k == 5 ? 0 : s->in.size << k >> 1;
        made next = plan(s, (ztl_ops_machine){.scratch_limit = limit, .effort = effort});
        assert_true(next.total <= last.total);
        assert_true(limit == 0 || next.scratch <= limit);
        if (next.scratch > 4 * s->in.size)
            assert_true(next.total * 10 <= four.total * 9);
        last = next;
        four = limit == 4 * s->in.size ? next : four;
    }
}

static void test_scratch(void **context)
{
    (void)context;
    for (unsigned i = 0; i < SHAPES; i++) {
        shape s;
        make_shape(&s);
        check_rungs(&s, ZTL_OPS_NORMAL);
    }
}

/* Transposes that are longer with more scratch memory where plans for less of it are not compared,
 * and some for which more than four times the tensor saves less than a tenth. */
static void test_few_scratch(void **context)
{
    static const struct few {
        unsigned bits, rank;
        int64_t extent[4], perm[4];
        enum ztl_ops_effort effort;
    } few[] = {
        {16, 3, {49, 13, 32}, {1, 2, 0}, ZTL_OPS_NORMAL},
        {8, 4, {3, 12, 32, 4}, {2, 3, 1, 0}, ZTL_OPS_NORMAL},
        {16, 3, {24, 13, 100}, {0, 2, 1}, ZTL_OPS_QUICK},
        {16, 4, {49, 11, 3, 28}, {3, 2, 0, 1}, ZTL_OPS_QUICK},
        {16, 2, {56, 255}, {1, 0}, ZTL_OPS_NORMAL},
        {8, 2, {64, 100}, {1, 0}, ZTL_OPS_NORMAL},
        {16, 2, {127, 127}, {1, 0}, ZTL_OPS_NORMAL},
    };
    (void)context;
    for (unsigned i = 0; i < sizeof few / sizeof few[0]; i++) {
        shape s = {.op = ztl_ops_transpose(few[i].perm, few[i].rank)};
        assert_true(ztl_ops_dense(&s.in, few[i].bits, few[i].rank, few[i].extent));
        assert_int_equal(ztl_ops_infer(&s.op, &s.in, 1, &s.out, 1, NULL), 1);
        check_rungs(&s, few[i].effort);
    }
}

/* Limits of scratch memory at random, in ascending order: none makes a plan longer than a smaller
 * one. */
static void check_limits(const shape *s, unsigned i, enum ztl_ops_effort effort)
{
    made last = plan(s, (ztl_ops_machine){.no_scratch = true, .effort = effort});
    for (uint64_t limit = 1 + below(2000);; limit += 1 + limit * below(128) / 64) {
        made next = plan(s, (ztl_ops_machine){.scratch_limit = limit, .effort = effort});
        if (is_longer(s, next, last))
            fail_msg("shape %u: %llu instructions with %llu bytes of scratch memory, %llu with "
                     "less of it",
                     i, (unsigned long long)next.total, (unsigned long long)limit,
                     (unsigned long long)last.total);
        assert_true(next.scratch <= limit);
        last = next;
        if (limit > 64 * s->in.size)
            break;
    }
}

static void test_random_scratch(void **context)
{
    (void)context;
    for (unsigned i = 0; i < SHAPES / 2; i++) {
        shape s;
        make_shape(&s);
        check_limits(&s, i, ZTL_OPS_NORMAL);
        check_limits(&s, i, ZTL_OPS_QUICK);
    }
}

/* Im2col goes through scratch memory by itself where patches are strides apart. */
static void test_patches_scratch(void **context)
{
    (void)context;
    for (unsigned i = 0; i < SHAPES / 2; i++) {
        const int64_t extent[] = {1, 1 + below(6), 10 + below(50), 10 + below(50)};
        const int64_t kernel[] = {2 + below(4), 2 + below(4)}, strides[] = {2 + below(3), 2};
        shape s = {.op = ztl_ops_im2col(kernel, strides, NULL, NULL)};
        assert_true(ztl_ops_dense(&s.in, 8u << below(3), 4, extent));
        assert_int_equal(ztl_ops_infer(&s.op, &s.in, 1, &s.out, 1, NULL), 1);
        check_limits(&s, i, ZTL_OPS_NORMAL);
    }
}

/* Searching further down ends elsewhere, with 104 instructions instead of 96. */
static void test_thorough(void **context)
{
    (void)context;
    int64_t perm[] = {1, 2, 0};
    shape s = {.op = ztl_ops_transpose(perm, 3)};
    assert_true(ztl_ops_dense(&s.in, 8, 3, (const int64_t[]){28, 77, 5}));
    assert_int_equal(ztl_ops_infer(&s.op, &s.in, 1, &s.out, 1, NULL), 1);
    made n = plan(&s, (ztl_ops_machine){.effort = ZTL_OPS_NORMAL});
    made t = plan(&s, (ztl_ops_machine){.effort = ZTL_OPS_THOROUGH});
    assert_true(t.total <= n.total);
}

static void test_effort(void **context)
{
    (void)context;
    uint64_t quick = 0, normal = 0, thorough = 0, steps[3] = {0};
    for (unsigned i = 0; i < SHAPES; i++) {
        shape s;
        make_shape(&s);
        made q = plan(&s, (ztl_ops_machine){.effort = ZTL_OPS_QUICK});
        made n = plan(&s, (ztl_ops_machine){.effort = ZTL_OPS_NORMAL});
        made t = plan(&s, (ztl_ops_machine){.effort = ZTL_OPS_THOROUGH});
        assert_true(t.total <= n.total);
        steps[0] += q.steps;
        steps[1] += n.steps;
        steps[2] += t.steps;
        quick += q.total;
        normal += n.total;
        thorough += t.total;
        made again = plan(&s, (ztl_ops_machine){.effort = ZTL_OPS_QUICK});
        assert_int_equal(again.total, q.total);
        assert_int_equal(again.steps, q.steps);
    }
    assert_true(steps[0] < steps[1] && steps[1] < steps[2]);
    assert_true(thorough <= normal && normal <= quick && quick * 10 <= normal * 15);
    shape s;
    ztl_error error;
    make_shape(&s);
    ztl_ops_machine machine = {.effort = (enum ztl_ops_effort)(ZTL_OPS_THOROUGH + 1)};
    assert_null(ztl_ops_plan_new(&s.op, &s.in, 1, &s.out, 1, &machine, &error));
    assert_string_equal(error.text, "unknown effort 3");
}

/* What ztl_ops_plan_space says is enough: four times as much makes no other plan. */
static void test_memory(void **context)
{
    (void)context;
    for (unsigned i = 0; i < SHAPES; i++) {
        shape s;
        make_shape(&s);
        size_t space = ztl_ops_plan_space(&s.op, &s.in, 1, &s.out, 1);
        assert_true(space <= (376 << 10) + s.out.size / 8);
        ztl_ops_plan *p = malloc(4 * space);
        uint64_t total[2];
        for (unsigned k = 0; k < 2; k++) {
            assert_true(ztl_ops_make(&s.op, &s.in, 1, &s.out, 1, &few_instructions, p,
                                     k ? 4 * space : space, NULL));
            ztl_ops_stats stats = ztl_ops_plan_stats(p);
            total[k] = ztl_ops_total(&stats);
        }
        assert_int_equal(total[0], total[1]);
        assert_int_equal(total[0], plan(&s, (ztl_ops_machine){.scratch_limit = 0}).total);
        free(p);
    }
}

/* In too little memory a plan is made with shorter lists, or refused by the bytes that it needs;
 * sizes at random. */
static void test_less_memory(void **context)
{
    (void)context;
    unsigned planned = 0, refused = 0;
    for (unsigned i = 0; i < SHAPES / 4; i++) {
        shape s;
        make_shape(&s);
        size_t space = ztl_ops_plan_space(&s.op, &s.in, 1, &s.out, 1);
        uint64_t enough = plan(&s, (ztl_ops_machine){.scratch_limit = 0}).total;
        ztl_ops_plan *p = malloc(space);
        char words[100];
        snprintf(words, sizeof words, "not %zu", space);
        for (size_t size = 2048; size < space; size += 8 + size * below(32) / 64) {
            ztl_error error = {""};
            size_t some = size & ~(size_t)7;
            if (!ztl_ops_make(&s.op, &s.in, 1, &s.out, 1, &few_instructions, p, some, &error)) {
                assert_non_null(strstr(error.text, words));
                refused++;
                continue;
            }
            ztl_ops_stats stats = ztl_ops_plan_stats(p);
            assert_true(ztl_ops_total(&stats) >= enough / 2);
            planned++;
        }
        free(p);
    }
    assert_true(planned > 2 * SHAPES && refused > SHAPES / 8);
}

/* More rows than one list may have: as many instructions as they need, not one for each row. */
static void test_long_list(void **context)
{
    (void)context;
    enum { ROWS = 140000, WIDTH = 64 };
    int64_t *indices = malloc(ROWS * sizeof *indices);
    for (size_t i = 0; i < ROWS; i++)
        indices[i] = below(ROWS);
    shape s = {.op = ztl_ops_gather(0, indices, ROWS)};
    assert_true(ztl_ops_dense(&s.in, 8, 2, (int64_t[]){ROWS, WIDTH}));
    assert_int_equal(ztl_ops_infer(&s.op, &s.in, 1, &s.out, 1, NULL), 1);
    assert_true(plan(&s, (ztl_ops_machine){.scratch_limit = 0}).total < 2 * ROWS / 16 * 21 / 20);
    free(indices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scratch),        cmocka_unit_test(test_few_scratch),
        cmocka_unit_test(test_random_scratch), cmocka_unit_test(test_patches_scratch),
        cmocka_unit_test(test_effort),         cmocka_unit_test(test_thorough),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_less_memory),
        cmocka_unit_test(test_long_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
