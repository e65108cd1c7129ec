/* SPDX-License-Identifier: Apache-2.0
 * Hand-picked cases of IEEE 754; tests/sim/execute/float.py has the millions.
 */
#include "float/float.h"
#include "tests/unit.h"

enum {
    NX = ZTL_FP_INEXACT,
    UF = ZTL_FP_UNDERFLOW,
    OF = ZTL_FP_OVERFLOW,
    DZ = ZTL_FP_BY_ZERO,
    NV = ZTL_FP_INVALID,
    RNE = ZTL_ROUND_NEAREST_EVEN,
    RTZ = ZTL_ROUND_TO_ZERO,
    RDN = ZTL_ROUND_DOWN,
    RUP = ZTL_ROUND_UP,
    RMM = ZTL_ROUND_NEAREST_AWAY,
};

static const ztl_fp_format *const half = &ztl_fp_half, *const single = &ztl_fp_single,
                                  *const real = &ztl_fp_double;

/* The value of an expression that uses `env`, in a rounding mode, and its flags. */
#define EXPECT(expression, mode, result, expected_flags)                                           \
    do {                                                                                           \
        ztl_fp_env env = {(enum ztl_rounding)(mode), 0};                                           \
        assert_int_equal((expression), (result));                                                  \
        assert_int_equal(env.flags, (expected_flags));                                             \
    } while (0)

#define ONE   0x3ff0000000000000
#define TWO   0x4000000000000000
#define INF   0x7ff0000000000000
#define QNAN  0x7ff8000000000000
#define SNAN  0x7ff0000000000001
#define LEAST 0x0010000000000000 /* normal number */
#define MOST  0x7fefffffffffffff
#define MINUS 0x8000000000000000

static void test_rounding(void **state)
{
    (void)state;
    /* 1 + 2^-53 is half way between 1 and the next number. */
    const uint64_t tie = 0x3ca0000000000000, next = ONE + 1;
    EXPECT(ztl_fp_add(real, ONE, tie, &env), RNE, ONE, NX);
    EXPECT(ztl_fp_add(real, ONE, tie, &env), RTZ, ONE, NX);
    EXPECT(ztl_fp_add(real, ONE, tie, &env), RDN, ONE, NX);
    EXPECT(ztl_fp_add(real, ONE, tie, &env), RUP, next, NX);
    EXPECT(ztl_fp_add(real, ONE, tie, &env), RMM, next, NX);
    EXPECT(ztl_fp_add(real, next, tie, &env), RNE, ONE + 2, NX); /* to even */
    EXPECT(ztl_fp_add(real, MINUS | ONE, MINUS | tie, &env), RDN, MINUS | next, NX);
    EXPECT(ztl_fp_add(real, MINUS | ONE, MINUS | tie, &env), RUP, MINUS | ONE, NX);
    EXPECT(ztl_fp_add(real, ONE, 1, &env), RUP, next, NX); /* far below the last place */
}

static void test_zero(void **state)
{
    (void)state;
    EXPECT(ztl_fp_add(real, ONE, MINUS | ONE, &env), RNE, 0, 0);
    EXPECT(ztl_fp_add(real, ONE, MINUS | ONE, &env), RDN, MINUS, 0);
    EXPECT(ztl_fp_add(real, MINUS, MINUS, &env), RUP, MINUS, 0);
    EXPECT(ztl_fp_add(real, 0, MINUS, &env), RDN, MINUS, 0);
    EXPECT(ztl_fp_multiply(real, MINUS, ONE, &env), RNE, MINUS, 0);
    EXPECT(ztl_fp_sqrt(real, MINUS, &env), RNE, MINUS, 0);
    EXPECT(ztl_fp_fma(real, ONE, ONE, MINUS | ONE, &env), RDN, MINUS, 0);
}

