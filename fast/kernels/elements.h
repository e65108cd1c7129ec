/* SPDX-License-Identifier: Apache-2.0
 * Element-wise kernels in vectors of ZTL_WIDTH bytes: MERGE, ADDI, copies, and the swap of a bit of
 * the byte index with the nibble bit. Compiled once for each set of bodies.
 */
#ifndef ZTL_WIDTH
#error "define ZTL_WIDTH, the bytes of a vector, first"
#endif

#include "fast/kernels/float_mode.h"

#define VECTOR(type) __attribute__((vector_size(ZTL_WIDTH), may_alias)) type
typedef VECTOR(uint8_t) bytes;
typedef VECTOR(int8_t) int8s;
typedef VECTOR(int16_t) int16s;
typedef VECTOR(uint16_t) uint16s;
typedef VECTOR(int32_t) int32s;
typedef VECTOR(uint32_t) uint32s;
typedef VECTOR(uint64_t) uint64s;
typedef VECTOR(float) floats;
#undef VECTOR

#define EACH_VECTOR(n)                                                                             \
    _Pragma("GCC unroll 4") for (size_t n = 0; n < ZTL_REG_BYTES / ZTL_WIDTH; n++)

#define INLINE static inline __attribute__((always_inline))

/* Bits of `yes` where the mask is 1, of `no` where it is 0. */
#define CHOOSE(mask, yes, no) (((mask) & (yes)) | (~(mask) & (no)))

static void merge(const ztl_merge_plan *plan, uint8_t *to, const uint8_t *first,
                  const uint8_t *second)
{
    enum { BLOCK = sizeof plan->tail };
    const size_t whole = plan->nibbles / (2 * BLOCK) * BLOCK;
    const size_t end = (plan->nibbles + 2 * BLOCK - 1) / (2 * BLOCK) * BLOCK;
    for (size_t n = 0; n < whole; n += ZTL_WIDTH) {
        uint64s a = *(const uint64s *)(first + n), b = *(const uint64s *)(second + n);
        *(uint64s *)(to + n) = b ^ ((a ^ b) & *(const uint64s *)(plan->mask + n));
    }
    for (size_t n = whole; n < end; n += ZTL_WIDTH) {
        uint64s a = *(const uint64s *)(first + n), b = *(const uint64s *)(second + n);
        uint64s merged = b ^ ((a ^ b) & *(const uint64s *)(plan->mask + n));
        uint64s kept = *(const uint64s *)(to + n);
        *(uint64s *)(to + n) =
            kept ^ ((kept ^ merged) & *(const uint64s *)(plan->tail + n % BLOCK));
    }
}

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

typedef bytes unaligned __attribute__((aligned(1)));
typedef uint8_t bytes32 __attribute__((vector_size(32), may_alias, aligned(1)));
typedef uint8_t bytes16 __attribute__((vector_size(16), may_alias, aligned(1)));
typedef uint64_t word64 __attribute__((may_alias, aligned(1)));
typedef uint32_t word32 __attribute__((may_alias, aligned(1)));

/* Copies without a call for each slice; the last unit may overlap the one before. */
#define COPY_UNITS(UNIT)                                                                           \
    if (size >= sizeof(UNIT)) {                                                                    \
        const size_t last = size - sizeof(UNIT);                                                   \
        for (size_t at = 0; at < last; at += sizeof(UNIT))                                         \
            *(UNIT *)(to + at) = *(const UNIT *)(from + at);                                       \
        *(UNIT *)(to + last) = *(const UNIT *)(from + last);                                       \
        return;                                                                                    \
    }

INLINE void copy_slice(uint8_t *to, const uint8_t *from, size_t size)
{
    COPY_UNITS(unaligned)
#if ZTL_WIDTH == 64
    COPY_UNITS(bytes32)
#endif
    COPY_UNITS(bytes16)
    COPY_UNITS(word64)
    COPY_UNITS(word32)
    while (size--)
        *to++ = *from++;
}

