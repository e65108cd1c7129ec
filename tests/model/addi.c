/* SPDX-License-Identifier: Apache-2.0
 * ADDI: every value with every immediate for types of 4, 8 and 16 bits, against values computed
 * here in another way; 32-bit types at edges and at random.
 */
#include "tests/hart.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Runs tl2 = tl1 + imm on a whole register of elements. */
static const uint8_t *add(const uint8_t *block, int imm)
{
    assert_int_equal(ztl_set_register(&hart, 1, block), ZTL_OK);
    run_ok(hart.config.revision == 2 ? word_addi(2, 1, imm) : word1_addi(2, 1, imm));
    return ztl_get_register(&hart, 2);
}

typedef uint32_t reference(uint32_t value, int imm);

/* Every value of a type of up to 16 bits, with immediates from low to high. */
static void check_every_value(unsigned bits, int low, int high, reference *expected)
{
    unsigned values = 1u << bits, in_register = 8192 / bits;
    uint8_t block[ZTL_REG_BYTES];
    for (unsigned first = 0; first < values; first += in_register) {
        for (unsigned n = 0; n < in_register; n++)
            put_element(block, bits, n, (first + n) % values);
        for (int imm = low; imm <= high; imm++) {
            if (SAMPLED && bits == 16 && (imm + (int)(first / in_register)) % 29)
                continue;
            const uint8_t *result = add(block, imm);
            for (unsigned n = 0; n < in_register; n++) {
                uint32_t value = (first + n) % values;
                uint32_t got = (uint32_t)get_element(result, bits, n);
                if (got != expected(value, imm))
                    fail_msg("0x%x + %d: 0x%x, expected 0x%x", value, imm, got,
                             expected(value, imm));
            }
        }
    }
}

/* Integers. */

static uint32_t plus_byte(uint32_t value, int imm)
{
    int sum = (int)value + imm;
    return sum > 255 ? 255 : sum < 0 ? 0 : (uint32_t)sum;
}

static uint32_t plus_signed(uint32_t value, int imm, int bits)
{
    int64_t range = INT64_C(1) << bits;
    int64_t sum = (value >= range / 2 ? (int64_t)value - range : (int64_t)value) + imm;
    if (sum >= range / 2)
        sum = range / 2 - 1;
    if (sum < -range / 2)
        sum = -range / 2;
    return (uint32_t)(sum < 0 ? sum + range : sum);
}

static uint32_t plus_int4(uint32_t value, int imm)
{
    return plus_signed(value, imm, 4);
}

static uint32_t plus_int8(uint32_t value, int imm)
{
    return plus_signed(value, imm, 8);
}

static uint32_t plus_int16(uint32_t value, int imm)
{
    return plus_signed(value, imm, 16);
}

static void bytes(void **state)
{
    (void)state;
    start_hart(2, 64);
    check_every_value(8, -128, 127, plus_byte);
}

static void bytes_of_revision_1(void **state)
{
    (void)state;
    start_hart(1, 64);
    check_every_value(8, -2048, 2047, plus_byte);
}

static void small_integers(void **state)
{
    (void)state;
    start_hart(2, 64);
    set_csr(CSR_TTYPE, 0x001);
    check_every_value(4, -128, 127, plus_int4);
    set_csr(CSR_TTYPE, 0x002);
    check_every_value(8, -128, 127, plus_int8);
    set_csr(CSR_TTYPE, 0x004);
    check_every_value(16, -128, 127, plus_int16);
}

/* Floats of up to 16 bits: the finite magnitudes of the type in ascending order, which is the order
 * of their encodings, so that the nearest one is found by looking and "even" is an even index. */
static struct {
    unsigned bits;
    unsigned count; /* of finite magnitudes */
    unsigned first_nan;
    uint32_t nan;
    double magnitude[1 << 15];
} format;

