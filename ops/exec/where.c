/* SPDX-License-Identifier: Apache-2.0
 * Where: stores what a condition selects, under masks that are read from it.
 */
#include "ops/exec/insn.h"
#include "ops/exec/exec.h"

/* Eight conditions as bits; any byte that is not 0 is true. */
static uint64_t eight_bits(const uint8_t *condition)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t word;
    memcpy(&word, __builtin_assume_aligned(condition, 8), 8);
    word = (((word & low) + low) | word) & ~low; /* the top bit of each byte that is not zero */
    return (word >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static uint64_t mask_of(const uint8_t *condition, int64_t step, size_t count)
{
    uint64_t mask = 0;
    size_t i = 0;
    if (step == 1) {
        for (; i < count && (uintptr_t)(condition + i) % 8; i++)
            mask |= (uint64_t)(condition[i] != 0) << i;
        for (; i + 8 <= count; i += 8)
            mask |= eight_bits(condition + i) << i;
    }
    for (condition += (int64_t)i * step; i < count; i++, condition += step)
        mask |= (uint64_t)(*condition != 0) << i;
    return mask;
}

/* One row: a loop over the last dimension, up to 32 slices at a time. */
static void select_row(const ops_pass *pass, const uint8_t *condition, int64_t step,
                       const uint8_t *from, uint8_t *to)
{
    const ops_dim *last = &pass->loop[pass->loops - 1];
    int64_t slices = pass->slices;
    for (int64_t left = last->n; left > 0; left -= slices) {
        uint64_t mask = mask_of(condition, step, (size_t)(left < slices ? left : slices));
        if (mask) {
            __riscv_ztl_csrw_tmask_ls((unsigned long)mask);
            __riscv_ztl_mload_e(1, from, 0, ZTL_ENGINE_LOAD);
            __riscv_ztl_mstore_e(1, to, 0, ZTL_ENGINE_STORE);
        }
        condition += slices * step;
        from += slices * last->in;
        to += slices * last->out;
    }
}

/* The same element by element, where strides do not reach. */
static void select_elements(const ops_pass *pass, const uint8_t *condition, int64_t step,
                            const uint8_t *from, int64_t in, uint8_t *to, int64_t out)
{
    const ops_dim *last = &pass->loop[pass->loops - 1];
    for (int64_t k = 0; k < last->n; k++)
        if (condition[k * step])
            ztl_ops_move_one(pass, from, in + k * last->in, to, out + k * last->out);
}

static void set_strides(const ops_pass *pass)
{
    const ops_dim *last = &pass->loop[pass->loops - 1];
    int32_t load[OPS_SLICES] = {0}, store[OPS_SLICES] = {0};
    for (unsigned i = 0; i < pass->slices; i++) {
        load[i] = (int32_t)(i * last->in / pass->load_width);
        store[i] = (int32_t)(i * last->out / pass->load_width);
    }
    __riscv_ztl_csrw_tshape(ZTL_SHAPE(pass->slices, 1, 1));
    __riscv_ztl_csrw_tl_load_width(pass->load_width);
    __riscv_ztl_csrw_tl_store_width(pass->load_width);
    __riscv_ztl_set_load_strides(load, pass->slices);
    __riscv_ztl_set_store_strides(store, pass->slices);
}

/* The pass's batches hold the steps of the condition, and then where its element 0 is. */
void ztl_ops_run_where(const ops_pass *pass, const uint8_t *condition, const uint8_t *from,
                       uint8_t *to)
{
    const ops_batch *step = ops_pass_batches(pass);
    unsigned last = pass->loops - 1;
    int64_t at[OPS_DIMS] = {0}, in = pass->in, out = pass->out;
    if (pass->load_width)
        set_strides(pass);
    do {
        const uint8_t *first = condition + step[pass->loops].in;
        for (unsigned d = 0; d < last; d++)
            first += at[d] * step[d].in;
        if (pass->load_width)
            select_row(pass, first, step[last].in, from + in, to + out);
        else
            select_elements(pass, first, step[last].in, from, in, to, out);
    } while (ztl_ops_next_index(pass, last, at, &in, &out));
}
