/* SPDX-License-Identifier: Apache-2.0
 * The slices of a load or store: shape, width, mask and addresses; and the way to memory.
 */
#include "model/model.h"

static uint64_t gpr(const ztl_step *step, int32_t index)
{
    return index ? ztl_wrap(step->state, step->x[index]) : 0;
}

static ztl_result check_count(const ztl_step *step, unsigned count)
{
    if (count < 1 || count > ZTL_MAX_SLICES)
        return ztl_illegal(step, ZTL_RULE_D0_RANGE, count, 0);
    return ztl_done();
}

/* Ztl 1: four dimensions in a GPR, contiguous slices of D1·D2·D3 bytes. */
static ztl_result slices_1(const ztl_step *step, ztl_slices *slices)
{
    const int32_t *operand = step->insn->operand;
    uint32_t shape = (uint32_t)gpr(step, operand[slices->is_store ? 2 : 1]);
    uint64_t base = gpr(step, operand[slices->is_store ? 1 : 2]);
    unsigned dim[4], product = 1;
    for (unsigned k = 0; k < 4; k++) {
        dim[k] = shape >> (8 * k) & 0xff;
        if (dim[k] == 0)
            return ztl_illegal(step, ZTL_RULE_DIM_ZERO, k, 0);
        product *= dim[k];
    }
    if (product != ZTL_REG_BYTES)
        return ztl_illegal(step, ZTL_RULE_BLOCK_EXACT, product, 0);
    slices->count = dim[0];
    slices->width = product / dim[0];
    for (unsigned i = 0; i < dim[0] && i < ZTL_MAX_SLICES; i++)
        slices->address[i] = ztl_wrap(step->state, base + (uint64_t)i * slices->width);
    return check_count(step, dim[0]);
}

/* Ztl 2: the width given, or that of D1·D2 elements. */
static ztl_result width_2(const ztl_step *step, const ztl_type_row *type, ztl_slices *slices)
{
    uint32_t shape = step->state->csr[ZTL_SLOT_TSHAPE];
    unsigned d1 = shape >> 8 & 0xff, d2 = shape & 0xff;
    uint64_t width =
        step->state->csr[slices->is_store ? ZTL_SLOT_STORE_WIDTH : ZTL_SLOT_LOAD_WIDTH];
    if (width == 0) {
        if (d1 == 0 || d2 == 0)
            return ztl_illegal(step, ZTL_RULE_DIM_ZERO, d1 == 0 ? 1 : 2, 0);
        unsigned bits = d1 * d2 * type->bits;
        if (bits % 8)
            return ztl_illegal(step, ZTL_RULE_WIDTH_BITS, bits, 0);
        width = bits / 8;
    }
    if (slices->count * width > ZTL_REG_BYTES)
        return ztl_illegal(step, ZTL_RULE_WIDTH_TOTAL, slices->count, width);
    slices->width = (unsigned)width;
    return ztl_done();
}

static unsigned first_stride(const ztl_slices *slices)
{
    return slices->is_store ? ZTL_SLOT_STORE_STRIDE : ZTL_SLOT_LOAD_STRIDE;
}

/* Ztl 2: slice i at rs + (stride i + offset) · width. */
static ztl_result slices_2(const ztl_step *step, const ztl_type_row *type, ztl_slices *slices)
{
    const int32_t *operand = step->insn->operand;
    slices->count = step->state->csr[ZTL_SLOT_TSHAPE] >> 16 & 0xff;
    ztl_result checked = check_count(step, slices->count);
    if (ztl_is_ok(&checked))
        checked = width_2(step, type, slices);
    if (!ztl_is_ok(&checked))
        return checked;
    const uint32_t *stride = &step->state->csr[first_stride(slices)];
    uint64_t base = gpr(step, operand[2]);
    for (unsigned i = 0; i < slices->count; i++) {
        int64_t position = (int64_t)(int32_t)stride[i] + operand[1];
        slices->address[i] = ztl_wrap(step->state, base + (uint64_t)position * slices->width);
    }
    return checked;
}

ztl_result ztl_in_slice(const ztl_step *step, const ztl_slices *slices, unsigned index,
                        ztl_result fault)
{
    fault.slice = (uint8_t)index;
    if (step->state->config.revision == 1)
        return fault;
    unsigned slot = first_stride(slices) + index;
    fault.stride_csr = (uint16_t)ztl_isa_slot_address((enum ztl_slot)slot);
    fault.stride = (int32_t)step->state->csr[slot];
    return fault;
}

