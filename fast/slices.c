/* SPDX-License-Identifier: Apache-2.0
 * LOAD and STORE with all slices in one piece of RAM: one check of the whole extent, then copies by
 * pointer. The offsets of slices are planned once.
 */
#include "fast/fast.h"

typedef uint64_t vector64 __attribute__((vector_size(16), may_alias));

/* Inlined where is_store is a constant, so that tests of it vanish. */
#define INLINE static inline __attribute__((always_inline))

/* The CSRs that determine the slices of a load or store. */
typedef struct sources {
    const uint32_t *stride;
    uint32_t shape, type, width, mask;
    bool masked;
} sources;

static uint64_t gpr(const ztl_step *step, int32_t index)
{
    return index ? ztl_wrap(step->state, step->x[index]) : 0;
}

INLINE sources sources_of(const ztl_step *step, bool is_store)
{
    const ztl_state *state = step->state;
    sources s = {
        .stride = &state->csr[is_store ? ZTL_SLOT_STORE_STRIDE : ZTL_SLOT_LOAD_STRIDE],
        .shape = state->csr[ZTL_SLOT_TSHAPE],
        .type = state->csr[ZTL_SLOT_TTYPE],
        .width = state->csr[is_store ? ZTL_SLOT_STORE_WIDTH : ZTL_SLOT_LOAD_WIDTH],
        .mask = state->csr[is_store ? ZTL_SLOT_STORE_MASK : ZTL_SLOT_LOAD_MASK],
        .masked = ztl_effects_by_op[step->insn->row->op] & ZTL_MASKED,
    };
    if (state->config.revision == 1)
        s.shape = (uint32_t)gpr(step, step->insn->operand[is_store ? 2 : 1]);
    return s;
}

static bool same_strides(const uint32_t *a, const uint32_t *b)
{
    vector64 difference = {0};
    for (unsigned i = 0; i < ZTL_MAX_SLICES; i += 4) {
        vector64 x, y;
        ztl_copy_bytes(&x, a + i, sizeof x);
        ztl_copy_bytes(&y, b + i, sizeof y);
        difference |= x ^ y;
    }
    return (difference[0] | difference[1]) == 0;
}

static bool plan_fits(const ztl_slices_plan *plan, const sources *s)
{
    return plan->usable && plan->shape == s->shape && plan->type == s->type &&
           plan->given_width == s->width && plan->masked == s->masked &&
           (!s->masked || plan->mask == s->mask) && same_strides(plan->stride, s->stride);
}

