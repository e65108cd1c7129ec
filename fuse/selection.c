/* SPDX-License-Identifier: Apache-2.0
 * Byte selections: the body is run on registers whose bytes are numbered, which shows where each
 * stored byte comes from. Each stored vector is then a union of a few byte shuffles.
 */
#include "fuse/loop.h"

enum {
    LOADS = ZTL_LOOP_LOADS,
    STORES = ZTL_LOOP_STORES,
    MOST_REGISTERS = 8, /* that the body may use */
    /* Numbers begin here, so that their upper half is never 0, as bytes of tl0 are, and never
     * UNKNOWN, as those of registers that were not loaded. */
    FIRST_NUMBER = 256,
    UNKNOWN = 0xff,
};

/* The registers that the steps between loads and stores use; 0 unless all of these move bytes. */
static uint32_t touched(const ztl_loop *r, const ztl_state *state, unsigned first, unsigned end)
{
    const ztl_type_row *type = ztl_current_type(state);
    uint32_t registers = 0;
    for (unsigned n = first; n < end; n++) {
        const ztl_insn *insn = &r->step[n].insn;
        const ztl_operand_row *operand;
        if (insn->row && !(ztl_effects(insn->row) & ZTL_MOVES))
            return 0;
        for (size_t k = 0; insn->row && (operand = ztl_isa_operand(insn->row->format, k)); k++)
            if (operand->kind == ZTL_KIND_TL)
                registers |= UINT32_C(1) << insn->operand[k];
    }
    return type && type->bits >= 8 ? registers : 0;
}

/* Runs the steps on registers that hold the low, or the high, halves of the numbers of bytes. */
static bool run_on_numbers(const ztl_loop *r, ztl_state *state, unsigned first, unsigned end,
                           unsigned shift)
{
    const ztl_loop_end *loads = &r->end[LOADS];
    for (unsigned k = 0; k < loads->count; k++) {
        uint8_t *bytes = ztl_register(state, r->step[loads->step[k]].insn.operand[0]);
        for (unsigned i = 0; i < ZTL_REG_BYTES; i++)
            bytes[i] = (uint8_t)((FIRST_NUMBER + k * ZTL_REG_BYTES + i) >> shift);
    }
    for (unsigned n = first; n < end; n++) {
        const ztl_loop_step *step = &r->step[n];
        uint64_t x[32];
        ztl_loop_gprs(step, x);
        if (step->insn.row ? ztl_execute_decoded(state, &step->insn, x, NULL).status != ZTL_OK
                           : !ztl_loop_csr(state, step))
            return false;
    }
    return true;
}

/* Finds the number of the loaded byte that each stored byte is. */
static bool find_numbers(ztl_loop *r, ztl_state *state, unsigned first, unsigned end,
                         uint32_t registers, uint16_t *number)
{
    const ztl_loop_end *stores = &r->end[STORES];
    uint32_t csr[ZTL_SLOTS];
    ztl_copy_bytes(csr, state->csr, sizeof csr);
    for (unsigned shift = 0; shift <= 8; shift += 8) {
        for (uint32_t left = registers & ~UINT32_C(1); left; left &= left - 1)
            ztl_fill_bytes(ztl_register(state, __builtin_ctz(left)), UNKNOWN, ZTL_REG_BYTES);
        ztl_copy_bytes(state->csr, csr, sizeof csr); /* both times from the same start */
        if (!run_on_numbers(r, state, first, end, shift))
            return false;
        for (unsigned k = 0; k < stores->count; k++) {
            const uint8_t *bytes = ztl_register(state, r->step[stores->step[k]].insn.operand[0]);
            for (unsigned i = 0; i < ZTL_REG_BYTES; i++) {
                uint16_t half = (uint16_t)(bytes[i] << shift);
                /* NOLINTNEXTLINE(clang-analyzer-core.*): the first iteration has shift 0 */
                number[k * ZTL_REG_BYTES + i] = shift ? number[k * ZTL_REG_BYTES + i] | half : half;
            }
        }
    }
    for (unsigned i = 0; i < stores->count * ZTL_REG_BYTES; i++) {
        if (number[i] < FIRST_NUMBER || number[i] >> 8 == UNKNOWN)
            return false;
        number[i] -= FIRST_NUMBER;
    }
    return true;
}

/* The parts of one vector. */
typedef struct parts {
    unsigned count;
    bool taken; /* into the selection */
    uint16_t start[ZTL_SELECT_MOST];
    uint8_t shuffle[ZTL_SELECT_MOST][ZTL_VECTOR];
} parts;

/* The part that covers a source byte. A new one starts at that byte, or earlier at the slice's end.
 */
