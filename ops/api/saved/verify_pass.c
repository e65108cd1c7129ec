/* SPDX-License-Identifier: Apache-2.0
 * Whether a pass of a plan that comes from elsewhere stays in its buffers, at every index of its
 * loops, and keeps the rules of the instructions. Offsets are added as ranges: the lowest and the
 * highest that any index gives.
 */
#include "ops/api/saved/verify.h"

#include "ops/format/body.h"
#include "ops/format/indexed.h"

/* Offsets in a buffer, both of them included. */
typedef struct range {
    int64_t low, high;
} range;

static const char outside[] = "it leaves its buffers";

static bool add(range *r, int64_t low, int64_t high)
{
    return !__builtin_add_overflow(r->low, low, &r->low) &&
           !__builtin_add_overflow(r->high, high, &r->high);
}

/* Adds the offsets of n steps. The executor goes a step further before it goes back, so that n
 * steps must not overflow either. */
static bool add_steps(range *r, int64_t n, int64_t step)
{
    int64_t all;
    if (n < 1 || __builtin_mul_overflow(n, step, &all))
        return false;
    return add(r, all < 0 ? all - step : 0, all > 0 ? all - step : 0);
}

static void include(range *r, int64_t value)
{
    r->low = value < r->low ? value : r->low;
    r->high = value > r->high ? value : r->high;
}

/* Whether `bytes` from each offset on are in a span. */
static bool is_inside(const range *r, uint64_t bytes, const ops_span *span)
{
    return r->low >= 0 && (uint64_t)r->low >= span->low && span->high <= INT64_MAX &&
           (uint64_t)r->high <= span->high && bytes <= span->high - (uint64_t)r->high;
}

/* The buffers of a pass and the offsets that its loops give. */
typedef struct place {
    const ops_pass *pass;
    ops_span from, to;
    range in, out;
} place;

static bool find_buffer(const ztl_ops_plan *plan, const ops_span *spans, uint32_t index,
                        ops_span *span)
{
    if (index == OPS_SCRATCH)
        *span = (ops_span){0, plan->scratch};
    else if (index < plan->inputs)
        *span = spans[index];
    else if (index >= OPS_OUT && index - OPS_OUT < plan->outputs)
        *span = spans[plan->inputs + index - OPS_OUT];
    else
        return false;
    return span->low <= span->high;
}

/* Whether offsets that need not be inside a buffer, as others are added to them, are still such
 * that addresses do not wrap around. */
static bool is_near(const range *r, const ops_span *span)
{
    int64_t most = span->high < INT64_MAX / 2 ? 2 * (int64_t)span->high : INT64_MAX;
    return r->low >= -most && r->high <= most;
}

static bool is_step(int64_t step, const ops_span *span)
{
    return is_near(&(range){step, step}, span);
}

/* Adds the loops, inside which `runs` things are done. Each of them writes something new, so that
 * there are no more than bytes in the target: a plan that would not end is not let in. */
static bool add_loops(place *p, uint64_t runs)
{
    const ops_dim *loop = p->pass->loop;
    for (unsigned d = 0; d < p->pass->loops; d++)
        if (!is_step(loop[d].in, &p->from) || !is_step(loop[d].out, &p->to) ||
            !add_steps(&p->in, loop[d].n, loop[d].in) ||
            !add_steps(&p->out, loop[d].n, loop[d].out) ||
            __builtin_mul_overflow(runs, (uint64_t)loop[d].n, &runs))
            return false;
    return runs <= p->to.high - p->to.low;
}

/* What a program has set so far. */
typedef struct settings {
    uint32_t shape, order;
} settings;

static unsigned slices_of(uint32_t shape)
{
    return shape >> 16;
}

static bool is_order(uint32_t order)
{
    unsigned named = 0;
    for (unsigned k = 0; k < 4; k++)
        named |= 1u << (order >> 2 * k & 3);
    return order < 256 && named == 15;
}

static bool is_power(uint32_t n, uint32_t most)
{
    return n && n <= most && (n & (n - 1)) == 0;
}

/* The dimensions of a pair of registers, which they fill. */
static bool fills_pair(uint32_t dims, unsigned bytes)
{
    uint64_t product = bytes;
    for (unsigned k = 0; k < 4; k++)
        product *= dims >> 8 * k & 255;
    return product == 2 * OPS_BLOCK && (dims & 1) == 0;
}