static ztl_result check_alignment(const ztl_step *step, const ztl_slices *slices, unsigned bytes)
{
    for (unsigned i = 0; i < slices->count; i++) {
        if (!(slices->mask >> i & 1) || slices->address[i] % bytes == 0)
            continue;
        ztl_result fault = {.status = ZTL_TRAP,
                            .cause = slices->is_store ? ZTL_CAUSE_STORE_MISALIGNED
                                                      : ZTL_CAUSE_LOAD_MISALIGNED,
                            .tval = slices->address[i],
                            .rule = ZTL_RULE_MISALIGNED,
                            .value = {slices->address[i], bytes}};
        return ztl_in_slice(step, slices, i, fault);
    }
    return ztl_done();
}

ztl_result ztl_slices_of(const ztl_step *step, bool is_store, ztl_slices *slices)
{
    const ztl_type_row *type = ztl_current_type(step->state);
    if (!type)
        return ztl_illegal(step, ZTL_RULE_BAD_TYPE, step->state->csr[ZTL_SLOT_TTYPE], 0);
    slices->is_store = is_store;
    ztl_result checked =
        step->state->config.revision == 1 ? slices_1(step, slices) : slices_2(step, type, slices);
    if (!ztl_is_ok(&checked))
        return checked;
    slices->mask = UINT32_MAX;
    if (ztl_effects(step->insn->row) & ZTL_MASKED) {
        enum ztl_slot slot = is_store ? ZTL_SLOT_STORE_MASK : ZTL_SLOT_LOAD_MASK;
        checked = ztl_mask_of(step, slot, slices->count, &slices->mask);
        if (!ztl_is_ok(&checked))
            return checked;
    }
    return check_alignment(step, slices, type->bits > 8 ? type->bits / 8u : 1);
}

/* How many bytes from `address` on lie in the window; the range does not wrap. */
static size_t inside_window(const ztl_window *window, uint64_t address, size_t size)
{
    if (window->size == 0)
        return size;
    uint64_t offset = address - window->base;
    if (address < window->base || offset >= window->size)
        return 0;
    return window->size - offset < size ? (size_t)(window->size - offset) : size;
}

/* Moves what lies in RAM from `address` on, over adjoining pieces; returns how many bytes that is.
 */
static size_t move_in_ram(const ztl_memory *memory, bool is_store, uint64_t address, uint8_t *bytes,
                          size_t size)
{
    size_t done = 0;
    const ztl_ram *ram;
    while (done < size && (ram = ztl_ram_at(memory, address + done))) {
        uint64_t offset = address + done - ram->base;
        size_t part = ram->size - offset < size - done ? (size_t)(ram->size - offset) : size - done;
        uint8_t *direct = ram->bytes + offset;
        if (bytes)
            ztl_copy_bytes(is_store ? direct : bytes + done, is_store ? bytes + done : direct,
                           part);
        done += part;
    }
    return done;
}

/* How much of a range memory has. What RAM has not all of, the function answers for. */
static size_t call_memory(const ztl_memory *memory, bool is_store, uint64_t address, uint8_t *bytes,
                          size_t size)
{
    if (!memory)
        return 0;
    size_t in_ram = move_in_ram(memory, is_store, address, bytes, size);
    if (in_ram == size)
        return size;
    if (is_store)
        return memory->store ? memory->store(memory->context, address, bytes, size) : in_ram;
    return memory->load ? memory->load(memory->context, address, bytes, size) : in_ram;
}

/* One range that does not wrap. The byte that faults first may lack memory or lie outside. */
static ztl_result move_range(const ztl_step *step, bool is_store, uint64_t address, uint8_t *bytes,
                             size_t size)
{
    const ztl_config *config = &step->state->config;
    size_t inside = inside_window(is_store ? &config->l0m : &config->l1m, address, size);
    size_t mapped =
        call_memory(step->memory, is_store, address, inside == size ? bytes : NULL, size);
    size_t good = inside < mapped ? inside : mapped;
    if (good >= size)
        return ztl_done();
    return (ztl_result){.status = ZTL_TRAP,
                        .cause = is_store ? ZTL_CAUSE_STORE_FAULT : ZTL_CAUSE_LOAD_FAULT,
                        .tval = address + good,
                        .rule = mapped <= inside ? ZTL_RULE_OUT_OF_MEMORY : ZTL_RULE_OUT_OF_WINDOW,
                        .value = {address + good}};
}

ztl_result ztl_move(const ztl_step *step, bool is_store, uint64_t address, uint8_t *bytes,
                    size_t size)
{
    uint64_t last = ztl_wrap(step->state, UINT64_MAX);
    if (size - 1 <= last - address)
        return move_range(step, is_store, address, bytes, size);
    size_t before_wrap = (size_t)(last - address) + 1;
    ztl_result moved = move_range(step, is_store, address, bytes, before_wrap);
    if (!ztl_is_ok(&moved))
        return moved;
    return move_range(step, is_store, 0, bytes ? bytes + before_wrap : NULL, size - before_wrap);
}
