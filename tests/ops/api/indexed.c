/* SPDX-License-Identifier: Apache-2.0
 * Indices that are read at run time: what is refused, and when; results in place; plans whose size
 * does not depend on indices; places that are written twice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ops.h>

#include "tests/unit.h"

static ztl_ops_tensor dense(unsigned bits, unsigned rank, int64_t a, int64_t b)
{
    ztl_ops_tensor t;
    assert_true(ztl_ops_dense(&t, bits, rank, (int64_t[]){a, b}));
    return t;
}

/* A gather of n rows of `width` bytes from `rows`, by 64-bit indices. */
static ztl_ops_plan *plan_gather(int64_t rows, int64_t width, int64_t n)
{
    ztl_ops_op op = ztl_ops_gather(0, NULL, 0);
    ztl_ops_tensor in[] = {dense(8, 2, rows, width), dense(64, 1, n, 0)}, out;
    ztl_error error;
    assert_int_equal(ztl_ops_infer(&op, in, 2, &out, 1, &error), 1);
    ztl_ops_plan *plan = ztl_ops_plan_new(&op, in, 2, &out, 1, NULL, &error);
    if (!plan)
        fail_msg("%s", error.text);
    return plan;
}

/* The plan of a million indices is the one of a thousand, and takes what must be moved. */
static void test_size(void **state)
{
    (void)state;
    static const int64_t widths[] = {64, 100, 256, 1024, 4096, 6000};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        ztl_ops_plan *few = plan_gather(1000, widths[i], 1000);
        ztl_ops_plan *many = plan_gather(1000, widths[i], 1000000);
        assert_int_equal(ztl_ops_plan_bytes(few), ztl_ops_plan_bytes(many));
        assert_true(ztl_ops_plan_bytes(many) < 4096);
        ztl_ops_stats stats = ztl_ops_plan_stats(many);
        uint64_t bound = 2 * ((1000000 * (uint64_t)widths[i] + 1023) / 1024);
        assert_int_equal(ztl_ops_lower_bound(many), bound);
        assert_true(2 * ztl_ops_total(&stats) <= 3 * bound);
        assert_int_equal(stats.scalar_reads, 1000000);
        ztl_ops_plan_free(few);
        ztl_ops_plan_free(many);
    }
}

/* One index is wrong: it is named, and nothing is written. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        int64_t value;
        bool good;
    } cases[] = {{9, true},          {-10, true},        {10, false},        {-11, false},
                 {INT64_MAX, false}, {INT64_MIN, false}, {1LL << 32, false}, {-1, true}};
    ztl_ops_plan *plan = plan_gather(10, 70, 100);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (int64_t at = 0; at < 100; at += 33) {
            uint8_t data[700], target[7000], same[7000];
            int64_t index[100] = {0};
            const void *in[] = {data, index};
            void *out[] = {target};
            char expected[100];
            ztl_error error;
            for (int i = 0; i < 700; i++)
                data[i] = (uint8_t)(i % 251);
            memset(target, 0x77, sizeof target);
            memset(same, 0x77, sizeof same);
            index[at] = cases[c].value;
            bool good = ztl_ops_run(plan, in, out, NULL, &error);
            assert_int_equal(good, cases[c].good);
            if (good) {
                int64_t row = cases[c].value < 0 ? cases[c].value + 10 : cases[c].value;
                assert_memory_equal(target + 70 * at, data + 70 * row, 70);
                continue;
            }
            snprintf(expected, sizeof expected,
                     "index %lld (number %lld) is outside dimension 0, -10 to 9",
                     (long long)cases[c].value, (long long)at);
            assert_string_equal(error.text, expected);
            assert_memory_equal(target, same, sizeof same);
        }
    ztl_ops_plan_free(plan);
}

/* What a call must not have. */
static void test_wrong_calls(void **state)
{
    (void)state;
    static const int64_t list[] = {1, 0};
    ztl_ops_tensor in[] = {dense(8, 2, 4, 6), dense(64, 1, 3, 0), dense(8, 2, 3, 6)}, out[2];
    ztl_error error;
#define REFUSED(op, inputs, words)                                                                 \
    do {                                                                                           \
        ztl_ops_op tried = op;                                                                     \
        assert_int_equal(ztl_ops_infer(&tried, in, inputs, out, 2, &error), 0);                    \
        if (!strstr(error.text, words))                                                            \
            fail_msg("'%s', not '%s'", error.text, words);                                         \
    } while (0)
    REFUSED(ztl_ops_gather(0, list, 2), 2, "both a list and an input");
    REFUSED(ztl_ops_gather(2, NULL, 0), 2, "axis 2");
    REFUSED(ztl_ops_gather(0, NULL, 0), 3, "takes 1 or 2 inputs, not 3");
    REFUSED(ztl_ops_gather_elements(0), 2, "the indices have rank 1, must have 2");
    REFUSED(ztl_ops_gather_nd(0), 2, "3 indices for each position");
    REFUSED(ztl_ops_gather_nd(1), 2, "batch_dims 1");
    REFUSED(ztl_ops_scatter_nd(), 3, "3 indices for each position");
    REFUSED(ztl_ops_compress(0, NULL, 0), 2, "elements of 64 bits, needs 8");
    REFUSED(ztl_ops_tensor_scatter(1, ZTL_OPS_LINEAR), 3, "elements of 8 bits, need 32 or 64");
    in[1].bits = 16;
    REFUSED(ztl_ops_gather(0, NULL, 0), 2, "elements of 16 bits, need 32 or 64");
    in[1] = dense(64, 1, 3, 0);
    in[0] = dense(8, 2, 0, 6);
    REFUSED(ztl_ops_gather(0, NULL, 0), 2, "dimension 0 has no positions");
    in[0] = dense(8, 2, 4, 6);
    in[1] = dense(8, 1, 5, 0);
    REFUSED(ztl_ops_compress(0, NULL, 0), 2, "5 values for 4 positions");
}

