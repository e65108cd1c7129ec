/* SPDX-License-Identifier: Apache-2.0
 * LOAD, MLOAD, STORE, MSTORE of Ztl 2: widths, strides, wrapping, alignment, windows, the first
 * byte that faults.
 */
#include "tests/model/access.h"

/* Sets the CSRs and x11 for an access of Ztl 2 and completes its description. */
static void arrange(access *a, const int32_t stride[32], int imm, uint64_t base)
{
    for (unsigned i = 0; i < 32; i++)
        set_csr((a->is_store ? CSR_STORE_STRIDE : CSR_LOAD_STRIDE) + i, (uint32_t)stride[i]);
    set_csr(a->is_store ? CSR_STORE_MASK : CSR_LOAD_MASK, a->mask);
    x[11] = base;
    for (unsigned i = 0; i < a->count; i++)
        a->slice[i] = wrap(base + (uint64_t)(((int64_t)stride[i] + imm) * (int64_t)a->width));
    a->window = a->is_store ? hart.config.l0m : hart.config.l1m;
    a->word = word_ls(a->is_store, a->masked, a->tl, imm, 11);
}

static void set_width(const access *a, uint32_t width)
{
    set_csr(a->is_store ? CSR_STORE_WIDTH : CSR_LOAD_WIDTH, width);
    set_csr(a->is_store ? CSR_LOAD_WIDTH : CSR_STORE_WIDTH, 77); /* must not matter */
}

/* A width from the CSR (with D1 and D2 of no account) or from the shape and type. */
static void choose_width(access *a)
{
    const struct test_type *type = &test_types[random_below(TEST_TYPES)];
    a->align = type->bits > 8 ? type->bits / 8 : 1;
    set_csr(CSR_TTYPE, type->ttype);
    for (;;) {
        a->count = 1 + random_below(32);
        unsigned d1 = 1 + random_below(16), d2 = 1 + random_below(16);
        bool given = random_below(2);
        unsigned bits = given ? 8 * (1 + random_below(1024 / a->count)) : d1 * d2 * type->bits;
        if (bits % 8 || a->count * bits > 8192)
            continue;
        if (given && random_below(4) && bits / 8 % a->align)
            continue; /* mostly widths that keep slices aligned */
        a->width = bits / 8;
        set_csr(CSR_TSHAPE, given ? shape3(a->count, random_below(256), random_below(2))
                                  : shape3(a->count, d1, d2));
        set_width(a, given ? a->width : 0);
        return;
    }
}

static void choose_strides(int32_t stride[32], unsigned width)
{
    unsigned kind = random_below(6);
    for (int i = 0; i < 32; i++) {
        const int32_t kinds[] = {
            i, 31 - i, -i, i / 2, (int32_t)random_below(9) - 4, (int32_t)random_bits(),
        };
        stride[i] = kinds[kind];
        if (kind == 5 && random_below(3)) /* far away, but back in memory after wrapping */
            stride[i] = (int32_t)(0x80000000u + (uint32_t)i) / (int32_t)(width | 1);
    }
}

static uint64_t choose_base(void)
{
    const uint64_t bases[] = {MIDDLE, MIDDLE + REGION,   MIDDLE + 2 * REGION - 64,
                              0,      0 - (uint64_t)512, MIDDLE + 700};
    uint64_t base = bases[random_below(6)] + random_below(64) * 4;
    if (random_below(8) == 0)
        base += random_below(4);
    return base;
}

static void random_accesses(unsigned xlen, ztl_window l1m, ztl_window l0m)
{
    start(2, xlen, l1m, l0m);
    for (unsigned n = 0; n < (SAMPLED ? 500 : 4000); n++) {
        access a = {.is_store = random_below(2),
                    .masked = random_below(2),
                    .mask = (uint32_t)random_bits(),
                    .tl = random_below(32)};
        int32_t stride[32];
        choose_width(&a);
        choose_strides(stride, a.width);
        arrange(&a, stride, (int)random_below(16) - 8, choose_base());
        check(&a);
    }
    assert_true(traps > 50);
    assert_true(successes > 50);
}

static void random_on_a_flat_machine(void **state)
{
    (void)state;
    random_accesses(64, (ztl_window){0}, (ztl_window){0});
    random_accesses(32, (ztl_window){0}, (ztl_window){0});
}

static void random_with_windows(void **state)
{
    (void)state;
    ztl_window low = {MIDDLE + 100, REGION}, high = {MIDDLE + REGION, 3 * REGION};
    random_accesses(64, low, high);
    random_accesses(32, high, low);
    ztl_window all_but_zero = {1, UINT64_MAX}, top = {0 - (uint64_t)REGION, REGION};
    random_accesses(64, all_but_zero, top);
}