static bool is_type(uint32_t ttype)
{
    const ztl_type_row *row;
    for (size_t i = 0; (row = ztl_isa_type(i)); i++)
        if (row->ttype == ttype)
            return true;
    return false;
}

/* A shape that has no more slices than strides have been set. */
static bool is_shape(const ops_pass *pass, uint32_t shape)
{
    return slices_of(shape) && slices_of(shape) <= pass->slices && slices_of(shape) <= OPS_SLICES;
}

static bool is_permute(const ops_insn *insn, uint32_t order)
{
    unsigned reg = insn->op >> 4;
    return insn->width < 4 && insn->bit < 4 && !(reg >> insn->bit & 1) && is_order(order) &&
           fills_pair(insn->arg, 1u << insn->width);
}

/* Three planes of 32 elements. */
static bool is_interleave(const ops_insn *insn, const settings *now)
{
    return is_power(insn->arg, 8) && is_order(now->order) &&
           (now->shape & 0xffff) == (OPS_SLICES << 8 | insn->arg) &&
           slices_of(now->shape) * insn->arg * OPS_SLICES <= OPS_BLOCK;
}

/* Elements along dimension 1, of which no more are wanted than there are. */
static bool is_concat(const ops_insn *insn, uint32_t shape)
{
    uint32_t extent = shape >> 8 & 0xff, size = shape & 0xff, reg = insn->op >> 4;
    uint32_t below = extent < 32 ? (UINT32_C(1) << extent) - 1 : UINT32_MAX;
    int wanted =
        __builtin_popcount((uint32_t)insn->offset & below) + __builtin_popcount(insn->arg & below);
    return reg >= 1 && reg <= 7 && slices_of(shape) && size && extent && extent <= 32 &&
           (uint32_t)wanted <= extent && slices_of(shape) * extent * size <= OPS_BLOCK;
}

/* An instruction after `now`, which it changes. */
static bool is_insn(const ops_pass *pass, const ops_insn *insn, settings *now)
{
    enum ops_code code = ops_code_of(insn);
    bool fills = pass->kind == OPS_PASS_FILL;
    if (code == OPS_LOAD)
        return !fills && is_shape(pass, now->shape) &&
               (uint64_t)slices_of(now->shape) * pass->load_width <= OPS_BLOCK && pass->load_width;
    if (code == OPS_STORE)
        return is_shape(pass, now->shape) && pass->store_width &&
               (uint64_t)slices_of(now->shape) * pass->store_width <= OPS_BLOCK;
    if (code == OPS_PERMUTE)
        return is_permute(insn, now->order);
    if (code == OPS_CONCAT)
        return is_concat(insn, now->shape);
    if (insn->op >> 4)
        return false;
    switch (code) {
    case OPS_ORDER:
        now->order = insn->arg;
        return is_order(insn->arg);
    case OPS_ADD:
        return is_type(insn->arg) && insn->offset >= -128 && insn->offset <= 127;
    case OPS_INTERLEAVE3:
    case OPS_DEINTERLEAVE3:
        return is_interleave(insn, now);
    case OPS_TRANSPOSE4:
        return is_power(insn->arg, 64);
    case OPS_SHAPE:
    case OPS_SHIFT4:
        now->shape = insn->arg;
        return is_shape(pass, insn->arg);
    default:
        return false;
    }
}

/* The slices of a load or store at an offset of every batch. */
static bool reaches(range at, int64_t offset, const ops_vector *vector, unsigned slices,
                    uint32_t width, const ops_span *span)
{
    range slice = {(int64_t)vector->stride[0] * width, (int64_t)vector->stride[0] * width};
    for (unsigned i = 1; i < slices; i++)
        include(&slice, (int64_t)vector->stride[i] * width);
    return add(&at, offset, offset) && add(&at, slice.low, slice.high) &&
           is_inside(&at, width, span);
}

/* The program of a pass, for the batches of a group, which start in `in` and `out`. A batch begins
 * with what the one before has left: the second turn is that of all but the first. */
static const char *verify_program(const place *p, const ops_group *group, range in, range out)
{
    const ops_pass *pass = p->pass;
    const ops_vector *vector = ops_pass_vectors(pass);
    settings now = {pass->tile_shape, pass->order};
    for (unsigned turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < pass->insns; i++) {
            const ops_insn *insn = &ops_pass_insns(pass)[i];
            enum ops_code code = ops_code_of(insn);
            if (!is_insn(pass, insn, &now))
                return "an instruction of its program is wrong";
            if (code == OPS_LOAD && !reaches(in, insn->offset, &vector[group->load],
                                             slices_of(now.shape), pass->load_width, &p->from))
                return outside;
            if (code == OPS_STORE && !reaches(out, insn->offset, &vector[group->store],
                                              slices_of(now.shape), pass->store_width, &p->to))
                return outside;
        }
    return NULL;
}