static void choose_format(uint32_t ttype, unsigned exponent_bits, unsigned fraction_bits,
                          unsigned count, unsigned first_nan, uint32_t nan)
{
    set_csr(CSR_TTYPE, ttype);
    format.bits = 1 + exponent_bits + fraction_bits;
    format.count = count;
    format.first_nan = first_nan;
    format.nan = nan;
    int bias = (1 << (exponent_bits - 1)) - 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned fraction = i & ((1u << fraction_bits) - 1), exponent = i >> fraction_bits;
        unsigned significand = exponent ? fraction | 1u << fraction_bits : fraction;
        format.magnitude[i] =
            ldexp(significand, (int)(exponent ? exponent : 1) - bias - (int)fraction_bits);
    }
}

/* sum + error is value + imm exactly (Knuth's TwoSum, which holds for any doubles that do not
 * overflow), so the comparison with a midpoint, which a double holds exactly, is exact too. */
static uint32_t plus_float(uint32_t value, int imm)
{
    uint32_t sign = 1u << (format.bits - 1);
    uint32_t index = value & (sign - 1);
    if (index >= format.first_nan)
        return format.nan;
    if (index >= format.count)
        return value; /* an infinity */
    double a = value & sign ? -format.magnitude[index] : format.magnitude[index];
    double b = imm;
    double sum = a + b;
    double part = sum - a;
    double error = (a - (sum - part)) + (b - part);
    if (sum == 0)
        return 0;
    double magnitude = fabs(sum);
    if (sum < 0)
        error = -error;
    unsigned low = 0, high = format.count - 1; /* the last one not above the sum, if any */
    while (low < high) {
        unsigned middle = (low + high + 1) / 2;
        if (format.magnitude[middle] <= magnitude)
            low = middle;
        else
            high = middle - 1;
    }
    if (low + 1 < format.count) {
        double half = (format.magnitude[low] + format.magnitude[low + 1]) / 2;
        if (magnitude > half || (magnitude == half && (error > 0 || (error == 0 && low & 1))))
            low++;
    }
    return (sum < 0 ? sign : 0) | low;
}

static void floats_of_4_and_8_bits(void **state)
{
    (void)state;
    start_hart(2, 64);
    choose_format(0x010, 2, 1, 8, 8, 0);
    assert_true(format.magnitude[7] == 6);
    check_every_value(4, -128, 127, plus_float);
    choose_format(0x040, 4, 3, 0x7f, 0x7f, 0x7f);
    assert_true(format.magnitude[0x7e] == 448);
    check_every_value(8, -128, 127, plus_float);
    choose_format(0x080, 5, 2, 0x7c, 0x7d, 0x7e);
    assert_true(format.magnitude[0x7b] == 57344);
    check_every_value(8, -128, 127, plus_float);
    choose_format(0x0c0, 3, 4, 0x70, 0x71, 0x78);
    assert_true(format.magnitude[0x6f] == 15.5);
    check_every_value(8, -128, 127, plus_float);
}

static void binary16(void **state)
{
    (void)state;
    start_hart(2, 64);
    choose_format(0x100, 5, 10, 0x7c00, 0x7c01, 0x7e00);
    assert_true(format.magnitude[0x7bff] == 65504);
    check_every_value(16, -128, 127, plus_float);
}

static void bfloat16(void **state)
{
    (void)state;
    start_hart(2, 64);
    choose_format(0x200, 8, 7, 0x7f80, 0x7f81, 0x7fc0);
    assert_true(format.magnitude[0x3f80] == 1);
    check_every_value(16, -128, 127, plus_float);
}

/* 32 bits. */

/* The immediate is a binary32 number, so the host's sum is the exact sum rounded once. */
static uint32_t plus_binary32(uint32_t value, int imm)
{
    float number, sum;
    memcpy(&number, &value, sizeof number);
    if (isnan(number))
        return 0x7fc00000;
    if (isinf(number))
        return value;
    sum = number + (float)imm;
    if (isinf(sum))
        sum = sum > 0 ? FLT_MAX : -FLT_MAX;
    if (sum == 0)
        return 0;
    uint32_t result;
    memcpy(&result, &sum, sizeof result);
    return result;
}