static void test_invalid(void **state)
{
    (void)state;
    EXPECT(ztl_fp_add(real, INF, MINUS | INF, &env), RNE, QNAN, NV);
    EXPECT(ztl_fp_multiply(real, INF, 0, &env), RNE, QNAN, NV);
    EXPECT(ztl_fp_divide(real, 0, 0, &env), RNE, QNAN, NV);
    EXPECT(ztl_fp_divide(real, INF, INF, &env), RNE, QNAN, NV);
    EXPECT(ztl_fp_sqrt(real, MINUS | ONE, &env), RNE, QNAN, NV);
    EXPECT(ztl_fp_fma(real, INF, 0, QNAN, &env), RNE, QNAN, NV);
    EXPECT(ztl_fp_add(real, SNAN, ONE, &env), RNE, QNAN, NV);
    EXPECT(ztl_fp_add(real, MINUS | QNAN | 5, ONE, &env), RNE, QNAN, 0); /* canonical */
    EXPECT(ztl_fp_divide(real, MINUS | ONE, 0, &env), RNE, MINUS | INF, DZ);
    EXPECT(ztl_fp_divide(real, INF, 0, &env), RNE, INF, 0);
}

static void test_range(void **state)
{
    (void)state;
    EXPECT(ztl_fp_add(real, MOST, MOST, &env), RNE, INF, OF | NX);
    EXPECT(ztl_fp_add(real, MOST, MOST, &env), RTZ, MOST, OF | NX);
    EXPECT(ztl_fp_add(real, MOST, MOST, &env), RDN, MOST, OF | NX);
    EXPECT(ztl_fp_add(real, MINUS | MOST, MINUS | MOST, &env), RUP, MINUS | MOST, OF | NX);
    EXPECT(ztl_fp_multiply(real, 1, 1, &env), RNE, 0, UF | NX);
    EXPECT(ztl_fp_multiply(real, 1, 1, &env), RUP, 1, UF | NX);
    EXPECT(ztl_fp_divide(real, LEAST, TWO, &env), RNE, LEAST / 2, 0); /* exact: no underflow */
    EXPECT(ztl_fp_divide(real, 3, TWO, &env), RNE, 2, UF | NX);
    /* The largest number below LEAST, of one bit more: tiny before rounding, not after. */
    EXPECT(ztl_fp_multiply(real, LEAST, ONE - 1, &env), RNE, LEAST, UF | NX);
    EXPECT(ztl_fp_convert(single, real, 0x380fffffffffffff, &env), RNE, 0x00800000, NX);
    EXPECT(ztl_fp_convert(single, real, 0x380fffffffffffff, &env), RTZ, 0x007fffff, UF | NX);
    EXPECT(ztl_fp_convert(half, single, 0x477fefff, &env), RNE, 0x7bff, NX); /* 65519.996 */
    EXPECT(ztl_fp_convert(half, single, 0x477ff000, &env), RNE, 0x7c00, OF | NX);
    EXPECT(ztl_fp_convert(real, half, 0x0001, &env), RNE, 0x3e70000000000000, 0); /* 2^-24 */
}

static void test_fused(void **state)
{
    (void)state;
    /* (1 + 2^-52)^2 - (1 + 2^-51) is 2^-104, which a rounded product would lose. */
    EXPECT(ztl_fp_fma(real, ONE + 1, ONE + 1, MINUS | (ONE + 2), &env), RNE, 0x3970000000000000, 0);
    EXPECT(ztl_fp_fma(real, MOST, TWO, MINUS | MOST, &env), RNE, MOST, 0); /* no overflow between */
    EXPECT(ztl_fp_sqrt(real, TWO, &env), RNE, 0x3ff6a09e667f3bcd, NX);
    EXPECT(ztl_fp_sqrt(single, 0x41100000, &env), RNE, 0x40400000, 0); /* 9 */
    EXPECT(ztl_fp_divide(single, 0x3f800000, 0x40400000, &env), RNE, 0x3eaaaaab, NX);
    EXPECT(ztl_fp_divide(single, 0x3f800000, 0x40400000, &env), RTZ, 0x3eaaaaaa, NX);
}

