/* SPDX-License-Identifier: Apache-2.0
 * PERMUTE: every legal shape, every permutation, every size of element; and what is not legal.
 */
#include "tests/hart.h"

/* Output dimension k has the size of, and runs along, input dimension perm[k]. */
static void permute_indices(uint16_t *from, const unsigned dim[4], const unsigned perm[4])
{
    const unsigned weight[4] = {dim[1] * dim[2] * dim[3], dim[2] * dim[3], dim[3], 1};
    unsigned size = dim[0] * weight[0];
    for (unsigned n = 0; n < size; n++) {
        unsigned rest = n, source = 0;
        for (unsigned k = 4; k-- > 0; rest /= dim[perm[k]])
            source += rest % dim[perm[k]] * weight[perm[k]];
        from[n] = (uint16_t)source;
    }
}

static void check(unsigned bits, unsigned first, unsigned second, const uint16_t *from)
{
    uint8_t in[2 * ZTL_REG_BYTES], out[2 * ZTL_REG_BYTES];
    static const uint8_t zero[ZTL_REG_BYTES];
    memcpy(in, ztl_get_register(&hart, first), ZTL_REG_BYTES);
    memcpy(in + ZTL_REG_BYTES, ztl_get_register(&hart, second), ZTL_REG_BYTES);
    for (unsigned n = 0; n < 16384 / bits; n++)
        put_element(out, bits, n, get_element(in, bits, from[n]));
    run_ok(word_permute(bits, first, second, 12));
    if (first != second)
        expect_register(first, first ? out : zero);
    expect_register(second, second ? out + ZTL_REG_BYTES : zero);
}

static void check_shape(unsigned bits, const unsigned dim[4])
{
    static unsigned turn;
    static const unsigned pairs[][2] = {{1, 2}, {9, 9}, {0, 3}, {3, 0}, {0, 0}, {31, 30}};
    uint16_t from[2048];
    unsigned permutations = 0;
    x[12] = UINT64_C(0xffffffff00000000) | shape4(dim[0], dim[1], dim[2], dim[3]);
    for (unsigned csr = 0; csr < 256; csr++) {
        unsigned perm[4] = {csr & 3, csr >> 2 & 3, csr >> 4 & 3, csr >> 6};
        if ((1u << perm[0] | 1u << perm[1] | 1u << perm[2] | 1u << perm[3]) != 15)
            continue;
        permutations++;
        turn++;
        if (SAMPLED && turn % 11)
            continue;
        set_csr(CSR_PERM, csr);
        permute_indices(from, dim, perm);
        check(bits, 1, 2, from);
        check(bits, pairs[turn % 6][0], pairs[turn % 6][1], from);
    }
    assert_int_equal(permutations, 24);
}

static void every_shape_permutation_and_size(void **state)
{
    (void)state;
    start_hart(2, 64);
    fill_registers();
    set_csr(CSR_TTYPE, 0xfff); /* names no type: PERMUTE does not ask */
    for (unsigned bits = 8, total = 11; bits <= 64; bits *= 2, total--)
        for (unsigned a = 1; a < 8; a++)
            for (unsigned b = 0; b < 8; b++)
                for (unsigned c = 0; c < 8; c++)
                    for (unsigned d = 0; d < 8; d++)
                        if (a + b + c + d == total)
                            check_shape(bits, (unsigned[4]){1u << a, 1u << b, 1u << c, 1u << d});
}

static void only_permutations(void **state)
{
    (void)state;
    start_hart(2, 64);
    fill_registers();
    x[12] = shape4(8, 16, 8, 2);
    unsigned legal = 0;
    for (unsigned csr = 0; csr < 256; csr++) {
        unsigned seen[4] = {0};
        for (unsigned k = 0; k < 4; k++)
            seen[csr >> (2 * k) & 3]++;
        set_csr(CSR_PERM, csr);
        if (seen[0] == 1 && seen[1] == 1 && seen[2] == 1 && seen[3] == 1) {
            run_ok(word_permute(8, 1, 2, 12));
            legal++;
        } else {
            run_illegal(word_permute(8, 1, 2, 12), SHAPE);
        }
    }
    assert_int_equal(legal, 24);
}

static void illegal_shapes(void **state)
{
    (void)state;
    start_hart(2, 32);
    fill_registers();
    for (unsigned bits = 8, size = 2048; bits <= 64; bits *= 2, size /= 2) {
        const uint32_t illegal[] = {
            shape4(0, 16, 8, 2),           shape4(8, 0, 8, 2),
            shape4(8, 16, 0, 2),           shape4(8, 16, 8, 0),
            shape4(1, 16, 16, size / 256), shape4(8, 16, 1, size / 64),
            shape4(8, 16, 1, size / 256),  shape4(255, 255, 255, 255),
            shape4(6, 16, 8, 2),
        };
        for (size_t i = 0; i < sizeof illegal / sizeof illegal[0]; i++) {
            x[12] = illegal[i];
            run_illegal(word_permute(bits, 1, 2, 12), SHAPE);
        }
        x[12] = shape4(8, 16, 1, size / 128);
        run_ok(word_permute(bits, 1, 2, 12));
    }
}

/* At reset the permutation is the identity. */
static void reset_is_identity(void **state)
{
    (void)state;
    uint8_t before[ZTL_REG_BYTES];
    start_hart(2, 64);
    fill_registers();
    memcpy(before, ztl_get_register(&hart, 2), sizeof before);
    x[12] = shape4(2, 4, 16, 16);
    run_ok(word_permute(8, 1, 2, 12));
    expect_register(2, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_permutation_and_size),
        cmocka_unit_test(only_permutations),
        cmocka_unit_test(illegal_shapes),
        cmocka_unit_test(reset_is_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
