/* SPDX-License-Identifier: Apache-2.0
 * Every legal XPOSE, PERMUTE and ADDI by type, and fixed sets of the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/insn/cases.h"

enum { BLOCK_CASES = 1000, PAIR_BITS = 16384 };

typedef struct list {
    bench_case *cases;
    size_t count, room;
    uint64_t seed;
} list;

static bench_case *append(list *l)
{
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 4096;
        bench_case *larger = realloc(l->cases, room * sizeof *larger);
        if (!larger)
            return NULL;
        l->cases = larger;
        l->room = room;
    }
    bench_case *c = &l->cases[l->count++];
    *c = (bench_case){.operand = {1, 2, 10}, .perm = 0xe4, .stride_step = 1, .copy_bytes = 1024};
    return c;
}

static unsigned below(list *l, unsigned limit)
{
    l->seed = l->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((l->seed >> 32) * limit >> 32);
}

static const char *mnemonic(enum ztl_insn_id id)
{
    return ztl_isa_insn(id)->mnemonic;
}

/* The shapes whose elements of `bits` bits fill a pair. */
static bool next_shape(unsigned dim[4], unsigned bits)
{
    do {
        unsigned k = 4;
        while (k-- > 0) {
            dim[k] *= 2;
            if (dim[k] <= 128)
                break;
            dim[k] = k ? 1 : 2;
        }
        if (k > 3)
            return false;
    } while (dim[0] * dim[1] * dim[2] * dim[3] * bits != PAIR_BITS);
    return true;
}

static bool add_pair(list *l, enum ztl_insn_id id, const ztl_type_row *type, const unsigned dim[4],
                     unsigned perm)
{
    bench_case *c = append(l);
    if (!c)
        return false;
    bool permutes = ztl_isa_insn(id)->op == ZTL_OP_PERMUTE;
    c->group = permutes ? GROUP_PERMUTE : type->bits == 4 ? GROUP_XPOSE_4 : GROUP_XPOSE;
    c->id = id;
    c->ttype = type->ttype;
    c->shape = dim[0] | dim[1] << 8 | dim[2] << 16 | (uint32_t)dim[3] << 24;
    c->perm = perm;
    c->copy_bytes = 2048;
    int length = snprintf(c->name, sizeof c->name, "%s %s [%u,%u,%u,%u]", mnemonic(id),
                          permutes ? "" : type->name, dim[0], dim[1], dim[2], dim[3]);
    if (permutes && length > 0 && (size_t)length < sizeof c->name)
        snprintf(c->name + length, sizeof c->name - (size_t)length, " by %u%u%u%u", perm & 3,
                 perm >> 2 & 3, perm >> 4 & 3, perm >> 6 & 3);
    /* The shapes that people think of first: a square, or as near to one as there is. */
    c->representative = dim[1] == dim[2] && dim[0] >= dim[3] && dim[0] <= 4 * dim[3];
    return true;
}

static bool add_xposes(list *l)
{
    static const enum ztl_type types[] = {ZTL_TYPE_INT4, ZTL_TYPE_BYTE, ZTL_TYPE_INT16,
                                          ZTL_TYPE_INT32};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const ztl_type_row *type = ztl_isa_type(types[i]);
        unsigned dim[4] = {1, 1, 1, 1};
        dim[0] = 2;
        while (next_shape(dim, type->bits))
            for (int id = ZTL_INSN_XPOSE_01; id <= ZTL_INSN_XPOSE_23; id++)
                if (!add_pair(l, (enum ztl_insn_id)id, type, dim, 0xe4))
                    return false;
    }
    return true;
}

static bool is_permutation(unsigned perm)
{
    unsigned named = 0;
    for (unsigned k = 0; k < 4; k++)
        named |= 1u << (perm >> (2 * k) & 3);
    return named == 0xf;
}

static bool add_permutes(list *l)
{
    for (int id = ZTL_INSN_PERMUTE_B; id <= ZTL_INSN_PERMUTE_D; id++) {
        unsigned bits = 8u << ztl_isa_insn((size_t)id)->arg, dim[4] = {2, 1, 1, 1};
        while (next_shape(dim, bits))
            for (unsigned perm = 0; perm < 256; perm++)
                if (is_permutation(perm) &&
                    !add_pair(l, (enum ztl_insn_id)id, ztl_isa_type(ZTL_TYPE_BYTE), dim, perm))
                    return false;
    }
    for (size_t i = 0; i < l->count; i++) /* of all orders, the reverse is shown */
        if (l->cases[i].group == GROUP_PERMUTE && l->cases[i].perm != 0x1b)
            l->cases[i].representative = false;
    return true;
}