static uint32_t plus_int32(uint32_t value, int imm)
{
    return plus_signed(value, imm, 32);
}

/* Values at every exponent and at the edges of integers, both signs, then noise. */
static uint32_t interesting(unsigned n)
{
    static const uint32_t fractions[] = {0, 1, 2, 0x3fffff, 0x400000, 0x400001, 0x7ffffe, 0x7fffff};
    if (n < 4096)
        return n / 8 << 23 | fractions[n % 8];
    if (n < 4096 + 600)
        return 0x7fffffff - 300 + (n - 4096);
    if (n < 4096 + 1200)
        return n - 4096 - 600 - 300;
    return (uint32_t)random_bits();
}

static void check_32(uint32_t ttype, reference *expected)
{
    unsigned values = SAMPLED ? 4096 + 2048 : 65536;
    uint8_t block[ZTL_REG_BYTES];
    start_hart(2, 64);
    set_csr(CSR_TTYPE, ttype);
    for (unsigned first = 0; first < values; first += 256) {
        for (unsigned n = 0; n < 256; n++)
            put_element(block, 32, n, interesting(first + n));
        for (int imm = -128; imm < 128; imm += SAMPLED ? 15 : 1) {
            const uint8_t *result = add(block, imm);
            for (unsigned n = 0; n < 256; n++) {
                uint32_t value = (uint32_t)get_element(block, 32, n);
                uint32_t got = (uint32_t)get_element(result, 32, n);
                if (got != expected(value, imm))
                    fail_msg("0x%08x + %d: 0x%08x, expected 0x%08x", value, imm, got,
                             expected(value, imm));
            }
        }
    }
}

static void binary32(void **state)
{
    (void)state;
    assert_int_equal(fegetround(), FE_TONEAREST);
    check_32(0x400, plus_binary32);
}

static void int32(void **state)
{
    (void)state;
    check_32(0x008, plus_int32);
}

/* In place, from and to tl0, on any engine, whatever tshape and the masks say. */
static void registers(void **state)
{
    (void)state;
    uint8_t constant[ZTL_REG_BYTES];
    static const uint8_t zero[ZTL_REG_BYTES];
    start_hart(2, 64);
    fill_registers();
    run_ok(word_addi(1, 0, 50));
    memset(constant, 50, sizeof constant);
    expect_register(1, constant);
    run_ok(word_addi(1, 1, -7) | 3u << 30);
    memset(constant, 43, sizeof constant);
    expect_register(1, constant);
    run_ok(word_addi(0, 1, 1));
    expect_register(0, zero);
    run_ok(word_addi(31, 0, -1));
    expect_register(31, zero);
    set_csr(CSR_TSHAPE, 0xffffff);
    run_ok(word_addi(30, 1, 0));
    expect_register(30, constant);
    assert_int_equal(get_csr(CSR_STATUS), 0);
}

static void unknown_types(void **state)
{
    (void)state;
    start_hart(2, 64);
    fill_registers();
    unsigned legal = 0;
    for (unsigned ttype = 0; ttype < 0x1000; ttype++) {
        bool known = false;
        for (unsigned t = 0; t < TEST_TYPES; t++)
            known |= test_types[t].ttype == ttype;
        legal += known;
        set_csr(CSR_TTYPE, ttype);
        assert_int_equal(get_csr(CSR_TTYPE), ttype);
        if (known)
            run_ok(word_addi(1, 2, 3));
        else if (!SAMPLED || ttype % 7 == 0)
            run_illegal(word_addi(1, 2, 3), TYPE);
    }
    assert_int_equal(legal, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes),          cmocka_unit_test(bytes_of_revision_1),
        cmocka_unit_test(small_integers), cmocka_unit_test(floats_of_4_and_8_bits),
        cmocka_unit_test(binary16),       cmocka_unit_test(bfloat16),
        cmocka_unit_test(binary32),       cmocka_unit_test(int32),
        cmocka_unit_test(registers),      cmocka_unit_test(unknown_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
