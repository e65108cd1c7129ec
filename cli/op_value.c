/* SPDX-License-Identifier: Apache-2.0
 * Numbers as text: the bits of one element.
 */
#include "cli/op_value.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_number(const char *text, char *error, size_t size)
{
    snprintf(error, size, "'%s' is no number", text);
    return false;
}

static bool out_of_range(const char *text, unsigned width, char *error, size_t size)
{
    snprintf(error, size, "%s is out of range for elements of %u bits", text, width);
    return false;
}

bool ztl_op_integer(const char *text, unsigned width, uint64_t *bits, char *error, size_t size)
{
    char *end;
    uint64_t mask = UINT64_MAX >> (64 - width);
    errno = 0;
    bool negative = text[strspn(text, " ")] == '-';
    *bits = negative ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    if (!*text || *end)
        return no_number(text, error, size);
    if (errno || (negative ? -*bits > mask / 2 + 1 : *bits > mask))
        return out_of_range(text, width, error, size);
    *bits &= mask;
    return true;
}

/* Of a number that is not below 0: rounded to the type's steps, ties to even. */
static uint64_t magnitude(double number, const ztl_type_row *type)
{
    int bias = (1 << (type->exponent_bits - 1)) - 1, exponent;
    if (number == 0)
        return 0;
    frexp(number, &exponent);
    exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
    double units = nearbyint(ldexp(number, type->fraction_bits - exponent));
    return ((uint64_t)(exponent + bias - 1) << type->fraction_bits) + (uint64_t)units;
}

bool ztl_op_float(const char *text, const ztl_type_row *type, uint64_t *bits, char *error,
                  size_t size)
{
    char *end;
    unsigned below_sign = type->exponent_bits + type->fraction_bits;
    uint64_t ones = (UINT64_C(1) << below_sign) - 1,
             top = ones >> type->fraction_bits << type->fraction_bits;
    uint64_t largest = type->special == ZTL_SPECIAL_IEEE       ? top - 1
                       : type->special == ZTL_SPECIAL_NAN_ONLY ? ones - 1
                                                               : ones;
    if (!strncmp(text, "0x", 2))
        return ztl_op_integer(text, type->bits, bits, error, size);
    double number = strtod(text, &end);
    if (!*text || *end)
        return no_number(text, error, size);
    if (isnan(number) && type->special != ZTL_SPECIAL_NONE)
        *bits = type->special == ZTL_SPECIAL_IEEE ? top | UINT64_C(1) << (type->fraction_bits - 1)
                                                  : ones;
    else if (isinf(number) && type->special == ZTL_SPECIAL_IEEE)
        *bits = top;
    else if (isfinite(number) && fabs(number) < 1e39 && magnitude(fabs(number), type) <= largest)
        *bits = magnitude(fabs(number), type);
    else
        return out_of_range(text, type->bits, error, size);
    if (signbit(number) && !isnan(number))
        *bits |= UINT64_C(1) << below_sign;
    return true;
}

bool ztl_op_double(const char *text, uint64_t *bits, char *error, size_t size)
{
    char *end;
    if (!strncmp(text, "0x", 2))
        return ztl_op_integer(text, 64, bits, error, size);
    double number = strtod(text, &end);
    if (!*text || *end)
        return no_number(text, error, size);
    memcpy(bits, &number, sizeof *bits);
    return true;
}
