/* SPDX-License-Identifier: Apache-2.0
 * The state of a hart: configuration, reset, registers and their elements.
 */
#include "model/model.h"

#include "model/pointer.h"

ztl_config ztl_default_config(void)
{
    return (ztl_config){.revision = 2, .xlen = 64, .subsets = ZTL_SUBSET_ALL};
}

/* A window must end within the address space. */
static bool window_fits(const ztl_window *window, unsigned xlen)
{
    uint64_t last = xlen == 32 ? UINT32_MAX : UINT64_MAX;
    if (window->size == 0)
        return true;
    return window->base <= last && window->size - 1 <= last - window->base;
}

static bool config_is_sound(const ztl_config *config)
{
    if (config->revision != 1 && config->revision != 2)
        return false;
    if (config->xlen != 32 && config->xlen != 64)
        return false;
    if (config->subsets & ~ztl_subsets_of(config->revision))
        return false;
    return window_fits(&config->l1m, config->xlen) && window_fits(&config->l0m, config->xlen);
}

enum ztl_status ztl_init(ztl_state *state, const ztl_config *config)
{
    ztl_config chosen = config ? *config : ztl_default_config();
    if (!ztl_usable(state) || !config_is_sound(&chosen))
        return ZTL_MISUSE;
    state->config = chosen;
    state->accelerator = NULL;
    return ztl_reset(state);
}

enum ztl_status ztl_reset(ztl_state *state)
{
    if (!ztl_usable(state))
        return ZTL_MISUSE;
    ztl_fill_bytes(state->tl, 0, sizeof state->tl);
    for (unsigned n = 0; n < sizeof state->at; n++)
        state->at[n] = (uint8_t)n;
    state->spare = ((UINT64_C(1) << ZTL_SPARES) - 1) << ZTL_REGISTERS;
    ztl_fill_bytes(state->written, 0, sizeof state->written);
    const ztl_csr_row *row;
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++)
        for (unsigned k = 0; k < row->count; k++)
            state->csr[row->slot + k] = row->kind == ZTL_CSR_STRIDE ? k : row->reset;
    return ZTL_OK;
}

const uint8_t *ztl_get_register(const ztl_state *state, unsigned index)
{
    if (!ztl_usable(state) || index >= ZTL_REGISTERS)
        return NULL;
    return state->tl[state->at[index]];
}

enum ztl_status ztl_set_register(ztl_state *state, unsigned index, const void *bytes)
{
    if (!ztl_usable(state) || index >= ZTL_REGISTERS || !bytes)
        return ZTL_MISUSE;
    ztl_write(state, index, bytes);
    return ZTL_OK;
}

void ztl_write(ztl_state *state, unsigned index, const uint8_t *bytes)
{
    if (index != 0)
        ztl_copy_bytes(ztl_register(state, (int32_t)index), bytes, ZTL_REG_BYTES);
}

uint64_t ztl_element(const uint8_t *block, unsigned bits, size_t n)
{
    if (bits == 4)
        return block[n / 2] >> (n % 2 * 4) & 0xf;
    uint64_t value = 0;
    for (size_t k = 0; k < bits / 8; k++)
        value |= (uint64_t)block[n * bits / 8 + k] << (8 * k);
    return value;
}

void ztl_set_element(uint8_t *block, unsigned bits, size_t n, uint64_t value)
{
    if (bits == 4) {
        unsigned shift = n % 2 * 4;
        block[n / 2] = (uint8_t)((block[n / 2] & ~(0xf << shift)) | (value & 0xf) << shift);
        return;
    }
    for (size_t k = 0; k < bits / 8; k++)
        block[n * bits / 8 + k] = (uint8_t)(value >> (8 * k));
}
