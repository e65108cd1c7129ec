/* SPDX-License-Identifier: Apache-2.0
 * XPOSE: every legal shape, pair and element type against the index formula, and shapes that are
 * not legal. The product of the dimensions is a power of two, so a legal dimension is one too.
 */
#include "tests/hart.h"

/* Which dimensions [28:25] names: two fields, but 1010 is (1,3). */
static void pair_of(unsigned code, unsigned *a, unsigned *b)
{
    *a = code == 0xa ? 1 : code >> 2;
    *b = code == 0xa ? 3 : code & 3;
}

/* from[n]: the input index whose element the output has at n. */
static void swap_indices(uint16_t *from, const unsigned dim[4], unsigned a, unsigned b)
{
    unsigned size = dim[0] * dim[1] * dim[2] * dim[3];
    unsigned out[4] = {dim[0], dim[1], dim[2], dim[3]};
    out[a] = dim[b];
    out[b] = dim[a];
    for (unsigned n = 0; n < size; n++) {
        unsigned index[4], rest = n;
        for (unsigned k = 4; k-- > 0; rest /= out[k])
            index[k] = rest % out[k];
        unsigned swapped = index[a];
        index[a] = index[b];
        index[b] = swapped;
        from[n] =
            (uint16_t)(((index[0] * dim[1] + index[1]) * dim[2] + index[2]) * dim[3] + index[3]);
    }
}

static const struct registers {
    unsigned first, second;
} register_pairs[] = {{1, 2}, {31, 4}, {5, 5}, {0, 7}, {7, 0}, {0, 0}};
enum { REGISTER_PAIRS = sizeof register_pairs / sizeof register_pairs[0] };

static void check(uint32_t word, struct registers r, const uint16_t *from, unsigned bits)
{
    uint8_t in[2 * ZTL_REG_BYTES], out[2 * ZTL_REG_BYTES];
    static const uint8_t zero[ZTL_REG_BYTES];
    memcpy(in, ztl_get_register(&hart, r.first), ZTL_REG_BYTES);
    memcpy(in + ZTL_REG_BYTES, ztl_get_register(&hart, r.second), ZTL_REG_BYTES);
    for (unsigned n = 0; n < 16384 / bits; n++)
        put_element(out, bits, n, get_element(in, bits, from[n]));
    run_ok(word);
    if (r.first != r.second)
        expect_register(r.first, r.first ? out : zero);
    expect_register(r.second, r.second ? out + ZTL_REG_BYTES : zero);
}

static void check_shape(unsigned revision, unsigned bits, const unsigned dim[4])
{
    static unsigned turn;
    uint16_t from[4096];
    x[10] = (random_bits() << 32) | shape4(dim[0], dim[1], dim[2], dim[3]);
    for (unsigned code = 0; code < 16; code++) {
        if (SAMPLED && (turn + code) % 7)
            continue;
        unsigned a, b;
        pair_of(code, &a, &b);
        swap_indices(from, dim, a, b);
        for (unsigned i = 0; i < REGISTER_PAIRS; i++) {
            if (i > 0 && (turn + code + i) % REGISTER_PAIRS)
                continue; /* the plain pair always, the others in turn */
            struct registers r = register_pairs[i];
            uint32_t word = revision == 2 ? word_xpose(code, r.first, r.second, 10)
                                          : word1_xpose(code, r.first, r.second, 10);
            check(word, r, from, bits);
        }
    }
    turn++;
}

static void check_all_shapes(unsigned revision, unsigned bits)
{
    unsigned total = 0, shapes = 0;
    for (unsigned n = 16384 / bits; n > 1; n /= 2)
        total++;
    for (unsigned a = 1; a < 8; a++)
        for (unsigned b = 0; b < 8; b++)
            for (unsigned c = 0; c < 8; c++)
                for (unsigned d = 0; d < 8; d++) {
                    if (a + b + c + d != total)
                        continue;
                    shapes++;
                    check_shape(revision, bits, (unsigned[4]){1u << a, 1u << b, 1u << c, 1u << d});
                }
    assert_true(shapes > 100);
}

