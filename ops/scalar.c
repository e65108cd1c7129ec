/* SPDX-License-Identifier: Apache-2.0
 * Element by element.
 */
#include "ops/scalar.h"
#include "ops/engine.h"
#include "ops/half.h"

static void move_one(const ops_pass *pass, const uint8_t *from, int64_t in, uint8_t *to,
                     int64_t out)
{
    if (pass->element)
        memcpy(to + out, from + in, pass->element);
    else
        ops_set_half(to, out, (unsigned)(pass->value >> 4 * ops_half(from, in)) & 15);
}

bool ops_next_index(const ops_pass *pass, unsigned end, int64_t *at, int64_t *in, int64_t *out)
{
    for (unsigned d = end; d-- > 0;) {
        *in += pass->loop[d].in;
        *out += pass->loop[d].out;
        if (++at[d] < pass->loop[d].n)
            return true;
        *in -= pass->loop[d].in * pass->loop[d].n;
        *out -= pass->loop[d].out * pass->loop[d].n;
        at[d] = 0;
    }
    return false;
}

void ops_run_scalar(const ops_pass *pass, const uint8_t *from, uint8_t *to)
{
    int64_t at[OPS_DIMS] = {0}, in = pass->in, out = pass->out;
    do {
        move_one(pass, from, in, to, out);
    } while (ops_next_index(pass, pass->loops, at, &in, &out));
}

/* Up to 32 elements along the last dimension; the strides are in elements already. */
static void select_some(const ops_pass *pass, const uint8_t *condition, int64_t step,
                        unsigned count, const uint8_t *from, uint8_t *to)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < count; i++)
        mask |= (uint32_t)(condition[i * step] != 0) << i;
    if (!mask)
        return;
    if (pass->kind == OPS_PASS_SELECT && pass->load_width) {
        __riscv_ztl_csrw_tmask_ls(mask);
        __riscv_ztl_mload(1, from, 0);
        __riscv_ztl_mstore(1, to, 0);
        return;
    }
    const ops_dim *last = &pass->loop[pass->loops - 1];
    for (unsigned i = 0; i < count; i++)
        if (mask >> i & 1)
            move_one(pass, from, pass->in + i * last->in, to, pass->out + i * last->out);
}

static void set_strides(const ops_pass *pass)
{
    const ops_dim *last = &pass->loop[pass->loops - 1];
    int32_t load[OPS_SLICES], store[OPS_SLICES];
    for (int i = 0; i < OPS_SLICES; i++) {
        load[i] = (int32_t)(i * last->in / pass->element);
        store[i] = (int32_t)(i * last->out / pass->element);
    }
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(OPS_SLICES, 1, 1));
    __riscv_ztl_csrw_tl_load_width(pass->element);
    __riscv_ztl_csrw_tl_store_width(pass->element);
    ops_engine_load_strides(load, OPS_SLICES);
    ops_engine_store_strides(store, OPS_SLICES);
}

/* The pass's batches hold the steps of the condition, and then where its element 0 is. */
void ops_run_select(const ops_pass *pass, const uint8_t *condition, const uint8_t *from,
                    uint8_t *to)
{
    const ops_batch *step = ops_pass_batches(pass);
    unsigned last = pass->loops - 1;
    int64_t at[OPS_DIMS] = {0}, in = pass->in, out = pass->out;
    if (pass->load_width)
        set_strides(pass);
    do {
        int64_t where = step[pass->loops].in;
        for (unsigned d = 0; d < last; d++)
            where += at[d] * step[d].in;
        for (int64_t k = 0; k < pass->loop[last].n; k += OPS_SLICES) {
            int64_t left = pass->loop[last].n - k;
            const uint8_t *first = condition + where + k * step[last].in;
            ops_pass here = *pass;
            here.in = in + k * pass->loop[last].in;
            here.out = out + k * pass->loop[last].out;
            bool whole = pass->load_width;
            select_some(&here, first, step[last].in, left < OPS_SLICES ? (unsigned)left : 32,
                        whole ? from + here.in : from, whole ? to + here.out : to);
        }
    } while (ops_next_index(pass, last, at, &in, &out));
}
