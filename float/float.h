/* SPDX-License-Identifier: Apache-2.0
 *
 * Binary floating point of IEEE 754 with integers only, for the same bits and flags on every
 * machine. One body serves all formats; a value is its bits in a uint64_t.
 *
 * As RISC-V has it: a NaN that is a result is the canonical one, and tininess is looked for after
 * rounding. Functions add to the flags and never clear one.
 */
#ifndef ZTL_FLOAT_H
#define ZTL_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

/* A sign bit, then the exponent, then the fraction. At most 53 bits of significand. */
typedef struct ztl_fp_format {
    uint8_t exponent_bits;
    uint8_t fraction_bits;
} ztl_fp_format;

extern const ztl_fp_format ztl_fp_half, ztl_fp_single, ztl_fp_double;

enum ztl_rounding {
    ZTL_ROUND_NEAREST_EVEN,
    ZTL_ROUND_TO_ZERO,
    ZTL_ROUND_DOWN,
    ZTL_ROUND_UP,
    ZTL_ROUND_NEAREST_AWAY,
    ZTL_ROUNDINGS
};

enum ztl_fp_flag {
    ZTL_FP_INEXACT = 1,
    ZTL_FP_UNDERFLOW = 2,
    ZTL_FP_OVERFLOW = 4,
    ZTL_FP_BY_ZERO = 8,
    ZTL_FP_INVALID = 16,
};

/* How to round, and what happened. */
typedef struct ztl_fp_env {
    enum ztl_rounding rounding;
    unsigned flags; /* enum ztl_fp_flag bits */
} ztl_fp_env;

uint64_t ztl_fp_nan(const ztl_fp_format *format); /* the canonical one */
uint64_t ztl_fp_sign_bit(const ztl_fp_format *format);

uint64_t ztl_fp_add(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);
uint64_t ztl_fp_multiply(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);
uint64_t ztl_fp_divide(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);
uint64_t ztl_fp_sqrt(const ztl_fp_format *format, uint64_t a, ztl_fp_env *env);
/* a * b + c, rounded once. */
uint64_t ztl_fp_fma(const ztl_fp_format *format, uint64_t a, uint64_t b, uint64_t c,
                    ztl_fp_env *env);

/* minimumNumber and maximumNumber: a NaN loses, and -0 is less than +0. */
uint64_t ztl_fp_min(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);
uint64_t ztl_fp_max(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);

/* minimum and maximum: a NaN wins. */
uint64_t ztl_fp_min_nan(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);
uint64_t ztl_fp_max_nan(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);

/* False where a NaN is compared. A quiet one is invalid only for the last two. */
bool ztl_fp_equal(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);
bool ztl_fp_less(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);
bool ztl_fp_less_equal(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);
/* The same two, for which no quiet NaN is invalid. */
bool ztl_fp_less_quiet(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);
bool ztl_fp_less_equal_quiet(const ztl_fp_format *format, uint64_t a, uint64_t b, ztl_fp_env *env);

/* One bit of ten, as fclass numbers them. */
unsigned ztl_fp_class(const ztl_fp_format *format, uint64_t a);

uint64_t ztl_fp_convert(const ztl_fp_format *to, const ztl_fp_format *from, uint64_t a,
                        ztl_fp_env *env);

/* To an integer of 32 or 64 bits; one that does not fit is invalid and becomes the nearest that
 * does, a NaN the largest. The result of 32 bits is sign-extended, an unsigned one too. */
uint64_t ztl_fp_to_integer(const ztl_fp_format *format, uint64_t a, unsigned bits, bool is_signed,
                           ztl_fp_env *env);
/* To the low 32 bits of the integer, cut off towards zero, of a double; infinities and NaNs give 0.
 * The flags are those of ztl_fp_to_integer. */
uint64_t ztl_fp_to_integer_modulo(const ztl_fp_format *format, uint64_t a, ztl_fp_env *env);
/* To an integer in the same format; it is inexact only when asked for. */
uint64_t ztl_fp_round(const ztl_fp_format *format, uint64_t a, bool tells_inexact, ztl_fp_env *env);
/* A constant of Zfa by its number, below 32. */
uint64_t ztl_fp_constant(const ztl_fp_format *format, unsigned number);
/* From 64 bits. */
uint64_t ztl_fp_from_integer(const ztl_fp_format *format, uint64_t value, bool is_signed,
                             ztl_fp_env *env);

#endif
