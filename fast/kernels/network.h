/* SPDX-License-Identifier: Apache-2.0
 * XPOSE and PERMUTE with vectors of 64 bytes that are loaded and stored whole. A bit of the byte's
 * index that crosses between "which vector" and "where in it" costs one stage, in which vectors are
 * interleaved in pairs; a permutation of bytes before and one after the stages do the rest.
 * doc/speed.md has the picture.
 */
#define PLANNING __attribute__((cold, noinline)) /* small rather than fast */

enum { IN_VECTOR = 6, STAGES = ZTL_PAIR_BITS - IN_VECTOR, LANE_STAGES = 4, NOWHERE = 0xff };

/* Where the bits of the source's index are: in the vector, and which of its bits number it. */
typedef struct crossing_bits {
    unsigned count, frees;
    uint8_t out[STAGES], out_to[STAGES], in[STAGES]; /* those that leave; those that come in */
    uint8_t free[STAGES], free_to[STAGES];           /* those that number vectors all the time */
} crossing_bits;

PLANNING static crossing_bits sort_bits(const uint8_t from[ZTL_PAIR_BITS])
{
    crossing_bits c = {.count = 0};
    uint8_t to[ZTL_PAIR_BITS];
    unsigned ins = 0;
    for (unsigned j = 0; j < ZTL_PAIR_BITS; j++) {
        to[from[j]] = (uint8_t)j;
        if (j < IN_VECTOR && from[j] >= IN_VECTOR)
            c.in[ins++] = from[j];
    }
    for (unsigned bit = 0; bit < ZTL_PAIR_BITS; bit++) {
        if (to[bit] < IN_VECTOR)
            continue;
        unsigned k = bit < IN_VECTOR ? c.count++ : c.frees++;
        (bit < IN_VECTOR ? c.out : c.free)[k] = (uint8_t)bit;
        (bit < IN_VECTOR ? c.out_to : c.free_to)[k] = to[bit];
    }
    return c;
}

/* The offset of vector n of the network: its lowest bits number vectors that are interleaved, the
 * others are free. */
PLANNING static void number_vectors(uint16_t offset[ZTL_NETWORK_VECTORS], unsigned count,
                                    const uint8_t *crossing, const uint8_t *free)
{
    offset[0] = 0;
    for (unsigned k = 0; k < STAGES; k++) {
        const unsigned bit = k < count ? crossing[k] : free[k - count];
        for (unsigned n = 0; n < 1u << k; n++)
            offset[(1u << k) + n] = (uint16_t)(offset[n] + (1u << bit));
    }
}

/* Writes the order of bytes that turns one arrangement of bits into another; false when they are
 * the same. */
PLANNING static bool order_bytes(uint8_t order[64], const uint8_t is[IN_VECTOR],
                                 const uint8_t wanted[IN_VECTOR])
{
    static const uint64_t has_bit[IN_VECTOR] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                                0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                                0xffff0000ffff0000, 0xffffffff00000000};
    vector index = _mm512_setzero_si512();
    bool differs = false;
    for (unsigned j = 0; j < IN_VECTOR; j++)
        for (unsigned k = 0; k < IN_VECTOR; k++)
            if (wanted[j] == is[k]) {
                differs = differs || j != k;
                index = _mm512_mask_add_epi8(index, has_bit[j], index,
                                             _mm512_set1_epi8((char)(1 << k)));
            }
    store_whole(order, index);
    return differs;
}

/* Arranges bits for the stages: those that go out at the top of a lane, the others where they are
 * if possible. */
PLANNING static void arrange(uint8_t wanted[IN_VECTOR], const uint8_t is[IN_VECTOR],
                             const crossing_bits *c)
{
    const unsigned stages = c->count < LANE_STAGES ? c->count : LANE_STAGES;
    uint64_t left = 0; /* bits without a place, as a set */
    for (unsigned k = 0; k < IN_VECTOR; k++) {
        left |= UINT64_C(1) << is[k];
        wanted[k] = NOWHERE;
    }
    for (unsigned k = 0; k < stages; k++) {
        wanted[LANE_STAGES - stages + k] = c->out[k];
        left &= ~(UINT64_C(1) << c->out[k]);
    }
    for (unsigned k = 0; k < IN_VECTOR; k++)
        if (wanted[k] == NOWHERE && left >> is[k] & 1) {
            wanted[k] = is[k];
            left &= ~(UINT64_C(1) << is[k]);
        }
    for (unsigned k = 0; k < IN_VECTOR; k++)
        if (wanted[k] == NOWHERE) {
            wanted[k] = (uint8_t)__builtin_ctzll(left);
            left &= left - 1;
        }
}

/* The first of five stages exchanges bit 5, or bit 4 if that one stays. */
PLANNING static bool exchange_halves(uint8_t is[IN_VECTOR], const crossing_bits *c)
{
    const bool second = c->count == STAGES && c->out[STAGES - 1] != IN_VECTOR - 1;
    if (second)
        is[IN_VECTOR - 2] = IN_VECTOR - 1;
    if (c->count == STAGES)
        is[IN_VECTOR - 1] = c->in[STAGES - 1];
    return second;
}

