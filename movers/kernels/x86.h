/* SPDX-License-Identifier: Apache-2.0
 * Kernels with vectors of 16 and 32 bytes. A tile has 16 bytes of each of its rows; it is
 * transposed by interleaving the rows of its first half with those of the second, again and again:
 * each time the bits of an element's place rotate by one. Two tiles, one below the other, take the
 * two halves of longer vectors.
 */
#include <immintrin.h>

#include "movers/job.h"

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

/* Where a row and a column start; `lists` is a constant wherever this is inlined. */
INLINE int64_t row_at(const native_panel *p, bool lists, int64_t r)
{
    return lists ? p->row[r] : r * p->row_step;
}

INLINE int64_t column_at(const native_panel *p, bool lists, int64_t c)
{
    return lists ? p->column[c] : c * p->column_step;
}

/* Where columns follow each other without a gap, a store may run over into the next one, which is
 * stored later. Returns the end of the last column, or NULL. */
INLINE const uint8_t *end_of_columns(const native_panel *p, bool lists, int64_t bytes)
{
    for (int64_t c = 1; c < (lists ? p->columns : 2); c++)
        if (c < p->columns && column_at(p, lists, c) - column_at(p, lists, c - 1) != bytes)
            return NULL;
    return p->out + column_at(p, lists, p->columns - 1) + bytes;
}

/* 16 bytes of one row, of which `count` elements are wanted. */
INLINE __m128i load_row(const native_panel *p, const uint8_t *from, int64_t bytes)
{
    return bytes == 16 || p->end - from >= 16 ? load16(from) : load_part(from, (size_t)bytes);
}

/* 16 bytes from here, 16 from there. */
INLINE __m256i joined(const uint8_t *low, const uint8_t *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(low)), load16(high), 1);
}

/* Eight words of eight rows, all loaded before the first is stored: a load that follows a store to
 * an address with the same last bits would wait for it. */
INLINE void eight_by_eight(const native_panel *p, bool lists, int64_t r, int64_t c)
{
    __m256i v[8], t[8];
    const uint8_t *from = p->in + c * 4;
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *low = from + row_at(p, lists, r + i);
        const uint8_t *high = from + row_at(p, lists, r + i + 4);
        t[i] = joined(low, high);
        t[i + 4] = joined(low + 16, high + 16);
    }
    for (unsigned h = 0; h < 8; h += 4) {
        __m256i a = _mm256_unpacklo_epi32(t[h], t[h + 1]),
                b = _mm256_unpackhi_epi32(t[h], t[h + 1]);
        __m256i d = _mm256_unpacklo_epi32(t[h + 2], t[h + 3]);
        __m256i e = _mm256_unpackhi_epi32(t[h + 2], t[h + 3]);
        v[h] = _mm256_unpacklo_epi64(a, d);
        v[h + 1] = _mm256_unpackhi_epi64(a, d);
        v[h + 2] = _mm256_unpacklo_epi64(b, e);
        v[h + 3] = _mm256_unpackhi_epi64(b, e);
    }
    for (unsigned i = 0; i < 8; i++)
        _mm256_storeu_si256((__m256i *)(void *)(p->out + column_at(p, lists, c + i) + r * 4), v[i]);
}

/* At least eight rows; the last ones overlap if they must. */
INLINE void eight_columns(const native_panel *p, bool lists, int64_t top, int64_t bottom, int64_t c)
{
    for (int64_t r = top; r < bottom; r += 8)
        eight_by_eight(p, lists, r + 8 > bottom ? bottom - 8 : r, c);
}

/* So that vectors stay in registers; with a sanitizer's checks it would only take long to compile.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(ZTL_SANITIZE)
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* Rows of a block: stores fill several lines of a column before they go to the next. */
#define ROWS_OF(width) ((width) < 4 ? 2 * NATIVE_WINDOW / (width) : 4 * NATIVE_WINDOW / (width))

