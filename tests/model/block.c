/* SPDX-License-Identifier: Apache-2.0
 * CONCAT and MERGE: all dimensions and types, masks extreme and random, registers that coincide,
 * and the rules of both revisions on shapes and masks.
 */
#include "tests/hart.h"

typedef struct block {
    unsigned dim[3];
    unsigned axis;
    unsigned bits;
} block;

/* Element index of position p along the axis: i runs outside it, j inside. */
static size_t at(const block *b, unsigned i, unsigned p, unsigned j)
{
    if (b->axis == 0)
        return (size_t)p * b->dim[1] * b->dim[2] + j;
    if (b->axis == 1)
        return ((size_t)i * b->dim[1] + p) * b->dim[2] + j;
    return (size_t)i * b->dim[2] + p;
}

static void copy(const block *b, uint8_t *to, unsigned p, const uint8_t *from, unsigned q)
{
    unsigned outer = b->axis == 0 ? 1 : b->axis == 1 ? b->dim[0] : b->dim[0] * b->dim[1];
    unsigned inner = b->axis == 0 ? b->dim[1] * b->dim[2] : b->axis == 1 ? b->dim[2] : 1;
    for (unsigned i = 0; i < outer; i++)
        for (unsigned j = 0; j < inner; j++)
            put_element(to, b->bits, at(b, i, p, j), get_element(from, b->bits, at(b, i, q, j)));
}

static unsigned positions(uint32_t mask, unsigned length, unsigned list[32])
{
    unsigned count = 0;
    for (unsigned i = 0; i < length; i++)
        if (mask & UINT32_C(1) << i)
            list[count++] = i;
    return count;
}