/* Copies many bytes: stores that do not cross cache lines are worth an extra one. */
INLINE void copy_long(uint8_t *to, const uint8_t *from, size_t size)
{
    typedef unaligned four[4];
    if (size > sizeof(four)) {
        const size_t first = ZTL_WIDTH - (uintptr_t)to % ZTL_WIDTH;
        *(unaligned *)to = *(const unaligned *)from;
        to += first;
        from += first;
        size -= first;
    }
    for (; size > sizeof(four); size -= sizeof(four), to += sizeof(four), from += sizeof(four)) {
        const unaligned *source = (const unaligned *)from;
        unaligned a = source[0], b = source[1], c = source[2], d = source[3];
        unaligned *target = (unaligned *)to;
        target[0] = a;
        target[1] = b;
        target[2] = c;
        target[3] = d;
    }
    copy_slice(to, from, size);
}

INLINE void load_slices(const ztl_slices_plan *plan, uint8_t *to, const uint8_t *lowest,
                        size_t width)
{
    const uint32_t skipped = ~plan->active; /* in a register, whatever `to` may be */
    for (unsigned i = 0, count = plan->count; i < count; i++, to += width) {
        if (!(skipped >> i & 1))
            copy_slice(to, lowest + plan->offset[i], width);
        else
            ztl_fill_bytes(to, 0, width);
    }
}

INLINE void store_slices(const ztl_slices_plan *plan, uint8_t *lowest, const uint8_t *from,
                         size_t width)
{
    const uint32_t skipped = ~plan->active;
    for (unsigned i = 0, count = plan->count; i < count; i++, from += width)
        if (!(skipped >> i & 1))
            copy_slice(lowest + plan->offset[i], from, width);
}

/* All of 32 slices of 32 bytes, the shape that most programs use. */
static void load_32(uint8_t *to, const uint8_t *lowest, const int64_t offset[32])
{
    _Pragma("GCC unroll 8") for (unsigned i = 0; i < 32; i++)
        copy_slice(to + (size_t)i * 32, lowest + offset[i], 32);
}

static void store_32(uint8_t *lowest, const uint8_t *from, const int64_t offset[32])
{
    _Pragma("GCC unroll 8") for (unsigned i = 0; i < 32; i++)
        copy_slice(lowest + offset[i], from + (size_t)i * 32, 32);
}

static void load(const ztl_slices_plan *plan, uint8_t *to, const uint8_t *lowest)
{
    if (plan->whole_32)
        load_32(to, lowest, plan->offset);
    else if (plan->contiguous)
        copy_slice(to, lowest, (size_t)plan->count * plan->width);
    else
        load_slices(plan, to, lowest, plan->width);
}

static void store(const ztl_slices_plan *plan, uint8_t *lowest, const uint8_t *from)
{
    if (plan->whole_32)
        store_32(lowest, from, plan->offset);
    else if (plan->contiguous)
        copy_slice(lowest, from, (size_t)plan->count * plan->width);
    else
        store_slices(plan, lowest, from, plan->width);
}

/* Runs of `size` bytes; 0: each of its own length. */
INLINE void copy_runs(const ztl_copy_run *run, unsigned count, uint8_t *to, const uint8_t *from,
                      size_t size)
{
    for (const ztl_copy_run *end = run + count; run < end; run++)
        if (size)
            copy_slice(to + run->to, from + run->from, size);
        else
            copy_long(to + run->to, from + run->from, run->bytes);
}

static void copy(const ztl_copy_run *run, unsigned count, size_t same, uint8_t *to,
                 const uint8_t *from)
{
    switch (same) {
#define SIZE(size)                                                                                 \
    case size:                                                                                     \
        copy_runs(run, count, to, from, size);                                                     \
        break;
        SIZE(1)
        SIZE(2)
        SIZE(4)
        SIZE(8)
        SIZE(16)
        SIZE(32)
        SIZE(64)
#undef SIZE
    case 0:
        copy_runs(run, count, to, from, 0);
        break;
    default:
        copy_runs(run, count, to, from, same);
    }
}

