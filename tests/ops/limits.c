/* SPDX-License-Identifier: Apache-2.0
 * What is at the edge: steps that no CSR holds, attributes at the ends of their range, windows of
 * memory that are apart, one plan for several threads.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <ztl/intrin/host.h>
#include "tests/ops/planned.h"

#define LIST(...)                                                                                  \
    {                                                                                              \
        (const int64_t[]){__VA_ARGS__}, sizeof((int64_t[]){__VA_ARGS__}) / 8                       \
    }

static void run(const void *const *in, void *out)
{
    ztl_error error = {""};
    void *scratch = malloc(ztl_ops_scratch_bytes(plan) + 1);
    if (!ztl_ops_run(plan, in, &out, scratch, &error))
        fail_msg("%s", error.text);
    free(scratch);
}

/* Address space; only what is touched takes memory. */
static uint8_t *reserve(size_t bytes)
{
    uint8_t *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(at, MAP_FAILED);
    return at;
}

/* Elements that are 100 MB apart: 32 of them are further than the strides of a load reach. */
static void test_far(void **state)
{
    (void)state;
    enum { N = 70 };
    const int64_t n = N, step = 100 << 20, reach = step * N;
    uint8_t *far = reserve((size_t)reach), condition[N], near[N], result[N];
    ztl_ops_tensor in[3], out;
    ztl_ops_op copy = {.kind = ZTL_OPS_TRANSPOSE}, where = {.kind = ZTL_OPS_WHERE};
    assert_true(ztl_ops_dense(&out, 8, 1, &n));
    in[0] = in[1] = in[2] = out;
    in[1].stride[0] = step;
    in[1].size = (uint64_t)reach;
    for (unsigned i = 0; i < N; i++) {
        far[i * step] = (uint8_t)(i + 1);
        near[i] = (uint8_t)(200 - i);
        condition[i] = i % 3 == 0;
    }
    make(&copy, &in[1], 1, &out, NULL);
    run((const void *[]){far}, result);
    for (unsigned i = 0; i < N; i++)
        assert_int_equal(result[i], i + 1);
    make(&where, in, 3, &out, NULL);
    run((const void *[]){condition, far, near}, result);
    for (unsigned i = 0; i < N; i++)
        assert_int_equal(result[i], condition[i] ? i + 1 : 200 - i);
    in[1].offset = (N - 1) * step; /* backwards */
    in[1].stride[0] = -step;
    make(&copy, &in[1], 1, &out, NULL);
    run((const void *[]){far}, result);
    for (unsigned i = 0; i < N; i++)
        assert_int_equal(result[i], N - i);
    make(&where, in, 3, &out, NULL);
    run((const void *[]){condition, far, near}, result);
    for (unsigned i = 0; i < N; i++)
        assert_int_equal(result[i], condition[i] ? N - i : 200 - i);
    munmap(far, (size_t)reach);
}

/* Rows that are so far apart that no load reaches those of a tile. */
static void test_far_rows(void **state)
{
    (void)state;
    enum { N = 64 };
    const int64_t pitch = INT64_C(3) << 30, reach = pitch * N;
    uint8_t *far = reserve((size_t)reach), result[N * N];
    ztl_ops_tensor out,
        in = {
            .rank = 2, .bits = 8, .extent = {N, N}, .stride = {pitch, 1}, .size = (uint64_t)reach};
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    for (unsigned i = 0; i < N * N; i++)
        far[i / N * pitch + i % N] = (uint8_t)(i * 5 + i / N);
    assert_true(ztl_ops_dense(&out, 8, 2, (int64_t[]){N, N}));
    make(&op, &in, 1, &out, NULL);
    run((const void *[]){far}, result);
    for (unsigned i = 0; i < N * N; i++)
        assert_int_equal(result[i], (uint8_t)(i % N * N * 5 + i / N * 5 + i % N));
    munmap(far, (size_t)reach);
}

/* Elements apart in two dimensions, and no memory to list them: loops have batches within reach. */
static void test_far_in_loops(void **state)
{
    (void)state;
    enum { N = 46, M = 16 };
    const int64_t pitch = INT64_C(4) << 30, step = 256 << 20, reach = pitch * N;
    uint8_t *far = reserve((size_t)reach), from[N * M];
    ztl_error error = {""};
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE, .perm = LIST(0, 1)};
    ztl_ops_tensor in, out = {.rank = 2,
                              .bits = 8,
                              .extent = {N, M},
                              .stride = {pitch, step},
                              .size = (uint64_t)reach};
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){N, M}));
    for (unsigned i = 0; i < N * M; i++)
        from[i] = (uint8_t)(i * 7 + i / M);
    if (!ztl_ops_make(&op, &in, 1, &out, 1, NULL, plan, 4096, &error))
        fail_msg("%s", error.text);
    run((const void *[]){from}, far);
    for (unsigned i = 0; i < N * M; i++)
        assert_int_equal(far[i / M * pitch + i % M * step], from[i]);
    munmap(far, (size_t)reach);
}

