/* SPDX-License-Identifier: Apache-2.0
 * Between the bits of a format and numbers.
 */
#include "float/pack.h"

const ztl_fp_format ztl_fp_half = {5, 10};
const ztl_fp_format ztl_fp_single = {8, 23};
const ztl_fp_format ztl_fp_double = {11, 52};

static int bias_of(const ztl_fp_format *format)
{
    return (1 << (format->exponent_bits - 1)) - 1;
}

static uint64_t exponent_mask(const ztl_fp_format *format)
{
    return (UINT64_C(1) << format->exponent_bits) - 1;
}

uint64_t ztl_fp_sign_bit(const ztl_fp_format *format)
{
    return UINT64_C(1) << (format->exponent_bits + format->fraction_bits);
}

uint64_t ztl_fp_infinity(const ztl_fp_format *format, bool negative)
{
    return signed_zero(format, negative) | exponent_mask(format) << format->fraction_bits;
}

uint64_t ztl_fp_nan(const ztl_fp_format *format)
{
    return ztl_fp_infinity(format, false) | UINT64_C(1) << (format->fraction_bits - 1);
}

uint64_t ztl_fp_invalid(const ztl_fp_format *format, ztl_fp_env *env)
{
    env->flags |= ZTL_FP_INVALID;
    return ztl_fp_nan(format);
}

unpacked ztl_fp_unpack(const ztl_fp_format *format, uint64_t bits)
{
    unsigned fraction_bits = format->fraction_bits;
    uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    uint64_t biased = bits >> fraction_bits & exponent_mask(format);
    unpacked number = {.negative = (bits & ztl_fp_sign_bit(format)) != 0};
    if (biased == exponent_mask(format)) {
        number.kind = fraction ? FLOAT_NAN : FLOAT_INFINITE;
        number.signalling = fraction && !(fraction >> (fraction_bits - 1));
        return number;
    }
    if (!biased && !fraction)
        return number; /* zero */
    number.kind = FLOAT_FINITE;
    number.significand = (biased ? UINT64_C(1) << fraction_bits | fraction : fraction);
    number.exponent = (biased ? (int)biased : 1) - bias_of(format);
    unsigned shift = leading_zeros(number.significand);
    number.significand <<= shift;
    number.exponent += 63 - (int)fraction_bits - (int)shift;
    return number;
}

static uint64_t overflow(const ztl_fp_format *format, bool negative, ztl_fp_env *env)
{
    env->flags |= ZTL_FP_OVERFLOW | ZTL_FP_INEXACT;
    uint64_t infinity = ztl_fp_infinity(format, negative);
    /* All that is beyond the largest number rounds as something just above it does. */
    return rounds_up(env->rounding, negative, 3, 2, true) ? infinity : infinity - 1;
}

uint64_t ztl_fp_pack(const ztl_fp_format *format, bool negative, int exponent, uint64_t significand,
                     ztl_fp_env *env)
{
    unsigned dropped = 63 - format->fraction_bits;
    uint64_t mask = (UINT64_C(1) << dropped) - 1, half = UINT64_C(1) << (dropped - 1);
    int bias = bias_of(format), least = 1 - bias;
    bool tiny = false;
    if (!significand)
        return signed_zero(format, negative);
    if (exponent < least) {
        /* Rounded as if there were no least exponent, does it reach the least normal number? */
        bool all_ones = (significand | mask) == UINT64_MAX;
        tiny = exponent < least - 1 || !all_ones ||
               !rounds_up(env->rounding, negative, significand & mask, half, true);
        significand = shift_sticky(significand, (unsigned)(least - exponent));
        exponent = least;
    }
    uint64_t rest = significand & mask, kept = significand >> dropped;
    kept += rounds_up(env->rounding, negative, rest, half, kept & 1);
    if (rest)
        env->flags |= ZTL_FP_INEXACT | (tiny ? ZTL_FP_UNDERFLOW : 0);
    /* The leading 1 counts as one of the exponent; a subnormal number has none. */
    uint64_t magnitude = ((uint64_t)(exponent - least) << format->fraction_bits) + kept;
    if (exponent > bias || magnitude >= ztl_fp_infinity(format, false))
        return overflow(format, negative, env);
    return signed_zero(format, negative) | magnitude;
}
