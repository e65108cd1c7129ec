/* SPDX-License-Identifier: Apache-2.0
 * Kernels in the compiler's 16-byte vectors: SSE2, NEON and WebAssembly have them in hardware. The
 * only rearrangement used is the interleave of two vectors.
 */
#define ZTL_WIDTH 16
#ifdef __SSE2__
#include <emmintrin.h>
#define ZTL_X86(v)              ((__m128i)(v))
#define ZTL_X86_OPERATION(name) _mm_##name
#endif
#include "fast/concat.h"
#include "fast/kernels/elements.h"

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

/* The address of a byte of a pair; `gap` is the distance between its halves. */
INLINE uint8_t *at(uint8_t *first, ptrdiff_t gap, size_t offset)
{
    return first + offset + (gap & -(ptrdiff_t)(offset / ZTL_REG_BYTES));
}

static ptrdiff_t gap_of(ztl_pair pair)
{
    return pair.half[1] - pair.half[0] - ZTL_REG_BYTES;
}

/* One or two passes at once, on groups of two or four vectors whose offsets differ in one or two
 * bits. `place`, if given, has the target offset of each vector. */
typedef struct group {
    size_t bit[2];
    ptrdiff_t from[2], to[2]; /* what the bits add to an address */
} group;

INLINE void pass_groups(bool both, unsigned unit, unsigned next_unit, const group *g, ztl_pair to,
                        ztl_pair from, const uint16_t *place)
{
    const size_t bits = g->bit[0] | (both ? g->bit[1] : 0);
    const ptrdiff_t a = g->from[0], b = g->from[1], c = g->to[0], d = g->to[1];
    const ptrdiff_t from_gap = gap_of(from), to_gap = gap_of(to);
    uint8_t *const first = to.half[0];
    const unsigned groups = ZTL_PAIR_VECTORS / (both ? 4 : 2);
    size_t offset = 0;
    for (unsigned half = 0; half < 2; half++) {
        const uint8_t *start = at(from.half[0], from_gap, offset) - offset;
        uint8_t *near = at(first, to_gap, offset) - offset;
        for (unsigned n = 0; n < groups / 2; n++) {
            const uint8_t *source = start + offset;
            uint8_t *target = place ? at(first, to_gap, place[offset / ZTL_VECTOR]) : near + offset;
            vector8 v[4];
            interleave(unit, *(const vector8 *)source, *(const vector8 *)(source + a), &v[0],
                       &v[1]);
            if (both) {
                interleave(unit, *(const vector8 *)(source + b), *(const vector8 *)(source + a + b),
                           &v[2], &v[3]);
                interleave(next_unit, v[0], v[2], (vector8 *)target, (vector8 *)(target + d));
                interleave(next_unit, v[1], v[3], (vector8 *)(target + c),
                           (vector8 *)(target + c + d));
            } else {
                *(vector8 *)target = v[0];
                *(vector8 *)(target + c) = v[1];
            }
            offset = ((offset | bits) + ZTL_VECTOR) & ~bits;
        }
    }
}

/* Two passes over the same bit are not a group of four. */
static bool fuses(const ztl_pass *p, unsigned left)
{
    return left >= 2 && p[0].slot != p[1].slot;
}

static group group_of(const ztl_pass *p, bool both, ztl_pair to, ztl_pair from,
                      const uint16_t *place)
{
    group g = {.bit = {0, 0}};
    for (unsigned k = 0; k < (both ? 2u : 1u); k++) {
        g.bit[k] = (size_t)ZTL_VECTOR << p[k].slot;
        size_t to_bit = place ? place[g.bit[k] / ZTL_VECTOR] : g.bit[k];
        g.from[k] = at(from.half[0], gap_of(from), g.bit[k]) - from.half[0];
        g.to[k] = at(to.half[0], gap_of(to), to_bit) - to.half[0];
    }
    return g;
}

