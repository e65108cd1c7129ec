/* SPDX-License-Identifier: Apache-2.0
 * Runs: source and target have contiguous bytes in common, and one load and one store move up to 32
 * slices of them from anywhere to anywhere, as long as these agree modulo the slice's width.
 *
 * A run of 100 bytes may be one slice of 100, two of 50, four of 32 of which the last overlaps, and
 * so on. A narrow slice wastes most of a register (32 slices of 4 bytes are 128 of 1024 bytes), a
 * wide one has more residues; so many widths are costed.
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

static const ops_dim *run_of(const ops_piece *piece, unsigned element)
{
    for (unsigned d = 0; d < piece->rank; d++)
        if (piece->dim[d].out == element && (piece->dim[d].in == element || piece->src == OPS_FILL))
            return &piece->dim[d];
    return NULL;
}

int64_t ztl_ops_run_bytes(const ops_piece *piece, unsigned element)
{
    const ops_dim *run = run_of(piece, element);
    return run ? run->n * element : element;
}

void ztl_ops_take_copies(ops_piece *piece, ops_copies *copies)
{
    copies->count = 1;
    copies->offset[0] = 0;
    for (unsigned d = 0; d < piece->rank;) {
        ops_dim dim = piece->dim[d];
        if (piece->src == OPS_FILL || dim.in != 0 || copies->count * dim.n > OPS_MOST_COPIES) {
            d++;
            continue;
        }
        unsigned block = copies->count;
        for (copies->count = 0; copies->count < block * dim.n; copies->count++)
            if (copies->count >= block)
                copies->offset[copies->count] = copies->offset[copies->count - block] + dim.out;
        for (unsigned k = d; k + 1 < piece->rank; k++)
            piece->dim[k] = piece->dim[k + 1];
        piece->rank--;
    }
}

/* Where the slices of one piece start: the run cut into whole slices, and an overlapping one at
 * its end. */
static size_t cut_run(const ops_piece *piece, unsigned element, int64_t width, ops_piece grid[2])
{
    const ops_dim *run = run_of(piece, element);
    int64_t bytes = ztl_ops_run_bytes(piece, element);
    grid[0] = *piece;
    if (run) {
        ops_dim *cut = &grid[0].dim[run - piece->dim];
        *cut = (ops_dim){bytes / width, piece->src == OPS_FILL ? 0 : width, width};
    }
    if (bytes % width == 0)
        return 1;
    grid[1] = grid[0];
    grid[1].dim[run - piece->dim].n = 1;
    grid[1].in += piece->src == OPS_FILL ? 0 : bytes - width;
    grid[1].out += bytes - width;
    return 2;
}

static int64_t slices_of(int64_t width)
{
    return OPS_BLOCK / width < OPS_SLICES ? OPS_BLOCK / width : OPS_SLICES;
}

static size_t cut_all(ops_arena *arena, const ops_piece *piece, size_t count, unsigned element,
                      int64_t width, ops_piece **grid)
{
    *grid = ztl_ops_borrow(arena, 2 * count * sizeof **grid);
    size_t grids = 0;
    for (size_t i = 0; *grid && i < count; i++)
        grids += cut_run(&piece[i], element, width, *grid + grids);
    return grids;
}

/* Pieces to be cut into slices; a single piece may have copies of its own. */
typedef struct slicing {
    const ops_piece *piece;
    size_t count;
    ops_piece first;
    ops_copies copies;
} slicing;

static void start_slicing(slicing *s, const ops_piece *piece, size_t count,
                          const ops_copies *copies)
{
    s->piece = piece;
    s->count = count;
    s->copies = (ops_copies){.count = 1};
    if (copies) {
        s->copies = *copies;
    } else if (count == 1) {
        s->first = piece[0];
        ztl_ops_take_copies(&s->first, &s->copies);
        s->piece = &s->first;
    }
}

/* How many slices the pieces are cut into. */
static int64_t count_slices(const slicing *s, unsigned element, int64_t width)
{
    int64_t slices = 0;
    for (size_t i = 0; i < s->count; i++) {
        int64_t bytes = ztl_ops_run_bytes(&s->piece[i], element);
        slices += ztl_ops_elements(&s->piece[i]) * element / bytes * ops_ceil(bytes, width);
    }
    return slices;
}

enum { MOST_INSNS = OPS_MOST_COPIES + 4 };

/* Loads, what is done to the elements, and stores; returns how many instructions. */
static unsigned program(const ops_planner *planner, const slicing *s, unsigned slices,
                        ops_insn *insn)
{
    unsigned n = 0;
    if (s->piece[0].src != OPS_FILL)
        insn[n++] = (ops_insn){.op = OPS_LOAD};
    if (planner->shifts) {
        insn[n++] = (ops_insn){.op = OPS_OP(OPS_LOAD, 1), .offset = 1};
        insn[n++] = (ops_insn){.op = OPS_SHIFT4, .arg = slices << 16 | 1 << 8 | 1};
    }
    if (planner->adds)
        insn[n++] = (ops_insn){.op = OPS_ADD, .arg = planner->type, .offset = planner->addend};
    for (unsigned c = 0; c < s->copies.count; c++)
        insn[n++] = (ops_insn){.op = OPS_STORE, .offset = s->copies.offset[c]};
    return n;
}

static ops_tile tile_of(const ops_piece *piece, unsigned width)
{
    ops_tile tile = ztl_ops_slice_tile(width);
    tile.in_width = piece->src == OPS_FILL ? 1 : width;
    return tile;
}

/* What a batch of slices of this width takes. */
static ops_use use_of(const ops_planner *planner, const slicing *s, int64_t width)
{
    ops_insn insn[MOST_INSNS];
    ops_tile tile = tile_of(s->piece, (unsigned)width);
    return ztl_ops_tile_use(planner, &tile, insn, program(planner, s, tile.slices, insn));
}

