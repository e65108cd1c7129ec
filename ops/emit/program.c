/* SPDX-License-Identifier: Apache-2.0
 * The program of a pass as single instructions, each with the CSR values that it needs. Then their
 * order is free as far as registers and memory allow.
 */
#include <string.h>

#include <ztl/intrin.h>

#include "host/error.h"
#include "ops/emit/kernel.h"

typedef struct writer {
    emit_program *program;
    uint32_t csr[EMIT_SINGLE];
    bool full;
} writer;

enum {
    T_MEMORY = 1 << EMIT_TTYPE | 1 << EMIT_TSHAPE,
    N_LOAD = T_MEMORY | 1 << EMIT_LOAD_WIDTH,
    N_STORE = T_MEMORY | 1 << EMIT_STORE_WIDTH,
    N_PERMUTE = 1 << EMIT_ORDER,
    N_TYPE = 1 << EMIT_TTYPE,
    N_CONCAT = T_MEMORY | 1 << EMIT_MASK_1 | 1 << EMIT_MASK_2,
    N_MERGE = T_MEMORY | 1 << EMIT_MASK_1
};

static emit_insn *add(writer *w, enum emit_code code, unsigned needs, unsigned a, unsigned b,
                      unsigned c)
{
    emit_program *p = w->program;
    w->full = w->full || p->count == EMIT_MOST_INSNS;
    emit_insn *insn = &p->insn[w->full ? EMIT_MOST_INSNS - 1 : p->count++];
    *insn = (emit_insn){.code = code, .reg = {(uint8_t)a, (uint8_t)b, (uint8_t)c}, .variant = ""};
    for (unsigned i = 0; i < EMIT_SINGLE; i++)
        insn->needs[i] = needs >> i & 1;
    memcpy(insn->csr, w->csr, sizeof w->csr);
    for (unsigned i = 0; i < 3; i++)
        if (insn->reg[i] >= p->registers)
            p->registers = insn->reg[i] + 1u;
    return insn;
}

static void add_memory(writer *w, enum emit_code code, unsigned reg, int64_t offset)
{
    add(w, code, code == EMIT_LOAD ? N_LOAD : N_STORE, reg, reg, reg)->offset = offset;
}

static void add_permute(writer *w, unsigned width, unsigned a, unsigned b, unsigned long dims)
{
    static const char *const widths[] = {"b", "h", "w", "d"};
    emit_insn *insn = add(w, EMIT_PERMUTE, N_PERMUTE, a, b, b);
    insn->variant = widths[width & 3];
    insn->dims = (uint32_t)dims;
}

static void add_xpose(writer *w, const char *which, unsigned long dims)
{
    emit_insn *insn = add(w, EMIT_XPOSE, N_TYPE, 0, 1, 1);
    insn->variant = which;
    insn->dims = (uint32_t)dims;
}

static void add_concat(writer *w, unsigned d, unsigned a, unsigned b, uint32_t first,
                       uint32_t second)
{
    w->csr[EMIT_MASK_1] = first;
    w->csr[EMIT_MASK_2] = second;
    add(w, EMIT_CONCAT, N_CONCAT, d, a, b)->variant = "1";
}

