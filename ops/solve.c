/* SPDX-License-Identifier: Apache-2.0
 * Choosing: every way to carry out a piece is costed, and the cheapest taken.
 */
#include "ops/solve.h"

enum way {
    WAY_SLICES = OPS_WAY_SLICES,
    WAY_BITS = OPS_WAY_BITS,
    WAY_WEAVING = OPS_WAY_WEAVING,
    WAY_SPREADING = OPS_WAY_SPREADING,
    WAY_SPLIT = OPS_WAY_SPLIT,
    WAY_SCRATCH = OPS_WAY_SCRATCH,
};

/* The cheapest way so far. */
typedef struct choice {
    enum way way;
    ops_cost cost;
    unsigned width;    /* SLICES */
    unsigned dim;      /* SPLIT */
    int64_t cut;       /* SPLIT */
    ops_detour detour; /* SCRATCH */
} choice;

static void try_single(ops_planner *planner, const ops_piece *piece, choice *best)
{
    best->way = WAY_SLICES;
    best->cost = ops_slices_cost(planner, piece, 1, &best->width);
    ops_note(planner, OPS_WAY_SLICES, best->width, best->cost);
    if (planner->adds)
        return;
    ops_bits bits;
    ops_weaving weaving;
    ops_spreading spreading;
    if (ops_bits_of(planner, piece, &bits)) {
        ops_cost cost = ops_bits_cost(&bits);
        bool cheaper = ops_cheaper(cost, best->cost), found = cheaper && ops_find_stages(&bits);
        if (found) {
            best->way = WAY_BITS;
            best->cost = cost;
        }
        if (found || !cheaper)
            ops_note(planner, OPS_WAY_BITS, INT64_C(1) << bits.stages, cost);
    }
    if (ops_weaving_of(planner, piece, &weaving)) {
        ops_cost cost = ops_weaving_cost(planner, &weaving);
        ops_note(planner, OPS_WAY_WEAVING, 0, cost);
        if (ops_cheaper(cost, best->cost)) {
            best->way = WAY_WEAVING;
            best->cost = cost;
        }
    }
    if (ops_spreading_of(planner, piece, &spreading)) {
        ops_cost cost = ops_spreading_cost(&spreading);
        ops_note(planner, OPS_WAY_SPREADING, 0, cost);
        if (ops_cheaper(cost, best->cost)) {
            best->way = WAY_SPREADING;
            best->cost = cost;
        }
    }
}

static void cut_piece(const ops_piece *piece, unsigned dim, int64_t cut, ops_piece part[2])
{
    part[0] = part[1] = *piece;
    part[0].dim[dim].n = cut;
    part[1].dim[dim].n -= cut;
    part[1].in += cut * piece->dim[dim].in;
    part[1].out += cut * piece->dim[dim].out;
    ops_canonical_piece(&part[0]);
    ops_canonical_piece(&part[1]);
}

/* Cuts off what is left of a dimension beyond a multiple of a power of two. */
static void try_splits(ops_planner *planner, const ops_piece *piece, unsigned depth, choice *best)
{
    for (unsigned d = 0; d < piece->rank; d++)
        for (int64_t unit = 32; unit >= 4; unit /= 2) {
            int64_t rest = piece->dim[d].n % unit, cut = piece->dim[d].n - rest;
            bool inner =
                piece->dim[d].in == planner->element || piece->dim[d].out == planner->element;
            if (!inner || !rest || !cut || (unit > 4 && rest == piece->dim[d].n % (unit / 2)))
                continue;
            ops_piece part[2];
            cut_piece(piece, d, cut, part);
            ops_cost cost = ops_solve(planner, &part[0], depth - 1, false);
            if (!ops_cheaper(cost, best->cost))
                continue;
            ops_cost rest_cost = ops_solve(planner, &part[1], depth - 1, false);
            cost.ztl += rest_cost.ztl;
            cost.other += rest_cost.other;
            if (ops_cheaper(cost, best->cost)) {
                ops_note(planner, OPS_WAY_SPLIT, cut, cost);
                best->way = WAY_SPLIT;
                best->cost = cost;
                best->dim = d;
                best->cut = cut;
            }
        }
}

