/* SPDX-License-Identifier: Apache-2.0
 * Plans for extents that are only known when they run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ops.h>

#include "tests/unit.h"

static ztl_ops_tensor shaped(unsigned bits, unsigned rank, const int64_t *extent)
{
    ztl_ops_tensor t;
    assert_true(ztl_ops_dense(&t, bits, rank, extent));
    return t;
}

static ztl_ops_tensor dense(unsigned bits, unsigned rank, int64_t a, int64_t b)
{
    return shaped(bits, rank, (int64_t[]){a, b});
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
        if (n) {
            char words[40];
            assert_false(ztl_ops_varying_run(v, n, (const void *[]){data, index},
                                             (void *[]){target}, NULL, &error));
            snprintf(words, sizeof words, "index 5 (number %d)", n - 1);
            assert_non_null(strstr(error.text, words));
        }
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

/* A batch and a sequence: [B,S,H,D] to [B,H,S,D], every box of positions, nothing outside. */
static void test_heads(void **state)
{
    (void)state;
    enum { B = 5, S = 9, H = 3, D = 8, SIZE = B * S * H * D };
    static const int64_t perm[] = {0, 2, 1, 3}, from[] = {B, S, H, D}, to[] = {B, H, S, D};
    static uint8_t source[B][S][H][D], target[B][H][S][D];
    ztl_ops_op op = ztl_ops_transpose(perm, 4);
    ztl_ops_tensor in = shaped(8, 4, from), out = shaped(8, 4, to);
    ztl_error error = {""};
    ztl_ops_varying *v = ztl_ops_varying_new_outer(&op, &in, 1, &out, 1, 2, NULL, &error);
    if (!v)
        fail_msg("%s", error.text);
    void *scratch = malloc(ztl_ops_varying_scratch(v) + 1);
    for (int i = 0; i < SIZE; i++)
        (&source[0][0][0][0])[i] = (uint8_t)(i * 37 % 163);
    for (int64_t n = 0; n <= B; n++)
        for (int64_t m = 0; m <= S; m++) {
            memset(target, 0xa5, sizeof target);
            assert_true(ztl_ops_varying_run_outer(v, (int64_t[]){n, m}, (const void *[]){source},
                                                  (void *[]){target}, scratch, &error));
            for (int i = 0; i < SIZE; i++) {
                int d = i % D, s = i / D % S, h = i / D / S % H, b = i / D / S / H;
                assert_int_equal(target[b][h][s][d], b < n && s < m ? source[b][s][h][d] : 0xa5);
            }
        }
    assert_false(ztl_ops_varying_run_outer(v, (int64_t[]){B, S + 1}, (const void *[]){source},
                                           (void *[]){target}, scratch, &error));
    assert_string_equal(error.text, "extent 10 is not from 0 to 9");
    assert_false(
        ztl_ops_varying_run(v, B, (const void *[]){source}, (void *[]){target}, scratch, &error));
    assert_non_null(strstr(error.text, "2 extents vary"));
    free(scratch);
    ztl_ops_varying_free(v);
}

/* One dimension of one tensor that varies. */
typedef struct place {
    int input, output, dimension; /* one of the first two is -1 */
    unsigned k;
} place;

typedef struct varying_case {
    const char *name;
    ztl_ops_op op;
    unsigned dims, inputs, places;
    ztl_ops_tensor in[3];
    place place[8];
    int64_t most; /* what an index may be */
    int index;    /* the input that holds indices, or a condition; -1 */
} varying_case;

static void fill(const varying_case *c, uint8_t *const *source)
{
    unsigned random = 7;
    for (unsigned i = 0; i < c->inputs; i++)
        for (uint64_t k = 0; k < c->in[i].size; k++)
            source[i][k] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
    if (c->index < 0)
        return;
    uint8_t *at = source[c->index];
    uint64_t bytes = c->in[c->index].bits / 8, n = c->in[c->index].size / bytes;
    for (uint64_t k = 0; k < n; k++) {
        random = random * 1664525 + 1013904223;
        int64_t value = (int64_t)(random >> 16) % (2 * c->most) - c->most;
        if (bytes == 1)
            at[k] = random >> 30 ? 1 : 0;
        else
            memcpy(at + k * bytes, &value, bytes);
    }
}

/* What the operator makes of tensors of the smaller extents, with the strides of the largest: by
 * plain loops. */
