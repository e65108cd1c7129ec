/* SPDX-License-Identifier: Apache-2.0
 * Plans as bytes: what is saved is loaded, what is damaged or made up is refused or harmless.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ops.h>
#include <ztl/version.h>

#include "ops/format/plan.h"
#include "tests/unit.h"

enum { HEAD = 32, ORDER_AT = 8, VERSION_AT = 12, BYTES_AT = 16, SUM_AT = 24 };

/* An operator with buffers of exactly the size that it says: a sanitizer sees what is outside. */
typedef struct sample {
    ztl_ops_op op;
    size_t inputs;
    ztl_ops_tensor in[3], out;
    void *source[3], *target;
    uint8_t *bytes; /* its plan, saved */
    size_t size;
} sample;

static void load_fails(const sample *s, const char *words)
{
    ztl_error error = {""};
    assert_null(ztl_ops_plan_load(s->bytes, s->size, s->in, s->inputs, &s->out, 1, &error));
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static ztl_ops_plan *load(const sample *s)
{
    ztl_error error = {""};
    ztl_ops_plan *plan = ztl_ops_plan_load(s->bytes, s->size, s->in, s->inputs, &s->out, 1, &error);
    if (!plan)
        fail_msg("%s: %s", ztl_ops_name(s->op.kind), error.text);
    return plan;
}

static void run(const sample *s, const ztl_ops_plan *plan)
{
    ztl_error error = {""};
    void *target = s->target;
    if (!ztl_ops_plan_run(plan, (const void *const *)s->source, &target, &error) &&
        !strstr(error.text, "is outside dimension")) /* a changed plan may find indices wrong */
        fail_msg("%s: %s", ztl_ops_name(s->op.kind), error.text);
}

static void start(sample *s, ztl_ops_op op, unsigned bits, unsigned rank, const int64_t *extent)
{
    ztl_error error = {""};
    bool three = op.kind == ZTL_OPS_WHERE || op.kind == ZTL_OPS_SCATTER_ELEMENTS;
    bool gathers = op.kind == ZTL_OPS_GATHER; /* of rows, by this many indices */
    static const int64_t indices[] = {150};
    bool indexed =
        gathers || op.kind == ZTL_OPS_GATHER_ELEMENTS || op.kind == ZTL_OPS_SCATTER_ELEMENTS;
    *s = (sample){.op = op, .inputs = three ? 3 : indexed ? 2 : 1};
    for (size_t i = 0; i < s->inputs; i++) {
        assert_true(
            ztl_ops_dense(&s->in[i], op.kind == ZTL_OPS_WHERE && i == 0 ? 8 : bits, rank, extent));
        if (gathers && i == 1)
            assert_true(ztl_ops_dense(&s->in[i], 64, 1, indices));
        s->source[i] = malloc(s->in[i].size);
        assert_non_null(s->source[i]);
        for (uint64_t k = 0; k < s->in[i].size; k++)
            ((uint8_t *)s->source[i])[k] = (uint8_t)(k * 11 + i);
        for (uint64_t k = 0; indexed && i == 1 && k < s->in[i].size; k++)
            ((uint8_t *)s->source[i])[k] =
                k % 8 ? 0 : (uint8_t)(k / 8 % (uint64_t)(gathers ? 2 : 33));
    }
    assert_int_equal(ztl_ops_infer(&op, s->in, s->inputs, &s->out, 1, &error), 1);
    s->target = calloc(1, s->out.size);
    ztl_ops_plan *plan = ztl_ops_plan_new(&op, s->in, s->inputs, &s->out, 1, NULL, &error);
    assert_true(s->target && plan);
    s->size = ztl_ops_plan_save(plan, NULL, 0);
    s->bytes = malloc(s->size);
    assert_non_null(s->bytes);
    assert_int_equal(ztl_ops_plan_save(plan, s->bytes, s->size), s->size);
    ztl_ops_plan_free(plan);
}

static void end(sample *s)
{
    for (size_t i = 0; i < s->inputs; i++)
        free(s->source[i]);
    free(s->target);
    free(s->bytes);
}

/* One of every kind of pass. */
enum { SAMPLES = 16 };

static void start_sample(sample *s, unsigned k)
{
    static const int64_t perm[] = {0, 2, 3, 1}, pads[] = {0, 0, 1, 3, 0, 0, 2, 1},
                         kernel[] = {3, 3}, ones[] = {1, 1, 1, 1}, image[] = {1, 3, 40, 40},
                         matrix[] = {61, 67}, nibbles[] = {64, 128}, odd[] = {33, 35},
                         planes[] = {2, 512}, shift[] = {1}, axis[] = {1}, pixels[] = {40, 96, 3},
                         back[] = {2, 0, 1}, row[] = {4096}, zero[] = {0}, third[] = {3},
                         rows[] = {2, 521};
    switch (k) {
    case 15: /* rows that are sorted */
        return start(s, ztl_ops_gather(0, NULL, 0), 8, 2, rows);
    case 13:
        return start(s, ztl_ops_gather_elements(0), 64, 2, odd);
    case 14:
        return start(s, ztl_ops_scatter_elements(1), 64, 2, odd);
    case 0:
        return start(s, ztl_ops_transpose(perm, 4), 8, 4, image);
    case 1:
        return start(s, ztl_ops_transpose(NULL, 0), 8, 2, matrix);
    case 2:
        return start(s, ztl_ops_pad(pads, 8, ZTL_OPS_CONSTANT, 0x1234), 16, 4, image);
    case 3:
        return start(s, ztl_ops_where(), 32, 2, matrix);
    case 4:
        return start(s, ztl_ops_where(), 4, 2, odd);
    case 5:
        return start(s, ztl_ops_transpose(NULL, 0), 4, 2, nibbles);
    case 6:
        return start(s, ztl_ops_transpose(NULL, 0), 4, 2, odd);
    case 7:
        return start(s, ztl_ops_im2col(kernel, NULL, NULL, ones), 32, 4, image);
    case 8:
        return start(s, ztl_ops_add(ZTL_TYPE_INT8, -5), 8, 2, matrix);
    case 9:
        return start(s, ztl_ops_transpose(NULL, 0), 8, 2, planes);
    case 10:
        return start(s, ztl_ops_roll(shift, axis, 1), 4, 2, nibbles);
    case 11:
        return start(s, ztl_ops_slice(zero, row, zero, third, 1), 8, 1, row);
    default:
        return start(s, ztl_ops_transpose(back, 3), 8, 3, pixels);
    }
}

/* What is loaded does what the reference does. */
static void test_round_trip(void **state)
{
    (void)state;
    for (unsigned k = 0; k < SAMPLES; k++) {
        sample s;
        start_sample(&s, k);
        ztl_ops_plan *plan = load(&s);
        run(&s, plan);
        size_t space = ztl_ops_plan_space(&s.op, s.in, s.inputs, &s.out, 1);
        void *work = malloc(space), *expected = calloc(1, s.out.size);
        assert_true(work && expected);
        assert_true(ztl_ops_reference(&s.op, s.in, s.inputs, &s.out, 1,
                                      (const void *const *)s.source, &expected, work, space, NULL));
        assert_memory_equal(s.target, expected, s.out.size);
        free(work);
        free(expected);
        ztl_ops_plan_free(plan);
        end(&s);
    }
}

static void test_small_buffer(void **state)
{
    (void)state;
    sample s;
    start_sample(&s, 0);
    ztl_ops_plan *plan = load(&s);
    uint8_t *same = malloc(s.size);
    assert_non_null(same);
    memset(same, 0xaa, s.size);
    assert_int_equal(ztl_ops_plan_save(plan, same, s.size - 1), s.size);
    for (size_t k = 0; k < s.size; k++)
        assert_int_equal(same[k], 0xaa);
    free(same);
    ztl_ops_plan_free(plan);
    end(&s);
}

/* Changes a byte, loads, and changes it back. */
static void flip(sample *s, size_t at, const char *words)
{
    s->bytes[at] ^= 0x10;
    load_fails(s, words);
    s->bytes[at] ^= 0x10;
}

static void test_head(void **state)
{
    (void)state;
    sample s;
    char version[60];
    start_sample(&s, 0);
    snprintf(version, sizeof version, "version %d.%d, this library of %d.%d", ZTL_VERSION_MAJOR,
             ZTL_VERSION_MINOR ^ 0x10, ZTL_VERSION_MAJOR, ZTL_VERSION_MINOR);
    flip(&s, 0, "no plan");
    flip(&s, ORDER_AT, "byte order");
    flip(&s, VERSION_AT, version);
    flip(&s, BYTES_AT, "bytes, not");
    flip(&s, SUM_AT, "checksum");
    flip(&s, HEAD, "checksum");
    flip(&s, s.size - 1, "checksum");
    size_t whole = s.size;
    for (s.size = 0; s.size < HEAD; s.size++)
        load_fails(&s, "no plan");
    for (; s.size < whole; s.size += 7)
        load_fails(&s, "bytes, not");
    end(&s);
}

/* A plan is for the tensors it was made for. */
static void test_other_tensors(void **state)
{
    (void)state;
    sample s;
    start_sample(&s, 1);
    ztl_ops_tensor in = s.in[0], out = s.out;
    s.inputs = 2;
    s.in[1] = in;
    load_fails(&s, "1 inputs and 1 outputs, not 2 and 1");
    s.inputs = 1;
    assert_true(ztl_ops_dense(&s.in[0], 8, 2, (int64_t[]){61, 66}));
    load_fails(&s, "input 0 takes bytes 0 to 4026 of its buffer, in the plan 0 to 4087");
    s.in[0] = in;
    s.out.size += 1;
    s.out.offset = 1;
    load_fails(&s, "output 0 takes bytes 1 to 4088");
    s.out = out;
    s.in[0].size--;
    load_fails(&s, "leave the buffer");
    s.in[0] = in;
    ztl_ops_plan_free(load(&s));
    end(&s);
}

/* FNV-1a of the plan, so that damage is looked at where it is. */
static void set_sum(sample *s)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t k = HEAD; k < s->size; k++)
        sum = (sum ^ s->bytes[k]) * UINT64_C(0x100000001b3);
    memcpy(s->bytes + SUM_AT, &sum, sizeof sum);
}

