/* SPDX-License-Identifier: Apache-2.0
 *
 * What the compiler checks: operands that are constants, and constants that are put together to a
 * value. Included by <ztl/intrin.h>.
 */
#ifndef ZTL_INTRIN_RANGE_H
#define ZTL_INTRIN_RANGE_H

#include <stddef.h>
#include <stdint.h>

/* An operand that must be a constant. In C one that is none becomes a value that does not fit, for
 * else the compiler would not show the text. */
#ifdef __cplusplus
#define ZTL_INTRIN_ASSERT          static_assert
#define ZTL_INTRIN_CONSTANT(value) (value)
#else
#define ZTL_INTRIN_ASSERT _Static_assert
#define ZTL_INTRIN_CONSTANT(value)                                                                 \
    __builtin_choose_expr(__builtin_constant_p(value), (value), -0x10000)
#endif
#define ZTL_INTRIN_WITHIN(value, least, most, text)                                                \
    ZTL_INTRIN_ASSERT(                                                                             \
        ZTL_INTRIN_CONSTANT(value) >= (least) && ZTL_INTRIN_CONSTANT(value) <= (most), text)
#define ZTL_INTRIN_REGISTER(t) ZTL_INTRIN_WITHIN(t, 0, 31, "tensor register: a constant 0 to 31")
#define ZTL_INTRIN_IMM8(imm)   ZTL_INTRIN_WITHIN(imm, -128, 127, "immediate: a constant -128 to 127")
#define ZTL_INTRIN_IMM12(imm)                                                                      \
    ZTL_INTRIN_WITHIN(imm, -2048, 2047, "immediate: a constant -2048 to 2047")
#define ZTL_INTRIN_ENGINE(engine) ZTL_INTRIN_WITHIN(engine, 0, 3, "engine: a constant 0 to 3")
#define ZTL_INTRIN_CSR_NUMBER(csr)                                                                 \
    ZTL_INTRIN_WITHIN(csr, 0x800, 0x8ff, "Ztl CSR: a constant 0x800 to 0x8ff")
#define ZTL_INTRIN_INDEX(index)                                                                    \
    ZTL_INTRIN_WITHIN(index, 0, 31, "stride register: a constant 0 to 31")

/* A value that may be a constant, and then is checked: an expression of type unsigned long, itself
 * a constant if the value is one. */
#define ZTL_INTRIN_DIMENSION_RANGE "dimension: 0 to 255"
#define ZTL_INTRIN_STRIDES_RANGE   "number of strides: 0 to 32"
enum { ZTL_INTRIN_MAX_DIMENSION = 255, ZTL_INTRIN_MAX_STRIDES = 32 };

#ifdef __cplusplus
#define ZTL_INTRIN_CONSTEXPR constexpr
#else
#define ZTL_INTRIN_CONSTEXPR
#endif

/* One that is only known at run time and does not fit is 0, a dimension that traps, where it would
 * change its neighbours. */
static inline ZTL_INTRIN_CONSTEXPR __attribute__((always_inline)) unsigned long
ztl_intrin_dimension(unsigned long d)
{
    return d <= ZTL_INTRIN_MAX_DIMENSION ? d : 0;
}

#ifdef __cplusplus
/* The type of the first argument is an array of two where a constant does not fit: an expression
 * may not declare anything, and the operands of a template may not be intrinsics. */
#define ZTL_INTRIN_FITS(v, max)                                                                    \
    static_cast<char(*)[__builtin_constant_p(v) && (unsigned long long)(v) > (max) ? 2 : 1]>(      \
        nullptr)
extern "C++" {
template <size_t size>
static inline constexpr __attribute__((always_inline)) unsigned long
ztl_intrin_checked_dimension(char (*)[size], unsigned long d)
{
    static_assert(size == 1, ZTL_INTRIN_DIMENSION_RANGE);
    return ztl_intrin_dimension(d);
}

template <size_t size>
static inline constexpr __attribute__((always_inline)) unsigned long
ztl_intrin_checked_strides(char (*)[size], unsigned long n)
{
    static_assert(size == 1, ZTL_INTRIN_STRIDES_RANGE);
    return n;
}
}
#define ZTL_INTRIN_DIMENSION(d)                                                                    \
    ztl_intrin_checked_dimension(ZTL_INTRIN_FITS(d, ZTL_INTRIN_MAX_DIMENSION), (unsigned long)(d))
#define ZTL_INTRIN_STRIDES(n)                                                                      \
    ztl_intrin_checked_strides(ZTL_INTRIN_FITS(n, ZTL_INTRIN_MAX_STRIDES), (unsigned long)(n))
#else
/* Only a constant 0 is a null pointer, whose type gives way to the other one's. */
#define ZTL_INTRIN_IS_CONSTANT(v)                                                                  \
    _Generic(1 ? (void *)((intptr_t)(v)*0) : (int *)0, int * : 1, default : 0)
#define ZTL_INTRIN_IF_CONSTANT(v, then, otherwise)                                                 \
    __builtin_choose_expr(ZTL_INTRIN_IS_CONSTANT(v), then, otherwise)
#define ZTL_INTRIN_CHECKED(v, max, range, at_run_time)                                             \
    ZTL_INTRIN_IF_CONSTANT(                                                                        \
        v,                                                                                         \
        ((unsigned long)(v) +                                                                      \
         0 * sizeof(struct {                                                                       \
             _Static_assert((unsigned long long)ZTL_INTRIN_IF_CONSTANT(v, v, 0) <= (max), range);  \
             char some;                                                                            \
         })),                                                                                      \
        (at_run_time))
#define ZTL_INTRIN_DIMENSION(d)                                                                    \
    ZTL_INTRIN_CHECKED(d, ZTL_INTRIN_MAX_DIMENSION, ZTL_INTRIN_DIMENSION_RANGE,                    \
                       ztl_intrin_dimension((unsigned long)(d)))
#define ZTL_INTRIN_STRIDES(n)                                                                      \
    ZTL_INTRIN_CHECKED(n, ZTL_INTRIN_MAX_STRIDES, ZTL_INTRIN_STRIDES_RANGE, (unsigned long)(n))
#endif

#endif
