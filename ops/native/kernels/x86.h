/* SPDX-License-Identifier: Apache-2.0
 * Kernels with vectors of 16 and 32 bytes. A tile has 16 bytes of each of its rows; it is
 * transposed by interleaving the rows of its first half with those of the second, again and again:
 * each time the bits of an element's place rotate by one. Two tiles, one below the other, take the
 * two halves of longer vectors.
 */
#include <immintrin.h>

#include "ops/native/native.h"

#define INLINE static inline __attribute__((always_inline))

/* Exactly so many bytes, of at most 16. */
INLINE __m128i load_part(const uint8_t *from, size_t bytes)
{
    uint8_t buffer[16] = {0};
    memcpy(buffer, from, bytes);
    return _mm_loadu_si128((const __m128i *)(const void *)buffer);
}

INLINE void store_part(uint8_t *to, __m128i v, size_t bytes)
{
    if (bytes & 8) {
        _mm_storel_epi64((__m128i *)(void *)to, v);
        v = _mm_unpackhi_epi64(v, v);
        to += 8;
    }
    if (bytes & 4) {
        int32_t word = _mm_cvtsi128_si32(v);
        memcpy(to, &word, 4);
        v = _mm_srli_si128(v, 4);
        to += 4;
    }
    if (bytes & 2) {
        int16_t word = (int16_t)_mm_cvtsi128_si32(v);
        memcpy(to, &word, 2);
        v = _mm_srli_si128(v, 2);
        to += 2;
    }
    if (bytes & 1)
        *to = (uint8_t)_mm_cvtsi128_si32(v);
}

INLINE __m128i load16(const uint8_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

INLINE void store16(uint8_t *to, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)to, v);
}

/* Where columns follow each other without a gap, a store may run over into the next one, which is
 * stored later. Returns the end of the last column, or NULL. */
INLINE const uint8_t *end_of_columns(const native_panel *p, int64_t bytes)
{
    for (unsigned c = 1; c < p->columns; c++)
        if (p->column[c] - p->column[c - 1] != bytes)
            return NULL;
    return p->out + p->column[p->columns - 1] + bytes;
}

/* 16 bytes of one row, of which `count` are elements that are wanted. */
INLINE __m128i load_row(const native_panel *p, unsigned row, unsigned column, unsigned count,
                        unsigned width)
{
    const uint8_t *from = p->in + p->row[row] + (size_t)column * width;
    return count * width == 16 || p->end - from >= 16 ? load16(from)
                                                      : load_part(from, count * width);
}