static const char *verify_group(const place *p, const ops_group *group)
{
    const ops_batch *batch = ops_pass_batches(p->pass) + group->first;
    range starts = {batch->in, batch->in}, ends = {batch->out, batch->out};
    for (uint32_t i = 1; i < group->count; i++) {
        include(&starts, batch[i].in);
        include(&ends, batch[i].out);
    }
    if (!is_near(&starts, &p->from) || !is_near(&ends, &p->to) ||
        !add(&starts, p->in.low, p->in.high) || !add(&ends, p->out.low, p->out.high))
        return outside;
    return verify_program(p, group, starts, ends);
}

/* A pass with a program: its groups have all batches, one after the other. */
static const char *verify_batches(place *p)
{
    const ops_pass *pass = p->pass;
    const ops_group *group = ops_pass_groups(pass);
    uint32_t next = 0;
    if (!pass->groups)
        return "it has no batches";
    if (!pass->slices || pass->slices > OPS_SLICES || pass->tile_shape >> 24)
        return "it has a wrong number of slices";
    if (!add_loops(p, pass->batches))
        return outside;
    for (uint32_t g = 0; g < pass->groups; g++, group++) {
        if (group->first != next || !group->count || group->count > pass->batches - next ||
            group->load >= pass->vectors || group->store >= pass->vectors)
            return "a group of batches is wrong";
        next += group->count;
        uint32_t load, store;
        ztl_ops_find_changes(pass, g ? group - 1 : NULL, group, &load, &store);
        if (group->load_changes != load || group->store_changes != store)
            return "its strides are not set";
        const char *wrong = verify_group(p, group);
        if (wrong)
            return wrong;
    }
    /* These choose code that does not look at the instructions any more. */
    if (pass->body != ztl_ops_body_of(pass) || pass->strides != ztl_ops_strides_of(pass))
        return "its program is not what it says";
    return NULL;
}

static bool may_fill(const ops_pass *pass)
{
    return pass->kind == OPS_PASS_FILL || pass->kind == OPS_PASS_SCALAR;
}

/* A constant: of its bytes, or that of the pass before. */
static bool is_constant(const ops_pass *pass, bool follows_fill)
{
    return pass->element ? is_power(pass->element, 8 * OPS_WORDS) : follows_fill;
}

/* Offsets of single nibbles: in a buffer of twice as many. */
static ops_span in_units(const ops_pass *pass, ops_span span)
{
    return pass->element || span.high > INT64_MAX / 4 ? span
                                                      : (ops_span){2 * span.low, 2 * span.high};
}

/* Elements one by one, or slices of load_width that masks select. */
static const char *verify_elements(place *p)
{
    const ops_pass *pass = p->pass;
    p->in = (range){pass->in, pass->in};
    p->out = (range){pass->out, pass->out};
    bool slices = pass->kind == OPS_PASS_WHERE && pass->load_width;
    p->from = in_units(pass, p->from);
    p->to = in_units(pass, p->to);
    uint64_t bytes = slices ? pass->load_width : pass->element ? pass->element : 1;
    if (pass->element > 8 * OPS_WORDS || (slices && !pass->element))
        return "its elements are of no size that there is";
    return add_loops(p, 1) && is_inside(&p->in, bytes, &p->from) &&
                   is_inside(&p->out, bytes, &p->to)
               ? NULL
               : outside;
}

/* Strides are multiples of the width, within 32 bits. */
static bool is_stride(int64_t step, const ops_pass *pass)
{
    int64_t width = pass->load_width, most = (int64_t)INT32_MAX / OPS_SLICES;
    return step % width == 0 && step / width >= -most && step / width <= most;
}

static const char *verify_where(place *p, const ops_span *condition)
{
    const ops_pass *pass = p->pass;
    const ops_batch *step = ops_pass_batches(pass);
    if (!pass->loops || pass->batches != pass->loops + 1)
        return "the steps of its condition are missing";
    const ops_dim *last = &pass->loop[pass->loops - 1];
    if (pass->load_width && (!pass->slices || pass->slices > OPS_SLICES ||
                             (uint64_t)pass->slices * pass->load_width > OPS_BLOCK ||
                             !is_stride(last->in, pass) || !is_stride(last->out, pass)))
        return "its slices are wrong";
    range at = {step[pass->loops].in, step[pass->loops].in};
    for (unsigned d = 0; d < pass->loops; d++)
        if (!is_step(step[d].in, condition) || !add_steps(&at, pass->loop[d].n, step[d].in))
            return outside;
    return is_inside(&at, 1, condition) ? verify_elements(p) : outside;
}