static void refer(const varying_case *c, const ztl_ops_tensor *whole, size_t outputs,
                  const int64_t *extent, uint8_t *const *source, uint8_t *const *target)
{
    ztl_ops_tensor in[3], out[2];
    ztl_error error = {""};
    memcpy(in, c->in, sizeof in);
    memcpy(out, whole, sizeof out);
    for (unsigned i = 0; i < c->places; i++) {
        const place *p = &c->place[i];
        (p->input >= 0 ? &in[p->input] : &out[p->output])->extent[p->dimension] = extent[p->k];
    }
    static uint8_t work[1 << 20];
    if (!ztl_ops_reference(&c->op, in, c->inputs, out, outputs, (const void *const *)source,
                           (void *const *)target, work, sizeof work, &error))
        fail_msg("%s, reference: %s", c->name, error.text);
}

static void check_case(const varying_case *c)
{
    ztl_ops_tensor out[2];
    ztl_error error = {""};
    uint8_t *source[3] = {NULL}, *target[2] = {NULL}, *expected[2] = {NULL};
    size_t outputs = ztl_ops_infer(&c->op, c->in, c->inputs, out, 2, &error);
    ztl_ops_varying *v = outputs ? ztl_ops_varying_new_outer(&c->op, c->in, c->inputs, out, outputs,
                                                             c->dims, NULL, &error)
                                 : NULL;
    if (!v)
        fail_msg("%s: %s", c->name, error.text);
    for (unsigned i = 0; i < c->inputs; i++)
        source[i] = malloc(c->in[i].size + 1);
    for (size_t i = 0; i < outputs; i++) {
        target[i] = malloc(out[i].size + 1);
        expected[i] = malloc(out[i].size + 1);
    }
    void *scratch = malloc(ztl_ops_varying_scratch(v) + 1);
    fill(c, source);
    int64_t most[2] = {0, 0};
    for (unsigned i = 0; i < c->places; i++) {
        const place *p = &c->place[i];
        most[p->k] = (p->input >= 0 ? &c->in[p->input] : &out[p->output])->extent[p->dimension];
    }
    for (int64_t n = 0; n <= most[0]; n++)
        for (int64_t m = 0; m <= most[1]; m++) {
            const int64_t extent[] = {n, m};
            for (size_t i = 0; i < outputs; i++) {
                memset(target[i], 0xa5, out[i].size);
                memset(expected[i], 0xa5, out[i].size);
            }
            refer(c, out, outputs, extent, source, expected);
            if (!ztl_ops_varying_run_outer(v, extent, (const void *const *)source,
                                           (void *const *)target, scratch, &error))
                fail_msg("%s, %d and %d: %s", c->name, (int)n, (int)m, error.text);
            for (size_t i = 0; i < outputs; i++)
                if (memcmp(target[i], expected[i], out[i].size) != 0)
                    fail_msg("%s, %d and %d: output %zu is wrong", c->name, (int)n, (int)m, i);
        }
    for (unsigned i = 0; i < c->inputs; i++)
        free(source[i]);
    for (size_t i = 0; i < outputs; i++) {
        free(target[i]);
        free(expected[i]);
    }
    free(scratch);
    ztl_ops_varying_free(v);
}

#define IN(i, d, k)                                                                                \
    {                                                                                              \
        i, -1, d, k                                                                                \
    }
#define OUT(d, k)                                                                                  \
    {                                                                                              \
        -1, 0, d, k                                                                                \
    }
