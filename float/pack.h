/* SPDX-License-Identifier: Apache-2.0
 * Numbers taken apart, and put together rounded.
 */
#ifndef ZTL_FLOAT_PACK_H
#define ZTL_FLOAT_PACK_H

#include "float/float.h"

enum float_kind { FLOAT_ZERO, FLOAT_FINITE, FLOAT_INFINITE, FLOAT_NAN };

/* A finite one is significand * 2^(exponent - 63), the top bit of the significand set. */
typedef struct unpacked {
    uint64_t significand;
    int exponent;
    uint8_t kind; /* enum float_kind */
    bool negative;
    bool signalling;
} unpacked;

/* 128 bits: not every target has a type for them. */
typedef struct wide {
    uint64_t high, low;
} wide;

unpacked ztl_fp_unpack(const ztl_fp_format *format, uint64_t bits);

/* The number significand * 2^(exponent - 63) rounded. The lowest bit may stand for any number of
 * bits below it that are not all zero. A significand of 0 is a zero. */
uint64_t ztl_fp_pack(const ztl_fp_format *format, bool negative, int exponent, uint64_t significand,
                     ztl_fp_env *env);

uint64_t ztl_fp_infinity(const ztl_fp_format *format, bool negative);

/* A result without a number: the canonical NaN, and invalid where it has to be. */
uint64_t ztl_fp_invalid(const ztl_fp_format *format, ztl_fp_env *env);

static inline uint64_t signed_zero(const ztl_fp_format *format, bool negative)
{
    return negative ? ztl_fp_sign_bit(format) : 0;
}

static inline unsigned leading_zeros(uint64_t value)
{
    return value ? (unsigned)__builtin_clzll(value) : 64;
}

/* Shifts right; the lowest bit stays set where a bit was lost. */
static inline uint64_t shift_sticky(uint64_t value, unsigned count)
{
    if (count == 0)
        return value;
    if (count > 63)
        return value != 0;
    return value >> count | (value << (64 - count) != 0);
}

/* Whether a remainder below the kept bits rounds the magnitude up. `half` is half of the last kept
 * place, `odd` its bit. */
static inline bool rounds_up(enum ztl_rounding rounding, bool negative, uint64_t rest,
                             uint64_t half, bool odd)
{
    switch (rounding) {
    case ZTL_ROUND_NEAREST_EVEN:
        return rest > half || (rest == half && odd);
    case ZTL_ROUND_NEAREST_AWAY:
        return rest >= half;
    case ZTL_ROUND_DOWN:
        return negative && rest;
    case ZTL_ROUND_UP:
        return !negative && rest;
    default:
        return false;
    }
}

#endif
