/* SPDX-License-Identifier: Apache-2.0
 * Adding a small integer to a float of any type of the table, in integer arithmetic: the exact sum,
 * rounded once to nearest, ties to even, saturated to the largest finite value.
 */
#include "model/model.h"

/* Beyond these exponents of the float one summand only decides on which side of the other the sum
 * lies. A float above 2^36 times its significand has no bit as low as the integer's; below 2^-54
 * times its significand (at most 24 bits) it is less than half of the last bit of any sum. */
enum { FAR_ABOVE = 36, FAR_BELOW = 54 };

/* All ones in the low n bits. */
static uint32_t ones(unsigned n)
{
    return (UINT32_C(1) << n) - 1;
}

static uint32_t topmost_exponent(const ztl_type_row *type)
{
    return ones(type->exponent_bits);
}

static uint32_t magnitude_bits(const ztl_type_row *type, uint32_t value)
{
    return value & ones(type->exponent_bits + type->fraction_bits);
}

static uint32_t canonical_nan(const ztl_type_row *type)
{
    if (type->special == ZTL_SPECIAL_NAN_ONLY)
        return ones(type->exponent_bits + type->fraction_bits);
    return topmost_exponent(type) << type->fraction_bits | UINT32_C(1) << (type->fraction_bits - 1);
}

static uint32_t infinity(const ztl_type_row *type)
{
    return topmost_exponent(type) << type->fraction_bits;
}

/* The bits of the largest finite magnitude. */
static uint32_t largest(const ztl_type_row *type)
{
    switch (type->special) {
    case ZTL_SPECIAL_IEEE:
        return infinity(type) - 1;
    case ZTL_SPECIAL_NAN_ONLY:
        return canonical_nan(type) - 1;
    default:
        return ones(type->exponent_bits + type->fraction_bits);
    }
}

static bool is_nan(const ztl_type_row *type, uint32_t value)
{
    uint32_t magnitude = magnitude_bits(type, value);
    switch (type->special) {
    case ZTL_SPECIAL_IEEE:
        return magnitude > infinity(type);
    case ZTL_SPECIAL_NAN_ONLY:
        return magnitude == canonical_nan(type);
    default:
        return false;
    }
}

static bool is_infinite(const ztl_type_row *type, uint32_t value)
{
    return type->special == ZTL_SPECIAL_IEEE && magnitude_bits(type, value) == infinity(type);
}

/* The exponent of the last bit of the significand of subnormals, the smallest there is. */
static int smallest_exponent(const ztl_type_row *type)
{
    int bias = (1 << (type->exponent_bits - 1)) - 1;
    return 1 - bias - type->fraction_bits;
}

/* value = significand · 2^exponent */
static void unpack(const ztl_type_row *type, uint32_t value, int64_t *significand, int *exponent)
{
    uint32_t fraction = value & ones(type->fraction_bits);
    uint32_t biased = value >> type->fraction_bits & topmost_exponent(type);
    *significand = biased ? fraction | UINT32_C(1) << type->fraction_bits : fraction;
    *exponent = smallest_exponent(type) + (biased ? (int)biased - 1 : 0);
    if (value >> (type->bits - 1) & 1)
        *significand = -*significand;
}

/* magnitude · 2^exponent as the nearest number of the type, or its largest. The magnitude has a
 * sticky last bit when it is not exact; the exponent is never below the type's smallest. */
static uint32_t round_magnitude(const ztl_type_row *type, uint64_t magnitude, int exponent)
{
    unsigned shift = 0;
    while (magnitude >> shift >> (type->fraction_bits + 1))
        shift++;
    uint64_t kept = magnitude >> shift;
    if (shift) {
        uint64_t rest = magnitude & ((UINT64_C(1) << shift) - 1);
        uint64_t half = UINT64_C(1) << (shift - 1);
        kept += rest > half || (rest == half && (kept & 1));
    }
    int above = exponent + (int)shift - smallest_exponent(type);
    while (above > 0 &&
           !(kept >> type->fraction_bits)) { /* exact, and shorter than a significand */
        kept <<= 1;
        above--;
    }
    /* A normal number's hidden bit adds one to the exponent field; so does a carry of rounding. */
    uint64_t bits = kept + ((uint64_t)above << type->fraction_bits);
    return bits > largest(type) ? largest(type) : (uint32_t)bits;
}

/* Brings significand · 2^exponent and addend · 2^0 to one exponent. What is far smaller than the
 * other becomes a sticky last bit of its sign. */
static int64_t exact_sum(int64_t significand, int *exponent, int64_t addend)
{
    if (significand == 0 || addend == 0) {
        *exponent = significand ? *exponent : 0;
        return significand + addend;
    }
    if (*exponent > FAR_ABOVE) {
        *exponent -= FAR_ABOVE;
        return significand * (INT64_C(1) << FAR_ABOVE) + (addend > 0 ? 1 : -1);
    }
    if (*exponent >= 0) {
        significand *= INT64_C(1) << *exponent;
        *exponent = 0;
        return significand + addend;
    }
    if (*exponent >= -FAR_BELOW)
        return significand + addend * (INT64_C(1) << -*exponent);
    *exponent = -FAR_BELOW;
    return addend * (INT64_C(1) << FAR_BELOW) + (significand > 0 ? 1 : -1);
}

uint32_t ztl_float_add(const ztl_type_row *type, uint32_t value, int addend)
{
    if (is_nan(type, value))
        return canonical_nan(type);
    if (is_infinite(type, value))
        return value;
    int64_t significand;
    int exponent;
    unpack(type, value, &significand, &exponent);
    int64_t sum = exact_sum(significand, &exponent, addend);
    if (sum == 0)
        return 0;
    uint32_t sign = sum < 0 ? UINT32_C(1) << (type->bits - 1) : 0;
    return sign | round_magnitude(type, (uint64_t)(sum < 0 ? -sum : sum), exponent);
}
