/* SPDX-License-Identifier: Apache-2.0
 * Kernels for x86-64 with AVX2 and F16C: vectors of two lanes.
 */
#ifdef ZTL_HAVE_AVX2
#include <cpuid.h>
#include <immintrin.h>

#include "fast/fast.h"

#define ZTL_WIDTH               32
#define ZTL_CONVERTS_FP16       1
#define ZTL_X86(v)              ((__m256i)(v))
#define ZTL_X86_OPERATION(name) _mm256_##name
#define SMALLER(a, b)           ((int32s)_mm256_min_epi32((__m256i)(a), (__m256i)(b)))
#define LARGER(a, b)            ((int32s)_mm256_max_epi32((__m256i)(a), (__m256i)(b)))
#define LANE_BITS               1
#define LANES                   2

typedef __m256i vector;

static inline vector load_whole(const uint8_t *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline vector load_lanes(const uint8_t *from, const int32_t lane[LANES])
{
    __m128i first = _mm_loadu_si128((const __m128i *)(from + lane[0]));
    __m128i second = _mm_loadu_si128((const __m128i *)(from + lane[1]));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

static inline void load_pair(vector *first, vector *second, const uint8_t *from,
                             const int32_t lane[LANES])
{
    vector a = load_whole(from + lane[0]), b = load_whole(from + lane[1]);
    *first = _mm256_permute2x128_si256(a, b, 0x20);
    *second = _mm256_permute2x128_si256(a, b, 0x31);
}

static inline void store_whole(uint8_t *to, vector v)
{
    _mm256_storeu_si256((__m256i *)to, v);
}

static inline void store_lanes(uint8_t *to, const int32_t lane[LANES], vector v)
{
    _mm_storeu_si128((__m128i *)(to + lane[0]), _mm256_castsi256_si128(v));
    _mm_storeu_si128((__m128i *)(to + lane[1]), _mm256_extracti128_si256(v, 1));
}

static inline vector every_lane(const uint8_t lane[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)lane));
}

#define shuffle_lanes _mm256_shuffle_epi8

/* 16 bytes chosen from 16; 0 where the order is negative. */
typedef __m128i gathered;

static inline gathered gather(const uint8_t *from, const uint8_t order[16])
{
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)from),
                            _mm_loadu_si128((const __m128i *)order));
}

#define gather_over(result, from, order) ((result) | gather(from, order))

static inline void put_gathered(uint8_t *to, gathered v)
{
    _mm_storeu_si128((__m128i *)to, v);
}

/* Between nibbles and bytes, low nibble first. */
static void unpack_nibbles(uint8_t *to, const uint8_t *from)
{
    const __m128i lower = _mm_set1_epi8(0x0f);
    for (unsigned n = 0; n < ZTL_REG_VECTORS; n++) {
        __m128i x = _mm_loadu_si128((const __m128i *)from + n);
        __m128i even = _mm_and_si128(x, lower), odd = _mm_and_si128(_mm_srli_epi16(x, 4), lower);
        _mm_storeu_si128((__m128i *)to + 2 * n, _mm_unpacklo_epi8(even, odd));
        _mm_storeu_si128((__m128i *)to + 2 * n + 1, _mm_unpackhi_epi8(even, odd));
    }
}

static void pack_nibbles(uint8_t *to, const uint8_t *from)
{
    const __m128i scale = _mm_set1_epi16(0x1001); /* even · 1 + odd · 16 */
    for (unsigned n = 0; n < ZTL_REG_VECTORS; n++) {
        __m128i first = _mm_loadu_si128((const __m128i *)from + 2 * n);
        __m128i second = _mm_loadu_si128((const __m128i *)from + 2 * n + 1);
        __m128i both =
            _mm_packus_epi16(_mm_maddubs_epi16(first, scale), _mm_maddubs_epi16(second, scale));
        _mm_storeu_si128((__m128i *)to + n, both);
    }
}

