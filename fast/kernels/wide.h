/* SPDX-License-Identifier: Apache-2.0
 * Kernels for vectors of several 16-byte lanes at independent addresses: XPOSE and PERMUTE in
 * groups, CONCAT and selections by byte shuffles. The includer defines the vector, and how it is
 * loaded, stored, shuffled and interleaved.
 */
#include "fast/kernels/elements.h"

/* Unrolled over the vectors of a group, so that the compiler keeps them in registers. */
#define EACH_REGISTER(DO)                                                                          \
    DO(0)                                                                                          \
    DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)

/* Interleaves in units of 2^unit bytes. */
INLINE vector lower(unsigned unit, vector a, vector b)
{
    return unit == 0   ? ZTL_X86_OPERATION(unpacklo_epi8)(a, b)
           : unit == 1 ? ZTL_X86_OPERATION(unpacklo_epi16)(a, b)
           : unit == 2 ? ZTL_X86_OPERATION(unpacklo_epi32)(a, b)
                       : ZTL_X86_OPERATION(unpacklo_epi64)(a, b);
}

INLINE vector upper(unsigned unit, vector a, vector b)
{
    return unit == 0   ? ZTL_X86_OPERATION(unpackhi_epi8)(a, b)
           : unit == 1 ? ZTL_X86_OPERATION(unpackhi_epi16)(a, b)
           : unit == 2 ? ZTL_X86_OPERATION(unpackhi_epi32)(a, b)
                       : ZTL_X86_OPERATION(unpackhi_epi64)(a, b);
}

/* One stage: the registers that differ in bit k are interleaved. */
INLINE void stage(vector *v, unsigned size, unsigned unit, unsigned bits, unsigned k)
{
    if (k >= bits)
        return;
#define STAGE(r)                                                                                   \
    if (r < 1 << size && !(r >> k & 1)) {                                                          \
        vector low = lower(unit, v[r], v[r | 1 << k]);                                             \
        v[r | 1 << k] = upper(unit, v[r], v[r | 1 << k]);                                          \
        v[r] = low;                                                                                \
    }
    EACH_REGISTER(STAGE)
#undef STAGE
}

/* Small groups of wide vectors choose how to load and store when they run, which takes less code;
 * the others lose a quarter of their speed by it. */
#define CHOOSES(kind) (LANES > 2 && ((kind)&ZTL_GROUP_BITS) < 4)
#define KINDS(kind)   (CHOOSES(kind) ? (kind) & ~(unsigned)(ZTL_WHOLE_FROM | ZTL_WHOLE_TO) : (kind))

/* kind is a constant wherever this is inlined, so that tests of it vanish. */
INLINE void group_kernel(unsigned kind, const ztl_kernel *kernel, unsigned lanes, uint8_t *to,
                         const int32_t *to_offset, const uint8_t *from, const int32_t *from_offset)
{
    const unsigned bits = kind & ZTL_GROUP_BITS;
    const unsigned size = kind & ZTL_PAIRS         ? bits + 1
                          : bits < ZTL_GROUP_LEAST ? ZTL_GROUP_LEAST
                                                   : bits;
    const unsigned unit = kind & ZTL_UNITS ? ZTL_VECTOR_BITS - bits : 0;
    const unsigned whole = CHOOSES(kind) ? kernel->kind : kind;
    const vector before = every_lane(kernel->before), after = every_lane(kernel->after);
    const int32_t *const end = from_offset + lanes;
    while (from_offset < end) {
        vector v[16];
#define BEFORE(x) (kind & ZTL_UNITS ? (x) : shuffle_lanes(x, before))
#define LOAD_WHOLE(r)                                                                              \
    if (r < 1 << size)                                                                             \
        v[r] = BEFORE(load_whole(from + from_offset[r * LANES]));
#define LOAD_PAIR(r)                                                                               \
    if (r < 1 << bits)                                                                             \
        load_pair(&v[r], &v[(r | 1 << bits) & 15], from, from_offset + r * LANES);
#define LOAD_LANES(r)                                                                              \
    if (r < 1 << size)                                                                             \
        v[r] = BEFORE(load_lanes(from, from_offset + r * LANES));
        if (whole & ZTL_WHOLE_FROM) {
            EACH_REGISTER(LOAD_WHOLE)
        } else if (kind & ZTL_PAIRS) {
            EACH_REGISTER(LOAD_PAIR)
        } else {
            EACH_REGISTER(LOAD_LANES)
        }
#undef BEFORE
#undef LOAD_WHOLE
#undef LOAD_PAIR
#undef LOAD_LANES
        stage(v, size, unit, bits, 3);
        stage(v, size, unit, bits, 2);
        stage(v, size, unit, bits, 1);
        stage(v, size, unit, bits, 0);
#define AFTER(x) (bits && !(kind & ZTL_UNITS) ? shuffle_lanes(x, after) : (x))
#define STORE_WHOLE(r)                                                                             \
    if (r < 1 << size)                                                                             \
        store_whole(to + to_offset[r * LANES], AFTER(v[r]));
#define STORE_LANES(r)                                                                             \
    if (r < 1 << size)                                                                             \
        store_lanes(to, to_offset + r * LANES, AFTER(v[r]));
        if (whole & ZTL_WHOLE_TO) {
            EACH_REGISTER(STORE_WHOLE)
        } else {
            EACH_REGISTER(STORE_LANES)
        }
#undef AFTER
#undef STORE_WHOLE
#undef STORE_LANES
        from_offset += (ptrdiff_t)LANES << size;
        to_offset += (ptrdiff_t)LANES << size;
    }
}

