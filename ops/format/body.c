/* SPDX-License-Identifier: Apache-2.0
 * Which programs of passes have code of their own, told from their instructions.
 */
#include "ops/format/body.h"

/* A program as it is read: `next` goes on as long as it is what is asked for. */
typedef struct reader {
    const ops_insn *next, *end;
} reader;

static bool take(reader *r, enum ops_code code, unsigned reg)
{
    if (r->next == r->end || r->next->op != OPS_OP(code, reg))
        return false;
    r->next++;
    return true;
}

/* How many of the same instruction follow. */
static unsigned take_all(reader *r, enum ops_code code, unsigned reg)
{
    unsigned count = 0;
    while (take(r, code, reg))
        count++;
    return count;
}

static bool take_each(reader *r, enum ops_code code, unsigned first, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (!take(r, code, first + k))
            return false;
    return true;
}

static bool is_done(const reader *r)
{
    return r->next == r->end;
}

static bool is_copy(reader r)
{
    bool at_start = r.end - r.next == 2 && !r.next[0].offset && !r.next[1].offset;
    return at_start && take(&r, OPS_LOAD, 0) && take(&r, OPS_STORE, 0);
}

static bool is_spread(reader r)
{
    return take(&r, OPS_LOAD, 0) && take_all(&r, OPS_STORE, 0) && is_done(&r);
}

static bool is_pair(reader r)
{
    return take(&r, OPS_LOAD, 0) && take_all(&r, OPS_LOAD, 1) < 2 && take(&r, OPS_PERMUTE, 0) &&
           !r.next[-1].bit && take(&r, OPS_STORE, 0) && take_all(&r, OPS_STORE, 1) < 2 &&
           is_done(&r);
}

/* Both shapes or none. */
static bool is_spread_pair(reader r)
{
    bool shaped = take(&r, OPS_SHAPE, 0);
    bool moves = take(&r, OPS_LOAD, 0) && (take_all(&r, OPS_LOAD, 1) < 2) &&
                 take(&r, OPS_PERMUTE, 0) && !r.next[-1].bit;
    if (!moves || take(&r, OPS_SHAPE, 0) != shaped)
        return false;
    unsigned stores = take_all(&r, OPS_STORE, 0);
    return stores + take_all(&r, OPS_STORE, 1) && is_done(&r);
}

/* A stage: the order, then a PERMUTE of each pair, all of them alike. */
static bool take_stage(reader *r, unsigned registers, unsigned bit)
{
    const ops_insn *first = r->next + 1;
    if (!take(r, OPS_ORDER, 0))
        return false;
    for (unsigned reg = 0; reg < registers; reg++) {
        if (reg >> bit & 1)
            continue;
        const ops_insn *insn = r->next;
        if (!take(r, OPS_PERMUTE, reg) || insn->bit != bit || insn->width != first->width ||
            insn->arg != first->arg)
            return false;
    }
    return true;
}

static bool is_tiles(reader r, unsigned bits)
{
    unsigned registers = 1u << bits;
    if (!take_each(&r, OPS_LOAD, 0, registers))
        return false;
    for (unsigned bit = bits; bit-- > 0;)
        if (!take_stage(&r, registers, bit))
            return false;
    return take_each(&r, OPS_STORE, 0, registers) && is_done(&r);
}

static bool is_planes(reader r, enum ops_code code)
{
    return take_each(&r, OPS_LOAD, 0, 3) && take(&r, code, 0) && take_each(&r, OPS_STORE, 4, 3) &&
           is_done(&r);
}

/* The first CONCAT begins, the others add to it. */
static bool is_join(reader r)
{
    unsigned loads = 0;
    while (take(&r, OPS_LOAD, loads))
        loads++;
    for (unsigned k = 1; k < loads; k++)
        if (!take(&r, OPS_CONCAT, k) || (r.next[-1].bit != 0) != (k > 1))
            return false;
    return loads >= 2 && loads <= 4 && take(&r, OPS_STORE, 8) && is_done(&r);
}