static void every_shape_pair_and_type(void **state)
{
    (void)state;
    start_hart(2, 64);
    fill_registers();
    for (unsigned t = 0; t < TEST_TYPES; t++) {
        set_csr(CSR_TTYPE, test_types[t].ttype);
        check_all_shapes(2, test_types[t].bits);
    }
}

static void every_shape_and_pair_of_revision_1(void **state)
{
    (void)state;
    start_hart(1, 32);
    fill_registers();
    check_all_shapes(1, 8);
}

/* EngineID never changes the result. */
static void any_engine(void **state)
{
    (void)state;
    uint16_t from[4096];
    start_hart(2, 64);
    fill_registers();
    x[31] = shape4(8, 16, 8, 2);
    swap_indices(from, (unsigned[4]){8, 16, 8, 2}, 0, 1);
    for (uint32_t engine = 0; engine < 4; engine++)
        check(word_xpose(1, 1, 2, 31) | engine << 30, register_pairs[0], from, 8);
}

static bool is_legal(const unsigned dim[4], unsigned bits)
{
    return dim[0] && dim[1] && dim[2] && dim[3] && dim[0] % 2 == 0 &&
           (uint64_t)dim[0] * dim[1] * dim[2] * dim[3] * bits == 16384;
}

/* Legal exactly where the rule says so, over shapes near and far. */
static void illegal_shapes(unsigned revision, uint32_t ttype, unsigned bits)
{
    static const unsigned sizes[] = {0, 1, 2, 3, 4, 5, 8, 16, 24, 32, 64, 127, 128, 255};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    start_hart(revision, 64);
    fill_registers();
    if (revision == 2)
        set_csr(CSR_TTYPE, ttype);
    unsigned legal = 0;
    for (unsigned n = 0; n < SIZES * SIZES * SIZES * SIZES; n += SAMPLED ? 101 : 1) {
        unsigned dim[4] = {sizes[n % SIZES], sizes[n / SIZES % SIZES],
                           sizes[n / SIZES / SIZES % SIZES], sizes[n / SIZES / SIZES / SIZES]};
        unsigned code = n % 16;
        uint32_t word = revision == 2 ? word_xpose(code, 1, 2, 10) : word1_xpose(code, 1, 2, 10);
        x[10] = shape4(dim[0], dim[1], dim[2], dim[3]);
        ztl_result r = run_word(word);
        legal += r.status == ZTL_OK;
        if (is_legal(dim, bits) != (r.status == ZTL_OK))
            fail_msg("[%u,%u,%u,%u] of %u bits", dim[0], dim[1], dim[2], dim[3], bits);
        if (n % 997 == 0 && !is_legal(dim, bits))
            run_illegal(word, SHAPE);
    }
    assert_true(legal > 0);
}

static void each_kind_of_illegal_shape(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TEST_TYPES; t++)
        illegal_shapes(2, test_types[t].ttype, test_types[t].bits);
    illegal_shapes(1, 0, 8);

    start_hart(2, 64);
    fill_registers();
    const uint32_t illegal[] = {
        shape4(0, 16, 8, 16),
        shape4(16, 0, 8, 16),
        shape4(16, 16, 0, 8),
        shape4(16, 16, 8, 0),
        shape4(1, 16, 16, 8), /* odd, with the right product */
        shape4(8, 16, 8, 1),
        shape4(8, 16, 8, 4),
        shape4(255, 255, 255, 255),
        shape4(128, 128, 1, 1),
        0,
    };
    for (size_t i = 0; i < sizeof illegal / sizeof illegal[0]; i++) {
        x[10] = illegal[i];
        for (unsigned code = 0; code < 16; code++)
            run_illegal(word_xpose(code, 1, 2, 10), SHAPE);
    }
    x[0] = shape4(8, 16, 8, 2); /* x0 reads zero whatever the array says */
    run_illegal(word_xpose(1, 1, 2, 0), SHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_pair_and_type),
        cmocka_unit_test(every_shape_and_pair_of_revision_1),
        cmocka_unit_test(any_engine),
        cmocka_unit_test(each_kind_of_illegal_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