#define TILES(bits)                                                                                \
    INLINE void tile##bits(const native_panel *p, unsigned r, unsigned rows, unsigned c,           \
                           unsigned columns, const uint8_t *limit)                                 \
    {                                                                                              \
        enum { WIDTH = (bits) / 8, SIDE = 16 / WIDTH };                                            \
        __m128i v[SIDE], t[SIDE];                                                                  \
        for (unsigned i = 0; i < SIDE; i++)                                                        \
            v[i] = load_row(p, r + (i < rows ? i : rows - 1), c, columns, WIDTH);                  \
        for (unsigned round = 1; round < SIDE; round *= 2) {                                       \
            for (unsigned i = 0; i < SIDE / 2; i++) {                                              \
                t[2 * i] = _mm_unpacklo_epi##bits(v[i], v[i + SIDE / 2]);                          \
                t[2 * i + 1] = _mm_unpackhi_epi##bits(v[i], v[i + SIDE / 2]);                      \
            }                                                                                      \
            memcpy(v, t, sizeof v);                                                                \
        }                                                                                          \
        for (unsigned i = 0; i < SIDE && i < columns; i++) {                                       \
            uint8_t *to = p->out + p->column[c + i] + (size_t)r * WIDTH;                           \
            if (rows == SIDE || (limit && limit - to >= 16))                                       \
                store16(to, v[i]);                                                                 \
            else                                                                                   \
                store_part(to, v[i], (size_t)rows *WIDTH);                                         \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    INLINE void pair##bits(const native_panel *p, unsigned r, unsigned c)                          \
    {                                                                                              \
        enum { WIDTH = (bits) / 8, SIDE = 16 / WIDTH };                                            \
        __m256i v[SIDE], t[SIDE];                                                                  \
        const uint8_t *from = p->in + (size_t)c * WIDTH;                                           \
        for (unsigned i = 0; i < SIDE; i++)                                                        \
            v[i] = _mm256_inserti128_si256(                                                        \
                _mm256_castsi128_si256(load16(from + p->row[r + i])),                              \
                load16(from + p->row[r + SIDE + i]), 1);                                           \
        for (unsigned round = 1; round < SIDE; round *= 2) {                                       \
            for (unsigned i = 0; i < SIDE / 2; i++) {                                              \
                t[2 * i] = _mm256_unpacklo_epi##bits(v[i], v[i + SIDE / 2]);                       \
                t[2 * i + 1] = _mm256_unpackhi_epi##bits(v[i], v[i + SIDE / 2]);                   \
            }                                                                                      \
            memcpy(v, t, sizeof v);                                                                \
        }                                                                                          \
        for (unsigned i = 0; i < SIDE; i++)                                                        \
            _mm256_storeu_si256(                                                                   \
                (__m256i *)(void *)(p->out + p->column[c + i] + (size_t)r * WIDTH), v[i]);         \
    }                                                                                              \
                                                                                                   \
    static void panel##bits(const native_panel *p)                                                 \
    {                                                                                              \
        enum { WIDTH = (bits) / 8, SIDE = 16 / WIDTH };                                            \
        const unsigned rows = p->rows < SIDE ? p->rows : SIDE;                                     \
        const unsigned columns = p->columns < SIDE ? p->columns : SIDE;                            \
        const uint8_t *limit = rows < SIDE ? end_of_columns(p, rows * WIDTH) : NULL;               \
        for (unsigned c = 0; c < p->columns; c += SIDE) {                                          \
            unsigned left = c + columns > p->columns ? p->columns - columns : c;                   \
            for (unsigned r = 0; r < p->rows;) {                                                   \
                if (columns == SIDE && p->rows - r >= 2 * SIDE) {                                  \
                    pair##bits(p, r, left);                                                        \
                    r += 2 * SIDE;                                                                 \
                    continue;                                                                      \
                }                                                                                  \
                unsigned top = r + rows > p->rows ? p->rows - rows : r;                            \
                if (rows == SIDE && columns == SIDE)                                               \
                    tile##bits(p, top, SIDE, left, SIDE, NULL);                                    \
                else                                                                               \
                    tile##bits(p, top, rows, left, columns, limit);                                \
                r += SIDE;                                                                         \
            }                                                                                      \
        }                                                                                          \
    }

TILES(8)
TILES(16)
TILES(32)
TILES(64)

/* Rows of 9 bytes and more; the last vector of a row overlaps the one before. */
INLINE void copy_row(uint8_t *to, const uint8_t *from, int64_t bytes)
{
    for (int64_t k = 0; k + 32 <= bytes; k += 32)
        _mm256_storeu_si256((__m256i *)(void *)(to + k),
                            _mm256_loadu_si256((const __m256i *)(const void *)(from + k)));
    if (bytes % 32 == 0)
        return;
    _mm256_storeu_si256(
        (__m256i *)(void *)(to + bytes - 32),
        _mm256_loadu_si256((const __m256i *)(const void *)(from + bytes - 32)));
}

static void copy(uint8_t *to, int64_t to_step, const uint8_t *from, int64_t from_step,
                 int64_t bytes, int64_t n)
{
    enum { LONG = 1024 };
    for (int64_t k = 0; k < n; k++, to += to_step, from += from_step) {
        if (bytes > LONG)
            memcpy(to, from, (size_t)bytes);
        else if (bytes >= 32)
            copy_row(to, from, bytes);
        else if (bytes >= 16) {
            __m128i end = load16(from + bytes - 16);
            store16(to, load16(from));
            store16(to + bytes - 16, end);
        } else if (bytes >= 8) {
            uint64_t first, last;
            memcpy(&first, from, 8);
            memcpy(&last, from + bytes - 8, 8);
            memcpy(to, &first, 8);
            memcpy(to + bytes - 8, &last, 8);
        } else if (bytes >= 4) {
            uint32_t first, last;
            memcpy(&first, from, 4);
            memcpy(&last, from + bytes - 4, 4);
            memcpy(to, &first, 4);
            memcpy(to + bytes - 4, &last, 4);
        } else
            for (int64_t b = 0; b < bytes; b++)
                to[b] = from[b];
    }
}

/* The steps of a row that may load and store whole vectors: from *first up to the result. */
INLINE int64_t safe_steps(const native_shuffle *s, const uint8_t *const *from,
                          const uint8_t *const *end, int64_t vector, int64_t *first)
{
    const int64_t stored = s->take * s->period, row = s->n * s->period;
    int64_t last = row < vector ? 0 : (row - vector) / stored + 1;
    *first = 0;
    for (unsigned i = 0; i < s->sources; i++) {
        const int64_t step = s->source[i].step * s->take, room = end[i] - from[i] - vector;
        if (step > 0 || (step == 0 && room < 0)) {
            int64_t most = room < 0 ? 0 : step ? room / step + 1 : last;
            last = most < last ? most : last;
        } else if (room < 0) {
            int64_t least = (-room - step - 1) / -step;
            *first = least > *first ? least : *first;
        }
    }
    int64_t whole = s->n / s->take;
    return last < whole ? last : whole;
}