/* Exchanges the nibble bit with bit 0, 1 or 2 of the byte's index, within 64-bit words. */
static void exchange_nibbles_near(uint8_t *to, const uint8_t *from, unsigned bit)
{
    static const uint64_t odd_of_lower[] = {0x00f000f000f000f0, 0x0000f0f00000f0f0,
                                            0x00000000f0f0f0f0};
    const unsigned distance = (8u << bit) - 4;
    EACH_VECTOR(n)
    {
        uint64s x = ((const uint64s *)from)[n];
        uint64s changed = (x >> distance ^ x) & odd_of_lower[bit];
        ((uint64s *)to)[n] = x ^ changed ^ changed << distance;
    }
}

/* x with bit 3, 4 or 5 of each byte's index inverted. */
INLINE uint64s other_words(uint64s x, unsigned bit)
{
#if ZTL_WIDTH == 64
    return bit == 3   ? __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6)
           : bit == 4 ? __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5)
                      : __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
#elif ZTL_WIDTH == 32
    return bit == 3 ? __builtin_shufflevector(x, x, 1, 0, 3, 2)
                    : __builtin_shufflevector(x, x, 2, 3, 0, 1);
#else
    (void)bit;
    return __builtin_shufflevector(x, x, 1, 0);
#endif
}

/* Two vectors that differ in a bit of their bytes' indices exchange it for the nibble bit. */
#define FIRST_EXCHANGED(a, b)  (((a)&LOWER_NIBBLES) | ((b)&LOWER_NIBBLES) << 4)
#define SECOND_EXCHANGED(a, b) (((a) >> 4 & LOWER_NIBBLES) | ((b) & ~LOWER_NIBBLES))
#define LOWER_NIBBLES          UINT64_C(0x0f0f0f0f0f0f0f0f)

/* The same with bit 3 or a higher one, within vectors. */
INLINE void exchange_nibbles_within(uint8_t *to, const uint8_t *from, unsigned bit)
{
    uint64s second = {0};
    for (unsigned n = 0; n < ZTL_WIDTH / 8; n++)
        second[n] = n >> (bit - 3) & 1 ? ~UINT64_C(0) : 0;
    EACH_VECTOR(n)
    {
        uint64s x = ((const uint64s *)from)[n], other = other_words(x, bit);
        ((uint64s *)to)[n] = CHOOSE(second, SECOND_EXCHANGED(other, x), FIRST_EXCHANGED(x, other));
    }
}

/* The same with a bit that numbers vectors. */
static void exchange_nibbles_across(ztl_pair to, ztl_pair from, unsigned bit)
{
    const size_t distance = (size_t)1 << bit;
    for (size_t at = 0; at < ZTL_PAIR_BYTES; at += ZTL_WIDTH) {
        const size_t other = at + distance, inside = at % ZTL_REG_BYTES;
        if (at & distance)
            continue;
        const size_t half = at / ZTL_REG_BYTES, other_half = other / ZTL_REG_BYTES;
        const size_t other_inside = other % ZTL_REG_BYTES;
        uint64s a = *(const uint64s *)(from.half[half] + inside);
        uint64s b = *(const uint64s *)(from.half[other_half] + other_inside);
        *(uint64s *)(to.half[half] + inside) = FIRST_EXCHANGED(a, b);
        *(uint64s *)(to.half[other_half] + other_inside) = SECOND_EXCHANGED(a, b);
    }
}

static void exchange_nibbles(ztl_pair to, ztl_pair from, unsigned bit)
{
    if ((size_t)1 << bit >= ZTL_WIDTH) {
        exchange_nibbles_across(to, from, bit);
        return;
    }
    for (unsigned half = 0; half < 2; half++) {
        uint8_t *target = to.half[half];
        const uint8_t *source = from.half[half];
        switch (bit) {
#define WITHIN(bit)                                                                                \
    case bit:                                                                                      \
        exchange_nibbles_within(target, source, bit);                                              \
        break;
            WITHIN(3)
#if ZTL_WIDTH >= 32
            WITHIN(4)
#endif
#if ZTL_WIDTH >= 64
            WITHIN(5)
#endif
#undef WITHIN
        default:
            exchange_nibbles_near(target, source, bit);
        }
    }
}

/* The members of ztl_bodies that every set has under these names. */
#define ELEMENT_KERNELS                                                                            \
    .permute = permute, .merge = merge, .concat = concat, .add = add, .look_up = look_up,          \
    .load = load, .store = store, .copy = copy
