/* SPDX-License-Identifier: Apache-2.0
 * Kernels in 16-byte vectors of the compiler's: SSE2, NEON and WebAssembly have them, other
 * machines get the same in pieces. The only rearrangement within vectors is to interleave two.
 */
#define ZTL_WIDTH 16
#include "model/fast/concat.h"
#include "model/fast/elements.h"

typedef uint8_t vector8 __attribute__((vector_size(16), may_alias));
typedef uint16_t vector16 __attribute__((vector_size(16), may_alias));
typedef uint32_t vector32 __attribute__((vector_size(16), may_alias));
typedef uint64_t vector64 __attribute__((vector_size(16), may_alias));

/* Interleaves two vectors: the lower halves into *low, the upper halves into *high. */
static inline void interleave(unsigned unit, vector8 a, vector8 b, vector8 *low, vector8 *high)
{
#define ZIP(type, ...) (vector8) __builtin_shufflevector((type)a, (type)b, __VA_ARGS__)
    switch (unit) {
    case 0:
        *low = ZIP(vector8, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        *high = ZIP(vector8, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        break;
    case 1:
        *low = ZIP(vector16, 0, 8, 1, 9, 2, 10, 3, 11);
        *high = ZIP(vector16, 4, 12, 5, 13, 6, 14, 7, 15);
        break;
    case 2:
        *low = ZIP(vector32, 0, 4, 1, 5);
        *high = ZIP(vector32, 2, 6, 3, 7);
        break;
    default:
        *low = ZIP(vector64, 0, 2);
        *high = ZIP(vector64, 1, 3);
        break;
    }
#undef ZIP
}

static inline vector8 *vector_at(ztl_pair pair, unsigned n)
{
    return (vector8 *)pair.half[n / ZTL_REG_VECTORS] + n % ZTL_REG_VECTORS;
}

static inline __attribute__((always_inline)) void pass_of(unsigned unit, unsigned slot, ztl_pair to,
                                                          ztl_pair from, const uint8_t *place)
{
    const unsigned distance = 1u << slot;
    for (unsigned group = 0; group < ZTL_PAIR_VECTORS; group += 2 * distance)
        for (unsigned n = group; n < group + distance; n++) {
            unsigned other = n + distance;
            vector8 low, high;
            interleave(unit, *vector_at(from, n), *vector_at(from, other), &low, &high);
            *vector_at(to, place ? place[n] : n) = low;
            *vector_at(to, place ? place[other] : other) = high;
        }
}

/* One pass over the pair, in place or not; `place`, if given, says where results go. */
static void pass(ztl_pass p, ztl_pair to, ztl_pair from, const uint8_t *place)
{
    switch (p.unit) {
    case 0:
        pass_of(0, p.slot, to, from, place);
        break;
    case 1:
        pass_of(1, p.slot, to, from, place);
        break;
    case 2:
        pass_of(2, p.slot, to, from, place);
        break;
    default:
        pass_of(3, p.slot, to, from, place);
        break;
    }
}

static void permute(const ztl_pair_plan *plan, ztl_pair to, ztl_pair from)
{
    _Alignas(64) uint8_t bytes_between[ZTL_PAIR_BYTES];
    ztl_pair between = {{bytes_between, bytes_between + ZTL_REG_BYTES}};
    if (plan->nibble) {
        exchange_nibbles(between, from, plan->nibble - 1u);
        from = between;
    }
    for (unsigned k = 0; k + 1 < plan->passes; k++) {
        pass(plan->pass[k], between, from, NULL);
        from = between;
    }
    if (plan->passes)
        pass(plan->pass[plan->passes - 1], to, from, plan->as.place);
    else
        for (unsigned n = 0; n < ZTL_PAIR_VECTORS; n++)
            *vector_at(to, plan->as.place[n]) = *vector_at(from, n);
}

/* 16 bytes are copied for each piece; the next one overwrites those too many. */
static uint8_t *copy_piece(uint8_t *to, const uint8_t *from, unsigned length)
{
    vector8 v;
    ztl_copy_bytes(&v, from, sizeof v);
    ztl_copy_bytes(to, &v, sizeof v);
    return to + length;
}

static void concat_bytes(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3])
{
    for (unsigned i = 0; i < plan->pieces; i++) {
        unsigned start = plan->as.piece[i] / 8u, length = ztl_piece_length[plan->as.piece[i] % 8u];
        unsigned offset = start % ZTL_REG_BYTES;
        const uint8_t *from = source[start / ZTL_REG_BYTES] + offset;
        if (offset <= ZTL_REG_BYTES - ZTL_VECTOR)
            to = copy_piece(to, from, length);
        else
            while (length--)
                *to++ = *from++;
    }
}

static void unpack_nibbles(uint8_t *to, const uint8_t *from)
{
    for (unsigned n = 0; n < ZTL_REG_VECTORS; n++) {
        vector8 x = ((const vector8 *)from)[n];
        interleave(0, x & 0x0f, x >> 4, (vector8 *)to + 2 * n, (vector8 *)to + 2 * n + 1);
    }
}

static void pack_nibbles(uint8_t *to, const uint8_t *from)
{
    for (unsigned n = 0; n < ZTL_REG_BYTES; n++)
        to[n] = (uint8_t)(from[2 * n] | from[2 * n + 1] << 4);
}

static void concat_nibbles(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3])
{
    enum { UNITS = 2 * ZTL_REG_BYTES };
    _Alignas(16) uint8_t from[3 * UNITS + ZTL_VECTOR], result[UNITS + ZTL_VECTOR], *at = result;
    for (unsigned s = 0; s < 3; s++)
        unpack_nibbles(from + s * UNITS, source[s]);
    ztl_fill_bytes(from + 3 * UNITS, 0, ZTL_VECTOR);
    for (unsigned i = 0; i < plan->pieces; i++)
        at =
            copy_piece(at, from + plan->as.piece[i] / 8u, ztl_piece_length[plan->as.piece[i] % 8u]);
    pack_nibbles(to, result);
}

void ztl_concat_pieces(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3])
{
    (plan->nibbles ? concat_nibbles : concat_bytes)(plan, to, source);
}

static void look_up(uint8_t *to, const uint8_t *from, const uint8_t table[256])
{
    for (size_t n = 0; n < ZTL_REG_BYTES; n++)
        to[n] = table[from[n]];
}

static bool always(void)
{
    return true;
}

const ztl_bodies ztl_bodies_portable = {
    .name = "portable",
    .runs_here = always,
    .permute = permute,
    .merge = merge,
    .concat = ztl_concat_pieces,
    .add = add,
    .look_up = look_up,
};
