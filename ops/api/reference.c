/* SPDX-License-Identifier: Apache-2.0
 * The reference: plain loops over the index map, element by element.
 */
#include "ops/api/check.h"

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
            r->piece->src == OPS_FILL ? ops_fill_word(op, w) : element(r->from, bits, in + 8 * w);
        if (op->kind == ZTL_OPS_ADD)
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
    for (size_t i = 0; i < map.count; i++) {
        const ops_piece *piece = &map.piece[i];
        run r = {.call = &call,
                 .piece = piece,
                 .from = piece->src == OPS_FILL ? NULL : source[piece->src],
                 .to = target[piece->dst - OPS_OUT],
                 .bits = out->bits};
        move_elements(&r, 0, piece->in, piece->out);
    }
    if (op->kind == ZTL_OPS_WHERE)
        choose(&call, source, target[0]);
    return true;
}
