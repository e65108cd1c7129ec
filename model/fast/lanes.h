/* SPDX-License-Identifier: Apache-2.0
 * Kernels in vectors of several 16-byte lanes, each of which goes its own way: the group kernels of
 * XPOSE and PERMUTE, and CONCAT by byte shuffles. The includer says what a vector is and how it is
 * loaded, stored, shuffled and interleaved.
 */
#include "model/fast/elements.h"

/* Registers 0 … 15 of a group of 2^bits, written out so that they are registers. */
#define EACH_REGISTER(DO)                                                                          \
    DO(0)                                                                                          \
    DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)

/* The halves of a pair lie `gap` bytes farther apart than side by side. */
INLINE ptrdiff_t stretch(unsigned offset, ptrdiff_t gap)
{
    return (ptrdiff_t)offset + (gap & -(ptrdiff_t)(offset / ZTL_REG_BYTES));
}

/* One stage: the registers that differ in bit k are interleaved. */
INLINE void stage(vector *v, unsigned size, unsigned bits, unsigned k)
{
    if (k >= bits)
        return;
#define STAGE(r)                                                                                   \
    if (r < 1 << size && !(r >> k & 1)) {                                                          \
        vector low = interleave_low(v[r], v[r | 1 << k]);                                          \
        v[r | 1 << k] = interleave_high(v[r], v[r | 1 << k]);                                      \
        v[r] = low;                                                                                \
    }
    EACH_REGISTER(STAGE)
#undef STAGE
}

/* kind is a constant in each use, so that its tests vanish. */
INLINE void group_kernel(unsigned kind, const ztl_pair_plan *plan, uint8_t *to, ptrdiff_t to_gap,
                         const uint8_t *from, ptrdiff_t from_gap)
{
    const unsigned bits = kind & ZTL_GROUP_BITS;
    const unsigned size = bits < ZTL_GROUP_LEAST ? ZTL_GROUP_LEAST : bits;
    const unsigned groups = 1u << (ZTL_PAIR_BITS - ZTL_VECTOR_BITS - LANE_BITS - size);
    const vector before = every_lane(plan->as.group.before),
                 after = every_lane(plan->as.group.after);
    ptrdiff_t from_lane[LANES], to_lane[LANES], from_register[16], to_register[16];
    for (unsigned l = 0; l < LANES; l++) {
        from_lane[l] = stretch(plan->as.group.lane_from[l], from_gap);
        to_lane[l] = stretch(plan->as.group.lane_to[l], to_gap);
    }
    for (unsigned r = 0; r < 1u << size; r++) {
        from_register[r] = stretch(plan->as.group.from[r], from_gap);
        to_register[r] = stretch(plan->as.group.to[r], to_gap);
    }
    for (unsigned g = 0; g < groups; g++) {
        const uint8_t *source = from + stretch(plan->as.group.outer_from[g], from_gap);
        uint8_t *target = to + stretch(plan->as.group.outer_to[g], to_gap);
        vector v[16];
#define LOAD(r)                                                                                    \
    if (r < 1 << size)                                                                             \
        v[r] = shuffle_lanes(kind & ZTL_WHOLE_FROM                                                 \
                                 ? load_whole(source + from_register[r])                           \
                                 : load_lanes(source + from_register[r], from_lane),               \
                             before);
        EACH_REGISTER(LOAD)
#undef LOAD
        stage(v, size, bits, 3);
        stage(v, size, bits, 2);
        stage(v, size, bits, 1);
        stage(v, size, bits, 0);
#define STORE(r)                                                                                   \
    if (r < 1 << size) {                                                                           \
        vector result = bits ? shuffle_lanes(v[r], after) : v[r];                                  \
        if (kind & ZTL_WHOLE_TO)                                                                   \
            store_whole(target + to_register[r], result);                                          \
        else                                                                                       \
            store_lanes(target + to_register[r], to_lane, result);                                 \
    }
        EACH_REGISTER(STORE)
#undef STORE
    }
}

static void permute_bytes(const ztl_pair_plan *plan, ztl_pair to, ztl_pair from)
{
    ptrdiff_t to_gap = to.half[1] - to.half[0] - ZTL_REG_BYTES;
    ptrdiff_t from_gap = from.half[1] - from.half[0] - ZTL_REG_BYTES;
    switch (plan->kind) {
#define KERNEL(kind)                                                                               \
    case kind:                                                                                     \
        group_kernel(kind, plan, to.half[0], to_gap, from.half[0], from_gap);                      \
        break;
#define KERNELS(bits)                                                                              \
    KERNEL(bits)                                                                                   \
    KERNEL(bits | ZTL_WHOLE_FROM)                                                                  \
    KERNEL(bits | ZTL_WHOLE_TO)                                                                    \
    KERNEL(bits | ZTL_WHOLE_FROM | ZTL_WHOLE_TO)
        KERNELS(0)
        KERNELS(1)
        KERNELS(2)
        KERNELS(3)
        KERNELS(4)
#undef KERNELS
#undef KERNEL
    default:
        break;
    }
}

static void permute(const ztl_pair_plan *plan, ztl_pair to, ztl_pair between, ztl_pair from)
{
    if (plan->nibble) {
        exchange_nibbles(between, from, plan->nibble - 1u);
        from = between;
    }
    permute_bytes(plan, to, from);
}

/* Each 16 bytes of the result are a union of shuffles. */
static void concat(const ztl_concat_plan *plan, uint8_t *to, const uint8_t *const source[3])
{
    const uint8_t *const shifted[] = {source[0], source[1] - ZTL_REG_BYTES,
                                      source[2] - 2 * ZTL_REG_BYTES};
    unsigned n = 0;
    for (unsigned at = 0; at < ZTL_REG_VECTORS; at++) {
        __m128i result = _mm_setzero_si128();
        for (unsigned end = n + plan->as.gather.count[at]; n < end; n++) {
            unsigned start = plan->as.gather.start[n];
            const uint8_t *from = shifted[start / ZTL_REG_BYTES] + start;
            __m128i part = _mm_loadu_si128((const __m128i *)from);
            __m128i order = _mm_loadu_si128((const __m128i *)plan->as.gather.shuffle[n]);
            result = _mm_or_si128(result, _mm_shuffle_epi8(part, order));
        }
        _mm_storeu_si128((__m128i *)to + at, result);
    }
}