static const unsigned registers[][3] = {{1, 2, 3}, {1, 1, 2}, {1, 2, 1}, {1, 2, 2},   {1, 1, 1},
                                        {0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {31, 30, 29}};
enum { REGISTERS = sizeof registers / sizeof registers[0] };

static void check_register(unsigned index, const uint8_t *expected)
{
    static const uint8_t zero[ZTL_REG_BYTES];
    expect_register(index, index ? expected : zero);
}

static void check_concat(const block *b, uint32_t mask1, uint32_t mask2, const unsigned r[3])
{
    unsigned length = b->dim[b->axis], p1[32], p2[32];
    unsigned n1 = positions(mask1, length, p1), n2 = positions(mask2, length, p2);
    uint32_t word = hart.config.revision == 2 ? word_concat(b->axis, r[0], r[1], r[2])
                                              : word1_concat(b->axis, r[0], r[1], r[2]);
    set_csr(CSR_MASK1, mask1);
    set_csr(CSR_MASK2, mask2);
    if (n1 + n2 > length) {
        run_illegal(word, MASK_COUNT);
        return;
    }
    uint8_t expected[ZTL_REG_BYTES];
    memcpy(expected, ztl_get_register(&hart, r[0]), sizeof expected);
    for (unsigned n = 0; n < n1; n++)
        copy(b, expected, n, ztl_get_register(&hart, r[1]), p1[n]);
    for (unsigned n = 0; n < n2; n++)
        copy(b, expected, n1 + n, ztl_get_register(&hart, r[2]), p2[n]);
    run_ok(word);
    check_register(r[0], expected);
}

static void check_merge(const block *b, uint32_t mask, const unsigned r[3])
{
    uint8_t expected[ZTL_REG_BYTES];
    set_csr(CSR_MASK1, mask);
    memcpy(expected, ztl_get_register(&hart, r[0]), sizeof expected);
    for (unsigned i = 0; i < b->dim[b->axis]; i++)
        copy(b, expected, i, ztl_get_register(&hart, mask & UINT32_C(1) << i ? r[1] : r[2]), i);
    run_ok(word_merge(b->axis, r[0], r[1], r[2]) | (mask & 1) << 30);
    check_register(r[0], expected);
}

/* Masks that matter for a length, and then random ones. */
static uint32_t mask_for(unsigned n, unsigned length)
{
    uint32_t all = (uint32_t)((UINT64_C(1) << length) - 1);
    const uint32_t extreme[] = {
        0,    1,          all & ~(all >> 1), all, all >> 1, 0xaaaaaaaa, 0x55555555,
        ~all, UINT32_MAX, UINT32_C(1) << 31};
    enum { EXTREMES = sizeof extreme / sizeof extreme[0] };
    if (n < EXTREMES)
        return extreme[n];
    return (uint32_t)(random_bits() & random_bits() >> 7);
}

static void check_masks(const block *b, unsigned revision)
{
    unsigned length = b->dim[b->axis], masks = 13;
    for (unsigned n = 0; n < masks * masks; n += SAMPLED ? 5 : 1) {
        const unsigned *r = registers[n % REGISTERS];
        check_concat(b, mask_for(n % masks, length), mask_for(n / masks, length), r);
        if (revision == 2 && n < masks)
            check_merge(b, mask_for(n, length), r);
    }
    for (unsigned i = 0; i < REGISTERS;
         i++) { /* halves that fill the block, in each constellation */
        uint32_t mask = (uint32_t)random_bits();
        fill_registers();
        check_concat(b, mask, ~mask, registers[i]);
        if (revision == 2)
            check_merge(b, mask, registers[i]);
    }
}

static bool is_legal(const block *b, unsigned revision)
{
    uint64_t bits = (uint64_t)b->dim[0] * b->dim[1] * b->dim[2] * b->bits;
    return bits > 0 && (revision == 2 ? bits <= 8192 : bits == 8192) && b->dim[b->axis] <= 32;
}

static const unsigned shapes[][3] = {
    {8, 8, 4},   {16, 8, 8},  {8, 16, 8}, {1, 1, 1},  {1, 1, 2},   {3, 5, 7},   {32, 32, 1},
    {1, 32, 32}, {32, 1, 32}, {32, 4, 8}, {4, 32, 8}, {4, 8, 32},  {2, 2, 255}, {255, 1, 3},
    {1, 255, 4}, {31, 3, 3},  {5, 31, 2}, {2, 7, 31}, {64, 16, 1}, {16, 1, 64}, {2, 128, 4},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static unsigned check_shapes(unsigned revision, unsigned bits)
{
    unsigned legal = 0;
    for (unsigned s = 0; s < SHAPES; s++)
        for (unsigned axis = 0; axis < 3; axis++) {
            block b = {{shapes[s][0], shapes[s][1], shapes[s][2]}, axis, bits};
            if (!is_legal(&b, revision))
                continue;
            set_csr(CSR_TSHAPE, shape3(b.dim[0], b.dim[1], b.dim[2]));
            check_masks(&b, revision);
            legal++;
        }
    return legal;
}

static void every_type_and_dimension(void **state)
{
    (void)state;
    start_hart(2, 64);
    fill_registers();
    for (unsigned t = 0; t < TEST_TYPES; t++) {
        set_csr(CSR_TTYPE, test_types[t].ttype);
        assert_true(check_shapes(2, test_types[t].bits) > 10);
    }
}

/* What was worked out for some masks must not be taken for others, however many are in use. */
static void masks_in_turn(void **state)
{
    (void)state;
    static const unsigned three_registers[3] = {1, 2, 3};
    const block b = {{1, 32, 32}, 1, 8};
    start_hart(2, 64);
    set_csr(CSR_TSHAPE, shape3(1, 32, 32));
    for (unsigned count = 1; count <= 20; count++)
        for (unsigned n = 0; n < 3 * count; n++) {
            uint32_t mask = 0x49249249u << n % count;
            fill_registers();
            check_concat(&b, mask, ~mask, three_registers);
        }
}

static void revision_1(void **state)
{
    (void)state;
    start_hart(1, 32);
    fill_registers();
    assert_true(check_shapes(1, 8) > 10);
}

static void check_legality(unsigned revision, unsigned bits)
{
    static const unsigned sizes[] = {0, 1, 2, 3, 4, 8, 16, 31, 32, 33, 64, 128, 255};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    set_csr(CSR_MASK1, 0);
    set_csr(CSR_MASK2, 0);
    for (unsigned n = 0; n < SIZES * SIZES * SIZES; n++)
        for (unsigned axis = 0; axis < 3; axis++) {
            block b = {
                {sizes[n % SIZES], sizes[n / SIZES % SIZES], sizes[n / SIZES / SIZES]}, axis, bits};
            set_csr(CSR_TSHAPE, shape3(b.dim[0], b.dim[1], b.dim[2]));
            uint32_t concat =
                revision == 2 ? word_concat(axis, 1, 2, 3) : word1_concat(axis, 1, 2, 3);
            if (is_legal(&b, revision)) {
                run_ok(concat);
                if (revision == 2)
                    run_ok(word_merge(axis, 1, 2, 3));
            } else if (!SAMPLED || n % 17 == 0) {
                run_illegal(concat, SHAPE);
                if (revision == 2)
                    run_illegal(word_merge(axis, 1, 2, 3), SHAPE);
            }
        }
}

static void legal_shapes(void **state)
{
    (void)state;
    static const struct test_type sizes[] = {{0, 8}, {0x010, 4}, {0x004, 16}, {0x400, 32}};
    for (unsigned i = 0; i < 4; i++) {
        start_hart(2, 64);
        set_csr(CSR_TTYPE, sizes[i].ttype);
        check_legality(2, sizes[i].bits);
    }
    start_hart(1, 64);
    check_legality(1, 8);
}

/* Each mask must have been written; MERGE asks for the first only. */
static void masks_must_be_initialised(void **state)
{
    (void)state;
    for (unsigned revision = 1; revision <= 2; revision++)
        for (unsigned written = 0; written < 4; written++) {
            start_hart(revision, 64);
            set_csr(CSR_TSHAPE, shape3(16, 8, 8));
            if (written & 1)
                set_csr(CSR_MASK1, 0);
            if (written & 2)
                set_csr(CSR_MASK2, 0);
            uint32_t concat = revision == 2 ? word_concat(0, 1, 2, 3) : word1_concat(0, 1, 2, 3);
            if (written == 3)
                run_ok(concat);
            else
                run_illegal(concat, MASK_UNINITIALISED);
            if (revision == 2 && written & 1)
                run_ok(word_merge(0, 1, 2, 3));
            else if (revision == 2)
                run_illegal(word_merge(0, 1, 2, 3), MASK_UNINITIALISED);
        }
}

/* One position too many, with and without bits beyond the dimension. */
static void masks_must_fit(void **state)
{
    (void)state;
    start_hart(2, 64);
    fill_registers();
    for (unsigned length = 1; length <= 32; length++)
        for (unsigned n1 = 0; n1 <= length; n1++) {
            uint32_t all = (uint32_t)((UINT64_C(1) << length) - 1);
            uint32_t first = (uint32_t)((UINT64_C(1) << n1) - 1);
            block b = {{length, 4, 8}, 0, 8};
            set_csr(CSR_TSHAPE, shape3(length, 4, 8));
            check_concat(&b, first | ~all, (all & ~first) | ~all, registers[0]);
            if (n1 == length)
                continue;
            set_csr(CSR_MASK1, first << 1 | 1);
            run_illegal(word_concat(0, 1, 2, 3), MASK_COUNT);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_and_dimension),
        cmocka_unit_test(masks_in_turn),
        cmocka_unit_test(revision_1),
        cmocka_unit_test(legal_shapes),
        cmocka_unit_test(masks_must_be_initialised),
        cmocka_unit_test(masks_must_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
