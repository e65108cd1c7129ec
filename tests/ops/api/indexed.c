/* SPDX-License-Identifier: Apache-2.0
 * Indices that are read at run time: what is refused, and when; results in place; plans whose size
 * does not depend on indices; parts on threads; extents that vary.
 */
#include <pthread.h>
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
            assert_false(ztl_ops_run_part(plan, 1, 2, 0, in, out, NULL, &error));
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
    REFUSED(ztl_ops_gather(0, NULL, 0), 3, "takes 1 input");
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

/* A run on threads, stage by stage. */
enum { THREADS = 3 };

typedef struct team {
    const ztl_ops_plan *plan;
    const void *const *in;
    void *const *out;
    void *scratch;
    pthread_barrier_t barrier;
    bool good[THREADS];
} team;

typedef struct member {
    team *team;
    unsigned k;
} member;

static void *run_member(void *context)
{
    member *m = context;
    team *t = m->team;
    t->good[m->k] = true;
    for (unsigned stage = 0; stage < ztl_ops_stages(t->plan); stage++) {
        if (!ztl_ops_run_part(t->plan, m->k, THREADS, stage, t->in, t->out, t->scratch, NULL))
            t->good[m->k] = false;
        pthread_barrier_wait(&t->barrier);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static const int64_t perm[] = {1, 0};
    static uint8_t source[127 * 129], target[127 * 129];
    ztl_ops_op op = ztl_ops_transpose(perm, 2);
    ztl_ops_tensor in = dense(8, 2, 127, 129), out = dense(8, 2, 129, 127);
    ztl_ops_plan *plan = ztl_ops_plan_new(&op, &in, 1, &out, 1, NULL, NULL);
    pthread_t thread[THREADS];
    member m[THREADS];
    assert_non_null(plan);
    assert_true(ztl_ops_stages(plan) > 1); /* through scratch memory: barriers are needed */
    team t = {.plan = plan, .in = (const void *[]){source}, .out = (void *[]){target}};
    t.scratch = malloc(ztl_ops_scratch_bytes(plan));
    assert_non_null(t.scratch);
    for (size_t i = 0; i < sizeof source; i++)
        source[i] = (uint8_t)(i * i >> 3);
    assert_int_equal(pthread_barrier_init(&t.barrier, NULL, THREADS), 0);
    for (unsigned k = 0; k < THREADS; k++) {
        m[k] = (member){&t, k};
        assert_int_equal(pthread_create(&thread[k], NULL, run_member, &m[k]), 0);
    }
    for (unsigned k = 0; k < THREADS; k++) {
        pthread_join(thread[k], NULL);
        assert_true(t.good[k]);
    }
    for (int y = 0; y < 127; y++)
        for (int x = 0; x < 129; x++)
            assert_int_equal(target[x * 127 + y], source[y * 129 + x]);
    ztl_error error;
    assert_false(ztl_ops_run_part(plan, 3, 3, 0, t.in, t.out, t.scratch, &error));
    assert_string_equal(error.text, "there is no part 3 of 3");
    assert_false(ztl_ops_run_part(plan, 0, 3, 99, t.in, t.out, t.scratch, &error));
    assert_non_null(strstr(error.text, "there is no stage 99"));
    pthread_barrier_destroy(&t.barrier);
    free(t.scratch);
    ztl_ops_plan_free(plan);
}

/* Every extent up to the largest: as many rows are written as there are, no more. */
static void test_varying(void **state)
{
    (void)state;
    enum { MOST = 50, ROWS = 7, COLUMNS = 11, SIZE = ROWS * COLUMNS };
    static const int64_t perm[] = {0, 2, 1};
    static uint8_t source[MOST][ROWS][COLUMNS], target[MOST][COLUMNS][ROWS];
    ztl_ops_op op = ztl_ops_transpose(perm, 3);
    ztl_ops_tensor in, out;
    ztl_error error;
    assert_true(ztl_ops_dense(&in, 8, 3, (int64_t[]){MOST, ROWS, COLUMNS}));
    assert_true(ztl_ops_dense(&out, 8, 3, (int64_t[]){MOST, COLUMNS, ROWS}));
    ztl_ops_varying *v = ztl_ops_varying_new(&op, &in, 1, &out, 1, NULL, &error);
    assert_non_null(v);
    void *scratch = malloc(ztl_ops_varying_scratch(v) + 1);
    for (int i = 0; i < MOST * SIZE; i++)
        (&source[0][0][0])[i] = (uint8_t)(i * 31 >> 2);
    for (int64_t n = 0; n <= MOST; n++) {
        memset(target, 0xa5, sizeof target);
        assert_true(ztl_ops_varying_run(v, n, (const void *[]){source}, (void *[]){target}, scratch,
                                        &error));
        for (int b = 0; b < MOST; b++)
            for (int y = 0; y < ROWS; y++)
                for (int x = 0; x < COLUMNS; x++)
                    assert_int_equal(target[b][x][y], b < n ? source[b][y][x] : 0xa5);
    }
    assert_false(ztl_ops_varying_run(v, MOST + 1, (const void *[]){source}, (void *[]){target},
                                     scratch, &error));
    assert_string_equal(error.text, "extent 51 is not from 0 to 50");
    free(scratch);
    ztl_ops_varying_free(v);
}

/* The number of indices varies; a wrong one in the last block stops all of it. */
static void test_varying_indices(void **state)
{
    (void)state;
    enum { MOST = 21, ROWS = 5, WIDTH_ = 3 };
    uint8_t data[ROWS][WIDTH_], target[MOST][WIDTH_], same[MOST][WIDTH_];
    int64_t index[MOST];
    ztl_ops_op op = ztl_ops_gather(0, NULL, 0);
    ztl_ops_tensor in[] = {dense(8, 2, ROWS, WIDTH_), dense(64, 1, MOST, 0)};
    ztl_ops_tensor out = dense(8, 2, MOST, WIDTH_);
    ztl_error error;
    ztl_ops_varying *v = ztl_ops_varying_new(&op, in, 2, &out, 1, NULL, &error);
    assert_non_null(v);
    memset(same, 0x33, sizeof same);
    for (int i = 0; i < ROWS * WIDTH_; i++)
        (&data[0][0])[i] = (uint8_t)i;
    for (int n = 0; n <= MOST; n++) {
        memset(target, 0x33, sizeof target);
        for (int i = 0; i < MOST; i++)
            index[i] = i < n ? i % ROWS - (i & 1 ? ROWS : 0) : 99; /* not read behind n */
        assert_true(ztl_ops_varying_run(v, n, (const void *[]){data, index}, (void *[]){target},
                                        NULL, &error));
        for (int i = 0; i < MOST; i++)
            assert_memory_equal(target[i], i < n ? data[i % ROWS] : same[0], WIDTH_);
        memset(target, 0x33, sizeof target);
        if (n)
            index[n - 1] = ROWS;
        if (n)
            assert_false(ztl_ops_varying_run(v, n, (const void *[]){data, index},
                                             (void *[]){target}, NULL, &error));
        assert_memory_equal(target, same, sizeof same);
    }
    ztl_ops_varying_free(v);
}

/* Operators that do not leave the dimension alone. */
static void test_not_varying(void **state)
{
    (void)state;
    static const int64_t reversed[] = {1, 0}, first[] = {0}, shape[] = {12, 2};
    const ztl_ops_op ops[] = {ztl_ops_transpose(reversed, 2), ztl_ops_flip(first, 1),
                              ztl_ops_roll(first, first, 1), ztl_ops_reshape(shape, 2)};
    ztl_ops_tensor in = dense(8, 2, 4, 6), out;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        ztl_error error;
        assert_int_equal(ztl_ops_infer(&ops[i], &in, 1, &out, 1, &error), 1);
        assert_null(ztl_ops_varying_new(&ops[i], &in, 1, &out, 1, NULL, &error));
        assert_non_null(strstr(error.text, "outermost"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_wrong_calls), cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_repeated),    cmocka_unit_test(test_threads),
        cmocka_unit_test(test_varying),     cmocka_unit_test(test_varying_indices),
        cmocka_unit_test(test_not_varying),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