/* Whether so many rows, a step apart, stay in the first cache: those at multiples of a page share
 * the eight lines of one set. */
INLINE bool rows_fit(int64_t step, int64_t rows)
{
    enum { PAGE = 4096, WAYS = 8 };
    const int64_t distance = step & -step;
    return WAYS * (distance < PAGE ? PAGE / distance : 1) >= rows;
}

/* ROUNDS interleaves all vectors of v, once for each bit of SIDE. */
#define ROUNDS(low, high)                                                                          \
    UNROLL for (unsigned round = 0; round < LOG; round++)                                          \
    {                                                                                              \
        UNROLL for (unsigned i = 0; i < SIDE / 2; i++)                                             \
        {                                                                                          \
            t[2 * i] = low(v[i], v[i + SIDE / 2]);                                                 \
            t[2 * i + 1] = high(v[i], v[i + SIDE / 2]);                                            \
        }                                                                                          \
        UNROLL for (unsigned i = 0; i < SIDE; i++) v[i] = t[i];                                    \
    }

#define TILES(bits, log)                                                                           \
    INLINE void tile##bits(const native_panel *p, bool lists, int64_t r, unsigned rows, int64_t c, \
                           unsigned columns, const uint8_t *limit)                                 \
    {                                                                                              \
        enum { WIDTH = (bits) / 8, SIDE = 16 / WIDTH, LOG = log };                                 \
        __m128i v[SIDE], t[SIDE];                                                                  \
        UNROLL for (unsigned i = 0; i < SIDE; i++) v[i] =                                          \
            load_row(p, p->in + row_at(p, lists, r + (i < rows ? i : rows - 1)) + c * WIDTH,       \
                     columns * WIDTH);                                                             \
        ROUNDS(_mm_unpacklo_epi##bits, _mm_unpackhi_epi##bits)                                     \
        UNROLL for (unsigned i = 0; i < SIDE; i++)                                                 \
        {                                                                                          \
            if (i >= columns)                                                                      \
                break;                                                                             \
            uint8_t *to = p->out + column_at(p, lists, c + i) + r * WIDTH;                         \
            if (rows == SIDE || (limit && limit - to >= 16))                                       \
                store16(to, v[i]);                                                                 \
            else                                                                                   \
                store_part(to, v[i], (size_t)rows *WIDTH);                                         \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    INLINE void pair##bits(const native_panel *p, bool lists, int64_t r, int64_t c)                \
    {                                                                                              \
        enum { WIDTH = (bits) / 8, SIDE = 16 / WIDTH, LOG = log };                                 \
        __m256i v[SIDE], t[SIDE];                                                                  \
        const uint8_t *from = p->in + c * WIDTH;                                                   \
        UNROLL for (unsigned i = 0; i < SIDE; i++) v[i] =                                          \
            joined(from + row_at(p, lists, r + i), from + row_at(p, lists, r + SIDE + i));         \
        ROUNDS(_mm256_unpacklo_epi##bits, _mm256_unpackhi_epi##bits)                               \
        UNROLL for (unsigned i = 0; i < SIDE; i++) _mm256_storeu_si256(                            \
            (__m256i *)(void *)(p->out + column_at(p, lists, c + i) + r * WIDTH), v[i]);           \
    }                                                                                              \
                                                                                                   \
    INLINE void block##bits(const native_panel *p, bool lists, int64_t top, int64_t bottom,        \
                            int64_t left, int64_t right)                                           \
    {                                                                                              \
        enum { WIDTH = (bits) / 8, SIDE = 16 / WIDTH };                                            \
        int64_t c = left;                                                                          \
        if (WIDTH == 4)                                                                            \
            for (; c + 8 <= right && bottom - top >= 8; c += 8)                                    \
                eight_columns(p, lists, top, bottom, c);                                           \
        if (WIDTH == 4 && bottom - top >= 8 && right - left >= 8 && right - c > 4) {               \
            eight_columns(p, lists, top, bottom, right - 8);                                       \
            return;                                                                                \
        }                                                                                          \
        for (; c < right; c += SIDE) {                                                             \
            int64_t at = c + SIDE > right ? right - SIDE : c, r = top;                             \
            for (; r + 2 * SIDE <= bottom; r += 2 * SIDE)                                          \
                pair##bits(p, lists, r, at);                                                       \
            for (; r < bottom; r += SIDE)                                                          \
                tile##bits(p, lists, r + SIDE > bottom ? bottom - SIDE : r, SIDE, at, SIDE, NULL); \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* A block from copies of its rows, where they would drive each other out of the cache. */     \
    static void aside##bits(const native_panel *p, int64_t top, int64_t bottom, int64_t left,      \
                            int64_t right)                                                         \
    {                                                                                              \
        enum { WIDTH = (bits) / 8, SIDE = 16 / WIDTH, ROWS = ROWS_OF(WIDTH) };                     \
        enum { COLUMNS = 128, PITCH = COLUMNS * WIDTH + NATIVE_WINDOW };                           \
        uint8_t rows[ROWS * PITCH];                                                                \
        native_panel copy = *p;                                                                    \
        copy.in = rows;                                                                            \
        copy.row_step = PITCH;                                                                     \
        for (int64_t c = left; c < right; c += COLUMNS) {                                          \
            const int64_t end = c + COLUMNS < right ? c + COLUMNS : right;                         \
            const int64_t at = end - c < SIDE ? end - SIDE : c;                                    \
            for (int64_t r = top; r < bottom; r++)                                                 \
                memcpy(rows + (r - top) * PITCH, p->in + r * p->row_step + at * WIDTH,             \
                       (size_t)((end - at) * WIDTH));                                              \
            copy.out = p->out + at * p->column_step + top * WIDTH;                                 \
            block##bits(&copy, false, 0, bottom - top, 0, end - at);                               \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* Panels with fewer rows or columns than a tile. */                                           \
    INLINE void narrow##bits(const native_panel *p, bool lists)                                    \
    {                                                                                              \
        enum { WIDTH = (bits) / 8, SIDE = 16 / WIDTH };                                            \
        const int64_t rows = p->rows < SIDE ? p->rows : SIDE;                                      \
        const int64_t columns = p->columns < SIDE ? p->columns : SIDE;                             \
        const uint8_t *limit = rows < SIDE ? end_of_columns(p, lists, rows * WIDTH) : NULL;        \
        for (int64_t c = 0; c < p->columns; c += SIDE)                                             \
            for (int64_t r = 0; r < p->rows; r += SIDE)                                            \
                tile##bits(p, lists, r + rows > p->rows ? p->rows - rows : r, (unsigned)rows,      \
                           c + columns > p->columns ? p->columns - columns : c, (unsigned)columns, \
                           limit);                                                                 \
    }                                                                                              \
                                                                                                   \
    INLINE void move##bits(const native_panel *p, bool lists)                                      \
    {                                                                                              \
        enum { WIDTH = (bits) / 8, SIDE = 16 / WIDTH, ROWS = ROWS_OF(WIDTH) };                     \
        if (WIDTH == 4 && p->rows == 8 && p->columns == 8) {                                       \
            eight_by_eight(p, lists, 0, 0);                                                        \
            return;                                                                                \
        }                                                                                          \
        if (p->rows < SIDE || p->columns < SIDE) {                                                 \
            narrow##bits(p, lists);                                                                \
            return;                                                                                \
        }                                                                                          \
        const int64_t height = lists ? NATIVE_WINDOW / WIDTH : ROWS;                               \
        const bool aside = WIDTH < 4 && !lists && p->columns > NATIVE_WINDOW / WIDTH &&            \
                           !rows_fit(p->row_step, p->rows < ROWS ? p->rows : ROWS);                \
        for (int64_t c = 0; c < p->columns; c += NATIVE_COLUMNS) {                                 \
            int64_t right = c + NATIVE_COLUMNS < p->columns ? c + NATIVE_COLUMNS : p->columns;     \
            int64_t left = right - c < SIDE ? right - SIDE : c;                                    \
            for (int64_t r = 0; r < p->rows; r += height) {                                        \
                int64_t bottom = r + height < p->rows ? r + height : p->rows;                      \
                int64_t top = bottom - r < SIDE ? bottom - SIDE : r;                               \
                if (aside)                                                                         \
                    aside##bits(p, top, bottom, left, right);                                      \
                else                                                                               \
                    block##bits(p, lists, top, bottom, left, right);                               \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void panel##bits(const native_panel *panels)                                            \
    {                                                                                              \
        native_panel p = *panels;                                                                  \
        for (int64_t k = 0; k < p.times; k++, p.in += p.in_step, p.out += p.out_step)              \
            if (p.row)                                                                             \
                move##bits(&p, true);                                                              \
            else                                                                                   \
                move##bits(&p, false);                                                             \
    }

TILES(8, 4)
TILES(16, 3)
TILES(32, 2)
TILES(64, 1)

/* The last vector of a row overlaps the one before. */
INLINE void copy_row(uint8_t *to, const uint8_t *from, int64_t bytes)
{
    for (int64_t k = 0; k + 32 <= bytes; k += 32)
        _mm256_storeu_si256((__m256i *)(void *)(to + k),
                            _mm256_loadu_si256((const __m256i *)(const void *)(from + k)));
    if (bytes % 32)
        _mm256_storeu_si256((__m256i *)(void *)(to + bytes - 32),
                            _mm256_loadu_si256((const __m256i *)(const void *)(from + bytes - 32)));
}

/* Does something with every row: `source` and `target` are where it is. */
#define EACH_ROW(DO)                                                                               \
    for (int64_t j = 0; j < more; j++, to += more_out, from += more_in) {                          \
        uint8_t *target = to;                                                                      \
        const uint8_t *source = from;                                                              \
        for (int64_t k = 0; k < n; k++, target += out, source += in) {                             \
            DO;                                                                                    \
        }                                                                                          \
    }

/* Two ends of the type's size cover the row. */
#define COPY_ENDS(type)                                                                            \
    {                                                                                              \
        type first, last;                                                                          \
        memcpy(&first, source, sizeof first);                                                      \
        memcpy(&last, source + bytes - (int64_t)sizeof last, sizeof last);                         \
        memcpy(target, &first, sizeof first);                                                      \
        memcpy(target + bytes - (int64_t)sizeof last, &last, sizeof last);                         \
    }

static void copy(uint8_t *to, const uint8_t *from, int64_t bytes, const native_loop *outer,
                 const native_loop *inner)
{
    /* Copies, as a store could change what is behind a pointer. */
    const int64_t n = inner->n, in = inner->in[0], out = inner->out;
    const int64_t more = outer->n, more_in = outer->in[0], more_out = outer->out;
    enum { LONG = 1024 };
    if (bytes > LONG)
        EACH_ROW(memcpy(target, source, (size_t)bytes))
    else if (bytes == 16)
        EACH_ROW(store16(target, load16(source)))
    else if (bytes == 32)
        EACH_ROW(copy_row(target, source, 32))
    else if (bytes == 64)
        EACH_ROW(copy_row(target, source, 64))
    else if (bytes == 128)
        EACH_ROW(copy_row(target, source, 128))
    else if (bytes >= 32)
        EACH_ROW(copy_row(target, source, bytes))
    else if (bytes >= 16)
        EACH_ROW(COPY_ENDS(__m128i))
    else if (bytes >= 8)
        EACH_ROW(COPY_ENDS(uint64_t))
    else if (bytes >= 4)
        EACH_ROW(COPY_ENDS(uint32_t))
    else
        EACH_ROW(for (int64_t b = 0; b < bytes; b++) target[b] = source[b])
}