PLANNING static void plan_pair(ztl_pair_plan *plan)
{
    ztl_network *network = &plan->as.network;
    const crossing_bits c = sort_bits(plan->from);
    const unsigned stages = c.count < LANE_STAGES ? c.count : LANE_STAGES;
    uint8_t is[IN_VECTOR] = {0, 1, 2, 3, 4, 5}, wanted[IN_VECTOR];
    plan->stages = (uint8_t)c.count;
    plan->second_half = exchange_halves(is, &c);
    arrange(wanted, is, &c);
    plan->orders_before = order_bytes(network->before, is, wanted);
    for (unsigned k = 0; k < IN_VECTOR; k++)
        is[k] = k < stages ? c.in[k] : k < LANE_STAGES ? wanted[k - stages] : wanted[k];
    plan->orders_after = order_bytes(network->after, is, plan->from);
    number_vectors(network->from, c.count, c.in, c.free);
    number_vectors(network->to, c.count, c.out_to, c.free_to);
}

/* The order in which two vectors exchange bit 5 (second: bit 4) of the byte's index for the bit in
 * which their numbers differ. */
INLINE vector half_order(bool second, bool upper)
{
    const vector fifth = _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11);
    const vector fourth = _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 12, 13);
    const vector order = second ? fourth : fifth;
    return upper ? _mm512_add_epi64(order, _mm512_set1_epi64(second ? 2 : 4)) : order;
}

/* `stages` is a constant wherever this is inlined. 16 vectors fit the registers: of five stages,
 * the first is done while loading, for one half of its results at a time. */
INLINE void run_network(unsigned stages, const ztl_pair_plan *plan, uint8_t *to,
                        const uint16_t *to_offset, const uint8_t *from, const uint16_t *from_offset)
{
    const unsigned bits = stages < LANE_STAGES ? stages : LANE_STAGES, size = bits < 2 ? 2 : bits;
    const vector before = load_whole(plan->as.network.before);
    const vector after = load_whole(plan->as.network.after);
    for (unsigned n = 0; n < ZTL_NETWORK_VECTORS; n += 1u << size) {
        const vector halves = half_order(plan->second_half, n);
        vector v[16];
#define LOAD(r)                                                                                    \
    if (r < 1 << size)                                                                             \
        v[r] = stages == STAGES                                                                    \
                   ? _mm512_permutex2var_epi64(load_whole(from + from_offset[r]), halves,          \
                                               load_whole(from + from_offset[r | 16]))             \
                   : load_whole(from + from_offset[n | r]);
        EACH_REGISTER(LOAD)
#undef LOAD
#define ORDER(r)                                                                                   \
    if (r < 1 << size)                                                                             \
        v[r] = _mm512_permutexvar_epi8(order, v[r]);
        if (stages && plan->orders_before) {
            const vector order = before;
            EACH_REGISTER(ORDER)
        }
        stage(v, size, 0, bits, 3);
        stage(v, size, 0, bits, 2);
        stage(v, size, 0, bits, 1);
        stage(v, size, 0, bits, 0);
        if (!stages || plan->orders_after) {
            const vector order = after;
            EACH_REGISTER(ORDER)
        }
#undef ORDER
#define STORE(r)                                                                                   \
    if (r < 1 << size)                                                                             \
        store_whole(to + to_offset[n | r], v[r]);
        EACH_REGISTER(STORE)
#undef STORE
    }
}

/* The offsets of vectors from the lower of two registers that may not be adjacent: both are blocks
 * of one state. */
_Static_assert(ZTL_BLOCKS *ZTL_REG_BYTES <= UINT16_MAX + 1, "offsets between blocks fit 16 bits");

static inline const uint16_t *in_blocks(const uint16_t *offset, ztl_pair pair, uint8_t **base,
                                        uint16_t room[ZTL_NETWORK_VECTORS])
{
    const ptrdiff_t distance = pair.half[1] - pair.half[0];
    *base = distance < 0 ? pair.half[1] : pair.half[0];
    if (distance == ZTL_REG_BYTES)
        return offset;
    const uint16_t first = (uint16_t)(distance < 0 ? -distance : 0);
    const uint16_t second = (uint16_t)(distance < 0 ? 0 : distance);
    for (unsigned n = 0; n < ZTL_NETWORK_VECTORS; n++)
        room[n] =
            (uint16_t)(offset[n] % ZTL_REG_BYTES + (offset[n] / ZTL_REG_BYTES ? second : first));
    return room;
}

static void permute(const ztl_pair_plan *plan, ztl_pair to, ztl_pair between, ztl_pair from)
{
    uint16_t to_room[ZTL_NETWORK_VECTORS], from_room[ZTL_NETWORK_VECTORS];
    uint8_t *to_base, *from_base;
    if (plan->nibble) {
        exchange_nibbles(between, from, plan->nibble - 1u);
        from = between;
    }
    const uint16_t *to_offset = in_blocks(plan->as.network.to, to, &to_base, to_room);
    const uint16_t *from_offset = in_blocks(plan->as.network.from, from, &from_base, from_room);
    switch (plan->stages) {
#define NETWORK(stages)                                                                            \
    case stages:                                                                                   \
        run_network(stages, plan, to_base, to_offset, from_base, from_offset);                     \
        break;
        NETWORK(0)
        NETWORK(1)
        NETWORK(2)
        NETWORK(3)
        NETWORK(4)
        NETWORK(5)
#undef NETWORK
    default:
        break;
    }
}