static unsigned log2_of(unsigned bytes)
{
    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

/* As exec/planes.h, which says why. */
static void add_interleave3(writer *w, unsigned element)
{
    enum { KEPT = 0x77777777, FIRST_8 = 0x00000377, FIRST_16 = 0x00177777 };
    unsigned width = log2_of(element);
    unsigned long halves = ZTL_DIMS(2, 64 / element, 2, 8);
    unsigned long quarters = ZTL_DIMS(2, 32 / element, 2, 16);
    add_permute(w, width, 0, 2, halves);
    add_permute(w, width, 1, 3, halves);
    add_permute(w, width, 0, 1, quarters);
    add_permute(w, width, 2, 3, quarters);
    add_concat(w, 4, 0, 2, KEPT, FIRST_8);
    add_concat(w, 5, 2, 1, KEPT & ~FIRST_8, FIRST_16);
    add_concat(w, 6, 1, 3, KEPT & ~FIRST_16, KEPT);
}

static void add_deinterleave3(writer *w, unsigned element)
{
    const uint32_t second_of_0 = 0x24924924, second_of_1 = 0x49249249, second_of_2 = 0x92492492;
    const uint32_t low = 0xffff;
    add_concat(w, 4, 0, 1, ~second_of_0, ~second_of_1 & low);
    add_concat(w, 5, 1, 2, ~second_of_1 & ~low, ~second_of_2);
    add_concat(w, 3, 0, 1, second_of_0, second_of_1);
    add_concat(w, 6, 3, 2, (UINT32_C(1) << 21) - 1, second_of_2);
    add_permute(w, log2_of(element), 4, 5, ZTL_DIMS(2, 32 / element, 16, 2));
}

/* As exec/nibbles.c. */
static void add_transpose4(writer *w, unsigned side)
{
    unsigned squares = 64 / side;
    if (side == 64)
        add_xpose(w, "01", ZTL_DIMS(64, 64, 1, 1));
    else
        add_xpose(w, "23", ZTL_DIMS(squares, squares, side, side));
}

static void add_shift4(writer *w)
{
    uint32_t shape = w->csr[EMIT_TSHAPE];
    add_xpose(w, "03", ZTL_DIMS(2, 32, 32, 2));
    w->csr[EMIT_TSHAPE] = ZTL_SHAPE(32, 32, 2);
    w->csr[EMIT_MASK_1] = 1;
    add(w, EMIT_MERGE, N_MERGE, 0, 1, 0)->variant = "2";
    w->csr[EMIT_TSHAPE] = shape;
}

static bool add_insn(writer *w, const ops_insn *insn, ztl_error *error)
{
    unsigned reg = insn->op >> 4;
    switch (ops_code_of(insn)) {
    case OPS_LOAD:
        add_memory(w, EMIT_LOAD, reg, insn->offset);
        break;
    case OPS_STORE:
        add_memory(w, EMIT_STORE, reg, insn->offset);
        break;
    case OPS_PERMUTE:
        add_permute(w, insn->width, reg, reg + (1u << insn->bit), insn->arg);
        break;
    case OPS_ORDER:
        w->csr[EMIT_ORDER] = insn->arg;
        break;
    case OPS_SHAPE:
        w->csr[EMIT_TSHAPE] = insn->arg;
        break;
    case OPS_ADD:
        w->csr[EMIT_TTYPE] = insn->arg;
        add(w, EMIT_ADDI, N_TYPE, 0, 0, 0)->immediate = (int32_t)insn->offset;
        w->csr[EMIT_TTYPE] = 0;
        break;
    case OPS_INTERLEAVE3:
        add_interleave3(w, insn->arg);
        break;
    case OPS_DEINTERLEAVE3:
        add_deinterleave3(w, insn->arg);
        break;
    case OPS_TRANSPOSE4:
        add_transpose4(w, insn->arg);
        break;
    case OPS_SHIFT4:
        add_shift4(w);
        break;
    case OPS_CONCAT:
        add_concat(w, 8, insn->bit ? 8 : 0, reg, (uint32_t)insn->offset, insn->arg);
        break;
    default:
        return ztl_fail(error, "instruction %u of a plan has no C", ops_code_of(insn));
    }
    return true;
}

/* Blocks of nibbles, as exec/nibbles.c: every block is one slice. */
static void add_nibbles(writer *w, const ops_pass *pass)
{
    enum { TO_TOGETHER = 1 | 2 << 2 | 0 << 4 | 3 << 6, TO_APART = 2 | 0 << 2 | 1 << 4 | 3 << 6 };
    bool packs = pass->kind == OPS_PASS_PACK, pair = ops_fills_pair(pass);
    w->csr[EMIT_TSHAPE] = ZTL_SHAPE(1, 1, 1);
    w->csr[EMIT_ORDER] = packs ? TO_APART : TO_TOGETHER;
    add_memory(w, EMIT_LOAD, 0, 0);
    if (packs && pair)
        add_memory(w, EMIT_LOAD, 1, OPS_BLOCK);
    if (packs)
        add_permute(w, 0, 0, 1, ZTL_DIMS(32, 32, 2, 1));
    add_xpose(w, "03", ZTL_DIMS(2, 32, 32, 2));
    if (!packs)
        add_permute(w, 0, 0, 1, ZTL_DIMS(2, 32, 32, 1));
    add_memory(w, EMIT_STORE, 0, 0);
    if (!packs && pair)
        add_memory(w, EMIT_STORE, 1, OPS_BLOCK);
}

/* Whether instructions of a pass work on nibbles: then its loads and stores, to which all types
 * without alignment are the same, have that type too. */
static bool has_nibbles(const ops_pass *pass)
{
    const ops_insn *insn = ops_pass_insns(pass);
    bool found = pass->kind == OPS_PASS_PACK || pass->kind == OPS_PASS_UNPACK;
    for (uint32_t i = 0; i < pass->insns; i++)
        found =
            found || ops_code_of(&insn[i]) == OPS_TRANSPOSE4 || ops_code_of(&insn[i]) == OPS_SHIFT4;
    return found;
}

static void divide(emit_program *p)
{
    while (p->loads < p->count && p->insn[p->loads].code == EMIT_LOAD)
        p->loads++;
    while (p->stores < p->count - p->loads && p->insn[p->count - 1 - p->stores].code == EMIT_STORE)
        p->stores++;
}

bool ztl_ops_emit_program(const ops_pass *pass, emit_program *program, ztl_error *error)
{
    memset(program, 0, sizeof *program);
    writer w = {.program = program};
    w.csr[EMIT_TTYPE] = has_nibbles(pass) ? ZTL_TTYPE_INT4 : 0;
    w.csr[EMIT_TSHAPE] = pass->tile_shape ? pass->tile_shape : ZTL_SHAPE(pass->slices, 1, 1);
    w.csr[EMIT_LOAD_WIDTH] = pass->load_width;
    w.csr[EMIT_STORE_WIDTH] = pass->store_width;
    w.csr[EMIT_ORDER] = pass->order;
    if (pass->kind == OPS_PASS_PACK || pass->kind == OPS_PASS_UNPACK)
        add_nibbles(&w, pass);
    const ops_insn *insn = ops_pass_insns(pass);
    for (uint32_t i = 0; i < pass->insns; i++)
        if (!add_insn(&w, &insn[i], error))
            return false;
    if (w.full)
        return ztl_fail(error, "a batch of more than %d instructions has no C", EMIT_MOST_INSNS);
    divide(program);
    if (!program->loads) /* a constant: one register for all */
        program->registers = 0;
    return true;
}
