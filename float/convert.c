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
