/* SPDX-License-Identifier: Apache-2.0
 * Every k-th element: one channel of an image, a slice with a step. The source is loaded as it is,
 * and CONCAT takes what is wanted out of it, 32 elements of k registers:
 *
 *     k = 3     a . . b . . c .  |  . d . . e . . f  |  . . g . .  …  →  a b c d e f g …
 *
 * Nothing before the first element or after the last one may be read: the last 32 elements are at
 * the end of what is loaded for them, all others at its start.
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

enum { BLOCK = 32, MOST_STEP = 8, PICKED = 8, INSNS = 2 * MOST_STEP };

typedef struct picking {
    unsigned step;     /* k */
    ops_piece grid[2]; /* where rows of 32 elements are: all but the last ones, and these */
} picking;

static bool picking_of(const ops_query *q, picking *f)
{
    const ops_piece *piece = q->piece;
    int64_t e = q->planner->element;
    for (unsigned d = 0; d < piece->rank; d++) {
        ops_dim dim = piece->dim[d];
        if (dim.out != e || dim.in < 2 * e || dim.in > MOST_STEP * e || dim.in % e ||
            dim.n <= BLOCK)
            continue;
        ops_piece part[2];
        ztl_ops_cut(piece, d, dim.n - BLOCK, part);
        part[1].dim[d].n = 1;
        part[1].in -= dim.in - e;
        f->step = (unsigned)(dim.in / e);
        f->grid[0] = part[0];
        f->grid[0].dim[d] =
            (ops_dim){ops_ceil(dim.n - BLOCK, BLOCK), dim.in * BLOCK, dim.out * BLOCK};
        f->grid[1] = part[1];
        return true;
    }
    return false;
}

/* Which of the 32 elements of register j are wanted, the first being element `first`. */
static uint32_t wanted(unsigned step, unsigned first, unsigned j)
{
    uint32_t mask = 0;
    for (unsigned k = 0; k < BLOCK; k++)
        mask |= (uint32_t)((BLOCK * j + k) % step == first) << k;
    return mask;
}

static unsigned set_program(unsigned step, unsigned first, int64_t element, ops_insn *insn)
{
    unsigned n = 0, have = 0;
    for (unsigned j = 0; j < step; j++)
        insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, j), .offset = j * BLOCK * element};
    for (unsigned j = 1; j < step; j++) {
        uint32_t mask = wanted(step, first, 0);
        if (j == 1)
            have = (unsigned)__builtin_popcount(mask);
        else
            mask = (uint32_t)((UINT64_C(1) << have) - 1);
        insn[n++] = (ops_insn){.op = OPS_OP(OPS_CONCAT, j),
                               .bit = j > 1,
                               .arg = wanted(step, first, j),
                               .offset = mask};
        have += (unsigned)__builtin_popcount(wanted(step, first, j));
    }
    insn[n++] = (ops_insn){.op = OPS_OP(OPS_STORE, PICKED)};
    return n;
}

static bool find(const ops_query *q, ops_node *found)
{
    picking f;
    if (!picking_of(q, &f))
        return false;
    ops_tile tile = ztl_ops_slice_tile(BLOCK * q->planner->element);
    ops_insn insn[INSNS];
    ops_use use = ztl_ops_tile_use(q->planner, &tile, insn, set_program(f.step, 0, 1, insn));
    ops_cost sum = {0, 0, 0};
    for (unsigned g = 0; g < 2; g++)
        sum = ops_sum(
            sum, ztl_ops_batches_cost(q->planner, &tile, &f.grid[g], 1, &use, 1, OPS_NEVER.key));
    found->cost = sum;
    found->detail = f.step;
    return true;
}

static void write(const ops_query *q, const ops_node *node)
{
    picking f;
    (void)node;
    picking_of(q, &f);
    unsigned element = q->planner->element, width = BLOCK * element;
    for (unsigned g = 0; g < 2; g++) {
        ops_tile tile = ztl_ops_slice_tile(width);
        ops_insn insn[INSNS];
        ops_pass form = {.kind = OPS_PASS_PICK,
                         .element = element,
                         .tile_shape = tile.slices << 16 | BLOCK << 8 | element,
                         .insns = set_program(f.step, g ? f.step - 1 : 0, element, insn)};
        ztl_ops_pack_batches(q->planner->draft, &form, insn, &tile, &f.grid[g], 1);
    }
}

const ops_way ztl_ops_way_pick = {"every element of %u picked", find, NULL, write};
