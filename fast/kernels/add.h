/* SPDX-License-Identifier: Apache-2.0
 * ADDI for each type of element, in the vectors of elements.h, which includes this.
 */
#ifndef SMALLER
#define SMALLER(a, b) CHOOSE((int32s)((a) < (b)), a, b)
#define LARGER(a, b)  CHOOSE((int32s)((a) > (b)), a, b)
#endif

/* Saturation can only happen on the side of the addend: clamp before adding. */
static void add_int32(uint8_t *to, const uint8_t *from, int addend)
{
    const int32s step = (int32s){0} + addend;
    const int32s top = (int32s){0} + (INT32_MAX - (addend > 0 ? addend : 0));
    const int32s bottom = (int32s){0} + (INT32_MIN - (addend < 0 ? addend : 0));
    if (addend >= 0)
        EACH_VECTOR(n)
    ((int32s *)to)[n] = SMALLER(((const int32s *)from)[n], top) + step;
    else EACH_VECTOR(n)((int32s *)to)[n] = LARGER(((const int32s *)from)[n], bottom) + step;
}

#ifdef ZTL_X86
/* x86 has instructions for 8 and 16 bits. */
#define X86_ADD(NAME, VECTOR, SCALAR, OPERATION)                                                   \
    static void NAME(uint8_t *to, const uint8_t *from, int addend)                                 \
    {                                                                                              \
        const VECTOR step = (VECTOR){0} + (SCALAR)addend;                                          \
        EACH_VECTOR(n)                                                                             \
        ((VECTOR *)to)[n] = (VECTOR)OPERATION(ZTL_X86(((const VECTOR *)from)[n]), ZTL_X86(step));  \
    }

X86_ADD(add_int8, int8s, int8_t, ZTL_X86_OPERATION(adds_epi8))
X86_ADD(add_int16, int16s, int16_t, ZTL_X86_OPERATION(adds_epi16))
X86_ADD(add_upward, bytes, uint8_t, ZTL_X86_OPERATION(adds_epu8))
X86_ADD(add_downward, bytes, uint8_t, ZTL_X86_OPERATION(subs_epu8))
#undef X86_ADD
#else
#define SATURATING_ADD(NAME, VECTOR, SCALAR, MIN, MAX)                                             \
    static void NAME(uint8_t *to, const uint8_t *from, int addend)                                 \
    {                                                                                              \
        const VECTOR step = (VECTOR){0} + (SCALAR)addend;                                          \
        const VECTOR top = (VECTOR){0} + (SCALAR)(MAX), bottom = (VECTOR){0} + (SCALAR)(MIN);      \
        if (addend >= 0)                                                                           \
            EACH_VECTOR(n)                                                                         \
            {                                                                                      \
                VECTOR x = ((const VECTOR *)from)[n], full = (VECTOR)(x > top - step);             \
                ((VECTOR *)to)[n] = CHOOSE(full, top, x + step);                                   \
            }                                                                                      \
        else                                                                                       \
            EACH_VECTOR(n)                                                                         \
            {                                                                                      \
                VECTOR x = ((const VECTOR *)from)[n], empty = (VECTOR)(x < bottom - step);         \
                ((VECTOR *)to)[n] = CHOOSE(empty, bottom, x + step);                               \
            }                                                                                      \
    }

SATURATING_ADD(add_int8, int8s, int8_t, INT8_MIN, INT8_MAX)
SATURATING_ADD(add_int16, int16s, int16_t, INT16_MIN, INT16_MAX)

static void add_upward(uint8_t *to, const uint8_t *from, int size)
{
    const bytes step = (bytes){0} + (uint8_t)size;
    EACH_VECTOR(n)
    {
        bytes x = ((const bytes *)from)[n], sum = x + step;
        ((bytes *)to)[n] = sum | (bytes)(sum < x);
    }
}

static void add_downward(uint8_t *to, const uint8_t *from, int size)
{
    const bytes step = (bytes){0} + (uint8_t)size;
    EACH_VECTOR(n)
    {
        bytes x = ((const bytes *)from)[n];
        ((bytes *)to)[n] = (x - step) & (bytes)(x >= step);
    }
}
#endif

/* Ztl 1 has addends beyond a byte; from 255 on they all do the same. */
static void add_byte(uint8_t *to, const uint8_t *from, int addend)
{
    int size = addend < 0 ? -addend : addend;
    (addend < 0 ? add_downward : add_upward)(to, from, size > 255 ? 255 : size);
}

/* Both nibbles as the high half of a byte, where saturation is that of the byte. */
static void add_int4(uint8_t *to, const uint8_t *from, int addend)
{
    int limited = addend > 15 ? 15 : addend < -15 ? -15 : addend;
    int8_t low_end = (int8_t)(16 * (limited < 0 ? -8 - limited : -8));
    int8_t high_end = (int8_t)(16 * (limited > 0 ? 7 - limited : 7));
    const int8s low = (int8s){0} + low_end, high = (int8s){0} + high_end;
    const int8s step = (int8s){0} + (int8_t)(uint8_t)(16 * limited);
    const bytes upper = (bytes){0} + 0xf0;
    EACH_VECTOR(n)
    {
        bytes x = ((const bytes *)from)[n];
        int8s odd = (int8s)(x & upper), even = (int8s)((bytes)((uint16s)x << 4) & upper);
        odd = CHOOSE(odd > high, high, odd);
        even = CHOOSE(even > high, high, even);
        odd = CHOOSE(odd < low, low, odd) + step;
        even = CHOOSE(even < low, low, even) + step;
        ((bytes *)to)[n] = (bytes)odd | (bytes)((uint16s)even >> 4);
    }
}