static void test_order(void **state)
{
    (void)state;
    EXPECT(ztl_fp_min(real, MINUS, 0, &env), RNE, MINUS, 0);
    EXPECT(ztl_fp_max(real, MINUS, 0, &env), RNE, 0, 0);
    EXPECT(ztl_fp_min(real, QNAN, ONE, &env), RNE, ONE, 0);
    EXPECT(ztl_fp_max(real, ONE, SNAN, &env), RNE, ONE, NV);
    EXPECT(ztl_fp_max(real, QNAN | 1, QNAN | 2, &env), RNE, QNAN, 0);
    EXPECT(ztl_fp_equal(real, MINUS, 0, &env), RNE, true, 0);
    EXPECT(ztl_fp_less(real, MINUS, 0, &env), RNE, false, 0);
    EXPECT(ztl_fp_less_equal(real, 0, MINUS, &env), RNE, true, 0);
    EXPECT(ztl_fp_less(real, MINUS | ONE, MINUS | 1, &env), RNE, true, 0);
    EXPECT(ztl_fp_equal(real, QNAN, QNAN, &env), RNE, false, 0);
    EXPECT(ztl_fp_equal(real, SNAN, ONE, &env), RNE, false, NV);
    EXPECT(ztl_fp_less(real, QNAN, ONE, &env), RNE, false, NV);
}

static void test_class(void **state)
{
    (void)state;
    static const uint64_t values[] = {MINUS | INF, MINUS | ONE, MINUS | 1, MINUS, 0,
                                      1,           ONE,         INF,       SNAN,  QNAN};
    for (unsigned k = 0; k < sizeof values / sizeof values[0]; k++)
        assert_int_equal(ztl_fp_class(real, values[k]), 1 << k);
}

static void test_integers(void **state)
{
    (void)state;
    const uint64_t minus_1 = UINT64_MAX, least_32 = UINT64_MAX << 31;
    EXPECT(ztl_fp_to_integer(real, 0x4004000000000000, 32, true, &env), RNE, 2, NX); /* 2.5 */
    EXPECT(ztl_fp_to_integer(real, 0x4004000000000000, 32, true, &env), RMM, 3, NX);
    EXPECT(ztl_fp_to_integer(real, 0xbfe0000000000000, 32, false, &env), RTZ, 0, NX); /* -0.5 */
    EXPECT(ztl_fp_to_integer(real, 0xbfe0000000000000, 32, false, &env), RDN, 0, NV);
    EXPECT(ztl_fp_to_integer(real, 0x41dfffffffe00000, 32, true, &env), RTZ, INT32_MAX, NX);
    EXPECT(ztl_fp_to_integer(real, 0x41dfffffffe00000, 32, true, &env), RUP, INT32_MAX, NV);
    EXPECT(ztl_fp_to_integer(real, 0xc1e0000000000000, 32, true, &env), RNE, least_32, 0);
    EXPECT(ztl_fp_to_integer(real, MINUS | INF, 32, true, &env), RNE, least_32, NV);
    EXPECT(ztl_fp_to_integer(real, MINUS | QNAN, 32, true, &env), RNE, INT32_MAX, NV);
    EXPECT(ztl_fp_to_integer(real, QNAN, 32, false, &env), RNE, minus_1, NV); /* sign-extended */
    EXPECT(ztl_fp_to_integer(real, 0x43f0000000000000, 64, false, &env), RNE, UINT64_MAX, NV);
    EXPECT(ztl_fp_to_integer(real, 0x43efffffffffffff, 64, false, &env), RNE, UINT64_MAX << 11, 0);
    EXPECT(ztl_fp_from_integer(real, UINT64_MAX, true, &env), RNE, MINUS | ONE, 0);
    EXPECT(ztl_fp_from_integer(real, UINT64_MAX, false, &env), RNE, 0x43f0000000000000, NX);
    EXPECT(ztl_fp_from_integer(single, 16777217, true, &env), RNE, 0x4b800000, NX);
    EXPECT(ztl_fp_from_integer(single, 16777217, true, &env), RUP, 0x4b800001, NX);
    EXPECT(ztl_fp_from_integer(half, 65520, false, &env), RNE, 0x7c00, OF | NX);
    EXPECT(ztl_fp_from_integer(half, 0, true, &env), RDN, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounding), cmocka_unit_test(test_zero),
        cmocka_unit_test(test_invalid),  cmocka_unit_test(test_range),
        cmocka_unit_test(test_fused),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_class),    cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
