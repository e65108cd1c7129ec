/* SPDX-License-Identifier: Apache-2.0
 * What the bodies of the instructions share.
 */
#ifndef ZTL_MODEL_H
#define ZTL_MODEL_H

#include <ztl/ztl.h>

#include "isa/effects.h"

/* One execution of one instruction. */
typedef struct ztl_step {
    ztl_state *state;
    const ztl_insn *insn;
    const uint64_t *x;
    const ztl_memory *memory;
} ztl_step;

typedef ztl_result ztl_body(const ztl_step *step);

/* The bodies that the list of instructions names, one file each. */
#define ZTL_OP(ID, name, body, ...) ztl_body ztl_body_##body;
#include "isa/ztl.def"

/* A body that does legal and ordinary instructions faster. False, and nothing done, for all others:
 * these take the plain body, from its first check on. */
typedef bool ztl_fast_body(const ztl_step *step);

/* All that the model knows of an accelerator; NULL: the instruction has no fast body. */
struct ztl_accelerator {
    ztl_fast_body *body[ZTL_OPS];
};

/* Tries the fast body of an instruction, which is one of the state's revision. */
static inline bool ztl_try_fast(const ztl_step *step)
{
    const ztl_insn_row *row = step->insn->row;
    const struct ztl_accelerator *accelerator = step->state->accelerator;
    return row && accelerator && step->state->config.subsets & row->subset &&
           accelerator->body[row->op] && accelerator->body[row->op](step);
}

/* A CSR instruction on a state and registers that are known to be good; false when it traps. */
bool ztl_csr_access(ztl_state *state, uint32_t word, const uint64_t x[32], uint64_t *rd);

/* The write of csrrw alone. */
bool ztl_csr_put(ztl_state *state, unsigned address, uint64_t value);

/* The same of several CSRs in a row of the table; false, and nothing done, when they are not. */
bool ztl_csr_put_row(ztl_state *state, unsigned address, const int32_t *value, unsigned count);

/* Results. */
static inline ztl_result ztl_done(void)
{
    return (ztl_result){.status = ZTL_OK};
}

static inline ztl_result ztl_illegal(const ztl_step *step, enum ztl_rule rule, uint64_t first,
                                     uint64_t second)
{
    return (ztl_result){.status = ZTL_TRAP,
                        .cause = ZTL_CAUSE_ILLEGAL,
                        .tval = step->insn->word,
                        .reason = ztl_rule_reason(rule),
                        .rule = rule,
                        .value = {first, second}};
}

static inline bool ztl_is_ok(const ztl_result *result)
{
    return result->status == ZTL_OK;
}

/* The element type in force, NULL when ttype names none. Ztl 1 has no ttype: it stays 0, bytes. */
static inline const ztl_type_row *ztl_current_type(const ztl_state *state)
{
    return ztl_isa_type_of(state->csr[ZTL_SLOT_TTYPE]);
}

/* Element n of a block, as the low `bits` bits of the result. bits: 4, 8, 16, 32 or 64. */
uint64_t ztl_element(const uint8_t *block, unsigned bits, size_t n);
void ztl_set_element(uint8_t *block, unsigned bits, size_t n, uint64_t value);

/* Where a register is. */
static inline uint8_t *ztl_register(ztl_state *state, int32_t index)
{
    return state->tl[state->at[index]];
}

/* Writes a whole register; tl0 ignores it. */
void ztl_write(ztl_state *state, unsigned index, const uint8_t *bytes);

/* A block [D0,D1,D2] and the axis that CONCAT and MERGE work along. */
typedef struct ztl_block {
    unsigned dim[3];
    unsigned axis;
    unsigned bits; /* of an element */
} ztl_block;

/* Reads the block from ttype and tshape and checks it by the rules that CONCAT and MERGE share. */
ztl_result ztl_block_of(const ztl_step *step, ztl_block *block);

/* Copies position `from` of `source` along the axis to position `to` of `target`. */
void ztl_copy_position(const ztl_block *block, uint8_t *target, unsigned to, const uint8_t *source,
                       unsigned from);

/* An illegal instruction when the mask was never written, else ok and the mask's bits below
 * `count`. */
ztl_result ztl_mask_of(const ztl_step *step, enum ztl_slot slot, unsigned count, uint32_t *mask);

/* Checks the shape in GPR `rs` for elements of `bits` bits, then writes the pair's tensor back with
 * output dimension k running along input dimension perm[k]. Shared by XPOSE and PERMUTE. */
ztl_result ztl_permute_pair(const ztl_step *step, unsigned bits, const unsigned perm[4]);

/* The slices that a load or store moves. */
typedef struct ztl_slices {
    uint64_t address[ZTL_MAX_SLICES];
    uint32_t mask; /* slices accessed */
    unsigned count;
    unsigned width; /* bytes of one */
    bool is_store;
} ztl_slices;

/* Every check of a load or store before memory is touched: type, shape, width, mask, alignment. */
ztl_result ztl_slices_of(const ztl_step *step, bool is_store, ztl_slices *slices);

/* A fault in slice `index`, with what places that slice. */
ztl_result ztl_in_slice(const ztl_step *step, const ztl_slices *slices, unsigned index,
                        ztl_result fault);

/* Moves bytes between memory and `bytes` (NULL: only checks), around the end of the address space
 * if need be. A trap leaves everything as it was, except that a store may have been done in part
 * when it was not checked before. */
ztl_result ztl_move(const ztl_step *step, bool is_store, uint64_t address, uint8_t *bytes,
                    size_t size);

/* The piece of RAM that has an address, else NULL. */
static inline const ztl_ram *ztl_ram_at(const ztl_memory *memory, uint64_t address)
{
    const ztl_ram *ram = memory->ram;
    size_t count = memory->ram_count;
    if (!ram)
        return NULL;
    if (memory->page_bits) {
        ram += (address >> memory->page_bits) & (count - 1);
        count = 1;
    }
    for (; count; count--, ram++)
        if (address - ram->base < ram->size)
            return ram;
    return NULL;
}

/* An address as the hart sees it: modulo 2^XLEN. */
static inline uint64_t ztl_wrap(const ztl_state *state, uint64_t address)
{
    return state->config.xlen == 32 ? (uint32_t)address : address;
}

/* model/execute.c: ztl_try_fast of an instruction decoded for this state, which is known to be
 * usable. */
bool ztl_execute_fast(ztl_state *state, const ztl_insn *insn, const uint64_t x[32],
                      const ztl_memory *memory);

/* The model is freestanding: these compile to calls only where the target provides them. */
#define ztl_copy_bytes __builtin_memcpy
#define ztl_fill_bytes __builtin_memset

#endif
