/* SPDX-License-Identifier: Apache-2.0
 * MLOAD and MSTORE of Ztl 1: shape in a GPR, slices one after the other, always masked.
 */
#include "tests/model/access.h"

static void check_revision_1(unsigned n, const unsigned dim[4], uint64_t base)
{
    access a = {.is_store = n % 2, .masked = true, .count = dim[0], .align = 1};
    a.width = dim[1] * dim[2] * dim[3];
    a.mask = n % 5 ? (uint32_t)random_bits() : UINT32_MAX;
    a.tl = n % 7 ? 1 + n % 31 : 0;
    a.window = a.is_store ? hart.config.l0m : hart.config.l1m;
    set_csr(a.is_store ? CSR_STORE_MASK : CSR_LOAD_MASK, a.mask);
    x[11] = base;
    x[12] = random_bits() << 32 | shape4(dim[0], dim[1], dim[2], dim[3]);
    for (unsigned i = 0; i < a.count; i++)
        a.slice[i] = wrap(base + (uint64_t)i * a.width);
    a.word = a.is_store ? word1_mstore(a.tl, 11, 12) : word1_mload(a.tl, 12, 11);
    check(&a);
}

static void revision_1_on(unsigned xlen, ztl_window l1m, ztl_window l0m)
{
    static const unsigned shapes[][4] = {{8, 16, 8, 1},  {4, 32, 8, 1},  {16, 8, 8, 1},
                                         {1, 16, 8, 8},  {32, 1, 1, 32}, {2, 128, 2, 2},
                                         {32, 32, 1, 1}, {1, 128, 8, 1}};
    const uint64_t bases[] = {MIDDLE,
                              MIDDLE + 1,
                              MIDDLE + 2 * REGION - 1024,
                              0 - (uint64_t)333,
                              MIDDLE - 5,
                              MIDDLE + 2 * REGION - 1000,
                              0xfffffffffffffc00,
                              0};
    start(1, xlen, l1m, l0m);
    for (unsigned n = 0; n < (SAMPLED ? 640 : 3200); n++)
        check_revision_1(n, shapes[n % 8], bases[n / 8 % 8] + (n % 3 ? 0 : random_below(64)));
    assert_true(traps > 20 && successes > 20);
}

static void revision_1(void **state)
{
    (void)state;
    revision_1_on(64, (ztl_window){0}, (ztl_window){0});
    revision_1_on(32, (ztl_window){0}, (ztl_window){0});
    revision_1_on(64, (ztl_window){MIDDLE, REGION + 7}, (ztl_window){MIDDLE + 3, 2 * REGION});
}

static void shapes_of_revision_1(void **state)
{
    (void)state;
    static const unsigned sizes[] = {0, 1, 2, 3, 8, 16, 31, 32, 64, 128, 255};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    start_flat(1, 64);
    hart_memory = &memories[1];
    x[11] = MIDDLE;
    set_csr(CSR_LOAD_MASK, 1);
    set_csr(CSR_STORE_MASK, 1);
    unsigned legal = 0;
    for (unsigned n = 0; n < SIZES * SIZES * SIZES * SIZES; n++) {
        unsigned dim[4] = {sizes[n % SIZES], sizes[n / SIZES % SIZES],
                           sizes[n / SIZES / SIZES % SIZES], sizes[n / SIZES / SIZES / SIZES]};
        bool ok = dim[0] <= 32 && (uint64_t)dim[0] * dim[1] * dim[2] * dim[3] == 1024;
        x[12] = shape4(dim[0], dim[1], dim[2], dim[3]);
        legal += ok;
        assert_int_equal(run_word(word1_mload(1, 12, 11)).reason, ok ? NONE : SHAPE);
        assert_int_equal(run_word(word1_mstore(1, 11, 12)).reason, ok ? NONE : SHAPE);
        if (!ok && n % 97 == 0)
            run_illegal(word1_mstore(1, 11, 12), SHAPE);
    }
    assert_true(legal > 50);
    x[12] = shape4(64, 16, 1, 1); /* the right product, too many slices */
    run_illegal(word1_mload(1, 12, 11), SHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(revision_1),
        cmocka_unit_test(shapes_of_revision_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