enum { HEADS = 3, LENGTH = 8, WIDTH = 40 };

/* A cache of which one position is replaced: in place, all else stays; a copy has all of it. */
static void test_in_place(void **state)
{
    (void)state;
    static uint8_t cache[HEADS][LENGTH][WIDTH], copy[HEADS][LENGTH][WIDTH],
        expected[HEADS][LENGTH][WIDTH], update[HEADS][1][WIDTH];
    ztl_ops_op op = ztl_ops_tensor_scatter(1, ZTL_OPS_LINEAR);
    ztl_ops_tensor in[3], out;
    int32_t position = 5;
    const void *source[] = {cache, update, &position};
    void *here[] = {cache}, *there[] = {copy}, *shifted[] = {&cache[0][1][0]};
    ztl_error error;
    assert_true(ztl_ops_dense(&in[0], 8, 3, (int64_t[]){HEADS, LENGTH, WIDTH}));
    assert_true(ztl_ops_dense(&in[1], 8, 3, (int64_t[]){HEADS, 1, WIDTH}));
    assert_true(ztl_ops_dense(&in[2], 32, 0, NULL));
    assert_int_equal(ztl_ops_infer(&op, in, 3, &out, 1, &error), 1);
    ztl_ops_plan *plan = ztl_ops_plan_new(&op, in, 3, &out, 1, NULL, &error);
    assert_non_null(plan);
    for (int i = 0; i < HEADS * LENGTH * WIDTH; i++)
        (&cache[0][0][0])[i] = (uint8_t)(i % 250);
    memset(update, 0xee, sizeof update);
    memcpy(expected, cache, sizeof cache);
    for (int h = 0; h < HEADS; h++)
        memset(expected[h][5], 0xee, WIDTH);
    assert_true(ztl_ops_plan_run(plan, source, there, &error));
    assert_memory_equal(copy, expected, sizeof expected);
    assert_true(ztl_ops_plan_run(plan, source, here, &error));
    assert_memory_equal(cache, expected, sizeof expected);
    assert_false(ztl_ops_plan_run(plan, source, shifted, &error));
    assert_non_null(strstr(error.text, "overlap"));
    position = LENGTH;
    assert_false(ztl_ops_plan_run(plan, source, here, &error));
    assert_string_equal(error.text, "index 8 (number 0) is outside dimension 1, 0 to 7");
    position = -1; /* a position, not an index from the end */
    assert_false(ztl_ops_plan_run(plan, source, here, &error));
    assert_memory_equal(cache, expected, sizeof expected);
    ztl_ops_plan_free(plan);
}

/* Of updates at the same place, the last one stays, whether or not they share an instruction. */
static void test_repeated(void **state)
{
    (void)state;
    enum { N = 1000 };
    ztl_ops_op op = ztl_ops_scatter_elements(0);
    ztl_ops_tensor in[] = {dense(8, 1, 4, 0), dense(32, 1, N, 0), dense(8, 1, N, 0)};
    ztl_ops_tensor out = in[0];
    int32_t index[N];
    uint8_t data[4] = {9, 9, 9, 9}, updates[N], target[4], expected[4] = {9, 9, 9, 9};
    ztl_error error;
    for (int i = 0; i < N; i++) {
        index[i] = i * 7 % 3;
        updates[i] = (uint8_t)(i % 200);
        expected[index[i]] = updates[i];
    }
    assert_true(ztl_ops_apply(&op, in, 3, &out, 1, (const void *[]){data, index, updates},
                              (void *[]){target}, &error));
    assert_memory_equal(target, expected, 4);
}

