/* SPDX-License-Identifier: Apache-2.0
 * Sums, products, quotients and roots.
 */
#include "float/pack.h"

static wide wide_product(uint64_t a, uint64_t b)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t low = al * bl, cross = ah * bl + (low >> 32), other = al * bh + (uint32_t)cross;
    return (wide){ah * bh + (cross >> 32) + (other >> 32), other << 32 | (uint32_t)low};
}

/* As shift_sticky. */
static wide wide_shift_sticky(wide value, unsigned count)
{
    if (count == 0)
        return value;
    if (count >= 64)
        return (wide){0, shift_sticky(value.high, count - 64) | (value.low != 0)};
    return (wide){value.high >> count, value.high << (64 - count) | shift_sticky(value.low, count)};
}

static wide wide_add(wide a, wide b)
{
    uint64_t low = a.low + b.low;
    return (wide){a.high + b.high + (low < a.low), low};
}

static wide wide_subtract(wide a, wide b)
{
    return (wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

static bool wide_less(wide a, wide b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* A NaN that comes of NaNs. */
static uint64_t pass_nan(const ztl_fp_format *format, bool signalling, ztl_fp_env *env)
{
    return signalling ? ztl_fp_invalid(format, env) : ztl_fp_nan(format);
}

/* The sum of two zeros, or of two numbers that cancel out. */
static uint64_t zero_sum(const ztl_fp_format *format, bool a, bool b, const ztl_fp_env *env)
{
    return signed_zero(format, a == b ? a : env->rounding == ZTL_ROUND_DOWN);
}

/* Of finite numbers. Of 64 bits at least 11 are 0, so that two give room for a carry and enough
 * are left below for rounding. */
static uint64_t add_finite(const ztl_fp_format *format, unpacked a, unpacked b, ztl_fp_env *env)
{
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
        unpacked other = a;
        a = b;
        b = other;
    }
    uint64_t larger = a.significand >> 2;
    uint64_t smaller = shift_sticky(b.significand >> 2, (unsigned)(a.exponent - b.exponent));
    uint64_t sum = a.negative == b.negative ? larger + smaller : larger - smaller;
    if (sum == 0)
        return zero_sum(format, a.negative, b.negative, env);
    unsigned shift = leading_zeros(sum);
    return ztl_fp_pack(format, a.negative, a.exponent + 2 - (int)shift, sum << shift, env);
}

uint64_t ztl_fp_add(const ztl_fp_format *format, uint64_t a_bits, uint64_t b_bits, ztl_fp_env *env)
{
    unpacked a = ztl_fp_unpack(format, a_bits), b = ztl_fp_unpack(format, b_bits);
    if (a.kind == FLOAT_FINITE && b.kind == FLOAT_FINITE)
        return add_finite(format, a, b, env);
    if (a.kind == FLOAT_NAN || b.kind == FLOAT_NAN)
        return pass_nan(format, a.signalling || b.signalling, env);
    if (a.kind == FLOAT_INFINITE && b.kind == FLOAT_INFINITE && a.negative != b.negative)
        return ztl_fp_invalid(format, env);
    if (a.kind == FLOAT_ZERO && b.kind == FLOAT_ZERO)
        return zero_sum(format, a.negative, b.negative, env);
    return a.kind == FLOAT_INFINITE || b.kind == FLOAT_ZERO ? a_bits : b_bits;
}

uint64_t ztl_fp_multiply(const ztl_fp_format *format, uint64_t a_bits, uint64_t b_bits,
                         ztl_fp_env *env)
{
    unpacked a = ztl_fp_unpack(format, a_bits), b = ztl_fp_unpack(format, b_bits);
    bool negative = a.negative != b.negative;
    if (a.kind == FLOAT_NAN || b.kind == FLOAT_NAN)
        return pass_nan(format, a.signalling || b.signalling, env);
    if (a.kind == FLOAT_INFINITE || b.kind == FLOAT_INFINITE)
        return a.kind == FLOAT_ZERO || b.kind == FLOAT_ZERO ? ztl_fp_invalid(format, env)
                                                            : ztl_fp_infinity(format, negative);
    if (a.kind == FLOAT_ZERO || b.kind == FLOAT_ZERO)
        return signed_zero(format, negative);
    wide product = wide_product(a.significand, b.significand);
    uint64_t significand = product.high | (product.low != 0);
    unsigned shift = leading_zeros(significand);
    return ztl_fp_pack(format, negative, a.exponent + b.exponent + 1 - (int)shift,
                       significand << shift, env);
}

/* The quotient of two 53-bit significands, to 60 bits and a sticky one: ten bits at a time fit 64
 * with the remainder. */
static uint64_t divide_significands(uint64_t a, uint64_t b)
{
    enum { STEP = 10, STEPS = 6 };
    uint64_t divisor = b >> 11, quotient = a >= b, rest = (a >> 11) - (quotient ? divisor : 0);
    for (unsigned k = 0; k < STEPS; k++) {
        rest <<= STEP;
        quotient = quotient << STEP | rest / divisor;
        rest %= divisor;
    }
    return quotient << 1 | (rest != 0);
}

uint64_t ztl_fp_divide(const ztl_fp_format *format, uint64_t a_bits, uint64_t b_bits,
                       ztl_fp_env *env)
{
    unpacked a = ztl_fp_unpack(format, a_bits), b = ztl_fp_unpack(format, b_bits);
    bool negative = a.negative != b.negative;
    if (a.kind == FLOAT_NAN || b.kind == FLOAT_NAN)
        return pass_nan(format, a.signalling || b.signalling, env);
    if (a.kind == b.kind && a.kind != FLOAT_FINITE)
        return ztl_fp_invalid(format, env); /* 0/0 or inf/inf */
    if (a.kind == FLOAT_INFINITE)
        return ztl_fp_infinity(format, negative);
    if (a.kind == FLOAT_ZERO || b.kind == FLOAT_INFINITE)
        return signed_zero(format, negative);
    if (b.kind == FLOAT_ZERO) {
        env->flags |= ZTL_FP_BY_ZERO;
        return ztl_fp_infinity(format, negative);
    }
    uint64_t quotient = divide_significands(a.significand, b.significand); /* 1 is bit 61 */
    unsigned shift = leading_zeros(quotient);
    return ztl_fp_pack(format, negative, a.exponent - b.exponent + 2 - (int)shift,
                       quotient << shift, env);
}

/* 57 bits of the root of a number of 114 bits, the first 64 of them given, and a sticky one. */
static uint64_t root_significand(uint64_t radicand)
{
    enum { STEPS = 57 };
    uint64_t root = 0, rest = 0;
    for (unsigned k = 0; k < STEPS; k++) {
        rest = rest << 2 | radicand >> 62;
        radicand <<= 2;
        uint64_t trial = root << 2 | 1;
        bool fits = rest >= trial;
        rest -= fits ? trial : 0;
        root = root << 1 | fits;
    }
    return root << 1 | (rest != 0);
}

uint64_t ztl_fp_sqrt(const ztl_fp_format *format, uint64_t bits, ztl_fp_env *env)
{
    unpacked a = ztl_fp_unpack(format, bits);
    if (a.kind == FLOAT_NAN)
        return pass_nan(format, a.signalling, env);
    if (a.kind == FLOAT_ZERO)
        return bits;
    if (a.negative)
        return ztl_fp_invalid(format, env);
    if (a.kind == FLOAT_INFINITE)
        return bits;
    /* An even exponent: the radicand is a number from 1 to 4, its units the top two bits. */
    bool odd = a.exponent & 1;
    uint64_t root = root_significand(odd ? a.significand : a.significand >> 1);
    unsigned shift = leading_zeros(root);
    return ztl_fp_pack(format, false, (a.exponent - odd) / 2, root << shift, env);
}

/* A product of 128 bits and a number, exactly added and rounded once. */
static uint64_t add_product(const ztl_fp_format *format, bool negative, int exponent, wide product,
                            const unpacked *c, ztl_fp_env *env)
{
    wide larger = wide_shift_sticky(product, 2), smaller = {c->significand >> 2, 0};
    int distance = exponent - c->exponent;
    bool swap = distance < 0;
    if (swap) {
        wide other = larger;
        larger = smaller;
        smaller = other;
        exponent = c->exponent;
        distance = -distance;
    }
    smaller = wide_shift_sticky(smaller, (unsigned)distance);
    bool same = negative == c->negative;
    if (!same && wide_less(larger, smaller)) {
        wide other = larger;
        larger = smaller;
        smaller = other;
        swap = !swap;
    }
    wide sum = same ? wide_add(larger, smaller) : wide_subtract(larger, smaller);
    if (!sum.high && !sum.low)
        return zero_sum(format, negative, c->negative, env);
    unsigned shift = sum.high ? leading_zeros(sum.high) : 64 + leading_zeros(sum.low);
    uint64_t top = shift >= 64 ? sum.low << (shift - 64)
                   : shift     ? sum.high << shift | sum.low >> (64 - shift)
                               : sum.high;
    bool lost = shift < 64 && sum.low << shift != 0;
    return ztl_fp_pack(format, swap ? c->negative : negative, exponent + 2 - (int)shift, top | lost,
                       env);
}

static bool is_zero_times_infinity(const unpacked *a, const unpacked *b)
{
    return (a->kind == FLOAT_ZERO && b->kind == FLOAT_INFINITE) ||
           (a->kind == FLOAT_INFINITE && b->kind == FLOAT_ZERO);
}

uint64_t ztl_fp_fma(const ztl_fp_format *format, uint64_t a_bits, uint64_t b_bits, uint64_t c_bits,
                    ztl_fp_env *env)
{
    unpacked a = ztl_fp_unpack(format, a_bits), b = ztl_fp_unpack(format, b_bits);
    unpacked c = ztl_fp_unpack(format, c_bits);
    bool negative = a.negative != b.negative;
    if (is_zero_times_infinity(&a, &b)) /* even where a quiet NaN is added */
        return ztl_fp_invalid(format, env);
    if (a.kind == FLOAT_NAN || b.kind == FLOAT_NAN || c.kind == FLOAT_NAN)
        return pass_nan(format, a.signalling || b.signalling || c.signalling, env);
    if (a.kind == FLOAT_INFINITE || b.kind == FLOAT_INFINITE)
        return c.kind == FLOAT_INFINITE && c.negative != negative
                   ? ztl_fp_invalid(format, env)
                   : ztl_fp_infinity(format, negative);
    if (c.kind == FLOAT_INFINITE)
        return c_bits;
    if (a.kind == FLOAT_ZERO || b.kind == FLOAT_ZERO)
        return c.kind == FLOAT_ZERO ? zero_sum(format, negative, c.negative, env) : c_bits;
    if (c.kind == FLOAT_ZERO)
        return ztl_fp_multiply(format, a_bits, b_bits, env);
    return add_product(format, negative, a.exponent + b.exponent + 1,
                       wide_product(a.significand, b.significand), &c, env);
}
