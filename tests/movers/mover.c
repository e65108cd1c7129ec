/* SPDX-License-Identifier: Apache-2.0
 * Movers: on threads, of operators that are planned, of empty tensors; what they refuse.
 */
#include "movers/mover.h"

#include <stdlib.h>

#include "tests/unit.h"

typedef struct call {
    ztl_ops_op op;
    ztl_ops_tensor in[2], out;
    size_t inputs;
} call;

static call transpose_of(unsigned bits, int64_t rows, int64_t columns)
{
    call c = {.op = ztl_ops_transpose(NULL, 0), .inputs = 1};
    assert_true(ztl_ops_dense(&c.in[0], bits, 2, (int64_t[]){rows, columns}));
    assert_int_equal(ztl_ops_infer(&c.op, c.in, 1, &c.out, 1, NULL), 1);
    return c;
}

/* Large enough for threads of its own. */
static void test_threads(void **state)
{
    (void)state;
    enum { ROWS = 1500, COLUMNS = 1037 };
    call c = transpose_of(16, ROWS, COLUMNS);
    uint16_t *from = malloc(c.in[0].size), *to = malloc(c.out.size);
    const void *source = from;
    void *target = to;
    assert_true(from && to);
    for (unsigned k = 0; k < ROWS * COLUMNS; k++)
        from[k] = (uint16_t)(k * 40503u >> 4);
    ztl_mover *mover = ztl_mover_new(&c.op, c.in, 1, &c.out, 1, NULL);
    assert_non_null(mover);
    assert_false(ztl_mover_plans(mover));
    for (unsigned threads = 0; threads <= 100; threads = threads < 3 ? threads + 1 : threads * 5) {
        memset(to, 0, c.out.size);
        assert_true(ztl_mover_run(mover, &source, &target, threads, NULL));
        for (unsigned r = 0; r < ROWS; r++)
            for (unsigned k = 0; k < COLUMNS; k++)
                if (to[k * ROWS + r] != from[r * COLUMNS + k])
                    fail_msg("%u threads: row %u, column %u", threads, r, k);
    }
    ztl_mover_free(mover);
    free(from);
    free(to);
}

static void expect_refusal(const ztl_mover *mover, const void *const *in, void *const *out,
                           const char *why)
{
    ztl_error error = {""};
    assert_false(ztl_mover_run(mover, in, out, 1, &error));
    if (!strstr(error.text, why))
        fail_msg("'%s' does not say '%s'", error.text, why);
}

static void test_refused_buffers(void **state)
{
    (void)state;
    call c = transpose_of(8, 20, 30);
    uint8_t memory[1200], before[1200];
    ztl_mover *mover = ztl_mover_new(&c.op, c.in, 1, &c.out, 1, NULL);
    assert_non_null(mover);
    memset(memory, 7, sizeof memory);
    memcpy(before, memory, sizeof memory);
    const void *in = memory, *none = NULL;
    void *out = memory + 599, *nowhere = NULL;
    expect_refusal(mover, &in, &out, "overlap by 1 bytes");
    expect_refusal(mover, &none, &out, "input 0 is missing");
    expect_refusal(mover, &in, &nowhere, "output 0 is missing");
    expect_refusal(mover, &in, NULL, "output 0 is missing");
    assert_memory_equal(memory, before, sizeof memory);
    out = memory + 600;
    assert_true(ztl_mover_run(mover, &in, &out, 1, NULL));
    ztl_mover_free(mover);
    ztl_mover_free(NULL);
}

static void test_wrong_calls(void **state)
{
    (void)state;
    ztl_error error = {""};
    call c = transpose_of(8, 20, 30);
    c.op = ztl_ops_transpose((int64_t[]){0, 0}, 2);
    assert_null(ztl_mover_new(&c.op, c.in, 1, &c.out, 1, &error));
    assert_true(*error.text);
}

static void test_empty(void **state)
{
    (void)state;
    call c = transpose_of(32, 0, 30);
    ztl_mover *mover = ztl_mover_new(&c.op, c.in, 1, &c.out, 1, NULL);
    assert_non_null(mover);
    assert_true(ztl_mover_run(mover, NULL, NULL, 4, NULL));
    ztl_mover_free(mover);
}

/* An addition is no index map; neither are half-bytes whose rows are odd. */
static void test_planned(void **state)
{
    (void)state;
    call c = {.op = {.kind = ZTL_OPS_ADD, .type = ZTL_TYPE_INT8, .addend = 100}, .inputs = 1};
    int8_t from[5] = {0, 27, 28, -128, -1}, to[5] = {0};
    const int8_t expected[5] = {100, 127, 127, -28, 99};
    const void *source = from;
    void *target = to;
    assert_true(ztl_ops_dense(&c.in[0], 8, 1, (int64_t[]){5}));
    ztl_mover *mover = ztl_mover_new(&c.op, c.in, 1, &c.in[0], 1, NULL);
    assert_non_null(mover);
    assert_true(ztl_mover_plans(mover));
    assert_true(ztl_mover_run(mover, &source, &target, 2, NULL));
    assert_memory_equal(to, expected, sizeof to);
    ztl_mover_free(mover);

    const uint8_t halves[5] = {0x21, 0x43, 0x65, 0x87, 0x09};
    const uint8_t turned[5] = {0x41, 0x27, 0x85, 0x63, 0x09};
    uint8_t result[5] = {0};
    call t = transpose_of(4, 3, 3);
    source = halves;
    target = result;
    mover = ztl_mover_new(&t.op, t.in, 1, &t.out, 1, NULL);
    assert_non_null(mover);
    assert_true(ztl_mover_run(mover, &source, &target, 1, NULL));
    assert_memory_equal(result, turned, t.out.size);
    ztl_mover_free(mover);
}

/* So many pieces that they are not looked through: every row of its own. */
static void test_many_pieces(void **state)
{
    (void)state;
    enum { ROWS = 1000, PICKS = 700, BYTES = 5 };
    int64_t picks[PICKS];
    uint8_t from[ROWS * BYTES], to[PICKS * BYTES];
    const void *source = from;
    void *target = to;
    call c = {.inputs = 1};
    for (unsigned k = 0; k < PICKS; k++)
        picks[k] = k * k * 7919u % ROWS;
    for (unsigned k = 0; k < sizeof from; k++)
        from[k] = (uint8_t)(k * 31 + k / 256);
    c.op = (ztl_ops_op){.kind = ZTL_OPS_GATHER, .indices = {picks, PICKS}};
    assert_true(ztl_ops_dense(&c.in[0], 8, 2, (int64_t[]){ROWS, BYTES}));
    assert_int_equal(ztl_ops_infer(&c.op, c.in, 1, &c.out, 1, NULL), 1);
    ztl_mover *mover = ztl_mover_new(&c.op, c.in, 1, &c.out, 1, NULL);
    assert_non_null(mover);
    assert_false(ztl_mover_plans(mover));
    for (unsigned threads = 1; threads < 4; threads++) {
        memset(to, 0, sizeof to);
        assert_true(ztl_mover_run_on(mover, &source, &target, threads, NULL));
        for (unsigned k = 0; k < PICKS; k++)
            assert_memory_equal(to + k * BYTES, from + picks[k] * BYTES, BYTES);
    }
    ztl_mover_free(mover);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_refused_buffers),
        cmocka_unit_test(test_wrong_calls), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_planned),     cmocka_unit_test(test_many_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
