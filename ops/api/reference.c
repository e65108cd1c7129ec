/* SPDX-License-Identifier: Apache-2.0
 * The reference: plain loops over the index map, element by element.
 */
#include "ops/api/check.h"
#include "ops/map/lookup.h"
#include "ops/operators/table.h"

/* Elements are moved in words of at most 64 bits. */
static unsigned word_bits(unsigned bits)
{
    return bits < 64 ? bits : 64;
}

static uint64_t element(const uint8_t *bytes, unsigned bits, int64_t at)
{
    uint64_t value = 0;
    if (bits == 4)
        return ops_nibble(bytes, at);
    for (unsigned k = 0; k < bits / 8; k++)
        value |= (uint64_t)bytes[at + k] << 8 * k;
    return value;
}

static void set_element(uint8_t *bytes, unsigned bits, int64_t at, uint64_t value)
{
    if (bits == 4)
        ops_set_nibble(bytes, at, (unsigned)value & 15);
    else
        for (unsigned k = 0; k < bits / 8; k++)
            bytes[at + k] = (uint8_t)(value >> 8 * k);
}

typedef struct run {
    const ops_call *call;
    const ops_piece *piece;
    const uint8_t *from;
    uint8_t *to;
    unsigned bits;
} run;

static void move_elements(const run *r, unsigned d, int64_t in, int64_t out)
{
    if (d < r->piece->rank) {
        for (int64_t k = 0; k < r->piece->dim[d].n; k++)
            move_elements(r, d + 1, in + k * r->piece->dim[d].in, out + k * r->piece->dim[d].out);
        return;
    }
    const ztl_ops_op *op = r->call->op;
    unsigned bits = word_bits(r->bits);
    for (unsigned w = 0; w < r->bits / bits; w++) {
        uint64_t value =
            r->from ? element(r->from, bits, in + 8 * w) : ops_fill_word(op, r->piece->src, w);
        if (ops_does(op, OPS_ADDS))
            value = ztl_ops_add_value(ztl_isa_type(op->type), value, op->addend);
        set_element(r->to, bits, out + 8 * w, value);
    }
}

/* Where: the second input wherever the condition is not zero. */
static void choose(const ops_call *call, const void *const *source, uint8_t *target)
{
    const ztl_ops_tensor *out = call->out;
    int64_t n = ztl_ops_tensor_elements(out);
    for (int64_t k = 0; k < n; k++) {
        int64_t at[3] = {call->in[0].offset, call->in[1].offset, out->offset}, rest = k;
        for (unsigned d = out->rank; d-- > 0; rest /= out->extent[d]) {
            int64_t index = rest % out->extent[d];
            at[2] += index * out->stride[d];
            for (unsigned i = 0; i < 2; i++) {
                int from = (int)(d + call->in[i].rank) - (int)out->rank;
                if (from >= 0 && call->in[i].extent[from] != 1)
                    at[i] += index * call->in[i].stride[from];
            }
        }
        unsigned bits = word_bits(out->bits);
        for (unsigned w = 0; ((const uint8_t *)source[0])[at[0]] && w < out->bits / bits; w++)
            set_element(target, bits, at[2] + 8 * w, element(source[1], bits, at[1] + 8 * w));
    }
}

/* An index, or a condition. */
static int64_t index_at(const uint8_t *bytes, unsigned size, int64_t at)
{
    uint64_t value = element(bytes, 8 * size, at);
    return size == 4 ? (int32_t)value : (int64_t)value;
}

/* Where indices at run time put an element, or take it from; false for one that is out of range. */
static bool place_of(const ops_lookup *x, const uint8_t *indices, int64_t at, int64_t position,
                     int64_t *place)
{
    *place = 0;
    for (unsigned j = 0; j < x->count; j++) {
        int64_t value = index_at(indices, x->bytes, at + x->index[j].step);
        bool rotates = x->form == OPS_INDEX_ROTATES;
        if (!rotates && (value < x->index[j].low || value >= x->index[j].end))
            return false;
        value = rotates ? ops_mod(value, x->index[j].extent) + position : value;
        *place += ops_mod(value, x->index[j].extent) * x->index[j].stride;
    }
    return true;
}

/* What the condition of the last loop selects: also where positions have no elements. */
static int64_t count_selected(const ops_lookup *x, const uint8_t *condition)
{
    int64_t count = 0;
    for (int64_t k = 0; k < x->dim[x->rank - 1].n; k++)
        count += condition[x->at + k * x->step[x->rank - 1]] != 0;
    return count;
}

/* Element by element, the last position fastest; `check` only looks at the indices. */
static bool look_up(const ops_lookup *x, unsigned bits, const void *const *source,
                    void *const *target, bool check)
{
    int64_t elements = 1, selected = 0;
    bool selects = x->form == OPS_INDEX_SELECTS;
    for (unsigned d = 0; d < x->rank; d++)
        elements *= x->dim[d].n;
    for (int64_t k = 0; k < elements && k < x->most; k++) {
        int64_t in = x->in, out = x->out, at = x->at, rest = k, place = 0;
        int64_t last = x->rank ? k % x->dim[x->rank - 1].n : 0;
        for (unsigned d = x->rank; d-- > 0; rest /= x->dim[d].n) {
            int64_t i = rest % x->dim[d].n;
            in += i * x->dim[d].in;
            out += selects && (x->flat || d + 1 == x->rank) ? 0 : i * x->dim[d].out;
            at += i * x->step[d];
        }
        if (selects && last == 0 && !x->flat)
            selected = 0;
        if (selects && !((const uint8_t *)source[x->input])[at])
            continue;
        if (!selects && !place_of(x, source[x->input], at, last, &place))
            return false;
        if (selects)
            out += selected++ * (x->rank ? x->dim[x->rank - 1].out : 0);
        else if (x->form == OPS_INDEX_GATHERS)
            in += place;
        else
            out += place;
        unsigned word = word_bits(bits);
        for (unsigned w = 0; !check && w < bits / word; w++)
            set_element(target[0], word, out + 8 * w, element(source[x->src], word, in + 8 * w));
    }
    if (selects && !x->flat)
        selected = count_selected(x, source[x->input]);
    if (selects && !check)
        set_element(target[1], 64, x->count_at, (uint64_t)selected);
    return true;
}

bool ztl_ops_reference(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                       const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                       void *const *target, void *work, size_t space, ztl_error *error)
{
    ops_call call = {.op = op, .in = in, .inputs = inputs, .error = error};
    ops_tensors tensors;
    if (!ztl_ops_check_call(&call, out, outputs, &tensors))
        return false;
    ops_arena arena = {.base = work, .high = space & ~(size_t)7};
    ops_map map = {.scratch_limit = 0};
    if (!ztl_ops_build_map(&call, &arena, &map))
        return false;
    ops_lookup x;
    bool looks_up = ztl_ops_look_up(&call, &x);
    if (looks_up && !look_up(&x, out->bits, source, target, true))
        return ztl_ops_fail(error, "an index is out of range");
    for (size_t i = 0; i < map.count; i++) {
        const ops_piece *piece = &map.piece[i];
        run r = {.call = &call,
                 .piece = piece,
                 .from = ops_is_constant(piece->src) ? NULL : source[piece->src],
                 .to = target[piece->dst - OPS_OUT],
                 .bits = out->bits};
        move_elements(&r, 0, piece->in, piece->out);
    }
    if (ops_does(op, OPS_SELECTS))
        choose(&call, source, target[0]);
    if (looks_up)
        look_up(&x, out->bits, source, target, false);
    return true;
}
