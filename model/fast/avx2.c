/* SPDX-License-Identifier: Apache-2.0
 * Kernels for x86-64 with AVX2 and F16C: vectors of two lanes.
 */
#ifdef ZTL_HAVE_AVX2
#include <immintrin.h>

#include "model/fast/fast.h"

#define ZTL_WIDTH         32
#define ZTL_CONVERTS_FP16 1
#define LANE_BITS         1
#define LANES             2

typedef __m256i vector;

static inline vector load_whole(const uint8_t *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline vector load_lanes(const uint8_t *from, const ptrdiff_t lane[LANES])
{
    __m128i first = _mm_loadu_si128((const __m128i *)from);
    __m128i second = _mm_loadu_si128((const __m128i *)(from + lane[1]));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

static inline void store_whole(uint8_t *to, vector v)
{
    _mm256_storeu_si256((__m256i *)to, v);
}

static inline void store_lanes(uint8_t *to, const ptrdiff_t lane[LANES], vector v)
{
    _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(v));
    _mm_storeu_si128((__m128i *)(to + lane[1]), _mm256_extracti128_si256(v, 1));
}

static inline vector every_lane(const uint8_t bytes16[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes16));
}

#define shuffle_lanes   _mm256_shuffle_epi8
#define interleave_low  _mm256_unpacklo_epi8
#define interleave_high _mm256_unpackhi_epi8

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

#include "model/fast/lanes.h"

/* A shuffle looks up 16 entries and gives 0 for an index with the top bit set. So the table is
 * taken as differences of its rows: a byte of row k gets the sum of the differences up to row k,
 * because its index, less 16 for each row, stays positive that long. The upper half starts anew. */
static void look_up(uint8_t *to, const uint8_t *from, const uint8_t table[256])
{
    const __m256i row = _mm256_set1_epi8(16), top = _mm256_set1_epi8(INT8_MIN);
    __m256i difference[16], above = _mm256_setzero_si256();
    for (unsigned k = 0; k < 16; k++) {
        __m256i entries = every_lane(table + 16 * k);
        difference[k] = k % 8 ? _mm256_xor_si256(entries, above) : entries;
        above = entries;
    }
    for (size_t n = 0; n < ZTL_REG_BYTES / sizeof row; n++) {
        __m256i lower = _mm256_loadu_si256((const __m256i *)from + n);
        __m256i upper = _mm256_xor_si256(lower, top), result = _mm256_setzero_si256();
        for (unsigned k = 0; k < 8; k++) {
            __m256i a = _mm256_shuffle_epi8(difference[k], lower);
            __m256i b = _mm256_shuffle_epi8(difference[k + 8], upper);
            result = _mm256_xor_si256(result, _mm256_xor_si256(a, b));
            lower = _mm256_subs_epi8(lower, row);
            upper = _mm256_subs_epi8(upper, row);
        }
        _mm256_storeu_si256((__m256i *)to + n, result);
    }
}

static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
}

const ztl_bodies ztl_bodies_avx2 = {
    .name = "avx2",
    .runs_here = has_avx2,
    .lane_bits = LANE_BITS,
    .gathers = true,
    .permute = permute,
    .merge = merge,
    .concat = concat,
    .add = add,
    .look_up = look_up,
};
#endif