enum ops_body ztl_ops_body_of(const ops_pass *pass)
{
    reader r = {ops_pass_insns(pass), ops_pass_insns(pass) + pass->insns};
    if (pass->kind == OPS_PASS_FILL)
        return pass->insns == 1 && take(&r, OPS_STORE, 0) ? OPS_BODY_FILL : OPS_BODY_ANY;
    if (is_copy(r))
        return OPS_BODY_COPY;
    if (is_spread(r))
        return OPS_BODY_SPREAD;
    if (is_pair(r))
        return OPS_BODY_PAIR;
    if (is_spread_pair(r))
        return OPS_BODY_SPREAD_PAIR;
    for (unsigned bits = 2; bits <= 4; bits++)
        if (is_tiles(r, bits))
            return (enum ops_body)(OPS_BODY_TILES_4 + bits - 2);
    if (is_planes(r, OPS_INTERLEAVE3))
        return OPS_BODY_INTERLEAVE3;
    if (is_planes(r, OPS_DEINTERLEAVE3))
        return OPS_BODY_DEINTERLEAVE3;
    return is_join(r) ? OPS_BODY_JOIN : OPS_BODY_ANY;
}

static bool is_linear(const ops_vector *vector, unsigned slices)
{
    for (unsigned i = 2; i < slices; i++)
        if ((int64_t)vector->stride[i] - vector->stride[i - 1] !=
            (int64_t)vector->stride[1] - vector->stride[0])
            return false;
    return true;
}

uint32_t ztl_ops_strides_of(const ops_pass *pass)
{
    const ops_vector *vector = ops_pass_vectors(pass);
    const ops_group *group = ops_pass_groups(pass);
    uint32_t wrong = 0;
    for (uint32_t g = 0; g < pass->groups; g++) {
        if (!is_linear(&vector[group[g].load], pass->slices))
            wrong |= OPS_LINEAR_LOADS;
        if (!is_linear(&vector[group[g].store], pass->slices))
            wrong |= OPS_LINEAR_STORES;
        if (group[g].store != group[0].store)
            wrong |= OPS_ONE_STORE;
    }
    return (OPS_LINEAR_LOADS | OPS_LINEAR_STORES | OPS_ONE_STORE) & ~wrong;
}

unsigned ztl_ops_changed(uint32_t changes, unsigned slices)
{
    return changes == OPS_CHANGES_ALL ? slices
                                      : OPS_CHANGES_BLOCK * (unsigned)__builtin_popcount(changes);
}

/* Blocks, if looking for them takes less than writing everything. */
uint32_t ztl_ops_changes_of(const ops_vector *before, const ops_vector *now, unsigned slices)
{
    enum { LOOKING = 4 };
    uint32_t blocks = 0;
    for (unsigned i = 0; i < slices; i++)
        if (before->stride[i] != now->stride[i])
            blocks |= 1u << i / OPS_CHANGES_BLOCK;
    return ztl_ops_changed(blocks, slices) + LOOKING < slices ? blocks : OPS_CHANGES_ALL;
}

void ztl_ops_find_changes(const ops_pass *pass, const ops_group *before, const ops_group *group,
                          uint32_t *load, uint32_t *store)
{
    const ops_vector *vector = ops_pass_vectors(pass);
    *load = *store = OPS_CHANGES_ALL;
    if (before && before->load == group->load)
        *load = OPS_CHANGES_NOTHING;
    else if (before)
        *load = ztl_ops_changes_of(&vector[before->load], &vector[group->load], pass->slices);
    if (before && before->store == group->store)
        *store = OPS_CHANGES_NOTHING;
    else if (before)
        *store = ztl_ops_changes_of(&vector[before->store], &vector[group->store], pass->slices);
    if (pass->kind == OPS_PASS_FILL)
        *load = OPS_CHANGES_NOTHING;
}