/* Far elements in no order, which are listed, at even and at odd addresses. */
static void test_far_in_lists(void **state)
{
    (void)state;
    enum { N = 70 };
    const int64_t n = N, step = (100 << 20) + 1, reach = step * N;
    uint8_t *far = reserve((size_t)reach);
    uint16_t result[N];
    int64_t index[N];
    ztl_ops_tensor in, out;
    assert_true(ztl_ops_dense(&out, 16, 1, &n));
    in = out;
    in.stride[0] = step;
    in.size = (uint64_t)reach;
    for (unsigned i = 0; i < N; i++) {
        memcpy(far + i * step, &(uint16_t){(uint16_t)(i * 900 + 1)}, 2);
        index[i] = i * i * 3 % 70;
    }
    ztl_ops_op op = {.kind = ZTL_OPS_GATHER, .indices = {index, N}};
    make(&op, &in, 1, &out, NULL);
    ztl_ops_stats stats = ztl_ops_plan_stats(plan);
    assert_in_range(ztl_ops_total(&stats), 1, N); /* one by one would be 2 N */
    run((const void *[]){far}, result);
    for (unsigned i = 0; i < N; i++)
        assert_int_equal(result[i], index[i] * 900 + 1);
    munmap(far, (size_t)reach);
}

/* Rows of half-bytes so far apart that no square is in reach. */
static void test_far_half_bytes(void **state)
{
    (void)state;
    enum { N = 64 };
    const int64_t pitch = INT64_C(3) << 30, reach = pitch * N;
    uint8_t *far = reserve((size_t)reach), result[N * N / 2];
    ztl_ops_tensor out, in = {.rank = 2,
                              .bits = 4,
                              .extent = {N, N},
                              .stride = {2 * pitch, 1},
                              .size = (uint64_t)reach};
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    for (unsigned i = 0; i < N * N; i++)
        far[i / N * pitch + i % N / 2] |= (uint8_t)((i * 5 + i / N) % 16 << 4 * (i % 2));
    assert_true(ztl_ops_dense(&out, 4, 2, (int64_t[]){N, N}));
    make(&op, &in, 1, &out, NULL);
    run((const void *[]){far}, result);
    for (unsigned i = 0; i < N * N; i++)
        assert_int_equal(result[i / 2] >> 4 * (i % 2) & 15,
                         (i % N * N * 5 + i / N * 5 + i % N) % 16);
    munmap(far, (size_t)reach);
}

/* The largest and the smallest steps take one position. */
static void test_largest_steps(void **state)
{
    (void)state;
    ztl_ops_tensor in, out;
    ztl_error error;
    uint8_t from[24], to[6];
    for (unsigned i = 0; i < 24; i++)
        from[i] = (uint8_t)i;
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){4, 6}));
    const ztl_ops_op slices[] = {
        {.kind = ZTL_OPS_SLICE,
         .starts = LIST(1),
         .ends = LIST(INT64_MAX),
         .steps = LIST(INT64_MAX)},
        {.kind = ZTL_OPS_SLICE,
         .starts = LIST(-3),
         .ends = LIST(INT64_MIN),
         .steps = LIST(INT64_MIN)},
    };
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(ztl_ops_infer(&slices[k], &in, 1, &out, 1, &error), 1);
        assert_int_equal(out.extent[0], 1);
        make(&slices[k], &in, 1, &out, NULL);
        run((const void *[]){from}, to);
        assert_memory_equal(to, from + 6, 6);
    }
}

/* Steps of dimensions of one are never taken, nor is any of a tensor without elements: whatever
 * they are, plans are those of dense tensors. */
