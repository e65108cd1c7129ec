/* SPDX-License-Identifier: Apache-2.0
 * Order and classes.
 */
#include "float/pack.h"

static bool is_nan(const ztl_fp_format *format, uint64_t a, bool *signalling)
{
    unpacked number = ztl_fp_unpack(format, a);
    *signalling |= number.signalling;
    return number.kind == FLOAT_NAN;
}

/* Whether one is a NaN; invalid where that has to be said. */
static bool unordered(const ztl_fp_format *format, uint64_t a, uint64_t b, bool quiet,
                      ztl_fp_env *env)
{
    bool signalling = false;
    bool a_nan = is_nan(format, a, &signalling), b_nan = is_nan(format, b, &signalling);
    if (signalling || (!quiet && (a_nan || b_nan)))
        env->flags |= ZTL_FP_INVALID;
    return a_nan || b_nan;
}

/* Bits as an integer of the same order: -0 is just below +0. */
static int64_t order_of(const ztl_fp_format *format, uint64_t a)
{
    uint64_t sign = ztl_fp_sign_bit(format), magnitude = a & (sign - 1);
    return a & sign ? -(int64_t)magnitude - 1 : (int64_t)magnitude;
}

static bool both_zero(const ztl_fp_format *format, uint64_t a, uint64_t b)
{
    return ((a | b) & (ztl_fp_sign_bit(format) - 1)) == 0;
}

bool ztl_fp_equal(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env)
{
    return !unordered(format, a, b, true, env) && (a == b || both_zero(format, a, b));
}

static bool less(const ztl_fp_format *format, uint64_t a, uint64_t b, bool quiet, ztl_fp_env *env)
{
    return !unordered(format, a, b, quiet, env) && order_of(format, a) < order_of(format, b) &&
           !both_zero(format, a, b);
}

static bool less_equal(const ztl_fp_format *format, uint64_t a, uint64_t b, bool quiet,
                       ztl_fp_env *env)
{
    return !unordered(format, a, b, quiet, env) &&
           (order_of(format, a) <= order_of(format, b) || both_zero(format, a, b));
}

bool ztl_fp_less(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env)
{
    return less(format, a, b, false, env);
}

bool ztl_fp_less_equal(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env)
{
    return less_equal(format, a, b, false, env);
}

bool ztl_fp_less_quiet(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env)
{
    return less(format, a, b, true, env);
}

bool ztl_fp_less_equal_quiet(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env)
{
    return less_equal(format, a, b, true, env);
}

static uint64_t choose(const ztl_fp_format *format, uint64_t a, uint64_t b, bool largest,
                       bool nan_wins, ztl_fp_env *env)
{
    bool signalling = false;
    bool a_nan = is_nan(format, a, &signalling), b_nan = is_nan(format, b, &signalling);
    if (signalling)
        env->flags |= ZTL_FP_INVALID;
    if ((a_nan && b_nan) || (nan_wins && (a_nan || b_nan)))
        return ztl_fp_nan(format);
    if (a_nan || b_nan)
        return a_nan ? b : a;
    return (order_of(format, a) < order_of(format, b)) == largest ? b : a;
}

uint64_t ztl_fp_min(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env)
{
    return choose(format, a, b, false, false, env);
}

uint64_t ztl_fp_max(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env)
{
    return choose(format, a, b, true, false, env);
}

uint64_t ztl_fp_min_nan(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env)
{
    return choose(format, a, b, false, true, env);
}

uint64_t ztl_fp_max_nan(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env)
{
    return choose(format, a, b, true, true, env);
}

unsigned ztl_fp_class(const ztl_fp_format *format, uint64_t a)
{
    unpacked number = ztl_fp_unpack(format, a);
    uint64_t magnitude = a & (ztl_fp_sign_bit(format) - 1);
    bool subnormal = magnitude >> format->fraction_bits == 0;
    unsigned place; /* from the infinite down to zero */
    switch ((enum float_kind)number.kind) {
    case FLOAT_NAN:
        return number.signalling ? 1 << 8 : 1 << 9;
    case FLOAT_INFINITE:
        place = 0;
        break;
    case FLOAT_FINITE:
        place = subnormal ? 2 : 1;
        break;
    default:
        place = 3;
    }
    return 1u << (number.negative ? place : 7 - place);
}