static enum bench_group addi_group(const ztl_type_row *type)
{
    if (type->bits == 4 || (type->bits == 8 && type->kind == ZTL_NUMBER_FLOAT))
        return GROUP_ADDI_SMALL;
    return type->kind == ZTL_NUMBER_FLOAT ? GROUP_ADDI_FLOAT : GROUP_ADDI_INT;
}

static bool add_addis(list *l)
{
    static const int addends[] = {3, -3, 0, 1, 127, -128};
    for (size_t i = 0; i < ZTL_TYPES; i++)
        for (size_t k = 0; k < sizeof addends / sizeof addends[0]; k++) {
            const ztl_type_row *type = ztl_isa_type(i);
            bench_case *c = append(l);
            if (!c)
                return false;
            c->group = addi_group(type);
            c->id = ZTL_INSN_ADDI;
            c->ttype = type->ttype;
            c->operand[2] = addends[k];
            c->representative = k == 0;
            snprintf(c->name, sizeof c->name, "tl.addi %s %d", type->name, addends[k]);
        }
    return true;
}

static bool add_slices(list *l)
{
    static const enum ztl_insn_id ids[] = {ZTL_INSN_LOAD, ZTL_INSN_STORE};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned step = 1; step <= 3; step++) {
            bench_case *c = append(l);
            if (!c)
                return false;
            c->group = i ? GROUP_STORE : GROUP_LOAD;
            c->id = ids[i];
            c->operand[1] = 0;
            c->tshape = 32 << 16 | 1 << 8 | 32;
            c->stride_step = step;
            c->representative = step < 3;
            snprintf(c->name, sizeof c->name, "%s 32 slices of 32 bytes, %s %u", mnemonic(ids[i]),
                     step == 1 ? "contiguous, stride" : "stride", step);
        }
    return true;
}

static unsigned count_bits(uint32_t mask)
{
    return (unsigned)__builtin_popcount(mask);
}

/* A legal block of any type along any axis, mostly one that fills the register well. */
static void draw_block(list *l, bench_case *c, unsigned axis)
{
    const ztl_type_row *type = ztl_isa_type(below(l, ZTL_TYPES));
    unsigned dim[3], room = 8192u / type->bits;
    dim[axis] = 1 + below(l, 32);
    room /= dim[axis];
    unsigned other = (axis + 1) % 3, last = (axis + 2) % 3, limit = room < 64 ? room : 64;
    dim[other] = 1 + below(l, limit);
    room /= dim[other];
    dim[last] = room < 255 ? room : 255;
    c->ttype = type->ttype;
    c->tshape = dim[0] << 16 | dim[1] << 8 | dim[2];
    uint32_t all = (uint32_t)((UINT64_C(1) << dim[axis]) - 1);
    c->mask[0] = below(l, UINT32_MAX) & all;
    do
        c->mask[1] = below(l, UINT32_MAX) & all;
    while (count_bits(c->mask[0]) + count_bits(c->mask[1]) > dim[axis] &&
           (c->mask[0] &= c->mask[0] - 1, true));
    snprintf(c->name, sizeof c->name, "%s %s [%u,%u,%u] %08x %08x", mnemonic(c->id), type->name,
             dim[0], dim[1], dim[2], c->mask[0], c->mask[1]);
}

static bool add_blocks(list *l)
{
    for (unsigned n = 0; n < 2 * BLOCK_CASES; n++) {
        bench_case *c = append(l);
        if (!c)
            return false;
        bool merges = n < BLOCK_CASES;
        c->group = merges ? GROUP_MERGE : GROUP_CONCAT;
        c->id = (enum ztl_insn_id)((merges ? ZTL_INSN_MERGE_0 : ZTL_INSN_CONCAT_0) + n % 3);
        c->operand[2] = 3;
        c->representative = n % BLOCK_CASES < 6;
        draw_block(l, c, n % 3);
    }
    return true;
}

bench_case *bench_cases(size_t *count)
{
    list l = {.seed = 1};
    if (!add_xposes(&l) || !add_permutes(&l) || !add_addis(&l) || !add_blocks(&l) ||
        !add_slices(&l)) {
        free(l.cases);
        return NULL;
    }
    *count = l.count;
    return l.cases;
}
