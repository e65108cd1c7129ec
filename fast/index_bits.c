/* SPDX-License-Identifier: Apache-2.0
 * Plans for a permutation of the 11 bits of a byte's index in a pair. The low four bits
 * are the position in a 16-byte vector, the others number the vector. Permuting the latter is free:
 * they are addresses. Only bits that cross between the two groups cost instructions. doc/speed.md
 * has the picture.
 */
#include "fast/fast.h"

enum { LOW = ZTL_VECTOR_BITS, NONE = 0xff };

/* Which source bit is where, during the passes: in the low bits, and in the vector bits. */
typedef struct arrangement {
    uint8_t low[LOW];
    uint8_t high[ZTL_PAIR_BITS - LOW];
} arrangement;

/* An interleave in units of 2^unit bytes: the top low bit moves to a vector bit, whose content is
 * inserted at `unit`. */
static void interleave(arrangement *a, ztl_pair_plan *plan, unsigned unit, unsigned slot)
{
    uint8_t out = a->low[LOW - 1];
    for (unsigned i = LOW - 1; i > unit; i--)
        a->low[i] = a->low[i - 1];
    a->low[unit] = a->high[slot];
    a->high[slot] = out;
    plan->pass[plan->passes++] = (ztl_pass){(uint8_t)unit, (uint8_t)slot};
}

/* The position of `bit` among the low bits of the result; NONE if it is not there. */
static unsigned rank_of(const uint8_t *from, uint8_t bit)
{
    for (unsigned j = 0; j < LOW; j++)
        if (from[j] == bit)
            return j;
    return NONE;
}

/* How many of the lowest bits can stay: they are low in the result too, in the same order. */
static unsigned staying(const uint8_t *from)
{
    unsigned count = 0, last = 0;
    for (; count < LOW; count++) {
        unsigned rank = rank_of(from, (uint8_t)count);
        if (rank == NONE || (count && rank < last))
            break;
        last = rank;
    }
    return count;
}

/* A vector bit whose content must become low; NONE when there is none. */
static unsigned wanted_slot(const arrangement *a, const uint8_t *from)
{
    for (unsigned slot = 0; slot < ZTL_PAIR_BITS - LOW; slot++)
        if (rank_of(from, a->high[slot]) != NONE)
            return slot;
    return NONE;
}

/* Where among the `done` bits in place a bit belongs. */
static unsigned place_among(const arrangement *a, const uint8_t *from, unsigned done, uint8_t bit)
{
    unsigned place = 0;
    while (place < done && rank_of(from, a->low[place]) < rank_of(from, bit))
        place++;
    return place;
}

void ztl_plan_passes(ztl_pair_plan *plan)
{
    const uint8_t *from = plan->from;
    arrangement a;
    for (unsigned i = 0; i < ZTL_PAIR_BITS; i++)
        *(i < LOW ? &a.low[i] : &a.high[i - LOW]) = (uint8_t)i;
    plan->passes = 0;
    for (unsigned done = staying(from); done < LOW;) {
        unsigned slot = wanted_slot(&a, from);
        if (slot == NONE) { /* move the next one out, in exchange for any vector bit */
            interleave(&a, plan, done, 0);
            continue;
        }
        interleave(&a, plan, place_among(&a, from, done, a.high[slot]), slot);
        done++;
    }
    plan->twice = plan->nibble || plan->passes > 2 ||
                  (plan->passes == 2 && plan->pass[0].slot == plan->pass[1].slot);
    for (unsigned v = 0; v < ZTL_PAIR_VECTORS; v++) {
        plan->as.place[v] = 0;
        for (unsigned j = LOW; j < ZTL_PAIR_BITS; j++)
            for (unsigned slot = 0; slot < ZTL_PAIR_BITS - LOW; slot++)
                if (a.high[slot] == from[j])
                    plan->as.place[v] |= (uint16_t)((v >> slot & 1) << j);
    }
}

/* The sum of 2^bit[k] over the bits k of n. */
static uint16_t spread(unsigned n, const uint8_t *bit, unsigned count)
{
    unsigned sum = 0;
    for (unsigned k = 0; k < count; k++)
        sum |= (n >> k & 1) << bit[k];
    return (uint16_t)sum;
}

/* The byte shuffle that brings bit source[k] of the index to place k. */
static void shuffle_of(uint8_t shuffle[ZTL_VECTOR], const uint8_t source[LOW])
{
    for (unsigned n = 0; n < ZTL_VECTOR; n++)
        shuffle[n] = (uint8_t)spread(n, source, LOW);
}

/* The source bits, sorted: those that come in to the low four, go out, stay low, or stay high. */
typedef struct crossing {
    uint8_t in[LOW], out[LOW], out_to[LOW], stay[LOW];
    uint8_t free[ZTL_ROUTE_BITS], free_to[ZTL_ROUTE_BITS];
    unsigned count, stays, frees;
} crossing;

static crossing sort_out(const uint8_t *from, unsigned bits)
{
    crossing c = {.count = 0};
    unsigned outs = 0;
    for (unsigned j = 0; j < bits; j++) {
        if (j < LOW && from[j] >= LOW) {
            c.in[c.count++] = from[j];
        } else if (j < LOW) {
            c.stay[c.stays++] = from[j];
        } else if (from[j] < LOW) {
            c.out[outs] = from[j];
            c.out_to[outs++] = (uint8_t)j;
        } else {
            c.free[c.frees] = from[j];
            c.free_to[c.frees++] = (uint8_t)j;
        }
    }
    return c;
}