#ifdef ZTL_FLOAT_MODE
static void add_fp32(uint8_t *to, const uint8_t *from, int addend)
{
    const floats step = (floats){0} + (float)addend;
    const int32s nan = (int32s){0} + 0x7fc00000;
    EACH_VECTOR(n)
    {
        floats sum = ((const floats *)from)[n] + step;
        /* NOLINTNEXTLINE(misc-redundant-expression): NaN alone is not equal to itself */
        int32s is_nan = (int32s)(sum != sum);
        ((int32s *)to)[n] = CHOOSE(is_nan, nan, (int32s)sum);
    }
}

/* The upper half of the float of nearest value, ties to even; what is a NaN becomes the one NaN. */
static inline uint32s round_to_bf16(floats sum)
{
    const uint32s nan = (uint32s){0} + 0x7fc00000;
    uint32s bits = (uint32s)sum;
    uint32s rounded = bits + 0x7fff + (bits >> 16 & 1);
    return CHOOSE((uint32s)(sum != sum), nan, rounded);
}

/* A bfloat16 is the upper half of a binary32. The sum is rounded twice, first to 24 bits, and that
 * cannot matter: the addend is a multiple of the spacing of bfloat16 numbers around the sum, unless
 * it is too small to count, so only an operand near an odd half of the spacing could be rounded
 * onto a tie, and such a sum fits 24 bits. The same holds for binary16. */
static void add_bf16(uint8_t *to, const uint8_t *from, int addend)
{
    const floats step = (floats){0} + (float)addend;
    const uint32s upper = (uint32s){0} + 0xffff0000;
    EACH_VECTOR(n)
    {
        uint32s x = ((const uint32s *)from)[n];
        uint32s even = round_to_bf16((floats)(x << 16) + step);
        uint32s odd = round_to_bf16((floats)(x & upper) + step);
        ((uint32s *)to)[n] = (odd & upper) | even >> 16;
    }
}

#ifndef ZTL_CONVERTS_FP16
/* Binary16 in the upper halves, without its specials, as binary32; and back for numbers that are
 * zero or normal in binary16. Zero and subnormals become some other number below 2^-14, which makes
 * no difference beside an addend of 1 or more. */
static inline floats float_of_fp16(uint32s upper_half)
{
    const uint32s sign = (uint32s){0} + 0x80000000, bias = (uint32s){0} + (112u << 23);
    return (floats)((((upper_half & ~sign) >> 3) + bias) | (upper_half & sign));
}

static inline uint32s fp16_of_float(floats sum)
{
    const uint32s sign = (uint32s){0} + 0x80000000, bias = (uint32s){0} + (112u << 23);
    uint32s bits = (uint32s)sum, magnitude = bits & ~sign;
    uint32s rounded = (magnitude - bias + 0xfff + (magnitude >> 13 & 1)) >> 13;
    return (rounded & (uint32s)(magnitude != 0)) | (bits & sign) >> 16;
}

static inline uint16s sum_fp16(uint16s x, floats step)
{
    uint32s both = (uint32s)x, upper = (uint32s){0} + 0xffff0000;
    uint32s even = fp16_of_float(float_of_fp16(both << 16) + step);
    uint32s odd = fp16_of_float(float_of_fp16(both & upper) + step);
    return (uint16s)(odd << 16 | even);
}
#endif

/* A sum with 0 is the operand, but for -0; others are zero or normal, for the last bit of an
 * operand that could cancel the addend is far above the smallest normal number. */
static void add_fp16(uint8_t *to, const uint8_t *from, int addend)
{
    const floats step = (floats){0} + (float)addend;
    const int16s sign = (int16s){0} + INT16_MIN, infinity = (int16s){0} + 0x7c00;
    const int16s nan = (int16s){0} + 0x7e00, largest = (int16s){0} + 0x7bff;
    EACH_VECTOR(n)
    {
        int16s x = ((const int16s *)from)[n], size = x & ~sign;
        int16s sum = x & (int16s)(size != 0);
        if (addend)
            sum = (int16s)sum_fp16((uint16s)x, step);
        int16s over = (int16s)((sum & ~sign) >= infinity);
        sum = CHOOSE(over, largest | (sum & sign), sum);
        sum = CHOOSE((int16s)(size == infinity), x, sum);
        ((int16s *)to)[n] = CHOOSE((int16s)(size > infinity), nan, sum);
    }
}
#endif

static bool add(enum ztl_type type, uint8_t *to, const uint8_t *from, int addend)
{
    switch (type) {
    case ZTL_TYPE_BYTE:
        add_byte(to, from, addend);
        return true;
    case ZTL_TYPE_INT4:
        add_int4(to, from, addend);
        return true;
    case ZTL_TYPE_INT8:
        add_int8(to, from, addend);
        return true;
    case ZTL_TYPE_INT16:
        add_int16(to, from, addend);
        return true;
    case ZTL_TYPE_INT32:
        add_int32(to, from, addend);
        return true;
#ifdef ZTL_FLOAT_MODE
    case ZTL_TYPE_FP16:
    case ZTL_TYPE_BF16:
    case ZTL_TYPE_FP32: {
        ztl_float_mode saved = ztl_begin_float();
        (type == ZTL_TYPE_FP32   ? add_fp32
         : type == ZTL_TYPE_BF16 ? add_bf16
                                 : add_fp16)(to, from, addend);
        ztl_end_float(saved);
        return true;
    }
#endif
    default:
        return false;
    }
}
