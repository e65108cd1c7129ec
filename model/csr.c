/* SPDX-License-Identifier: Apache-2.0
 * CSR access by the rules of Zicsr, driven by isa/csr.def.
 */
#include "model/model.h"

#include "model/pointer.h"

enum { OPCODE_SYSTEM = 0x73, FUNCT3_RW = 1, FUNCT3_RS = 2, FUNCT3_RC = 3, FUNCT3_IMMEDIATE = 4 };

/* The CSR at an address of this hart, NULL when it has none; a hart without Ztl has none. */
static const ztl_csr_row *find(const ztl_state *state, unsigned address, unsigned *slot)
{
    unsigned index;
    if (state->config.subsets == 0)
        return NULL;
    const ztl_csr_row *row = ztl_isa_csr_at(state->config.revision, address, &index);
    if (row)
        *slot = row->slot + index;
    return row;
}

static void write_slot(ztl_state *state, unsigned slot, uint32_t writable, uint64_t value)
{
    state->csr[slot] = (uint32_t)value & writable;
    state->written[slot] = 1;
}

static uint64_t read_row(const ztl_state *state, const ztl_csr_row *row, unsigned slot)
{
    return state->csr[row->kind == ZTL_CSR_VIEW ? (unsigned)ZTL_SLOT_LOAD_MASK : slot];
}

static void write_row(ztl_state *state, const ztl_csr_row *row, unsigned slot, uint64_t value)
{
    if (row->kind == ZTL_CSR_VIEW) {
        write_slot(state, ZTL_SLOT_LOAD_MASK, row->writable, value);
        write_slot(state, ZTL_SLOT_STORE_MASK, row->writable, value);
    } else {
        write_slot(state, slot, row->writable, value);
    }
}

enum ztl_status ztl_csr_read(const ztl_state *state, unsigned address, uint64_t *value)
{
    unsigned slot;
    if (!ztl_usable(state) || !value)
        return ZTL_MISUSE;
    const ztl_csr_row *row = find(state, address, &slot);
    if (!row)
        return ZTL_TRAP;
    *value = read_row(state, row, slot);
    return ZTL_OK;
}

bool ztl_csr_put(ztl_state *state, unsigned address, uint64_t value)
{
    unsigned slot;
    const ztl_csr_row *row = find(state, address, &slot);
    if (row)
        write_row(state, row, slot, value);
    return row;
}

bool ztl_csr_put_row(ztl_state *state, unsigned address, const int32_t *value, unsigned count)
{
    unsigned slot;
    const ztl_csr_row *row = find(state, address, &slot);
    if (!row || slot + count > row->slot + row->count)
        return false;
    if (row->kind == ZTL_CSR_VIEW)
        return false;
    for (unsigned i = 0; i < count; i++)
        state->csr[slot + i] = (uint32_t)value[i] & row->writable;
    ztl_fill_bytes(&state->written[slot], 1, count);
    return true;
}

enum ztl_status ztl_csr_write(ztl_state *state, unsigned address, uint64_t value)
{
    if (!ztl_usable(state))
        return ZTL_MISUSE;
    return ztl_csr_put(state, address, value) ? ZTL_OK : ZTL_TRAP;
}

static uint64_t combine(unsigned funct3, uint64_t old, uint64_t operand)
{
    switch (funct3 & 3) {
    case FUNCT3_RS:
        return old | operand;
    case FUNCT3_RC:
        return old & ~operand;
    default:
        return operand;
    }
}

bool ztl_csr_access(ztl_state *state, uint32_t word, const uint64_t x[32], uint64_t *rd)
{
    unsigned funct3 = word >> 12 & 7, source = word >> 15 & 0x1f, slot;
    if ((word & ZTL_OPCODE_MASK) != OPCODE_SYSTEM || (funct3 & 3) == 0)
        return false;
    const ztl_csr_row *row = find(state, word >> 20, &slot);
    if (!row)
        return false;
    uint64_t old = read_row(state, row, slot);
    uint64_t operand = funct3 & FUNCT3_IMMEDIATE ? source : source ? x[source] : 0;
    if ((funct3 & 3) == FUNCT3_RW || source != 0)
        write_row(state, row, slot, combine(funct3, old, operand));
    *rd = old;
    return true;
}

ztl_result ztl_csr_execute(ztl_state *state, uint32_t word, const uint64_t x[32], uint64_t *rd)
{
    if (!ztl_usable(state) || !x || !rd)
        return (ztl_result){.status = ZTL_MISUSE};
    if (ztl_csr_access(state, word, x, rd))
        return ztl_done();
    return (ztl_result){.status = ZTL_TRAP,
                        .cause = ZTL_CAUSE_ILLEGAL,
                        .tval = word,
                        .rule = ZTL_RULE_NO_CSR,
                        .value = {word >> 20}};
}
