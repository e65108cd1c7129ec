/* SPDX-License-Identifier: Apache-2.0
 * Kernels for x86-64 with AVX-512 and its byte permutes.
 */
#include "movers/kernels/x86.h"

typedef __m512i vector;
enum { VECTOR = 64 };

/* Which byte of a window, and whether it is there. */
typedef struct picks {
    __m512i index;
    __mmask64 there;
} picks;

INLINE __mmask64 first_bytes(int64_t bytes)
{
    return bytes >= VECTOR ? ~UINT64_C(0) : (UINT64_C(1) << bytes) - 1;
}

#define load(from) _mm512_loadu_si512(from)
#define load_short(from)                                                                           \
    _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)(from)))
#define load_exact(from, bytes)   _mm512_maskz_loadu_epi8(first_bytes(bytes), from)
#define store(to, v)              _mm512_storeu_si512(to, v)
#define store_exact(to, v, bytes) _mm512_mask_storeu_epi8(to, first_bytes(bytes), v)
#define both                      _mm512_or_si512

INLINE picks prepared(const uint8_t *pick)
{
    __m512i index = load(pick);
    return (picks){index, ~_mm512_movepi8_mask(index)};
}

INLINE vector picked(const picks *pick, vector v)
{
    return _mm512_maskz_permutexvar_epi8(pick->there, pick->index, v);
}

#include "movers/kernels/shuffle.h"
#include "movers/kernels/block.h"

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi");
}

const native_set ztl_native_avx512 = {.name = "avx512",
                                      .runs_here = runs_here,
                                      .window = VECTOR,
                                      .tile = {50, 17, 6, 3.5},
                                      .side = {16, 8, 4, 2},
                                      .panel = {panel8, panel16, panel32, panel64},
                                      .shuffle = shuffle,
                                      .copy = copy,
                                      .block = block};
