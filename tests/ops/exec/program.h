/* SPDX-License-Identifier: Apache-2.0
 * Programs of passes, one of each body.
 */
#ifndef ZTL_TEST_OPS_PROGRAM_H
#define ZTL_TEST_OPS_PROGRAM_H

#include "tests/ops/draft.h"

enum { MOST_INSNS = 80, REGISTER = 1024 };

/* A program with the form of its pass. Offsets of loads are any, those of stores one after the
 * other: batches write `written` bytes each. */
typedef struct program {
    ops_pass form;
    ops_insn insn[MOST_INSNS];
    int64_t written;
} program;

static ops_insn *append(program *p, enum ops_code code, unsigned reg)
{
    ops_insn *insn = &p->insn[p->form.insns++];
    *insn = (ops_insn){.op = OPS_OP(code, reg)};
    return insn;
}

static void append_loads(program *p, unsigned count)
{
    for (unsigned r = 0; r < count; r++)
        append(p, OPS_LOAD, r)->offset = below(4000);
}

static void append_store(program *p, unsigned reg)
{
    append(p, OPS_STORE, reg)->offset = p->written;
    p->written += (int64_t)p->form.slices * p->form.store_width;
}

static void append_stores(program *p, unsigned first, unsigned count)
{
    for (unsigned r = 0; r < count; r++)
        append_store(p, first + r);
}

/* Of a pair of registers, any bytes: 2, n, 16, 32 elements in the order 3, 1, 2, 0. */
static void append_permute(program *p, unsigned reg, unsigned bit, unsigned width)
{
    ops_insn *insn = append(p, OPS_PERMUTE, reg);
    static const unsigned middle[] = {16, 8, 4, 2};
    insn->bit = (uint8_t)bit;
    insn->width = (uint8_t)width;
    insn->arg = 2 | 2u << 8 | middle[width] << 16 | 32u << 24;
}

static void append_stage(program *p, unsigned bits, unsigned bit, unsigned width)
{
    append(p, OPS_ORDER, 0)->arg = below(2) ? 3 | 1 << 2 | 2 << 4 | 0 << 6 : 2 | 1 << 2 | 3 << 4;
    for (unsigned r = 0; r < 1u << bits; r++)
        if (!(r >> bit & 1))
            append_permute(p, r, bit, width);
}

static void make_tiles(program *p, unsigned bits)
{
    append_loads(p, 1u << bits);
    for (unsigned bit = bits; bit-- > 0;)
        append_stage(p, bits, bit, (unsigned)below(4));
    append_stores(p, 0, 1u << bits);
}

static void make_planes(program *p, enum ops_code code)
{
    uint32_t element = 1u << below(4);
    p->form.slices = 32 / element;
    p->form.load_width = p->form.store_width = 32 * element;
    p->form.tile_shape = p->form.slices << 16 | 32 << 8 | element;
    p->form.order =
        code == OPS_INTERLEAVE3 ? OPS_INTERLEAVE3_ORDER : (uint32_t)OPS_DEINTERLEAVE3_ORDER;
    append_loads(p, 3);
    append(p, code, 0)->arg = element;
    append_stores(p, 4, 3);
}

/* Elements from each register, 32 in all. */
static void make_join(program *p, unsigned loads)
{
    unsigned have = 32 - (loads - 1) * 8;
    p->form.slices = p->form.load_width = p->form.store_width = 32;
    p->form.tile_shape = 32 << 16 | 32 << 8 | 1;
    append_loads(p, loads);
    for (unsigned r = 1; r < loads; r++, have += 8) {
        ops_insn *insn = append(p, OPS_CONCAT, r);
        insn->bit = r > 1;
        insn->offset = (int64_t)((UINT64_C(1) << have) - 1);
        insn->arg = UINT32_C(0xff) << below(25);
    }
    append_store(p, 8);
}

static void make_spread_pair(program *p)
{
    bool shaped = below(2);
    uint32_t shape = p->form.slices << 16 | 1 << 8 | 1;
    if (shaped)
        append(p, OPS_SHAPE, 0)->arg = shape;
    append_loads(p, 2);
    append_permute(p, 0, 0, (unsigned)below(4));
    if (shaped)
        append(p, OPS_SHAPE, 0)->arg = shape;
    for (int64_t n = 1 + below(3); n > 0 || (!shaped && p->form.insns < 5); n--)
        append_store(p, 0);
    for (int64_t n = 1 + below(3); n > 0; n--)
        append_store(p, 1);
}