/* Blocks of nibbles that are packed or unpacked: one slice each, or two of a pair. */
static const char *verify_nibbles(place *p)
{
    const ops_pass *pass = p->pass;
    bool pair = ops_fills_pair(pass), packs = pass->kind == OPS_PASS_PACK;
    uint64_t load = pass->load_width, store = pass->store_width;
    if (!load || load > OPS_BLOCK || !store || store > OPS_BLOCK)
        return "its blocks are wrong";
    p->in = (range){pass->in, pass->in};
    p->out = (range){pass->out, pass->out};
    return add_loops(p, 1) && is_inside(&p->in, pair && packs ? 2 * OPS_BLOCK : load, &p->from) &&
                   is_inside(&p->out, pair && !packs ? 2 * OPS_BLOCK : store, &p->to)
               ? NULL
               : outside;
}

/* A product of numbers that are not negative. */
static bool multiply(int64_t *product, int64_t by)
{
    return by >= 0 && !__builtin_mul_overflow(*product, by, product);
}

/* Adds what indices in their range add. */
static bool add_places(range *r, const ops_indexed *x, int64_t unit)
{
    for (unsigned j = 0; j < x->count; j++) {
        const ops_index *index = &x->index[j];
        int64_t reach = unit;
        bool negative = index->stride < 0, all = index->low < 0 || x->form == OPS_INDEX_ROTATES;
        if (index->extent < 1 || index->low < -index->extent || index->low > 0 || index->end < 1 ||
            index->end > index->extent || index->stride == INT64_MIN ||
            !multiply(&reach, (all ? index->extent : index->end) - 1) ||
            !multiply(&reach, negative ? -index->stride : index->stride) ||
            !add(r, negative ? -reach : 0, negative ? 0 : reach))
            return false;
    }
    return true;
}

/* The positions that a condition selects from all loops, one after the other. */
static bool counts_on(const ops_indexed *x)
{
    return x->form == OPS_INDEX_SELECTS && !x->restart;
}

/* How often the last loop's body is done. */
static uint64_t positions_of(const ops_pass *pass, const ops_indexed *x)
{
    uint64_t n = 1;
    for (unsigned d = 0; d < pass->loops; d++)
        if (pass->loop[d].n < 1 || __builtin_mul_overflow(n, (uint64_t)pass->loop[d].n, &n))
            return UINT64_MAX;
    return n < (uint64_t)x->most ? n : (uint64_t)x->most;
}

/* Adds the steps of a side, the loops' and those of the parts of a run. */
static bool add_side(range *r, const ops_pass *pass, const ops_indexed *x, bool out, int64_t unit,
                     const ops_span *span)
{
    for (unsigned d = 0; d < pass->loops; d++) {
        int64_t step = out ? pass->loop[d].out : pass->loop[d].in, n = pass->loop[d].n;
        if (out && d + 1 == pass->loops && counts_on(x))
            n = (int64_t)positions_of(pass, x);
        if (!is_step(step, span) || __builtin_mul_overflow(step, unit, &step) ||
            !is_step(step, span) || !add_steps(r, n, step))
            return false;
    }
    int64_t last = unit, inner = unit;
    return multiply(&last, x->last) && x->parts >= 0 && multiply(&inner, x->part) &&
           multiply(&inner, x->parts > 1 ? x->parts - 2 : 0) &&
           add(r, 0, last > inner ? last : inner);
}

/* The condition of all positions, in their order, as far as it goes. */
static bool reads_on(const ops_pass *pass, const ops_indexed *x, const ops_span *span)
{
    int64_t n = 1, step = x->step[pass->loops - 1], all;
    range at = {x->at, x->at};
    for (unsigned d = pass->loops; d-- > 0;)
        if (__builtin_mul_overflow(n, step, &all) || x->step[d] != all ||
            __builtin_mul_overflow(n, pass->loop[d].n, &n))
            return false;
    return is_step(step, span) && add_steps(&at, n < x->most ? n : x->most, step) &&
           is_inside(&at, 1, span);
}

