/* SPDX-License-Identifier: Apache-2.0
 * LOAD and STORE with slices in several pieces of RAM. Each slice is looked up by itself; then the
 * kernel moves them all, from offsets in host memory. A slice on the border of two pieces is torn:
 * it is moved in two parts.
 */
#include "fast/fast.h"

typedef struct places {
    ztl_slices_plan plan; /* offsets from `first`, in host memory */
    uint8_t *first;
    uint32_t torn;
    uint16_t left[ZTL_MAX_SLICES]; /* of torn slices: bytes in the first piece, */
    uint8_t *rest[ZTL_MAX_SLICES]; /* and where the others are */
} places;

/* A piece of RAM, where slices that begin at these offsets from the lowest are whole. */
typedef struct piece {
    uint64_t start, count;
    int64_t shift; /* from an offset of the plan to one in host memory */
} piece;

/* Slices that adjoin one another are one. */
static void copy_plan(places *p, const ztl_slices_plan *plan)
{
    const bool is_one = plan->contiguous;
    p->plan.count = is_one ? 1 : plan->count;
    p->plan.width = (uint16_t)(is_one ? plan->count * plan->width : plan->width);
    p->plan.active = is_one ? 1 : plan->active;
    p->plan.contiguous = is_one;
    p->plan.whole_32 = plan->whole_32 && !is_one;
    p->first = NULL;
    p->torn = 0;
}

/* The rest of a slice, of which `left` bytes lie in the piece before. */
static bool tear(places *p, const ztl_memory *memory, unsigned i, uint64_t address, uint64_t left)
{
    const ztl_ram *next = ztl_ram_at(memory, address + left);
    const uint64_t inside = next ? address + left - next->base : 0;
    if (!next || next->size - inside < p->plan.width - left)
        return false;
    p->torn |= UINT32_C(1) << i;
    p->left[i] = (uint16_t)left;
    p->rest[i] = next->bytes + inside;
    return true;
}

static int64_t distance(const uint8_t *from, const uint8_t *to)
{
    return (int64_t)((uintptr_t)to - (uintptr_t)from);
}

/* The piece of a slice that is not in the one before it, or is torn. */
static bool enter(places *p, const ztl_memory *memory, uint64_t lowest, uint64_t offset, unsigned i,
                  piece *here)
{
    const uint64_t address = lowest + offset;
    const ztl_ram *ram = ztl_ram_at(memory, address);
    if (!ram)
        return false;
    const uint64_t inside = address - ram->base, left = ram->size - inside;
    if (left < p->plan.width && !tear(p, memory, i, address, left))
        return false;
    if (!p->first)
        p->first = ram->bytes + inside;
    *here = (piece){.start = ram->base - lowest,
                    .count = ram->size < p->plan.width ? 0 : ram->size - p->plan.width + 1,
                    .shift = distance(p->first, ram->bytes + inside) - (int64_t)offset};
    return true;
}

static bool find(places *p, const ztl_memory *memory, const ztl_slices_plan *plan, uint64_t lowest)
{
    static const int64_t only[ZTL_MAX_SLICES];
    piece here = {.count = 0};
    copy_plan(p, plan);
    const int64_t *offset = plan->contiguous ? only : plan->offset;
    for (unsigned i = 0, count = p->plan.count; i < count; i++) {
        const uint64_t at = (uint64_t)offset[i];
        if (!(p->plan.active >> i & 1))
            continue;
        if (at - here.start >= here.count && !enter(p, memory, lowest, at, i, &here))
            return false;
        p->plan.offset[i] = (int64_t)at + here.shift;
    }
    return true;
}

bool ztl_load_apart(const ztl_step *step, const ztl_slices_plan *plan, uint64_t lowest)
{
    places p;
    uint8_t mended[ZTL_REG_BYTES];
    if (!find(&p, step->memory, plan, lowest))
        return false;
    for (uint32_t torn = p.torn; torn; torn &= torn - 1) {
        const unsigned i = (unsigned)__builtin_ctz(torn);
        uint8_t *slice = mended + (size_t)i * p.plan.width;
        ztl_copy_bytes(slice, p.first + p.plan.offset[i], p.left[i]);
        ztl_copy_bytes(slice + p.left[i], p.rest[i], (size_t)p.plan.width - p.left[i]);
        p.plan.offset[i] = distance(p.first, slice);
    }
    ztl_bodies_of(step->state)
        ->load(&p.plan, ztl_register(step->state, step->insn->operand[0]),
               p.plan.contiguous ? p.first + p.plan.offset[0] : p.first);
    return true;
}

/* In order of the slices, which may overlap: those before a torn one, that, those behind it. */
bool ztl_store_apart(const ztl_step *step, const ztl_slices_plan *plan, uint64_t lowest)
{
    places p;
    const ztl_bodies *bodies = ztl_bodies_of(step->state);
    const uint8_t *from = ztl_register(step->state, step->insn->operand[0]);
    if (!find(&p, step->memory, plan, lowest))
        return false;
    uint32_t active = p.plan.active;
    for (uint32_t torn = p.torn; torn; torn &= torn - 1) {
        const unsigned i = (unsigned)__builtin_ctz(torn);
        const uint32_t before = (UINT32_C(1) << i) - 1;
        const uint8_t *slice = from + (size_t)i * p.plan.width;
        p.plan.whole_32 = false;
        p.plan.active = active & before;
        if (p.plan.active)
            bodies->store(&p.plan, p.first, from);
        ztl_copy_bytes(p.first + p.plan.offset[i], slice, p.left[i]);
        ztl_copy_bytes(p.rest[i], slice + p.left[i], (size_t)p.plan.width - p.left[i]);
        active &= ~(before << 1 | 1);
    }
    p.plan.active = active;
    if (active)
        bodies->store(&p.plan, p.first, from);
    return true;
}