/* What the executor no longer looks at itself: each of these chooses code, or leaves strides as
 * they are, and is refused if it is not what the program says. */
static void test_promises(void **state)
{
    (void)state;
    for (unsigned k = 0; k < SAMPLES; k++) {
        sample s;
        start_sample(&s, k);
        ztl_ops_plan *plan = (ztl_ops_plan *)(void *)(s.bytes + HEAD);
        ops_pass *pass = (ops_pass *)(uintptr_t)ops_first_pass(plan);
        for (uint32_t i = 0; i < plan->passes; i++) {
            uint32_t body = pass->body, strides = pass->strides, groups = pass->groups;
            ops_group *group = ops_pass_groups(pass);
            for (uint32_t other = 0; other <= OPS_BODIES; other++) {
                pass->body = other;
                set_sum(&s);
                if (other != body)
                    load_fails(&s, "its program is not what it says");
            }
            pass->body = body;
            for (unsigned bit = 0; body && bit < 4; bit++) {
                pass->strides = strides ^ 1u << bit;
                set_sum(&s);
                load_fails(&s, "its program is not what it says");
            }
            pass->strides = strides;
            for (uint32_t g = 0; body && g < groups; g++) {
                group[g].store_changes ^= 2;
                set_sum(&s);
                load_fails(&s, "its strides are not set");
                group[g].store_changes ^= 2;
                group[g].load_changes ^= 4;
                set_sum(&s);
                load_fails(&s, "its strides are not set");
                group[g].load_changes ^= 4;
            }
            pass = (ops_pass *)(uintptr_t)ops_next_pass(pass);
        }
        set_sum(&s);
        ztl_ops_plan_free(load(&s));
        end(&s);
    }
}