/* Every index, for every position of the loops. */
static bool reads_inside(const ops_pass *pass, const ops_indexed *x, const ops_span *span)
{
    range at = {x->at, x->at};
    if (counts_on(x))
        return reads_on(pass, x, span);
    for (unsigned d = 0; d < pass->loops; d++)
        if (!is_step(x->step[d], span) || !add_steps(&at, pass->loop[d].n, x->step[d]))
            return false;
    range first = at;
    for (unsigned j = 0; j < x->count; j++) {
        range one = first;
        if (!is_step(x->index[j].step, span) || !add(&one, x->index[j].step, x->index[j].step))
            return false;
        include(&at, one.low);
        include(&at, one.high);
    }
    return is_inside(&at, x->bytes, span);
}

/* What is positive, small enough, and goes with the others. */
static bool is_indexed(const ops_pass *pass, const ops_indexed *x)
{
    bool selects = x->form == OPS_INDEX_SELECTS, rotates = x->form == OPS_INDEX_ROTATES;
    uint64_t width = pass->load_width;
    return x->form < OPS_INDEX_FORMS && pass->store_width == width && pass->loops &&
           (selects ? x->bytes == 1 : x->bytes == 4 || x->bytes == 8) && x->count >= 1 &&
           x->count <= (selects || rotates ? 1 : ZTL_OPS_RANK) && x->index[0].step == 0 &&
           pass->slices <= OPS_SLICES && (uint64_t)pass->slices * width <= OPS_BLOCK &&
           (x->parts > 0 || (selects && x->parts == 0)) &&
           (pass->slices
                ? width > 0 && x->unit == (pass->slices > 1 && !x->classes ? (int64_t)width : 1)
                : x->unit == 1 && x->parts == 1 && pass->element == 0) &&
           (selects ? x->most >= 0 : x->most == INT64_MAX) &&
           (pass->slices < 2 ||
            (x->in_step >= INT32_MIN / OPS_SLICES && x->in_step <= INT32_MAX / OPS_SLICES &&
             x->out_step >= INT32_MIN / OPS_SLICES && x->out_step <= INT32_MAX / OPS_SLICES));
}

/* Whether sorted positions meet only others of the same residues, in queues that there is room for:
 * exec/indexed/sorted.c. */
static bool is_sorted(const ops_pass *pass, const ops_indexed *x)
{
    int64_t width = pass->load_width, all;
    const ops_dim *last = &pass->loop[pass->loops - 1];
    if (!x->classes)
        return true;
    if (x->form != OPS_INDEX_GATHERS || x->classes < 0 || pass->slices < 2 || x->grain < 1 ||
        width % x->grain || width / x->grain * pass->slices > OPS_BLOCK || x->in_step ||
        x->out_step || __builtin_mul_overflow(width, x->parts - 1, &all) || x->last != all)
        return false;
    for (unsigned d = 0; d < pass->loops; d++)
        if (pass->loop[d].in % x->grain)
            return false;
    for (unsigned j = 0; j < x->count; j++)
        if (x->index[j].stride % x->grain)
            return false;
    return !__builtin_mul_overflow(last->in, x->classes, &all) &&
           !__builtin_mul_overflow(x->step[pass->loops - 1], x->classes, &all) &&
           !__builtin_mul_overflow(last->out, x->classes, &all) &&
           (all % width == 0 || x->classes >= last->n);
}

/* Slices at equal distances lie where the loops say: else a side would reach elsewhere. */
static bool is_even(const ops_pass *pass, const ops_indexed *x, bool out)
{
    const ops_dim *last = &pass->loop[pass->loops - 1];
    int64_t even = out ? x->out_step : x->in_step, step = out ? last->out : last->in, n = last->n;
    bool selects = out && counts_on(x);
    if (!even || pass->slices < 2)
        return true;
    for (unsigned d = pass->loops - 1; !selects && d-- > 0;) {
        int64_t all;
        if (__builtin_mul_overflow(step, n, &all) ||
            __builtin_mul_overflow(n, pass->loop[d].n, &n) ||
            (out ? pass->loop[d].out : pass->loop[d].in) != all)
            return false;
    }
    bool fixed = out ? x->form == OPS_INDEX_SCATTERS || x->form == OPS_INDEX_ROTATES
                     : x->form == OPS_INDEX_GATHERS || x->form == OPS_INDEX_SELECTS;
    if (fixed || (x->form == OPS_INDEX_SELECTS && x->restart && pass->loops > 1))
        return false;
    return (n == 1 && even == 1) || (x->parts == 1 ? even == step : even == 1 && step == x->parts);
}

