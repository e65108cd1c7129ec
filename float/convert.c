/* SPDX-License-Identifier: Apache-2.0
 * From format to format, to integers and from them.
 */
#include "float/pack.h"

uint64_t ztl_fp_convert(const ztl_fp_format *to, const ztl_fp_format *from, uint64_t bits,
                        ztl_fp_env *env)
{
    unpacked a = ztl_fp_unpack(from, bits);
    if (a.kind == FLOAT_NAN)
        return a.signalling ? ztl_fp_invalid(to, env) : ztl_fp_nan(to);
    if (a.kind == FLOAT_INFINITE)
        return ztl_fp_infinity(to, a.negative);
    return ztl_fp_pack(to, a.negative, a.exponent, a.significand, env);
}

uint64_t ztl_fp_from_integer(const ztl_fp_format *format, uint64_t value, bool is_signed,
                             ztl_fp_env *env)
{
    bool negative = is_signed && value >> 63;
    uint64_t magnitude = negative ? -value : value;
    unsigned shift = leading_zeros(magnitude);
    return magnitude ? ztl_fp_pack(format, negative, 63 - (int)shift, magnitude << shift, env) : 0;
}

/* The magnitude as an integer, rounded; false when it has more than 64 bits. */
static bool round_magnitude(const unpacked *a, uint64_t *magnitude, bool *inexact,
                            enum ztl_rounding rounding)
{
    const uint64_t half = UINT64_C(1) << 63;
    *magnitude = 0;
    *inexact = false;
    if (a->kind == FLOAT_ZERO)
        return true;
    if (a->kind != FLOAT_FINITE || a->exponent > 63)
        return false;
    /* Bits of the integer, and those below it from the top bit on. */
    uint64_t rest = a->exponent == 63   ? 0
                    : a->exponent >= 0  ? a->significand << (a->exponent + 1)
                    : a->exponent == -1 ? a->significand
                                        : 1;
    *magnitude = a->exponent >= 0 ? a->significand >> (63 - a->exponent) : 0;
    *inexact = rest != 0;
    bool up = rounds_up(rounding, a->negative, rest, half, *magnitude & 1);
    *magnitude += up;
    return !(up && *magnitude == 0);
}

static uint64_t sign_extend_to(uint64_t value, unsigned bits)
{
    return bits == 32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)value : value;
}

uint64_t ztl_fp_to_integer(const ztl_fp_format *format, uint64_t bits_of_a, unsigned bits,
                           bool is_signed, ztl_fp_env *env)
{
    unpacked a = ztl_fp_unpack(format, bits_of_a);
    bool negative = a.negative && a.kind != FLOAT_NAN, inexact;
    uint64_t all = UINT64_MAX >> (64 - bits), top = UINT64_C(1) << (bits - 1), magnitude;
    uint64_t limit = is_signed ? top - !negative : negative ? 0 : all;
    if (!round_magnitude(&a, &magnitude, &inexact, env->rounding) || magnitude > limit) {
        env->flags |= ZTL_FP_INVALID;
        return sign_extend_to(negative ? -limit : limit, bits);
    }
    if (inexact)
        env->flags |= ZTL_FP_INEXACT;
    return sign_extend_to(negative ? -magnitude : magnitude, bits);
}

uint64_t ztl_fp_to_integer_modulo(const ztl_fp_format *format, uint64_t bits, ztl_fp_env *env)
{
    unpacked a = ztl_fp_unpack(format, bits);
    ztl_fp_env cut = {ZTL_ROUND_TO_ZERO, 0};
    ztl_fp_to_integer(format, bits, 32, true, &cut);
    env->flags |= cut.flags;
    if (a.kind != FLOAT_FINITE || a.exponent < 0 || a.exponent > 63 + 31)
        return 0;
    uint64_t magnitude =
        a.exponent <= 63 ? a.significand >> (63 - a.exponent) : a.significand << (a.exponent - 63);
    return sign_extend_to(a.negative ? -magnitude : magnitude, 32);
}

uint64_t ztl_fp_round(const ztl_fp_format *format, uint64_t bits, bool tells_inexact,
                      ztl_fp_env *env)
{
    unpacked a = ztl_fp_unpack(format, bits);
    uint64_t magnitude;
    bool inexact;
    if (a.kind == FLOAT_NAN)
        return a.signalling ? ztl_fp_invalid(format, env) : ztl_fp_nan(format);
    if (a.kind != FLOAT_FINITE || a.exponent >= format->fraction_bits)
        return bits;
    round_magnitude(&a, &magnitude, &inexact, env->rounding);
    if (inexact && tells_inexact)
        env->flags |= ZTL_FP_INEXACT;
    return ztl_fp_from_integer(format, magnitude, false, env) | signed_zero(format, a.negative);
}

uint64_t ztl_fp_constant(const ztl_fp_format *format, unsigned number)
{
    enum { MINUS_ONE, LEAST_NORMAL, INFINITE = 30, NAN_ };
    enum { SCALE = 16 }; /* the others are these, over 2^16 */
    static const uint64_t scaled[] = {
        65536,  0,       1,       2,        256,      512,
        4096,   8192,    16384,   20480,    24576,    28672,
        32768,  40960,   49152,   57344,    65536,    81920,
        98304,  114688,  131072,  163840,   196608,   262144,
        524288, 1048576, 8388608, 16777216, 1u << 31, UINT64_C(1) << 32,
    };
    ztl_fp_env env = {ZTL_ROUND_NEAREST_EVEN, 0};
    if (number == LEAST_NORMAL)
        return UINT64_C(1) << format->fraction_bits;
    if (number >= INFINITE)
        return number == NAN_ ? ztl_fp_nan(format) : ztl_fp_infinity(format, false);
    unsigned shift = leading_zeros(scaled[number]);
    return ztl_fp_pack(format, number == MINUS_ONE, 63 - SCALE - (int)shift,
                       scaled[number] << shift, &env);
}