static void route(const ztl_kernel *kernel, unsigned lanes, uint8_t *to, const int32_t *to_offset,
                  const uint8_t *from, const int32_t *from_offset)
{
    switch (KINDS(kernel->kind)) {
#define KERNEL(kind)                                                                               \
    case kind:                                                                                     \
        group_kernel(kind, kernel, lanes, to, to_offset, from, from_offset);                       \
        break;
#define KERNELS(bits)                                                                              \
    KERNEL(bits)                                                                                   \
    KERNEL(bits | ZTL_WHOLE_FROM)                                                                  \
    KERNEL(bits | ZTL_WHOLE_TO)                                                                    \
    KERNEL(bits | ZTL_WHOLE_FROM | ZTL_WHOLE_TO)
#if LANES == 2
        KERNELS(0)
        KERNELS(1)
        KERNELS(2)
        KERNELS(3)
        KERNEL(2 | ZTL_WHOLE_TO | ZTL_UNITS | ZTL_PAIRS)
        KERNEL(3 | ZTL_WHOLE_TO | ZTL_UNITS | ZTL_PAIRS)
#else
        KERNEL(0)
        KERNEL(1)
        KERNEL(2)
        KERNEL(3)
#endif
        KERNELS(4)
        KERNEL(KINDS(2 | ZTL_WHOLE_TO | ZTL_UNITS))
        KERNEL(KINDS(3 | ZTL_WHOLE_TO | ZTL_UNITS))
        KERNEL(4 | ZTL_WHOLE_TO | ZTL_UNITS)
#undef KERNELS
#undef KERNEL
    default:
        break;
    }
}

#if LANES == 2
/* The offsets of lanes in a pair whose halves may not be adjacent. */
static inline const int32_t *in_pair(const int32_t *offset, ztl_pair pair,
                                     int32_t room[ZTL_PAIR_VECTORS])
{
    const int32_t gap = (int32_t)(pair.half[1] - pair.half[0]) - ZTL_REG_BYTES;
    if (gap == 0)
        return offset;
    for (unsigned n = 0; n < ZTL_PAIR_VECTORS; n++)
        room[n] = offset[n] + (gap & -(offset[n] >> (ZTL_PAIR_BITS - 1)));
    return room;
}

static void plan_pair(ztl_pair_plan *plan)
{
    ztl_plan_groups(&plan->as.group.kernel, plan->as.group.from, plan->as.group.to, plan->from,
                    ZTL_PAIR_BITS, LANE_BITS);
}

static void permute(const ztl_pair_plan *plan, ztl_pair to, ztl_pair between, ztl_pair from)
{
    int32_t to_room[ZTL_PAIR_VECTORS], from_room[ZTL_PAIR_VECTORS];
    if (plan->nibble) {
        exchange_nibbles(between, from, plan->nibble - 1u);
        from = between;
    }
    route(&plan->as.group.kernel, ZTL_PAIR_VECTORS, to.half[0],
          in_pair(plan->as.group.to, to, to_room), from.half[0],
          in_pair(plan->as.group.from, from, from_room));
}
#else
#include "fast/kernels/network.h"
#endif