static uint32_t random_number(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    return *seed ^= *seed << 5;
}

/* A bit, a byte, a word of 32 or 64 bits; near what was there, or far from it. */
static void mutate(sample *s, uint32_t *seed)
{
    static const int64_t strange[] = {
        0, 1, -1, 32, 33, 1024, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, INT64_C(1) << 40};
    /* Half of them in the heads of the plan and its first pass. */
    size_t plan = s->size - HEAD, width = random_number(seed) % 2 ? 4 : 8;
    size_t room = random_number(seed) % 2 && plan > 1024 ? 1024 : plan;
    uint8_t *at = s->bytes + HEAD + random_number(seed) % (room / width) * width;
    int64_t value = 0;
    memcpy(&value, at, width);
    switch (random_number(seed) % 4) {
    case 0:
        at[random_number(seed) % width] ^= (uint8_t)(1u << random_number(seed) % 8);
        return;
    case 1:
        value = (int64_t)((uint64_t)value + (random_number(seed) % 2 ? 1 : UINT64_MAX));
        break;
    case 2:
        value = (int64_t)((uint64_t)value * (2 + random_number(seed) % 3));
        break;
    default:
        value = strange[random_number(seed) % (sizeof strange / sizeof strange[0])];
    }
    memcpy(at, &value, width);
}

/* Whatever is loaded runs without a trap and inside its buffers, and can be described. */
static void test_mutations(void **state)
{
    (void)state;
    uint32_t seed = 88172645;
    unsigned refused = 0, harmless = 0;
    for (unsigned k = 0; k < SAMPLES; k++) {
        sample s;
        start_sample(&s, k);
        uint8_t *good = malloc(s.size);
        assert_non_null(good);
        memcpy(good, s.bytes, s.size);
        for (unsigned i = 0; i < MUTATIONS; i++) {
            for (unsigned n = 1 + random_number(&seed) % 3; n > 0; n--)
                mutate(&s, &seed);
            set_sum(&s);
            ztl_ops_plan *plan =
                ztl_ops_plan_load(s.bytes, s.size, s.in, s.inputs, &s.out, 1, NULL);
            refused += !plan;
            harmless += plan != NULL;
            if (plan && ztl_ops_scratch_bytes(plan) < 1 << 20) {
                char text[4096];
                ztl_ops_describe(plan, text, sizeof text);
                run(&s, plan);
            }
            ztl_ops_plan_free(plan);
            memcpy(s.bytes, good, s.size);
        }
        free(good);
        end(&s);
    }
    print_message("%u refused, %u run\n", refused, harmless);
    assert_true(refused > 0 && harmless > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_small_buffer),
        cmocka_unit_test(test_head),       cmocka_unit_test(test_other_tensors),
        cmocka_unit_test(test_promises),   cmocka_unit_test(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
