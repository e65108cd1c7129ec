/* SPDX-License-Identifier: Apache-2.0
 * Kernels for x86-64 with AVX-512 F, BW and VBMI: vectors of four lanes. With ZTL_EMULATE_AVX512
 * the same source runs on any machine, through SIMDe, for tests.
 */
#ifdef ZTL_HAVE_AVX512
#ifdef ZTL_EMULATE_AVX512
#define SIMDE_ENABLE_NATIVE_ALIASES
#define SIMDE_NO_INLINE /* thousands of copies of emulated instructions take long to compile */
#include <simde/x86/avx512.h>
#include <simde/x86/f16c.h>
#else
#include <immintrin.h>
#endif

#include "fast/fast.h"

#define ZTL_WIDTH               64
#define ZTL_X86(v)              ((__m512i)(v))
#define ZTL_X86_OPERATION(name) _mm512_##name
#define SMALLER(a, b)           ((int32s)_mm512_min_epi32((__m512i)(a), (__m512i)(b)))
#define LARGER(a, b)            ((int32s)_mm512_max_epi32((__m512i)(a), (__m512i)(b)))
#define ZTL_CONVERTS_FP16       1
#define LANE_BITS               2
#define LANES                   4

typedef __m512i vector;

static inline __m128i load_lane(const uint8_t *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

static inline vector load_whole(const uint8_t *from)
{
    return _mm512_loadu_si512(from);
}

static inline vector load_lanes(const uint8_t *from, const int32_t lane[LANES])
{
    __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(load_lane(from + lane[0])),
                                          load_lane(from + lane[1]), 1);
    __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(load_lane(from + lane[2])),
                                           load_lane(from + lane[3]), 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

static inline void store_whole(uint8_t *to, vector v)
{
    _mm512_storeu_si512(to, v);
}

/* Unused: plans ask AVX2 only. */
#define load_pair(first, second, from, lane) ((void)0)

static inline void store_lanes(uint8_t *to, const int32_t lane[LANES], vector v)
{
    __m256i low = _mm512_castsi512_si256(v), high = _mm512_extracti64x4_epi64(v, 1);
    _mm_storeu_si128((__m128i *)(to + lane[0]), _mm256_castsi256_si128(low));
    _mm_storeu_si128((__m128i *)(to + lane[1]), _mm256_extracti128_si256(low, 1));
    _mm_storeu_si128((__m128i *)(to + lane[2]), _mm256_castsi256_si128(high));
    _mm_storeu_si128((__m128i *)(to + lane[3]), _mm256_extracti128_si256(high, 1));
}

static inline vector every_lane(const uint8_t lane[16])
{
    return _mm512_broadcast_i32x4(load_lane(lane));
}

#define shuffle_lanes _mm512_shuffle_epi8

/* 64 bytes chosen from 128; anything where the order is negative. */
typedef __m512i gathered;

static inline gathered gather(const uint8_t *from, const uint8_t order[64])
{
    return _mm512_permutex2var_epi8(load_whole(from), load_whole(order), load_whole(from + 64));
}

/* The same over a result that stays where the order is negative. */
static inline gathered gather_over(gathered result, const uint8_t *from, const uint8_t order[64])
{
    return _mm512_mask_mov_epi8(gather(from, order), _mm512_movepi8_mask(load_whole(order)),
                                result);
}

#define put_gathered store_whole

/* Between nibbles and bytes, low nibble first; whole vectors are stored, as they will be loaded. */
static void unpack_nibbles(uint8_t *to, const uint8_t *from)
{
    const __m512i first = _mm512_set1_epi16(0x000f), second = _mm512_set1_epi16(0x0f00);
    for (size_t n = 0; n < ZTL_REG_BYTES; n += 32) {
        __m512i x = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(from + n)));
        __m512i odd = _mm512_and_si512(_mm512_slli_epi16(x, 4), second);
        store_whole(to + 2 * n, _mm512_or_si512(_mm512_and_si512(x, first), odd));
    }
}

/* 64 bytes of one nibble each, as 32 of two. */
static inline __m256i join_nibbles(const uint8_t *from)
{
    const __m512i x = load_whole(from);
    return _mm512_cvtepi16_epi8(_mm512_or_si512(x, _mm512_srli_epi16(x, 4)));
}

static void pack_nibbles(uint8_t *to, const uint8_t *from)
{
    for (size_t n = 0; n < ZTL_REG_BYTES; n += 64) {
        const __m512i low = _mm512_castsi256_si512(join_nibbles(from + 2 * n));
        store_whole(to + n, _mm512_inserti64x4(low, join_nibbles(from + 2 * n + 64), 1));
    }
}

#ifdef ZTL_EMULATE_AVX512
/* SIMDe has these conversions for 256 bits only. */
#define _mm512_cvtph_ps(x)           widen_fp16(x)
#define _mm512_cvtps_ph(x, rounding) narrow_to_fp16(x)

static inline __m512 widen_fp16(__m256i x)
{
    __m256 low = simde_mm256_cvtph_ps(_mm256_castsi256_si128(x));
    __m256 high = simde_mm256_cvtph_ps(_mm256_extracti128_si256(x, 1));
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

static inline __m256i narrow_to_fp16(__m512 x)
{
    __m256 upper = _mm256_castsi256_ps(_mm512_extracti64x4_epi64(_mm512_castps_si512(x), 1));
    __m128i low = simde_mm256_cvtps_ph(_mm512_castps512_ps256(x), _MM_FROUND_TO_NEAREST_INT);
    __m128i high = simde_mm256_cvtps_ph(upper, _MM_FROUND_TO_NEAREST_INT);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}
#endif

/* 32 binary16 numbers plus a binary32, rounded back to nearest whatever the mode. */
#define sum_fp16(x, step) (uint16s) add_to_fp16((__m512i)(x), (__m512)(step))

static inline __m512i add_to_fp16(__m512i x, __m512 step)
{
    __m512 low = _mm512_add_ps(_mm512_cvtph_ps(_mm512_castsi512_si256(x)), step);
    __m512 high = _mm512_add_ps(_mm512_cvtph_ps(_mm512_extracti64x4_epi64(x, 1)), step);
    __m256i low16 = _mm512_cvtps_ph(low, _MM_FROUND_TO_NEAREST_INT);
    __m256i high16 = _mm512_cvtps_ph(high, _MM_FROUND_TO_NEAREST_INT);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low16), high16, 1);
}

#include "fast/kernels/wide.h"

/* A permutation of two vectors looks up 128 entries; the top bit chooses between two of them. */
static void look_up(uint8_t *to, const uint8_t *from, const uint8_t table[256], unsigned bits)
{
    const __m512i first = load_whole(table), second = load_whole(table + 64);
    const __m512i third = load_whole(table + 128), fourth = load_whole(table + 192);
    (void)bits; /* a byte at a time suits nibbles too */
    for (size_t n = 0; n < ZTL_REG_BYTES; n += sizeof first) {
        __m512i x = load_whole(from + n);
        __m512i lower = _mm512_permutex2var_epi8(first, x, second);
        __m512i upper = _mm512_permutex2var_epi8(third, x, fourth);
        store_whole(to + n, _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), lower, upper));
    }
}

static bool has_avx512(void)
{
#ifdef ZTL_EMULATE_AVX512
    return true;
#else
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi");
#endif
}

const ztl_bodies ztl_bodies_avx512 = {
    .name = "avx512",
    .runs_here = has_avx512,
    .gather_bytes = 64,
    .gather_window = 128,
    WIDE_KERNELS,
};
#endif