static program make_program(enum ops_body body)
{
    static const uint32_t widths[] = {32, 64, 128, 256, 512, 1024};
    uint32_t width = widths[below(6)];
    program p = {.form = {.kind = OPS_PASS_TILES,
                          .load_width = width,
                          .store_width = width,
                          .slices = REGISTER / width,
                          .order = 3 | 1 << 2 | 2 << 4 | 0 << 6}};
    switch (body) {
    case OPS_BODY_COPY:
    case OPS_BODY_SPREAD:
        append(&p, OPS_LOAD, 0)->offset = body == OPS_BODY_COPY ? 0 : below(4000);
        append_store(&p, 0);
        for (int64_t n = 1 + below(20); body == OPS_BODY_SPREAD && n > 0; n--)
            append_store(&p, 0);
        break;
    case OPS_BODY_FILL:
        p.form.kind = OPS_PASS_FILL;
        p.form.element = 4;
        p.form.value[0] = 0x12345678;
        append_store(&p, 0);
        break;
    case OPS_BODY_PAIR:
        append_loads(&p, 2);
        append_permute(&p, 0, 0, (unsigned)below(4));
        append_stores(&p, 0, 1 + (unsigned)below(2));
        break;
    case OPS_BODY_SPREAD_PAIR:
        make_spread_pair(&p);
        break;
    case OPS_BODY_TILES_4:
    case OPS_BODY_TILES_8:
    case OPS_BODY_TILES_16:
        make_tiles(&p, 2 + body - OPS_BODY_TILES_4);
        break;
    case OPS_BODY_INTERLEAVE3:
        make_planes(&p, OPS_INTERLEAVE3);
        break;
    case OPS_BODY_DEINTERLEAVE3:
        make_planes(&p, OPS_DEINTERLEAVE3);
        break;
    case OPS_BODY_JOIN:
        make_join(&p, 2 + (unsigned)below(3));
        break;
    default: /* two copies are none of them */
        append_loads(&p, 2);
        append_stores(&p, 0, 2);
    }
    return p;
}

/* Writes a pass of the program with groups of random batches, inside random loops. Everything that
 * it loads is within `reach` bytes of its source; it writes every byte of its target once. */
typedef struct shape {
    unsigned loops, groups, most; /* of a group's batches */
} shape;

static const ops_pass *write_program(program *p, const shape *s, int64_t reach)
{
    enum { MOST_GROUPS = 12, MOST_BATCHES = 64 };
    static ops_vector vector[2 * MOST_GROUPS];
    static ops_group group[MOST_GROUPS];
    static ops_batch batch[MOST_BATCHES];
    int64_t each = p->written;
    bool one_store = below(2), linear = below(2);
    p->form.groups = s->groups;
    p->form.vectors = 2 * s->groups;
    p->form.batches = 0;
    memset(vector, 0, sizeof vector);
    for (unsigned g = 0; g < s->groups; g++) {
        unsigned turn = one_store ? 0 : (unsigned)below(p->form.slices);
        group[g] = (ops_group){.load = 2 * g, .store = 2 * g + 1, .first = p->form.batches};
        for (unsigned i = 0; i < p->form.slices; i++) {
            bool same = g && below(4); /* often as before, so that only some blocks change */
            vector[2 * g].stride[i] = linear ? (int32_t)(g * i)
                                      : same ? vector[2 * g - 2].stride[i]
                                             : (int32_t)below(40000 / p->form.load_width);
            vector[2 * g + 1].stride[i] = (int32_t)((i + turn) % p->form.slices);
        }
        if (one_store)
            group[g].store = 1;
        group[g].count = 1 + (uint32_t)below(s->most);
        for (uint32_t k = 0; k < group[g].count; k++, p->form.batches++)
            batch[p->form.batches] = (ops_batch){below(reach), p->form.batches * each};
    }
    each *= p->form.batches;
    for (unsigned d = s->loops; d-- > 0;) {
        p->form.loop[d] = (ops_dim){1 + below(6), below(1000), each};
        each *= p->form.loop[d].n;
    }
    p->form.loops = s->loops;
    p->written = each;
    begin();
    ztl_ops_write_pass(&draft, &p->form, p->insn, vector, group, batch);
    assert_false(arena.full);
    return ops_first_pass(draft.plan);
}

#endif