/* Slices of 16 bytes laid over an edge, one byte further each time. */
static void sweep_edge(uint64_t edge)
{
    static const int32_t stride[32] = {0, 1, 2, 3};
    static const int32_t backwards[32] = {3, 2, 1, 0};
    for (unsigned st = 0; st < 2; st++)
        for (unsigned offset = 0; offset < 80; offset++) {
            access a = {.is_store = st, .count = 4, .width = 16, .align = 1, .tl = 3, .mask = 0xb};
            set_csr(CSR_TTYPE, 0);
            set_csr(CSR_TSHAPE, shape3(4, 4, 4));
            set_width(&a, 0);
            a.masked = offset % 3 == 0;
            arrange(&a, offset % 2 ? backwards : stride, 0, edge - 72 + offset);
            check(&a);
        }
}

static void faults_at_every_byte(void **state)
{
    (void)state;
    ztl_window window = {MIDDLE + 0x80, 2 * REGION - 0x100};
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        start_flat(2, xlen);
        sweep_edge(MIDDLE);
        sweep_edge(MIDDLE + REGION);
        sweep_edge(MIDDLE + 2 * REGION);
        sweep_edge(REGION);
        sweep_edge(regions[3].base);
        sweep_edge(0); /* around the end of the address space */
        assert_true(traps > 100 && successes > 100);
        start(2, xlen, window, window);
        sweep_edge(window.base);
        sweep_edge(window.base + window.size);
        sweep_edge(MIDDLE);
        assert_true(traps > 100 && successes > 10);
    }
}

/* Every type asks for its own alignment, of every slice that is accessed, and names the first that
 * lacks it. */
static void alignment(void **state)
{
    (void)state;
    static const int32_t stride[32] = {0, 1, 2, 3, 4, 5, 6, 7};
    start_flat(2, 64);
    for (unsigned t = 0; t < TEST_TYPES; t++)
        for (unsigned n = 0; n < 2 * 8 * 8; n++) {
            access a = {.is_store = n % 2, .masked = true, .count = 8, .width = 1 + n / 2 % 8};
            a.mask = (uint32_t)random_bits();
            a.align = test_types[t].bits > 8 ? test_types[t].bits / 8 : 1;
            a.tl = 4;
            set_csr(CSR_TTYPE, test_types[t].ttype);
            set_csr(CSR_TSHAPE, shape3(8, 0, 0));
            set_width(&a, a.width);
            arrange(&a, stride, 0, MIDDLE + n / 16);
            check(&a);
        }
    assert_true(traps > 100 && successes > 100);
}

/* The immediate counts slices and is signed, over its whole range. */
static void immediates(void **state)
{
    (void)state;
    static const int32_t stride[32] = {0, 1};
    start_flat(2, 64);
    for (int imm = -128; imm < 128; imm++)
        for (unsigned st = 0; st < 2; st++) {
            access a = {.is_store = st, .count = 2, .width = 9, .align = 1, .tl = 31};
            set_csr(CSR_TSHAPE, shape3(2, 3, 3));
            set_width(&a, 0);
            arrange(&a, stride, imm, MIDDLE + REGION);
            check(&a);
        }
    assert_int_equal(traps, 0);
}

/* Strides at the ends of their range. */
static void extreme_strides(void **state)
{
    (void)state;
    for (unsigned xlen = 32; xlen <= 64; xlen += 32)
        for (unsigned n = 0; n < 4; n++) {
            const int32_t stride[32] = {n & 1 ? INT32_MIN : INT32_MAX, n & 1 ? INT32_MIN + 1 : 0};
            start_flat(2, xlen);
            for (unsigned width = 1; width <= 512; width = width * 2 + width % 3) {
                access a = {.is_store = n / 2, .count = 1, .width = width, .align = 1, .tl = 5};
                set_csr(CSR_TSHAPE, shape3(1, 0, 0));
                set_width(&a, width);
                arrange(&a, stride, n & 1 ? -1 : 1,
                        MIDDLE - ((uint64_t)stride[0] + (n & 1 ? UINT64_MAX : 1)) * width);
                check(&a);
            }
            assert_int_equal(traps, 0);
        }
}

/* Which shapes and widths are legal, with the reasons. */
static void shapes_and_widths(void **state)
{
    (void)state;
    start_flat(2, 64);
    hart_memory = &memories[1];
    x[11] = MIDDLE;
    for (unsigned st = 0; st < 2; st++)
        for (unsigned t = 0; t < TEST_TYPES; t++)
            for (unsigned d0 = 0; d0 < 256; d0 += d0 < 40 ? 1 : 43)
                for (unsigned n = 0; n < 36; n++) {
                    static const unsigned sizes[] = {0, 1, 2, 3, 32, 255};
                    static const uint32_t widths[] = {0,    0,    1,         32,        33,
                                                      1024, 1025, 0x8000000, 0xffffffff};
                    unsigned d1 = sizes[n % 6], d2 = sizes[n / 6];
                    uint32_t given = widths[(n + d0) % 9];
                    uint64_t bits =
                        given ? 8 * (uint64_t)given : (uint64_t)d1 * d2 * test_types[t].bits;
                    set_csr(CSR_TTYPE, test_types[t].ttype);
                    set_csr(CSR_TSHAPE, shape3(d0, d1, d2));
                    set_csr(st ? CSR_STORE_WIDTH : CSR_LOAD_WIDTH, given);
                    uint32_t word = word_ls(st, 0, 1, 0, 11);
                    ztl_result r = run_word(word);
                    unsigned reason = NONE;
                    if (d0 < 1 || d0 > 32 || (!given && (d1 == 0 || d2 == 0)))
                        reason = SHAPE;
                    else if (bits % 8 || d0 * bits > 8192)
                        reason = WIDTH;
                    assert_int_equal(r.reason, reason);
                    assert_int_equal(r.cause == 2, reason != NONE);
                }
}