/* Runs a plan: the bytes of its output, and how many positions a condition selects. */
static void check_run(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                      const void *const *source, const uint8_t *expected)
{
    ztl_ops_tensor out[2];
    ztl_error error = {""};
    size_t outputs = ztl_ops_infer(op, in, inputs, out, 2, &error);
    ztl_ops_plan *plan = ztl_ops_plan_new(op, in, inputs, out, outputs, NULL, &error);
    uint8_t *target = calloc(1, out[0].size);
    int64_t count = -1, selected = 0;
    if (!plan || !target || !ztl_ops_plan_run(plan, source, (void *[]){target, &count}, &error))
        fail_msg("%s", error.text);
    assert_memory_equal(target, expected, out[0].size);
    for (int64_t i = 0; op->kind == ZTL_OPS_COMPRESS && i < in[1].extent[0]; i++)
        selected += ((const uint8_t *)source[1])[i];
    assert_int_equal(count, op->kind == ZTL_OPS_COMPRESS ? selected : -1);
    ztl_ops_plan_free(plan);
    free(target);
}

enum { PLACES = 30, UPDATES = 500 };

/* Rows at repeated places, of which the last one stays. */
static void test_scatter(void **state)
{
    (void)state;
    static uint8_t data[PLACES][WIDTH], updates[UPDATES][WIDTH], expected[PLACES][WIDTH];
    static int64_t index[UPDATES];
    const ztl_ops_op op = ztl_ops_scatter_nd();
    ztl_ops_tensor in[] = {dense(8, 2, PLACES, WIDTH), dense(64, 2, UPDATES, 1),
                           dense(8, 2, UPDATES, WIDTH)};
    memset(data, 0, sizeof data);
    memset(expected, 0, sizeof expected);
    for (int i = 0; i < UPDATES; i++) {
        index[i] = i * 7 % (PLACES - 3) - (i & 1 ? PLACES : 0); /* some negative, some never */
        int64_t place = index[i] < 0 ? index[i] + PLACES : index[i];
        memset(updates[i], 1 + i % 250, WIDTH);
        memcpy(expected[place], updates[i], WIDTH);
    }
    check_run(&op, in, 3, (const void *[]){data, index, updates}, &expected[0][0]);
}

/* Elements along an axis, and along the other one. */
static void test_scatter_elements(void **state)
{
    (void)state;
    static uint8_t data[PLACES][WIDTH], updates[PLACES][WIDTH], expected[PLACES][WIDTH];
    static int32_t index[PLACES][WIDTH];
    ztl_ops_tensor in[] = {dense(8, 2, PLACES, WIDTH), dense(32, 2, PLACES, WIDTH),
                           dense(8, 2, PLACES, WIDTH)};
    for (int axis = 0; axis < 2; axis++) {
        const ztl_ops_op op = ztl_ops_scatter_elements(axis);
        memset(expected, 0, sizeof expected);
        for (int y = 0; y < PLACES; y++)
            for (int x = 0; x < WIDTH; x++) {
                int at = (y * 5 + x * 3) % (axis ? WIDTH / 2 : PLACES / 2);
                index[y][x] = at;
                updates[y][x] = (uint8_t)(1 + (y * WIDTH + x) % 255);
                expected[axis ? y : at][axis ? at : x] = updates[y][x];
            }
        check_run(&op, in, 3, (const void *[]){data, index, updates}, &expected[0][0]);
    }
}

/* Positions of a condition: rows of one axis, of another, and of all elements. */
static void test_compress(void **state)
{
    (void)state;
    static uint8_t data[PLACES][WIDTH], expected[PLACES * WIDTH], condition[PLACES * WIDTH];
    for (size_t i = 0; i < sizeof data; i++) {
        (&data[0][0])[i] = (uint8_t)(i * 11);
        condition[i] = i % 3 == 1 || i % 7 == 0;
    }
    for (int axis = -1; axis < 2; axis++) {
        ztl_ops_op op = ztl_ops_compress(axis < 0 ? 0 : axis, NULL, 0);
        op.has_axis = axis >= 0;
        int64_t n = axis < 0 ? PLACES * WIDTH - 5 : axis ? WIDTH - 2 : PLACES;
        ztl_ops_tensor in[] = {dense(8, 2, PLACES, WIDTH), dense(8, 1, n, 0)};
        int64_t rows = axis == 1 ? PLACES : 1, inner = axis == 0 ? WIDTH : 1;
        int64_t from = axis == 1 ? WIDTH : 0;
        memset(expected, 0, sizeof expected);
        for (int64_t r = 0; r < rows; r++)
            for (int64_t i = 0, kept = 0; i < n; i++)
                if (condition[i])
                    memcpy(expected + r * n + kept++ * inner, &data[0][0] + r * from + i * inner,
                           (size_t)inner);
        check_run(&op, in, 2, (const void *[]){data, condition}, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_wrong_calls),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_scatter),
        cmocka_unit_test(test_scatter_elements),
        cmocka_unit_test(test_compress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
