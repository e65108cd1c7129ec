/* SPDX-License-Identifier: Apache-2.0
 * Kernels for x86-64 with AVX2.
 */
#include "movers/kernels/x86.h"

typedef __m128i vector;
typedef __m128i picks;
enum { VECTOR = 16 };

#define load                    load16
#define load_short              load16
#define load_exact(from, bytes) load_part(from, (size_t)(bytes))
#define store                   store16
#define both                    _mm_or_si128

INLINE void store_exact(uint8_t *to, vector v, int64_t bytes)
{
    if (bytes == VECTOR)
        store16(to, v);
    else
        store_part(to, v, (size_t)bytes);
}

INLINE picks prepared(const uint8_t *pick)
{
    return load16(pick);
}

INLINE vector picked(const picks *pick, vector v)
{
    return _mm_shuffle_epi8(v, *pick);
}

#include "movers/kernels/shuffle.h"

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx2");
}

const native_set ztl_native_avx2 = {.name = "avx2",
                                    .runs_here = runs_here,
                                    .window = VECTOR,
                                    .tile = {50, 17, 6, 3.5},
                                    .side = {16, 8, 4, 2},
                                    .panel = {panel8, panel16, panel32, panel64},
                                    .shuffle = shuffle,
                                    .copy = copy};