static void test_untaken_steps(void **state)
{
    (void)state;
    const ztl_ops_op ops[] = {
        {.kind = ZTL_OPS_FLIP},
        {.kind = ZTL_OPS_TRANSPOSE},
        {.kind = ZTL_OPS_ROLL, .shift = LIST(3)},
        {.kind = ZTL_OPS_SLICE, .starts = LIST(-1), .ends = LIST(-9), .steps = LIST(-1)},
        {.kind = ZTL_OPS_PAD, .pads = LIST(1, 0, 0, 1, 0, 3)},
        {.kind = ZTL_OPS_PAD, .pads = LIST(1, 0, 0, 1, 0, 0), .mode = ZTL_OPS_EDGE},
        {.kind = ZTL_OPS_RESHAPE, .shape = LIST(1, -1)},
        {.kind = ZTL_OPS_RESIZE, .scales = {(const double[]){1, 1, 1e9}, 3}},
    };
    for (unsigned k = 0; k < 2 * (sizeof ops / sizeof ops[0]); k++) {
        const ztl_ops_op *op = &ops[k / 2];
        const int64_t extent[] = {4, 1, k % 2 ? 60 : 0}, odd[] = {INT64_MIN, INT64_MAX};
        ztl_ops_tensor in, out;
        ztl_error error;
        assert_true(ztl_ops_dense(&in, 8, 3, extent));
        if (ztl_ops_infer(op, &in, 1, &out, 1, &error) != 1)
            continue;
        make(op, &in, 1, &out, NULL);
        ztl_ops_stats dense = ztl_ops_plan_stats(plan);
        for (unsigned d = 0; d < 3; d++)
            if (k % 2 == 0 || extent[d] == 1)
                in.stride[d] = odd[d % 2];
        for (unsigned d = 0; d < out.rank; d++)
            if (out.extent[d] == 1)
                out.stride[d] = odd[k / 2 % 2];
        in.offset = k % 2 ? 0 : INT64_MAX;
        make(op, &in, 1, &out, NULL);
        ztl_ops_stats same = ztl_ops_plan_stats(plan);
        assert_memory_equal(&same, &dense, sizeof same);
    }
}

static void refuse(ztl_ops_op op, const ztl_ops_tensor *in, size_t inputs, const char *words)
{
    ztl_ops_tensor out[2];
    ztl_error error = {""};
    assert_int_equal(ztl_ops_infer(&op, in, inputs, out, 2, &error), 0);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void test_attributes(void **state)
{
    (void)state;
    static const int64_t zeros[1000];
    ztl_ops_tensor in, image, columns,
        tall = {.rank = 4, .bits = 8, .extent = {1, 1, INT64_C(1) << 50, 1}};
    tall.size = 1;
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){4, 6}));
    assert_true(ztl_ops_dense(&image, 8, 4, (int64_t[]){1, 4, 0, 0}));
    assert_true(ztl_ops_dense(&columns, 8, 3, (int64_t[]){4, 1, 6}));
    refuse((ztl_ops_op){.kind = ZTL_OPS_PAD, .mode = ZTL_OPS_CRD, .pads = LIST(1, 0, 1, 0)}, &in, 1,
           "none of constant, edge");
    refuse((ztl_ops_op){.kind = ZTL_OPS_DEPTH_TO_SPACE, .mode = ZTL_OPS_WRAP, .blocksize = 2},
           &image, 1, "neither DCR nor CRD");
    refuse((ztl_ops_op){.kind = ZTL_OPS_FOCUS, .blocksize = INT64_MAX, .axis = 1}, &image, 1,
           "blocksize from 1 to 32767");
    refuse((ztl_ops_op){.kind = ZTL_OPS_COL2IM,
                        .mode = ZTL_OPS_WRAP,
                        .kernel = LIST(1),
                        .shape = LIST(4, 1, 6)},
           &columns, 1, "neither apart nor first");
    refuse((ztl_ops_op){.kind = ZTL_OPS_COL2IM,
                        .kernel = LIST(1, 1),
                        .shape = LIST(0, 1, INT64_MAX, 6)},
           &in, 1, "too large");
    refuse((ztl_ops_op){.kind = ZTL_OPS_IM2COL,
                        .kernel = LIST(1, 1),
                        .pads = LIST(0, INT32_MAX, 0, INT32_MAX)},
           &tall, 1, "too large");
    refuse((ztl_ops_op){.kind = ZTL_OPS_UNSQUEEZE, .axes = {zeros, (size_t)1 << 32}}, &in, 1,
           "takes 1 to 6 axes");
    refuse((ztl_ops_op){.kind = ZTL_OPS_SPLIT, .num_outputs = INT64_MAX}, &in, 1, "1 to 64 parts");
    refuse((ztl_ops_op){.kind = ZTL_OPS_CONCAT}, &in, 0, "takes 1 to 64 inputs, not 0");
    refuse((ztl_ops_op){.kind = ZTL_OPS_WHERE}, &in, 2, "takes 3 inputs, not 2");
    const ztl_ops_tensor parts[] = {
        {.rank = 2, .bits = 8, .extent = {1, 1 << 29}, .size = 1},
        {.rank = 2, .bits = 64, .extent = {1 << 29, 1}, .size = 8},
        {.rank = 2, .bits = 64, .extent = {1, 1}, .size = 8},
    };
    refuse((ztl_ops_op){.kind = ZTL_OPS_WHERE}, parts, 3, "too large");
    in.size = UINT64_MAX;
    in.bits = 4;
    refuse((ztl_ops_op){.kind = ZTL_OPS_TRANSPOSE}, &in, 1, "too large");
}