#define SHAPE(...)                                                                                 \
    sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[])                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void test_operators(void **state)
{
    (void)state;
    static const int64_t turned[] = {2, 0, 1}, axes[] = {2}, ones[] = {1}, fives[] = {5};
    const ztl_ops_tensor data = shaped(8, SHAPE(6, 7, 10)), shorts = shaped(16, SHAPE(6, 7, 10));
    const varying_case cases[] = {
        {.name = "transpose to the inside",
         .op = ztl_ops_transpose(turned, 3),
         .dims = 2,
         .inputs = 1,
         .in = {shorts},
         .places = 4,
         .index = -1,
         .place = {IN(0, 0, 0), IN(0, 1, 1), OUT(1, 0), OUT(2, 1)}},
        {.name = "slice",
         .op = ztl_ops_slice(ones, fives, axes, NULL, 1),
         .dims = 2,
         .inputs = 1,
         .in = {data},
         .places = 4,
         .index = -1,
         .place = {IN(0, 0, 0), IN(0, 1, 1), OUT(0, 0), OUT(1, 1)}},
        {.name = "concat",
         .op = ztl_ops_concat(2),
         .dims = 2,
         .inputs = 2,
         .in = {data, data},
         .places = 6,
         .index = -1,
         .place = {IN(0, 0, 0), IN(0, 1, 1), IN(1, 0, 0), IN(1, 1, 1), OUT(0, 0), OUT(1, 1)}},
        {.name = "gather by batch and sequence",
         .op = ztl_ops_gather(0, NULL, 0),
         .dims = 2,
         .inputs = 2,
         .in = {data, shaped(64, SHAPE(5, 6))},
         .places = 4,
         .index = 1,
         .most = 6,
         .place = {IN(1, 0, 0), IN(1, 1, 1), OUT(0, 0), OUT(1, 1)}},
        {.name = "gather along axis 1",
         .op = ztl_ops_gather(1, NULL, 0),
         .dims = 2,
         .inputs = 2,
         .in = {data, shaped(32, SHAPE(5))},
         .places = 4,
         .index = 1,
         .most = 7,
         .place = {IN(0, 0, 0), IN(1, 0, 1), OUT(0, 0), OUT(1, 1)}},
        {.name = "gather-elements",
         .op = ztl_ops_gather_elements(1),
         .dims = 2,
         .inputs = 2,
         .in = {data, shaped(32, SHAPE(6, 7, 10))},
         .places = 5,
         .index = 1,
         .most = 7,
         .place = {IN(0, 0, 0), IN(1, 0, 0), IN(1, 1, 1), OUT(0, 0), OUT(1, 1)}},
        {.name = "gather-nd",
         .op = ztl_ops_gather_nd(1),
         .dims = 2,
         .inputs = 2,
         .in = {data, shaped(64, SHAPE(6, 5, 1))},
         .places = 5,
         .index = 1,
         .most = 7,
         .place = {IN(0, 0, 0), IN(1, 0, 0), IN(1, 1, 1), OUT(0, 0), OUT(1, 1)}},
        {.name = "updates of scatter-nd",
         .op = ztl_ops_scatter_nd(),
         .dims = 1,
         .inputs = 3,
         .in = {data, shaped(64, SHAPE(30, 1)), shaped(8, SHAPE(30, 7, 10))},
         .places = 2,
         .index = 1,
         .most = 6,
         .place = {IN(1, 0, 0), IN(2, 0, 0)}},
        {.name = "updates of scatter-elements",
         .op = ztl_ops_scatter_elements(1),
         .dims = 2,
         .inputs = 3,
         .in = {data, shaped(32, SHAPE(6, 9, 10)), shaped(8, SHAPE(6, 9, 10))},
         .places = 6,
         .index = 1,
         .most = 7,
         .place = {IN(0, 0, 0), IN(1, 0, 0), IN(2, 0, 0), OUT(0, 0), IN(1, 1, 1), IN(2, 1, 1)}},
        {.name = "scatter-elements along axis 0",
         .op = ztl_ops_scatter_elements(0),
         .dims = 2,
         .inputs = 3,
         .in = {data, shaped(32, SHAPE(9, 7, 10)), shaped(8, SHAPE(9, 7, 10))},
         .places = 6,
         .index = 1,
         .most = 6,
         .place = {IN(1, 0, 0), IN(2, 0, 0), IN(0, 1, 1), IN(1, 1, 1), IN(2, 1, 1), OUT(1, 1)}},
        {.name = "compress along axis 0",
         .op = ztl_ops_compress(0, NULL, 0),
         .dims = 1,
         .inputs = 2,
         .in = {data, shaped(8, SHAPE(6))},
         .places = 3,
         .index = 1,
         .most = 1,
         .place = {IN(0, 0, 0), IN(1, 0, 0), OUT(0, 0)}},
        {.name = "compress along axis 1",
         .op = ztl_ops_compress(1, NULL, 0),
         .dims = 2,
         .inputs = 2,
         .in = {data, shaped(8, SHAPE(7))},
         .places = 5,
         .index = 1,
         .most = 1,
         .place = {IN(0, 0, 0), IN(0, 1, 1), IN(1, 0, 1), OUT(0, 0), OUT(1, 1)}},
        {.name = "compress along axis 2",
         .op = ztl_ops_compress(2, NULL, 0),
         .dims = 2,
         .inputs = 2,
         .in = {data, shaped(8, SHAPE(10))},
         .places = 4,
         .index = 1,
         .most = 1,
         .place = {IN(0, 0, 0), IN(0, 1, 1), OUT(0, 0), OUT(1, 1)}},
        {.name = "cache",
         .op = ztl_ops_tensor_scatter(2, ZTL_OPS_CIRCULAR),
         .dims = 2,
         .inputs = 3,
         .in = {data, shaped(8, SHAPE(6, 7, 2)), shaped(64, SHAPE(6))},
         .places = 7,
         .index = 2,
         .most = 9,
         .place = {IN(0, 0, 0), IN(0, 1, 1), IN(1, 0, 0), IN(1, 1, 1), IN(2, 0, 0), OUT(0, 0),
                   OUT(1, 1)}},
        {.name = "trilu of a batch",
         .op = ztl_ops_trilu(true, 0),
         .dims = 1,
         .inputs = 1,
         .in = {data},
         .places = 2,
         .index = -1,
         .place = {IN(0, 0, 0), OUT(0, 0)}},
        {.name = "where",
         .op = ztl_ops_where(),
         .dims = 2,
         .inputs = 3,
         .in = {shaped(8, SHAPE(6, 1, 10)), data, shaped(8, SHAPE(7, 10))},
         .places = 6,
         .index = -1,
         .place = {IN(0, 0, 0), IN(1, 0, 0), IN(1, 1, 1), IN(2, 0, 1), OUT(0, 0), OUT(1, 1)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_case(&cases[i]);
}

/* A wrong index is named by its place among all, in two dimensions too. */
static void test_wrong_index(void **state)
{
    (void)state;
    enum { B = 5, S = 6 };
    int32_t index[B][S] = {{0}};
    uint8_t data[3] = {1, 2, 3}, target[B][S];
    ztl_ops_op op = ztl_ops_gather(0, NULL, 0);
    ztl_ops_tensor in[] = {shaped(8, SHAPE(3)), shaped(32, SHAPE(B, S))};
    ztl_ops_tensor out = shaped(8, SHAPE(B, S));
    ztl_error error = {""};
    ztl_ops_varying *v = ztl_ops_varying_new_outer(&op, in, 2, &out, 1, 2, NULL, &error);
    assert_non_null(v);
    for (int b = 0; b < B; b++)
        for (int s = 0; s < S; s++) {
            char words[40];
            index[b][s] = 77;
            assert_false(ztl_ops_varying_run_outer(v, (int64_t[]){b + 1, s + 1},
                                                   (const void *[]){data, index},
                                                   (void *[]){target}, NULL, &error));
            snprintf(words, sizeof words, "index 77 (number %d)", b * S + s);
            if (!strstr(error.text, words))
                fail_msg("%s, not %s", error.text, words);
            index[b][s] = 0;
        }
    ztl_ops_varying_free(v);
}

/* What cannot vary is said. */
static void test_not_both(void **state)
{
    (void)state;
    static const int64_t swapped[] = {1, 0, 2}, axes[] = {1};
    ztl_ops_tensor in[] = {shaped(8, SHAPE(6, 7, 10)), shaped(64, SHAPE(5, 2, 1)),
                           shaped(8, SHAPE(5, 2, 7, 10))};
    ztl_ops_tensor out[2];
    ztl_error error = {""};
#define REFUSED(op, inputs, dims, words)                                                           \
    do {                                                                                           \
        ztl_ops_op tried = op;                                                                     \
        size_t outputs = ztl_ops_infer(&tried, in, inputs, out, 2, &error);                        \
        assert_true(outputs > 0);                                                                  \
        assert_null(                                                                               \
            ztl_ops_varying_new_outer(&tried, in, inputs, out, outputs, dims, NULL, &error));      \
        if (!strstr(error.text, words))                                                            \
            fail_msg("'%s', not '%s'", error.text, words);                                         \
    } while (0)
    REFUSED(ztl_ops_transpose(swapped, 3), 1, 3, "3 dimensions cannot vary, only 1 or 2");
    REFUSED(ztl_ops_transpose(swapped, 3), 1, 0, "0 dimensions cannot vary, only 1 or 2");
    REFUSED(ztl_ops_flip(axes, 1), 1, 2, "flip: dimension 1 cannot vary here");
    REFUSED(ztl_ops_concat(1), 1, 2, "concat: dimension 1 cannot vary here");
    REFUSED(ztl_ops_scatter_nd(), 3, 2, "scatter-nd: dimension 1 cannot vary here");
    in[1] = shaped(8, SHAPE(6));
    REFUSED(ztl_ops_compress(0, NULL, 0), 2, 2, "compress: the outermost dimension cannot vary");
    in[0] = shaped(8, SHAPE(6, 7));
    in[1] = shaped(64, SHAPE(9, 1));
    in[2] = shaped(8, SHAPE(9, 7));
    ztl_ops_op scatter = ztl_ops_scatter_nd();
    assert_int_equal(ztl_ops_infer(&scatter, in, 3, out, 2, &error), 1);
    out->stride[0] += 3;
    out->size += 30;
    assert_null(ztl_ops_varying_new_outer(&scatter, in, 3, out, 1, 1, NULL, &error));
    assert_non_null(strstr(error.text, "strides of input 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_varying),     cmocka_unit_test(test_varying_indices),
        cmocka_unit_test(test_not_varying), cmocka_unit_test(test_heads),
        cmocka_unit_test(test_operators),   cmocka_unit_test(test_not_both),
        cmocka_unit_test(test_wrong_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
