/* SPDX-License-Identifier: Apache-2.0
 * Numbers as text: the bits of one element.
 */
#include "cli/op/input/value.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/text/text.h"
#include "host/error.h"

/* What is read, and where to complain. */
typedef struct parser {
    const char *text;
    unsigned bits; /* of the element */
    ztl_error *error;
} parser;

static bool no_number(const parser *p)
{
    return ztl_fail(p->error, *p->text ? "'%s' is no number" : "a number is missing", p->text);
}

/* What would be a number of another dtype is told apart from what is none at all. */
static bool no_integer(const parser *p)
{
    if (!ztl_op_is_fraction(p->text))
        return no_number(p);
    return ztl_fail(p->error, "%s is not a whole number, as the elements of %u bits are", p->text,
                    p->bits);
}

static bool out_of_range(const parser *p)
{
    return ztl_fail(p->error, "%s is out of range for elements of %u bits", p->text, p->bits);
}

/* The digits behind 0x: the bits themselves. */
static bool read_bits(const parser *p, uint64_t *word)
{
    const char *digits = p->text + 2 + strspn(p->text + 2, "0");
    size_t count = strspn(digits, "0123456789abcdefABCDEF");
    if (digits[count] || !p->text[2])
        return no_number(p);
    if (count > p->bits / 4)
        return out_of_range(p);
    for (size_t i = 0; i < count; i++) {
        int digit = tolower((unsigned char)digits[count - 1 - i]);
        word[i / 16] |= (uint64_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10) << i % 16 * 4;
    }
    return true;
}

/* An integer in the signed range, the unsigned range, or either. */
static bool read_integer(const parser *p, bool may_be_signed, bool may_be_unsigned, uint64_t *word)
{
    char *end;
    uint64_t mask = UINT64_MAX >> (64 - p->bits), most = may_be_unsigned ? mask : mask / 2,
             least = may_be_signed ? mask / 2 + 1 : 0;
    bool negative = *p->text == '-';
    errno = 0;
    *word = negative ? (uint64_t)strtoll(p->text, &end, 10) : strtoull(p->text, &end, 10);
    if (end == p->text || *end || isspace((unsigned char)*p->text))
        return no_integer(p);
    if (errno || (negative ? -*word > least : *word > most))
        return ztl_fail(p->error,
                        "%s is out of range for elements of %u bits: %s%" PRIu64 " to %" PRIu64,
                        p->text, p->bits, least ? "-" : "", least, most);
    *word &= mask;
    return true;
}

static bool read_bool(const parser *p, uint64_t *word)
{
    static const char *const words[] = {"0", "1", "False", "True", "false", "true"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(p->text, words[i])) {
            *word = i & 1;
            return true;
        }
    return ztl_fail(p->error, "'%s' is neither 0 nor 1", p->text);
}

