/* SPDX-License-Identifier: Apache-2.0
 * Element-wise kernels in vectors of ZTL_WIDTH bytes: MERGE, ADDI (add.h), copies, and the swap of
 * a bit of the byte index with the nibble bit. Compiled once for each set of bodies.
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

#include "fast/kernels/add.h"

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