/* Interleaves push bits out from the top: in ascending order they need no shuffle before. */
static void order_outs(crossing *c)
{
    for (unsigned a = 0; a < c->count; a++)
        for (unsigned b = a + 1; b < c->count; b++)
            if (c->out[b] < c->out[a]) {
                uint8_t bit = c->out[a], to = c->out_to[a];
                c->out[a] = c->out[b];
                c->out_to[a] = c->out_to[b];
                c->out[b] = bit;
                c->out_to[b] = to;
            }
}

/* Whether exactly the lowest bits stay, each in place, so that no byte shuffle is needed. Kernels
 * of this kind exist only for transposes: two or more bits cross, and whole vectors are stored. */
static bool in_units(const uint8_t *from, const crossing *c, unsigned whole)
{
    for (unsigned j = 0; j < c->stays; j++)
        if (from[j] != j)
            return false;
    return c->count >= 2 && whole == ZTL_WHOLE_TO;
}

static void exchange(crossing *c, unsigned a, unsigned b)
{
    uint8_t bit = c->free[a], to = c->free_to[a];
    c->free[a] = c->free[b];
    c->free_to[a] = c->free_to[b];
    c->free[b] = bit;
    c->free_to[b] = to;
}

/* Chooses the bits that number the lanes of a vector and puts them first. Best are lanes that are
 * adjacent in source and target; next in the target, since a load that follows and spans two stores
 * would stall; then in the source. Returns where they are adjacent. */
static unsigned choose_lanes(crossing *c, unsigned lane_bits)
{
    static const uint8_t wanted[] = {ZTL_WHOLE_FROM | ZTL_WHOLE_TO, ZTL_WHOLE_TO, ZTL_WHOLE_FROM};
    for (unsigned w = 0; w < sizeof wanted; w++) {
        unsigned found = 0;
        for (; found < lane_bits; found++) {
            unsigned k = found;
            while (k < c->frees && ((wanted[w] & ZTL_WHOLE_FROM && c->free[k] != LOW + found) ||
                                    (wanted[w] & ZTL_WHOLE_TO && c->free_to[k] != LOW + found)))
                k++;
            if (k == c->frees)
                break;
            exchange(c, found, k);
        }
        if (found == lane_bits)
            return wanted[w];
    }
    return 0;
}

/* Puts the bit that numbers adjacent lanes of the source after the bits that cross; false when it
 * crosses itself. */
static bool choose_pairs(crossing *c, unsigned lane_bits)
{
    for (unsigned k = lane_bits; k < c->frees; k++)
        if (c->free[k] == LOW) {
            exchange(c, lane_bits, k);
            return true;
        }
    return false;
}

/* The offset of lane n: the lowest bits of n number the lane in its vector, the next ones the
 * vector in its group (the bits that cross), the others the group. Each bit of n adds its own
 * offset. */
static void plan_offsets(int32_t *offset, unsigned bits, const uint8_t *crossing_bit,
                         unsigned count, const uint8_t *free, unsigned lane_bits)
{
    offset[0] = 0;
    for (unsigned k = 0; k < bits - LOW; k++) {
        bool crosses = k >= lane_bits && k - lane_bits < count;
        unsigned bit = crosses ? crossing_bit[k - lane_bits] : *free++;
        for (unsigned n = 0; n < 1u << k; n++)
            offset[(1u << k) + n] = offset[n] + (1 << bit);
    }
}

/* The byte shuffles: before, bits that go out move to the top; after, all get into order. */
static void plan_shuffles(ztl_kernel *kernel, const crossing *c, const uint8_t *from)
{
    uint8_t before[LOW], between[LOW], after[LOW];
    for (unsigned i = 0; i < c->stays; i++)
        before[i] = between[c->count + i] = c->stay[i];
    for (unsigned i = 0; i < c->count; i++) {
        before[c->stays + i] = c->out[i];
        between[i] = c->in[i];
    }
    for (unsigned j = 0; j < LOW; j++)
        for (unsigned i = 0; i < LOW; i++)
            /* NOLINTNEXTLINE(clang-analyzer-core.*): those that stay and come are all */
            if (between[i] == from[j])
                after[j] = (uint8_t)i;
    shuffle_of(kernel->before, before);
    shuffle_of(kernel->after, after);
}

/* The kernel: shuffle; for each bit that crosses, interleave the vectors that differ in it, which
 * moves it in at the bottom and the top bit out; shuffle again. With UNITS the bit enters above
 * those that stay, and no shuffle is needed. */
void ztl_plan_groups(ztl_kernel *kernel, int32_t *from_offset, int32_t *to_offset,
                     const uint8_t *from, unsigned bits, unsigned lane_bits)
{
    crossing c = sort_out(from, bits);
    order_outs(&c);
    plan_shuffles(kernel, &c, from);
    unsigned whole = choose_lanes(&c, lane_bits);
    kernel->kind = (uint8_t)(c.count | whole | (in_units(from, &c, whole) ? ZTL_UNITS : 0));
    if (kernel->kind & ZTL_UNITS && c.count < LOW && lane_bits == 1 && choose_pairs(&c, lane_bits))
        kernel->kind |= ZTL_PAIRS;
    plan_offsets(from_offset, bits, c.in, c.count, c.free, lane_bits);
    plan_offsets(to_offset, bits, c.out_to, c.count, c.free_to, lane_bits);
}