static void write_choice(ops_planner *planner, const ops_piece *piece, unsigned depth,
                         const choice *best)
{
    ops_bits bits;
    ops_weaving weaving;
    ops_spreading spreading;
    ops_piece part[2];
    switch (best->way) {
    case WAY_SLICES:
        ops_slices_write(planner, piece, 1, best->width);
        break;
    case WAY_BITS:
        ops_bits_of(planner, piece, &bits);
        ops_find_stages(&bits);
        ops_bits_write(planner, piece, &bits);
        break;
    case WAY_WEAVING:
        ops_weaving_of(planner, piece, &weaving);
        ops_weaving_write(planner, piece, &weaving);
        break;
    case WAY_SPREADING:
        ops_spreading_of(planner, piece, &spreading);
        ops_spreading_write(planner, piece, &spreading);
        break;
    case WAY_SPLIT:
        cut_piece(piece, best->dim, best->cut, part);
        ops_solve(planner, &part[0], depth - 1, true);
        ops_solve(planner, &part[1], depth - 1, true);
        break;
    case WAY_SCRATCH:
        ops_detour_write(planner, piece, &best->detour);
        break;
    }
}

int64_t ops_least(const ops_planner *planner, const ops_piece *piece)
{
    int64_t out = ops_elements(piece) * planner->element, in = out;
    for (unsigned d = 0; d < piece->rank; d++)
        in = piece->dim[d].in ? in : in / piece->dim[d].n;
    return (piece->src == OPS_FILL ? 0 : ops_ceil(in, 1024)) + ops_ceil(out, 1024);
}

ops_cost ops_solve(ops_planner *planner, const ops_piece *piece, unsigned depth, bool write)
{
    choice best;
    ops_choice *outer = planner->open;
    planner->open = write && piece->src != OPS_FILL ? ops_open_choice(planner, piece, 1) : NULL;
    try_single(planner, piece, &best);
    bool good = best.cost.ztl * 4 <= ops_least(planner, piece) * 5;
    if (depth > 0 && !good && !planner->adds && piece->src != OPS_FILL) {
        try_splits(planner, piece, depth, &best);
        if (planner->may_reload &&
            ops_detour_cost(planner, piece, depth, best.cost, &best.detour)) {
            best.way = WAY_SCRATCH;
            best.cost = best.detour.cost;
        }
        ops_note(planner, OPS_WAY_SCRATCH, 0, best.way == WAY_SCRATCH ? best.cost : OPS_NEVER);
    }
    ops_take(planner, (enum ops_way)best.way);
    if (write)
        write_choice(planner, piece, depth, &best);
    ops_close_choice(planner, outer);
    return best.cost;
}

/* Many pieces are small ones: no search for each. */
static unsigned depth_for(size_t count)
{
    return count > 8 ? 0 : OPS_DEPTH;
}

static ops_cost cost_apart(ops_planner *planner, const ops_piece *piece, size_t count)
{
    ops_cost sum = {0, 0};
    for (size_t i = 0; i < count; i++) {
        ops_cost cost = ops_solve(planner, &piece[i], depth_for(count), false);
        sum.ztl += cost.ztl;
        sum.other += cost.other;
    }
    return sum;
}

ops_cost ops_pieces_cost(ops_planner *planner, const ops_piece *piece, size_t count)
{
    unsigned width;
    ops_cost apart = cost_apart(planner, piece, count);
    ops_cost joint = count > 1 ? ops_slices_cost(planner, piece, count, &width) : OPS_NEVER;
    return ops_cheaper(joint, apart) ? joint : apart;
}

/* Pieces with the same buffers: all together as slices, sharing loads, or each in its own way. */
void ops_solve_pieces(ops_planner *planner, const ops_piece *piece, size_t count)
{
    unsigned width;
    if (count == 1) {
        ops_solve(planner, piece, OPS_DEPTH, true);
        return;
    }
    ops_cost joint = ops_slices_cost(planner, piece, count, &width);
    ops_note(planner, OPS_WAY_SLICES, width, joint);
    bool many = depth_for(count) == 0;
    if (many && ops_share(planner, piece, count, joint))
        return;
    ops_cost apart = cost_apart(planner, piece, count);
    ops_note(planner, OPS_WAY_APART, 0, apart);
    if (!many && ops_share(planner, piece, count, ops_cheaper(apart, joint) ? apart : joint))
        return;
    ops_take(planner, ops_cheaper(joint, apart) ? OPS_WAY_SLICES : OPS_WAY_APART);
    if (ops_cheaper(joint, apart)) {
        ops_slices_write(planner, piece, count, width);
        return;
    }
    for (size_t i = 0; i < count; i++)
        ops_solve(planner, &piece[i], depth_for(count), true);
}