/* Sixteen binary16 numbers plus a binary32, rounded back to nearest whatever the mode. */
#define sum_fp16(x, step) (uint16s) add_to_fp16((__m256i)(x), (__m256)(step))

static inline __m256i add_to_fp16(__m256i x, __m256 step)
{
    __m256 low = _mm256_add_ps(_mm256_cvtph_ps(_mm256_castsi256_si128(x)), step);
    __m256 high = _mm256_add_ps(_mm256_cvtph_ps(_mm256_extracti128_si256(x, 1)), step);
    __m128i low16 = _mm256_cvtps_ph(low, _MM_FROUND_TO_NEAREST_INT);
    __m128i high16 = _mm256_cvtps_ph(high, _MM_FROUND_TO_NEAREST_INT);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low16), high16, 1);
}

#include "fast/kernels/wide.h"

/* Two nibbles: one shuffle each. */
static void look_up_nibbles(uint8_t *to, const uint8_t *from, const uint8_t table[256])
{
    uint8_t upper_table[16];
    for (unsigned k = 0; k < 16; k++)
        upper_table[k] = table[16 * k] & 0xf0;
    const __m256i low = _mm256_set1_epi8(0x0f), upper = every_lane(upper_table);
    const __m256i lower = _mm256_and_si256(every_lane(table), low);
    for (size_t n = 0; n < ZTL_REG_BYTES / sizeof low; n++) {
        __m256i x = _mm256_loadu_si256((const __m256i *)from + n);
        __m256i high = _mm256_and_si256(_mm256_srli_epi16(x, 4), low);
        __m256i result = _mm256_or_si256(_mm256_shuffle_epi8(lower, _mm256_and_si256(x, low)),
                                         _mm256_shuffle_epi8(upper, high));
        _mm256_storeu_si256((__m256i *)to + n, result);
    }
}

/* A shuffle looks up 16 entries and gives 0 for an index with the top bit set. So each half of the
 * table is taken as differences of its rows: a byte of row k gets the sum of the differences up to
 * row k, because its index, less 16 for each row, stays positive that long. */
static void look_up_bytes(uint8_t *to, const uint8_t *from, const uint8_t table[256])
{
    const __m256i row = _mm256_set1_epi8(16), low_bits = _mm256_set1_epi8(INT8_MAX);
    __m256i difference[16];
    for (unsigned k = 0; k < 16; k++) {
        __m256i entries = every_lane(table + 16 * k);
        difference[k] =
            k % 8 ? _mm256_xor_si256(entries, every_lane(table + 16 * (k - 1))) : entries;
    }
    for (size_t n = 0; n < ZTL_REG_BYTES / sizeof row; n++) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)from + n);
        __m256i index = _mm256_and_si256(x, low_bits);
        __m256i lower = _mm256_shuffle_epi8(difference[0], index);
        __m256i upper = _mm256_shuffle_epi8(difference[8], index);
        for (unsigned k = 1; k < 8; k++) {
            index = _mm256_subs_epi8(index, row);
            lower = _mm256_xor_si256(lower, _mm256_shuffle_epi8(difference[k], index));
            upper = _mm256_xor_si256(upper, _mm256_shuffle_epi8(difference[k + 8], index));
        }
        _mm256_storeu_si256((__m256i *)to + n, _mm256_blendv_epi8(lower, upper, x));
    }
}

static void look_up(uint8_t *to, const uint8_t *from, const uint8_t table[256], unsigned bits)
{
    (bits == 4 ? look_up_nibbles : look_up_bytes)(to, from, table);
}

static bool has_avx2(void)
{
    unsigned a, b, c, d;
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
}

const ztl_bodies ztl_bodies_avx2 = {
    .name = "avx2",
    .runs_here = has_avx2,
    .gather_bytes = 16,
    .gather_window = 16,
    WIDE_KERNELS,
};
#endif