/* Offsets and extent of the slices that are accessed, and whether they are contiguous. */
void ztl_move_slices(ztl_slices_plan *plan, const uint32_t *stride)
{
    const unsigned count = plan->count;
    const uint32_t all = (uint32_t)((UINT64_C(1) << count) - 1), active = plan->active & all;
    const int64_t width = plan->width;
    int32_t least = INT32_MAX, most = INT32_MIN;
    uint32_t bits = 0, scattered = ~active & all;
    ztl_copy_bytes(plan->stride, stride, sizeof plan->stride);
    plan->active = active;
    for (unsigned i = 0; i < count; i++) {
        const int32_t at = (int32_t)stride[i];
        if (!(active >> i & 1))
            continue;
        bits |= stride[i] * (uint32_t)width;
        scattered |= stride[i] - stride[0] - i;
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    if (active == 0) /* left to the plain body */
        least = most = 0;
    plan->low = width * least;
    plan->high = width * most + width;
    plan->offset_bits = (uint8_t)bits;
    plan->contiguous = scattered == 0 && (int64_t)most - least == (int64_t)count - 1;
    plan->whole_32 = count == 32 && width == 32 && active == all;
    for (unsigned i = 0; i < count; i++)
        plan->offset[i] = width * ((int64_t)(int32_t)stride[i] - least);
}

static bool make_plan(const ztl_step *step, bool is_store, const sources *s, ztl_slices_plan *plan)
{
    ztl_slices slices;
    ztl_result checked = ztl_slices_of(step, is_store, &slices);
    if (!ztl_is_ok(&checked))
        return false;
    const ztl_type_row *type = ztl_current_type(step->state);
    uint32_t in_order[ZTL_MAX_SLICES];
    for (unsigned i = 0; i < ZTL_MAX_SLICES; i++)
        in_order[i] = i;
    *plan = (ztl_slices_plan){
        .shape = s->shape,
        .type = s->type,
        .given_width = s->width,
        .mask = s->mask,
        .masked = s->masked,
        .usable = true,
        .count = (uint8_t)slices.count,
        .width = (uint16_t)slices.width,
        .active = slices.mask,
        .alignment = (uint8_t)(type->bits > 8 ? type->bits / 8u : 1),
    };
    ztl_move_slices(plan, step->state->config.revision == 1 ? in_order : s->stride);
    ztl_copy_bytes(plan->stride, s->stride, sizeof plan->stride);
    return true;
}

INLINE uint64_t base_of(const ztl_step *step, bool is_store, const ztl_slices_plan *plan)
{
    const int32_t *operand = step->insn->operand;
    if (step->state->config.revision == 1)
        return gpr(step, operand[is_store ? 1 : 2]);
    return gpr(step, operand[2]) + (uint64_t)(int64_t)operand[1] * plan->width;
}

INLINE bool is_aligned(const ztl_slices_plan *plan, uint64_t base)
{
    return plan->active && !((base | plan->offset_bits) & (plan->alignment - 1u));
}

/* The host address of the lowest slice; NULL: left to the plain body. */
INLINE uint8_t *locate_by(const ztl_step *step, bool is_store, const ztl_slices_plan *plan)
{
    uint64_t base = base_of(step, is_store, plan);
    if (!is_aligned(plan, base))
        return NULL;
    return ztl_reach(&step->state->config, step->memory, is_store, base + (uint64_t)plan->low,
                     (uint64_t)(plan->high - plan->low));
}

bool ztl_plan_slices(const ztl_step *step, bool is_store, ztl_slices_plan *plan)
{
    const sources s = sources_of(step, is_store);
    return make_plan(step, is_store, &s, plan);
}

/* The same with a new plan, which is kept only if it can be used. */
__attribute__((noinline)) static uint8_t *locate_anew(const ztl_step *step, bool is_store,
                                                      const sources *s)
{
    ztl_slices_plan fresh;
    if (!make_plan(step, is_store, s, &fresh))
        return NULL;
    uint8_t *bytes = locate_by(step, is_store, &fresh);
    if (bytes)
        ztl_plans_of(step->state)->slices[is_store] = fresh;
    return bytes;
}

INLINE bool has_mask(const ztl_step *step, bool is_store, const sources *s)
{
    return !s->masked || step->state->written[is_store ? ZTL_SLOT_STORE_MASK : ZTL_SLOT_LOAD_MASK];
}

INLINE uint8_t *locate(const ztl_step *step, bool is_store)
{
    const ztl_slices_plan *plan = &ztl_plans_of(step->state)->slices[is_store];
    const sources s = sources_of(step, is_store);
    if (!has_mask(step, is_store, &s))
        return NULL;
    return plan_fits(plan, &s) ? locate_by(step, is_store, plan) : locate_anew(step, is_store, &s);
}

/* What does not lie in one piece of RAM may lie in several. */
__attribute__((noinline)) static bool move_apart(const ztl_step *step, bool is_store)
{
    ztl_slices_plan *plan = &ztl_plans_of(step->state)->slices[is_store];
    const sources s = sources_of(step, is_store);
    if (!step->memory || step->memory->ram_count < 2 || !has_mask(step, is_store, &s) ||
        (!plan_fits(plan, &s) && !make_plan(step, is_store, &s, plan)))
        return false;
    uint64_t base = base_of(step, is_store, plan), lowest = base + (uint64_t)plan->low;
    if (!is_aligned(plan, base) ||
        !ztl_in_window(&step->state->config, is_store, lowest, (uint64_t)(plan->high - plan->low)))
        return false;
    return is_store ? ztl_store_apart(step, plan, lowest) : ztl_load_apart(step, plan, lowest);
}

/* A load to tl0 still accesses memory, and may fault there: left to the plain body. */
bool ztl_fast_load(const ztl_step *step)
{
    int32_t target = step->insn->operand[0];
    if (!target)
        return false;
    const uint8_t *from = locate(step, false);
    if (!from)
        return move_apart(step, false);
    ztl_bodies_of(step->state)
        ->load(&ztl_plans_of(step->state)->slices[false], ztl_register(step->state, target), from);
    return true;
}

bool ztl_fast_store(const ztl_step *step)
{
    uint8_t *to = locate(step, true);
    if (!to)
        return move_apart(step, true);
    ztl_bodies_of(step->state)
        ->store(&ztl_plans_of(step->state)->slices[true], to,
                ztl_register(step->state, step->insn->operand[0]));
    return true;
}