/* A time: a count of its unit, or NaT. */
static bool read_time(const parser *p, uint64_t *word)
{
    if (strcmp(p->text, "NaT"))
        return read_integer(p, true, false, word);
    *word = UINT64_C(1) << 63;
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

static bool read_number(const parser *p, const char *text, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    if (!*text || *end)
        return no_number(p);
    return errno && isinf(*number) ? out_of_range(p) : true;
}

static bool read_float(const parser *p, const char *text, const ztl_type_row *type, uint64_t *bits)
{
    double number;
    unsigned below_sign = type->exponent_bits + type->fraction_bits;
    uint64_t ones = (UINT64_C(1) << below_sign) - 1,
             top = ones >> type->fraction_bits << type->fraction_bits;
    uint64_t largest = type->special == ZTL_SPECIAL_IEEE       ? top - 1
                       : type->special == ZTL_SPECIAL_NAN_ONLY ? ones - 1
                                                               : ones;
    if (!read_number(p, text, &number))
        return false;
    if (isnan(number) && type->special != ZTL_SPECIAL_NONE)
        *bits = type->special == ZTL_SPECIAL_IEEE ? top | UINT64_C(1) << (type->fraction_bits - 1)
                                                  : ones;
    else if (isinf(number) && type->special == ZTL_SPECIAL_IEEE)
        *bits = top;
    else if (isfinite(number) && fabs(number) < 1e39 && magnitude(fabs(number), type) <= largest)
        *bits = magnitude(fabs(number), type);
    else
        return out_of_range(p);
    if (signbit(number) && !isnan(number))
        *bits |= UINT64_C(1) << below_sign;
    return true;
}

static bool read_double(const parser *p, const char *text, uint64_t *bits)
{
    double number;
    if (!read_number(p, text, &number))
        return false;
    memcpy(bits, &number, sizeof *bits);
    return true;
}

/* numpy's longdouble is this machine's. */
static bool read_long_double(const parser *p, const char *text, uint64_t word[2])
{
    enum { BYTES = LDBL_MANT_DIG == 64 ? 10 : 16 }; /* x87 numbers are stored in 16 bytes too */
    char *end;
    errno = 0;
    long double number = strtold(text, &end);
    if (!*text || *end)
        return no_number(p);
    if (errno && isinf(number))
        return out_of_range(p);
    if (sizeof number < BYTES || LDBL_MANT_DIG < 64)
        return ztl_fail(p->error, "this machine has no such numbers; give the bits as 0x...");
    memcpy(word, &number, sizeof number < BYTES ? sizeof number : BYTES);
    return true;
}

static bool read_real(const parser *p, const char *text, unsigned bits, uint64_t *word)
{
    if (bits == 128)
        return read_long_double(p, text, word);
    if (bits == 64)
        return read_double(p, text, word);
    return read_float(p, text, ztl_isa_type(bits == 16 ? ZTL_TYPE_FP16 : ZTL_TYPE_FP32), word);
}

/* 1.5, -2j, 1.5-2j, also in parentheses, as numpy prints them. */
static bool read_complex(const parser *p, uint64_t *word)
{
    char text[128], real[128] = "0";
    unsigned half = p->bits / 2;
    uint64_t part[2][2] = {{0}};
    bool wrapped = *p->text == '(' && p->text[strlen(p->text) - 1] == ')';
    size_t n = strlen(p->text) - (wrapped ? 2 : 0);
    if (n >= sizeof text)
        return no_number(p);
    snprintf(text, sizeof text, "%.*s", (int)n, p->text + wrapped);
    char *imaginary = text, *end;
    if (n && text[n - 1] == 'j') {
        text[n - 1] = '\0';
        strtold(text, &end);
        if (end > text && *end) {
            imaginary = end;
            snprintf(real, sizeof real, "%.*s", (int)(end - text), text);
        }
        if (imaginary != text && *imaginary != '+' && *imaginary != '-')
            return no_number(p);
        if (!read_real(p, imaginary, half, part[1]))
            return false;
    } else {
        snprintf(real, sizeof real, "%s", text);
    }
    if (!read_real(p, real, half, part[0]))
        return false;
    if (half == 32)
        word[0] = part[0][0] | part[1][0] << 32;
    else
        for (unsigned i = 0; i < half / 64; i++) {
            word[i] = part[0][i];
            word[half / 64 + i] = part[1][i];
        }
    return true;
}

bool ztl_op_value(const char *text, char kind, unsigned bits, const ztl_type_row *type,
                  uint64_t word[ZTL_OP_WORDS], ztl_error *error)
{
    const parser p = {text, bits, error};
    memset(word, 0, ZTL_OP_WORDS * sizeof *word);
    if (!strncmp(text, "0x", 2))
        return read_bits(&p, word);
    if (type && type->kind == ZTL_NUMBER_FLOAT)
        return read_float(&p, text, type, word);
    if (type)
        return read_integer(&p, type->kind == ZTL_NUMBER_SIGNED, type->kind == ZTL_NUMBER_UNSIGNED,
                            word);
    switch (kind) {
    case 'b':
        return read_bool(&p, word);
    case 'f':
        return read_real(&p, text, bits, word);
    case 'c':
        return read_complex(&p, word);
    case 'm':
    case 'M':
        return read_time(&p, word);
    default: /* integers, and raw bytes as either kind of them */
        if (bits <= 64)
            return read_integer(&p, kind != 'u', kind != 'i', word);
        return ztl_fail(error, "give the bits of raw elements as 0x...");
    }
}