/* With overlapping slices the higher one wins. */
static void later_stores_win(void **state)
{
    (void)state;
    static const int32_t same[32];
    start_flat(2, 64);
    access a = {.is_store = true, .count = 32, .width = 32, .align = 1, .tl = 6};
    set_csr(CSR_TSHAPE, shape3(32, 1, 32));
    arrange(&a, same, 0, MIDDLE);
    check(&a);
    assert_memory_equal(bytes[1], ztl_get_register(&hart, 6) + 31 * 32, 32);
}

/* A store whose last slice faults has stored nothing: the faults are looked for first. */
static void stores_are_atomic(void **state)
{
    (void)state;
    int32_t stride[32];
    for (int i = 0; i < 32; i++)
        stride[i] = i == 31 ? 0x100000 : i;
    start_flat(2, 64);
    access a = {.is_store = true, .count = 32, .width = 32, .align = 1, .tl = 6};
    set_csr(CSR_TSHAPE, shape3(32, 4, 8));
    arrange(&a, stride, 0, MIDDLE);
    check(&a);
    assert_int_equal(traps, 1);
}

/* Nothing accessed: no call, no fault, however bad the addresses. */
static void masked_off_slices_are_left_alone(void **state)
{
    (void)state;
    static const int32_t stride[32] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (unsigned st = 0; st < 2; st++) {
        start_flat(2, 64);
        access a = {.is_store = st, .masked = true, .count = 8, .width = 16, .align = 4, .tl = 6};
        a.mask = 0xffffff00; /* bits beyond D0 */
        set_csr(CSR_TTYPE, 0x400);
        set_csr(CSR_TSHAPE, shape3(8, 2, 2));
        arrange(&a, stride, 0, 0x777777777);
        calls = 0;
        check(&a);
        assert_int_equal(calls, 0);
        assert_int_equal(successes, 1);
    }
}

/* NULL functions and no memory at all map nothing. */
static void missing_memory(void **state)
{
    (void)state;
    static const ztl_memory nothing, counted = {.ram_count = 3};
    const ztl_memory *none[] = {NULL, &nothing, &counted};
    for (unsigned m = 0; m < 3; m++) {
        start_flat(2, 64);
        set_csr(CSR_TSHAPE, shape3(2, 4, 4));
        x[11] = MIDDLE;
        hart_memory = none[m];
        run_fault(word_load(1, 1, 11), 5, MIDDLE + 16);
        run_fault(word_store(1, 1, 11), 7, MIDDLE + 16);
        run_fault(word_load(0, 1, 11), 5, MIDDLE + 16); /* tl0 makes every access too */
    }
    start_flat(2, 64);
    set_csr(CSR_TSHAPE, shape3(2, 4, 4));
    hart_memory = &memories[1];
    x[0] = 12345; /* x0 reads zero whatever the array says */
    run_ok(word_load(1, 0, 0));
    assert_memory_equal(ztl_get_register(&hart, 1), bytes[0], 32);
}

/* A function that claims more than was asked for is taken at the size asked. */
static size_t generous(void *context, uint64_t address, void *to, size_t size)
{
    (void)context;
    (void)address;
    if (to)
        memset(to, 0x5a, size);
    return SIZE_MAX;
}

static void generous_memory(void **state)
{
    (void)state;
    static const ztl_memory memory = {.load = generous};
    uint8_t expected[ZTL_REG_BYTES];
    memset(expected, 0x5a, sizeof expected);
    start_flat(2, 64);
    set_csr(CSR_TSHAPE, shape3(32, 4, 8));
    hart_memory = &memory;
    run_ok(word_load(1, 0, 11));
    expect_register(1, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_on_a_flat_machine),
        cmocka_unit_test(random_with_windows),
        cmocka_unit_test(faults_at_every_byte),
        cmocka_unit_test(alignment),
        cmocka_unit_test(immediates),
        cmocka_unit_test(extreme_strides),
        cmocka_unit_test(shapes_and_widths),
        cmocka_unit_test(later_stores_win),
        cmocka_unit_test(stores_are_atomic),
        cmocka_unit_test(masked_off_slices_are_left_alone),
        cmocka_unit_test(missing_memory),
        cmocka_unit_test(generous_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