static void pass(const ztl_pass *p, bool both, ztl_pair to, ztl_pair from, const uint16_t *place)
{
    const group g = group_of(p, both, to, from, place);
    switch (both ? 4 + 4 * p[0].unit + p[1].unit : p[0].unit) {
#define TWO(a)                                                                                     \
    case a:                                                                                        \
        pass_groups(false, a, 0, &g, to, from, place);                                             \
        break;
#define FOUR(a, b)                                                                                 \
    case 4 + 4 * a + b:                                                                            \
        pass_groups(true, a, b, &g, to, from, place);                                              \
        break;
#define FOURS(a) FOUR(a, 0) FOUR(a, 1) FOUR(a, 2) FOUR(a, 3)
        TWO(0)
        TWO(1)
        TWO(2)
        TWO(3)
        FOURS(0)
        FOURS(1)
        FOURS(2)
        FOURS(3)
#undef FOURS
#undef FOUR
#undef TWO
    default:
        break;
    }
}

static void move_vectors(ztl_pair to, ztl_pair from, const uint16_t *place)
{
    uint8_t *const first = to.half[0];
    const ptrdiff_t gap = gap_of(to);
    for (unsigned half = 0; half < 2; half++, place += ZTL_REG_VECTORS)
        for (unsigned n = 0; n < ZTL_REG_VECTORS; n++)
            *(vector8 *)at(first, gap, place[n]) = ((const vector8 *)from.half[half])[n];
}

static void permute(const ztl_pair_plan *plan, ztl_pair to, ztl_pair between, ztl_pair from)
{
    if (plan->nibble) {
        exchange_nibbles(between, from, plan->nibble - 1u);
        from = between;
    }
    if (plan->passes == 0)
        move_vectors(to, from, plan->as.place);
    for (unsigned k = 0; k < plan->passes;) {
        const ztl_pass *p = &plan->pass[k];
        bool both = fuses(p, plan->passes - k);
        k += both ? 2 : 1;
        bool last = k == plan->passes;
        pass(p, both, last ? to : between, from, last ? plan->as.place : NULL);
        from = between;
    }
}

/* Copies 16 bytes for each piece; the next piece overwrites the excess. */
static uint8_t *copy_piece(uint8_t *to, const uint8_t *from, unsigned length)
{
    vector8 v;
    ztl_copy_bytes(&v, from, sizeof v);
    ztl_copy_bytes(to, &v, sizeof v);
    return to + length;
}

static void concat_bytes(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3])
{
    const uint8_t *safe_end = to + ZTL_REG_BYTES - ZTL_VECTOR;
    const uint8_t *const shifted[] = {source[0], source[1] - ZTL_REG_BYTES,
                                      source[2] - 2 * ZTL_REG_BYTES};
    for (unsigned i = 0; i < plan->pieces; i++) {
        unsigned start = plan->as.piece[i] / 8u, length = ztl_piece_length[plan->as.piece[i] % 8u];
        const uint8_t *from = shifted[start / ZTL_REG_BYTES] + start;
        if (start % ZTL_REG_BYTES <= ZTL_REG_BYTES - ZTL_VECTOR && to <= safe_end)
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
        /* NOLINTNEXTLINE(clang-analyzer-core.*): the pieces of a plan fill the register */
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

static void concat(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3])
{
    (plan->nibbles ? concat_nibbles : concat_bytes)(plan, to, source);
}

static void look_up(uint8_t *to, const uint8_t *from, const uint8_t table[256], unsigned bits)
{
    (void)bits; /* a byte at a time suits nibbles too */
    for (size_t n = 0; n < ZTL_REG_BYTES; n += sizeof(uint64_t)) {
        uint64_t x, result = 0;
        ztl_copy_bytes(&x, from + n, sizeof x);
        for (unsigned shift = 0; shift < 64; shift += 8)
            result |= (uint64_t)table[x >> shift & 0xff] << shift;
        ztl_copy_bytes(to + n, &result, sizeof result);
    }
}

static bool always(void)
{
    return true;
}

const ztl_bodies ztl_bodies_portable = {
    .name = "portable",
    .runs_here = always,
    .plan_pair = ztl_plan_passes,
    ELEMENT_KERNELS,
};