static unsigned part_of(parts *p, unsigned number, unsigned slice)
{
    unsigned k = 0, last = (number / slice + 1) * slice - ZTL_VECTOR;
    while (k < p->count && number - p->start[k] >= ZTL_VECTOR)
        k++;
    if (k == p->count && k < ZTL_SELECT_MOST) {
        p->start[k] = (uint16_t)(number < last ? number : last);
        ztl_fill_bytes(p->shuffle[k], 0x80, ZTL_VECTOR);
        p->count++;
    }
    return k;
}

static bool split_vector(parts *p, const uint16_t number[ZTL_VECTOR], unsigned slice)
{
    p->count = 0;
    p->taken = false;
    for (unsigned i = 0; i < ZTL_VECTOR; i++) {
        unsigned k = part_of(p, number[i], slice);
        if (k == ZTL_SELECT_MOST)
            return false;
        p->shuffle[k][i] = (uint8_t)(number[i] - p->start[k]);
    }
    return true;
}

/* Whether two vectors take the same shuffles. */
static bool same_shuffles(const parts *a, const parts *b)
{
    bool same = a->count == b->count;
    for (unsigned k = 0; k < a->count && same; k++)
        for (unsigned i = 0; i < ZTL_VECTOR && same; i++)
            same = a->shuffle[k][i] == b->shuffle[k][i];
    return same;
}

static bool take_vector(ztl_selection *s, parts *p, unsigned v)
{
    if (s->parts + p->count > ZTL_SELECT_PARTS)
        return false;
    s->place[s->vectors++] = (int32_t)(v * ZTL_VECTOR);
    for (unsigned k = 0; k < p->count; k++)
        s->start[s->parts++] = p->start[k];
    p->taken = true;
    return true;
}

/* Lists the vectors with the same shuffles together. */
static bool sort_parts(ztl_selection *s, parts *p, unsigned vectors)
{
    unsigned shuffles = 0; /* no more than parts */
    s->kinds = s->vectors = s->parts = 0;
    for (unsigned first = 0; first < vectors; first++) {
        if (p[first].taken)
            continue;
        ztl_select_kind *kind = &s->kind[s->kinds++];
        *kind = (ztl_select_kind){0, (uint16_t)p[first].count};
        for (unsigned v = first; v < vectors; v++)
            if (!p[v].taken && same_shuffles(&p[v], &p[first])) {
                if (!take_vector(s, &p[v], v))
                    return false;
                kind->vectors++;
            }
        ztl_copy_bytes(s->shuffle[shuffles], p[first].shuffle, kind->parts * sizeof *s->shuffle);
        shuffles += kind->parts;
    }
    return true;
}

static bool plan_selection(ztl_selection *s, const uint16_t *number, unsigned vectors,
                           unsigned slice)
{
    parts p[ZTL_SELECT_VECTORS];
    for (unsigned v = 0; v < vectors; v++)
        if (!split_vector(&p[v], number + (size_t)v * ZTL_VECTOR, slice))
            return false;
    return sort_parts(s, p, vectors);
}

/* The width of loaded slices; 0 when a vector may cross the end of one. */
static unsigned load_width(const ztl_loop *r, ztl_state *state)
{
    ztl_slices_plan plan;
    return ztl_loop_slices(r, state, false, &plan) && ztl_slice_bits(&plan) ? plan.width : 0;
}

/* The run on numbers restores the registers: the loop may read one that it did not load. */
bool ztl_loop_select(ztl_loop *r, ztl_state *state, unsigned first, unsigned end)
{
    uint32_t registers = touched(r, state, first, end);
    unsigned slice = load_width(r, state);
    if (!registers || !slice || !ztl_bodies_of(state)->select ||
        r->end[STORES].count * ZTL_REG_VECTORS > ZTL_SELECT_VECTORS)
        return false;
    registers |= r->end[LOADS].registers | r->end[STORES].registers;
    if ((unsigned)__builtin_popcount(registers) > MOST_REGISTERS)
        return false;
    uint8_t saved[MOST_REGISTERS][ZTL_REG_BYTES];
    uint16_t number[ZTL_SELECT_VECTORS * ZTL_VECTOR];
    unsigned k = 0;
    for (uint32_t left = registers; left; left &= left - 1)
        ztl_copy_bytes(saved[k++], ztl_register(state, __builtin_ctz(left)), ZTL_REG_BYTES);
    bool good = find_numbers(r, state, first, end, registers, number);
    k = 0;
    for (uint32_t left = registers; left; left &= left - 1)
        ztl_write(state, (unsigned)__builtin_ctz(left), saved[k++]);
    return good &&
           plan_selection(&r->selection, number, r->end[STORES].count * ZTL_REG_VECTORS, slice);
}