/* What slices of this width cost; NEVER if that is above the limit. */
static ops_cost cost_of(const ops_planner *planner, const slicing *s, int64_t width, ops_cost limit)
{
    size_t high = planner->arena->high;
    ops_piece *grid;
    size_t grids = cut_all(planner->arena, s->piece, s->count, planner->element, width, &grid);
    ops_tile tile = tile_of(s->piece, (unsigned)width);
    ops_use use = use_of(planner, s, width);
    ops_cost cost =
        grid ? ztl_ops_batches_cost(planner, &tile, grid, grids, &use, slices_of(width), limit.key)
             : OPS_NEVER;
    planner->arena->high = high;
    return cost;
}

/* Widths to try, and what each weighs at least: if all slices agree modulo the width. */
enum { MOST_WIDTHS = 80 };

typedef struct widths {
    unsigned count;
    unsigned width[MOST_WIDTHS];
    ops_cost least[MOST_WIDTHS];
} widths;

static void consider(const ops_planner *planner, const slicing *s, int64_t width, widths *all)
{
    unsigned unit = planner->adds                 ? planner->element
                    : s->piece[0].src == OPS_FILL ? planner->constant
                                                  : 1;
    if (width < 1 || width > OPS_BLOCK || width % unit || all->count == MOST_WIDTHS)
        return;
    for (unsigned i = 0; i < all->count; i++)
        if (all->width[i] == width)
            return;
    int64_t slices = count_slices(s, planner->element, width), most = slices_of(width);
    ops_use use = use_of(planner, s, width);
    all->width[all->count] = (unsigned)width;
    all->least[all->count++] = ztl_ops_price(planner, &use, ops_ceil(slices, most), most);
}

/* The cheapest width. Those that may cost least come first, so most need no counting. */
static ops_cost take_width(const ops_planner *planner, const slicing *s, widths *all, int64_t limit,
                           unsigned *chosen)
{
    ops_cost best = {limit + 1, 0, 0};
    unsigned best_at = MOST_WIDTHS;
    for (;;) {
        unsigned at = 0;
        for (unsigned i = 1; i < all->count; i++)
            if (ops_cheaper(all->least[i], all->least[at]))
                at = i;
        ops_cost least = all->least[at];
        if (!all->count || !ops_cheaper(all->least[at], OPS_NEVER) || ops_cheaper(best, least))
            break;
        ops_cost cost = cost_of(planner, s, all->width[at], best);
        if (ops_cheaper(cost, best) || (at < best_at && !ops_cheaper(best, cost))) {
            best = cost;
            best_at = at;
            *chosen = all->width[at];
        }
        all->least[at] = OPS_NEVER;
    }
    return best_at == MOST_WIDTHS || best.key > limit ? OPS_NEVER : best;
}

ops_cost ztl_ops_runs_cost(const ops_planner *planner, const ops_piece *piece, size_t count,
                           const ops_copies *copies, int64_t limit, unsigned *width)
{
    slicing s;
    start_slicing(&s, piece, count, copies);
    int64_t run = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        int64_t bytes = ztl_ops_run_bytes(&piece[i], planner->element);
        run = bytes < run ? bytes : run;
    }
    widths all = {.count = 0};
    *width = planner->element;
    int64_t least = run / 64 > 16 ? run / 64 : 16, last = 0;
    for (int64_t k = 1, most = count > 1 ? 16 : 64; k <= most; k++) {
        int64_t w = ops_ceil(run, k);
        if (w != last && (k == 1 || (run > planner->element && (w >= least || k <= 4))))
            consider(planner, &s, w, &all);
        last = w;
    }
    for (int64_t w = planner->element; w <= run && w <= OPS_BLOCK; w *= 2)
        consider(planner, &s, w, &all);
    return take_width(planner, &s, &all, limit < OPS_NEVER.key ? limit : OPS_NEVER.key - 1, width);
}

void ztl_ops_runs_write(ops_planner *planner, const ops_piece *piece, size_t count,
                        const ops_copies *copies, unsigned width)
{
    size_t high = planner->arena->high;
    ops_piece *grid;
    slicing s;
    start_slicing(&s, piece, count, copies);
    size_t grids = cut_all(planner->arena, s.piece, count, planner->element, width, &grid);
    if (!grid)
        return;
    bool fills = piece[0].src == OPS_FILL;
    ops_tile tile = tile_of(piece, width);
    ops_insn insn[MOST_INSNS];
    ops_pass form = {.kind = fills             ? OPS_PASS_FILL
                             : planner->shifts ? OPS_PASS_SHIFT4
                                               : OPS_PASS_RUNS,
                     .element = fills ? planner->constant : planner->element,
                     .insns = program(planner, &s, tile.slices, insn)};
    memcpy(form.value, planner->fill, sizeof form.value);
    ztl_ops_pack_batches(planner->draft, &form, insn, &tile, grid, grids);
    planner->arena->high = high;
}

/* Many constants are better grouped by length. */
static bool find(const ops_query *q, ops_node *found)
{
    if (q->piece->src == OPS_FILL && q->count > OPS_MOST_PARTS)
        return false;
    found->cost =
        ztl_ops_runs_cost(q->planner, q->piece, q->count, NULL, q->limit, &found->pick.width);
    found->detail = found->pick.width;
    return true;
}

static void write(const ops_query *q, const ops_node *node)
{
    ztl_ops_runs_write(q->planner, q->piece, q->count, NULL, node->pick.width);
}

const ops_way ztl_ops_way_runs = {"slices of width %u", find, NULL, write};