/* Whether strides reach from one end of a range to the other. */
static bool fits_strides(const range *r, int64_t unit)
{
    int64_t reach;
    return !__builtin_sub_overflow(r->high, r->low, &reach) && reach / unit <= INT32_MAX;
}

static const char *verify_indexed(place *p, const ztl_ops_plan *plan, const ops_span *spans)
{
    const ops_pass *pass = p->pass;
    const ops_indexed *x = ops_pass_indexed(pass);
    if (!plan->indexed || pass->insns || pass->vectors || pass->groups ||
        pass->batches != OPS_INDEXED_BATCHES || !is_indexed(pass, x) || !is_even(pass, x, false) ||
        !is_even(pass, x, true) || !is_sorted(pass, x))
        return "its indices are wrong";
    bool selects = x->form == OPS_INDEX_SELECTS, gathers = x->form == OPS_INDEX_GATHERS;
    ops_span count = {0, 0};
    if (x->input >= plan->inputs || (selects && !find_buffer(plan, spans, OPS_OUT + 1, &count)))
        return "there is no such buffer";
    range at = {x->count_at, x->count_at};
    if (selects && (x->count_at < 0 || !is_inside(&at, sizeof(int64_t), &count)))
        return outside;
    if (x->most == 0)
        return NULL;
    if (positions_of(pass, x) >= INT64_MAX || !reads_inside(pass, x, &spans[x->input]))
        return outside;
    if (selects && x->parts == 0)
        return NULL;
    int64_t unit = x->classes ? (int64_t)pass->load_width : x->unit; /* of strides */
    p->in = (range){pass->in, pass->in};
    p->out = (range){pass->out, pass->out};
    if (!pass->slices) {
        p->from = in_units(pass, p->from);
        p->to = in_units(pass, p->to);
    }
    const ops_span *distinct = gathers || selects ? &p->to : &p->from;
    if (!add_side(&p->in, pass, x, false, x->unit, &p->from) ||
        !add_side(&p->out, pass, x, true, x->unit, &p->to) ||
        (!selects && !add_places(gathers ? &p->in : &p->out, x, x->unit)) ||
        positions_of(pass, x) > distinct->high - distinct->low)
        return outside;
    if (!is_even(pass, x, false) || !is_even(pass, x, true) ||
        (pass->slices > 1 && !(fits_strides(&p->in, unit) && fits_strides(&p->out, unit))))
        return "its slices are wrong";
    uint64_t bytes = pass->slices ? pass->load_width : 1;
    return is_inside(&p->in, bytes, &p->from) && is_inside(&p->out, bytes, &p->to) ? NULL : outside;
}

const char *ztl_ops_verify_pass(const ztl_ops_plan *plan, const ops_pass *pass,
                                const ops_span *spans, bool follows_fill)
{
    place p = {.pass = pass};
    bool fills = pass->src == OPS_FILL;
    if (pass->kind >= OPS_PASS_KINDS || pass->loops > OPS_DIMS)
        return "there is no such kind of pass";
    if ((pass->kind == OPS_PASS_FILL && !fills) || (fills && !may_fill(pass)) ||
        pass->dst < OPS_OUT || !find_buffer(plan, spans, pass->dst, &p.to) ||
        !find_buffer(plan, spans, fills ? pass->dst : pass->src, &p.from))
        return "there is no such buffer";
    if (fills) /* single nibbles: what they read, a constant replaces, whatever it is */
        p.from.low = 0;
    bool has_program = pass->kind != OPS_PASS_SCALAR && pass->kind != OPS_PASS_WHERE &&
                       pass->kind != OPS_PASS_UNPACK && pass->kind != OPS_PASS_PACK &&
                       pass->kind != OPS_PASS_INDEXED;
    if (has_program != (pass->body != OPS_BODY_NONE))
        return "its program is not what it says";
    switch (pass->kind) {
    case OPS_PASS_SCALAR:
        return verify_elements(&p);
    case OPS_PASS_WHERE:
        return verify_where(&p, &spans[0]);
    case OPS_PASS_UNPACK:
    case OPS_PASS_PACK:
        return verify_nibbles(&p);
    case OPS_PASS_INDEXED:
        return verify_indexed(&p, plan, spans);
    case OPS_PASS_FILL:
        if (!is_constant(pass, follows_fill))
            return "it has no constant";
        return verify_batches(&p);
    default:
        return verify_batches(&p);
    }
}