/* A hart whose loads reach one half of a block of memory, and whose stores reach the other: plans
 * for it run, and one that goes through scratch memory traps. */
enum { H = 127, W = 129, WINDOW = 1 << 20 };

static enum ztl_intrin_resume count_trap(const ztl_intrin_trap *trap, void *count)
{
    (void)trap;
    ++*(unsigned *)count;
    return ZTL_INTRIN_SKIP;
}

static void test_windows(void **state)
{
    (void)state;
    const ztl_ops_machine apart = {.disjoint_windows = true};
    uint8_t *loads = reserve(2 * WINDOW), *stores = loads + WINDOW;
    ztl_config config = ztl_default_config();
    config.l1m = (ztl_window){(uintptr_t)loads, WINDOW};
    config.l0m = (ztl_window){(uintptr_t)stores, WINDOW};
    unsigned traps = 0;
    assert_int_equal(ztl_intrin_init(&config), ZTL_OK);
    ztl_intrin_set_trap_handler(count_trap, &traps);
    ztl_ops_tensor in, out;
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){H, W}));
    assert_true(ztl_ops_dense(&out, 8, 2, (int64_t[]){W, H}));
    for (unsigned i = 0; i < H * W; i++)
        loads[i] = (uint8_t)(i * 7 + i / 256);
    make(&op, &in, 1, &out, &apart);
    run((const void *[]){loads}, stores);
    assert_int_equal(traps, 0);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++)
            assert_int_equal(stores[x * H + y], loads[y * W + x]);
    make(&op, &in, 1, &out, NULL);
    ztl_error error;
    assert_true(ztl_ops_run(plan, (const void *[]){loads}, (void *[]){stores}, stores + WINDOW / 2,
                            &error));
    assert_true(traps > 0);
    ztl_intrin_set_trap_handler(NULL, NULL);
    assert_int_equal(ztl_intrin_init(NULL), ZTL_OK);
    munmap(loads, 2 * WINDOW);
}

/* One plan, buffers of one's own. */
static void *run_often(void *argument)
{
    unsigned seed = *(unsigned *)argument, wrong = 0;
    uint8_t *from = malloc(H * W), *to = malloc(H * W);
    void *scratch = malloc(ztl_ops_scratch_bytes(plan) + 1);
    for (unsigned round = 0; round < 10; round++) {
        for (unsigned i = 0; i < H * W; i++)
            from[i] = (uint8_t)(i * seed + i / 256 + round);
        wrong += !ztl_ops_run(plan, (const void *[]){from}, (void *[]){to}, scratch, NULL);
        for (unsigned i = 0; i < H * W; i++)
            wrong += to[i % W * H + i / W] != from[i];
    }
    free(scratch);
    free(to);
    free(from);
    *(unsigned *)argument = wrong;
    return NULL;
}

/* A copy of the plan, in memory that cannot be written. */
static void test_threads(void **state)
{
    (void)state;
    ztl_ops_tensor in, out;
    ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE};
    assert_true(ztl_ops_dense(&in, 8, 2, (int64_t[]){H, W}));
    assert_true(ztl_ops_dense(&out, 8, 2, (int64_t[]){W, H}));
    make(&op, &in, 1, &out, NULL);
    size_t bytes = ztl_ops_plan_bytes(plan);
    void *copy = reserve(bytes), *original = plan;
    memcpy(copy, plan, bytes);
    memset(original, 0, SPACE);
    assert_int_equal(mprotect(copy, bytes, PROT_READ), 0);
    plan = copy;
    pthread_t thread[3];
    unsigned seeds[3] = {3, 5, 7};
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, run_often, &seeds[i]), 0);
    for (unsigned i = 0; i < 3; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(seeds[i], 0);
    }
    plan = original;
    munmap(copy, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far),           cmocka_unit_test(test_far_rows),
        cmocka_unit_test(test_largest_steps), cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_windows),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_untaken_steps), cmocka_unit_test(test_far_half_bytes),
        cmocka_unit_test(test_far_in_loops),  cmocka_unit_test(test_far_in_lists),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