/* The progress through a plan of CONCAT. */
typedef struct progress {
    const uint8_t *place, *shuffle;
    const uint16_t *start;
} progress;

/* The vectors of the result that are a union of `parts` shuffles. */
INLINE void unite(const ztl_concat_plan *plan, progress *p, uint8_t *to,
                  const uint8_t *const source[3], unsigned parts)
{
    for (unsigned left = plan->as.gather.made_of[parts]; left; left--) {
        gathered result = gather(source[*p->start >> 11] + (*p->start & 2047), p->shuffle);
        for (unsigned k = 1; k < parts; k++) {
            const uint8_t *from = source[p->start[k] >> 11] + (p->start[k] & 2047);
            result = gather_over(result, from, p->shuffle + (size_t)k * sizeof result);
        }
        put_gathered(to + (size_t)*p->place++ * sizeof result, result);
        p->start += parts;
        p->shuffle += parts * sizeof result;
    }
}

static void concat_units(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3])
{
    progress p = {plan->as.gather.place, plan->as.gather.shuffle, plan->as.gather.start};
    for (unsigned n = 0; n < plan->as.gather.copies; n++) {
        unsigned start = plan->as.gather.copy_from[n];
        ztl_copy_bytes(to + plan->as.gather.copy_to[n] * sizeof(gathered),
                       source[start >> 11] + (start & 2047), 2 * sizeof(gathered));
    }
    unite(plan, &p, to, source, 1);
    unite(plan, &p, to, source, 2);
    unite(plan, &p, to, source, 3);
    unite(plan, &p, to, source, 4);
    for (unsigned parts = 5; parts <= plan->as.gather.most; parts++)
        unite(plan, &p, to, source, parts);
}

/* The next offsets of a selection. */
typedef struct chosen {
    const int32_t *to, *from;
} chosen;

/* The vectors of one kind, each of `parts` parts. */
INLINE chosen select_kind(unsigned count, unsigned parts, const uint8_t (*shuffle)[ZTL_VECTOR],
                          uint8_t *to, const uint8_t *from, chosen next)
{
    __m128i order[ZTL_SELECT_MOST];
    for (unsigned k = 0; k < parts; k++)
        order[k] = _mm_loadu_si128((const __m128i *)shuffle[k]);
    for (; count; count--, next.from += parts) {
        __m128i result = _mm_setzero_si128();
        for (unsigned k = 0; k < parts; k++) {
            __m128i source = _mm_loadu_si128((const __m128i *)(from + next.from[k]));
            result = _mm_or_si128(result, _mm_shuffle_epi8(source, order[k]));
        }
        _mm_storeu_si128((__m128i *)(to + *next.to++), result);
    }
    return next;
}

static void select(const ztl_selection *s, uint8_t *to, const int32_t *to_offset,
                   const uint8_t *from, const int32_t *from_offset)
{
    const uint8_t(*shuffle)[ZTL_VECTOR] = s->shuffle;
    const ztl_select_kind *kind = s->kind, *end = kind + s->kinds;
    chosen next = {to_offset, from_offset};
    for (; kind < end; shuffle += kind->parts, kind++)
        switch (kind->parts) {
#define PARTS(n)                                                                                   \
    case n:                                                                                        \
        next = select_kind(kind->vectors, n, shuffle, to, from, next);                             \
        break;
            PARTS(1)
            PARTS(2)
            PARTS(3)
            PARTS(4)
#undef PARTS
        }
}

static void concat(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3])
{
    if (!plan->nibbles) {
        concat_units(plan, to, source);
        return;
    }
    _Alignas(64) uint8_t units[4][2 * ZTL_REG_BYTES];
    for (unsigned s = 0; s < 3; s++)
        unpack_nibbles(units[s], source[s]);
    concat_units(plan, units[3], (const uint8_t *const[]){units[0], units[1], units[2]});
    pack_nibbles(to, units[3]);
}

#define WIDE_KERNELS                                                                               \
    .lane_bits = LANE_BITS, .plan_pair = plan_pair, .route = route, .select = select,              \
    ELEMENT_KERNELS
