/* SPDX-License-Identifier: Apache-2.0
 * Tiles across the ends of rows: as in tiles.c, source and target have their runs along different
 * dimensions, and registers are permuted in stages. Here a run goes on through several dimensions
 * of any extents, as in long_runs.c, and rows may begin at any byte:
 *
 *     [77][5][7] → [7][5][77]     35 contiguous elements in the source: five chunks of 8, not 5 · 8
 *
 * What an element of a chunk lies from the first one, on the other side, differs from chunk to
 * chunk: by where in it rows end. Those with equal distances are a pattern. Patterns of both runs
 * by twos have a program and passes of their own; which bits of an element's number in its chunk
 * select the register follows from the distances.
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

enum {
    MOST_STARTS = 64,   /* of chunks of a run, without repetitions */
    MOST_PATTERNS = 24, /* of a run */
    MOST_PAIRS = 48,    /* of patterns */
    MOST_GRIDS = 32,    /* of a pair */
    MOST_PER = 32,      /* elements of a chunk */
    MOST_PROGRAM = 2 * 16 + OPS_MOST_STAGES * 9
};

/* Chunks that begin at equal steps, and have the same pattern. */
typedef struct start {
    int64_t own, other; /* where the first begins, on the run's side and on the other one */
    ops_dim each;       /* in: steps on the run's side, out: on the other one */
    unsigned pattern;
} start;

typedef struct pattern {
    int64_t place[MOST_PER];          /* of the elements of a chunk, on the other side */
    uint8_t set[OPS_MOST_STAGES + 1]; /* bits of their number that select among 2^m registers, or 0
                                         where those do not */
    int64_t chunks;
} pattern;

typedef struct run {
    unsigned starts, patterns;
    start start[MOST_STARTS];
    pattern pattern[MOST_PATTERNS];
} run;

/* All that a form of the way consists of. */
typedef struct across {
    ops_chunks c;
    int64_t element, per;
    run run[2]; /* of the source, and of the target */
} across;

/* Whether registers can be selected by these bits: elements are at the place of their register plus
 * that of their slice, which is a multiple of 32. */
static bool selects(const int64_t *place, int64_t per, unsigned set)
{
    for (unsigned k = 0; k < per; k++)
        if (place[k] != place[k & set] + place[k & ~set] || place[k & ~set] % OPS_SLICE_BYTES)
            return false;
    return true;
}

static unsigned count_bits(unsigned set)
{
    unsigned n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

/* False where no set of bits selects. */
static bool find_sets(pattern *p, int64_t per)
{
    unsigned must = 0;
    bool found = false;
    for (unsigned k = 1; k < per; k *= 2)
        must |= p->place[k] % OPS_SLICE_BYTES ? k : 0;
    memset(p->set, 0, sizeof p->set);
    for (unsigned set = must ? must : 1; set < per; set = (set + 1) | must) {
        unsigned m = count_bits(set);
        if (m > OPS_MOST_STAGES || p->set[m] || !selects(p->place, per, set))
            continue;
        p->set[m] = (uint8_t)set;
        found = true;
    }
    return found;
}

/* Where the elements of a chunk are on the other side, from the first one on. */
static void set_places(const ops_axis *axis, int64_t first, int64_t per, int64_t *place)
{
    int64_t digit[OPS_DIMS], at = 0;
    for (unsigned d = 0; d < axis->dims; first /= axis->dim[d].n, d++)
        digit[d] = first % axis->dim[d].n;
    for (int64_t k = 0; k < per; k++) {
        place[k] = at;
        for (unsigned d = 0; d < axis->dims; d++) {
            at += axis->dim[d].step;
            if (++digit[d] < axis->dim[d].n)
                break;
            at -= axis->dim[d].n * axis->dim[d].step;
            digit[d] = 0;
        }
    }
}

/* The number of the pattern of a chunk; MOST_PATTERNS if there are too many, or it is none. */
static unsigned pattern_of(run *r, const ops_axis *axis, int64_t first, int64_t per)
{
    pattern *p = &r->pattern[r->patterns], *known;
    if (r->patterns == MOST_PATTERNS)
        return MOST_PATTERNS;
    set_places(axis, first, per, p->place);
    for (known = r->pattern; memcmp(known->place, p->place, (size_t)per * sizeof known->place[0]);)
        known++;
    if (known == p) {
        if (!find_sets(p, per))
            return MOST_PATTERNS;
        p->chunks = 0;
        r->patterns++;
    }
    return (unsigned)(known - r->pattern);
}

static bool add_start(run *r, const ops_axis *axis, int64_t first, ops_dim each, const across *x)
{
    unsigned p = pattern_of(r, axis, first, x->per);
    if (p == MOST_PATTERNS || r->starts == MOST_STARTS)
        return false;
    r->pattern[p].chunks += each.n;
    r->start[r->starts++] = (start){first * x->element, ztl_ops_axis_place(axis, first), each, p};
    return true;
}

/* The chunks of a run. They repeat after a common multiple of a chunk and of all dimensions but the
 * outermost; the last one overlaps the one before. */
static bool find_chunks(across *x, unsigned a)
{
    run *r = &x->run[a];
    const ops_axis *axis = &x->c.axis[a];
    int64_t inner = 1, last = axis->n - x->per;
    for (unsigned d = 0; d + 1 < axis->dims; d++)
        inner *= axis->dim[d].n;
    int64_t period = inner / ztl_ops_gcd(inner, x->per) * x->per;
    ops_dim each = {1, period * x->element, period / inner * axis->dim[axis->dims - 1].step};
    r->starts = r->patterns = 0;
    for (int64_t first = 0; first < period && first <= last; first += x->per) {
        each.n = (last - first) / period + 1;
        if (!add_start(r, axis, first, each, x))
            return false;
    }
    each.n = 1;
    return axis->n % x->per == 0 || add_start(r, axis, last, each, x);
}

/* The stages of a pair of patterns; 0 for none. */
static unsigned stages_of(const pattern *source, const pattern *target)
{
    for (unsigned m = 1; m <= OPS_MOST_STAGES; m++)
        if (source->set[m] && target->set[m])
            return m;
    return 0;
}

/* The bits of a tile: of the byte, of the source's run, of the target's, of the instances. */
static void set_tiles(const across *x, const pattern *source, const pattern *target, unsigned m,
                      ops_tiles *t)
{
    unsigned bytes = ops_log2(x->element), bits = ops_log2(x->per);
    *t = (ops_tiles){.run = {5, 5}, .stages = m, .copies = {.count = 1}};
    for (unsigned k = 0; k < bytes; k++)
        t->bit[t->bits++] = (ops_bit){.in_low = (int8_t)k, .out_low = (int8_t)k};
    for (unsigned k = 0; k < bits; k++)
        t->bit[t->bits++] = (ops_bit){.in_low = (int8_t)(bytes + k),
                                      .out_low = -1,
                                      .in_fits = true,
                                      .out_fits = !(source->set[m] >> k & 1)};
    for (unsigned k = 0; k < bits; k++)
        t->bit[t->bits++] = (ops_bit){.in_low = -1,
                                      .out_low = (int8_t)(bytes + k),
                                      .in_fits = !(target->set[m] >> k & 1),
                                      .out_fits = true};
    t->instance_bits = 10 + m - t->bits;
    while (t->bits < 10 + m)
        t->bit[t->bits++] = (ops_bit){.in_low = -1, .out_low = -1, .is_instance = true};
}

/* Everything about one pair of patterns. */
typedef struct pair {
    const pattern *source, *target;
    ops_tiles tiles;
    unsigned instances; /* of a batch */
    unsigned grids;
    ops_piece grid[MOST_GRIDS];
} pair;

/* Where the chunks of both patterns are. */
static bool set_grids(const across *x, const ops_piece *piece, pair *p)
{
    p->grids = 0;
    for (unsigned i = 0; i < x->run[0].starts; i++)
        for (unsigned j = 0; j < x->run[1].starts; j++) {
            const start *from = &x->run[0].start[i], *to = &x->run[1].start[j];
            if (&x->run[0].pattern[from->pattern] != p->source ||
                &x->run[1].pattern[to->pattern] != p->target)
                continue;
            if (p->grids == MOST_GRIDS)
                return false;
            ops_piece *grid = &p->grid[p->grids++];
            *grid = (ops_piece){.src = piece->src,
                                .dst = piece->dst,
                                .in = piece->in + from->own + to->other,
                                .out = piece->out + from->other + to->own};
            for (unsigned d = 0; d < x->c.loops; d++)
                grid->dim[grid->rank++] = x->c.loop[d];
            if (from->each.n > 1)
                grid->dim[grid->rank++] = from->each;
            if (to->each.n > 1)
                grid->dim[grid->rank++] = (ops_dim){to->each.n, to->each.out, to->each.in};
        }
    return true;
}

static bool set_pair(const across *x, const ops_piece *piece, unsigned i, unsigned j, pair *p)
{
    p->source = &x->run[0].pattern[i];
    p->target = &x->run[1].pattern[j];
    unsigned m = stages_of(p->source, p->target);
    if (!m)
        return false;
    set_tiles(x, p->source, p->target, m, &p->tiles);
    p->instances = 1u << p->tiles.instance_bits;
    return set_grids(x, piece, p);
}

static ops_tile tile_of(const pair *p)
{
    ops_tile tile = ztl_ops_slice_tile(OPS_SLICE_BYTES);
    tile.instances = p->instances;
    return tile;
}

static ops_use use_of(const ops_planner *planner, unsigned m)
{
    const ops_tiles tiles = {.run = {5, 5}, .stages = m, .copies = {.count = 1}};
    return ztl_ops_tiles_use(planner, &tiles);
}

/* What all batches take if none is partly filled; NEVER where a pair has no stages. */
static int64_t least_of(const ops_planner *planner, const across *x)
{
    int64_t sum = 0, loops = 1;
    unsigned bits = ops_log2(x->element) + 2 * ops_log2(x->per);
    for (unsigned d = 0; d < x->c.loops; d++)
        loops *= x->c.loop[d].n;
    for (unsigned i = 0; i < x->run[0].patterns; i++)
        for (unsigned j = 0; j < x->run[1].patterns; j++) {
            const pattern *source = &x->run[0].pattern[i], *target = &x->run[1].pattern[j];
            unsigned m = stages_of(source, target);
            if (!m)
                return OPS_NEVER.key;
            int64_t tiles = source->chunks * target->chunks * loops;
            ops_use use = use_of(planner, m);
            sum +=
                ztl_ops_price(planner, &use, ops_ceil(tiles, INT64_C(1) << (10 + m - bits)), 0).key;
        }
    return sum;
}

/* The cost of a form, or NEVER above the limit. */
static ops_cost cost_of(ops_planner *planner, const across *x, const ops_piece *piece,
                        int64_t limit)
{
    ops_cost sum = {0, 0, 0};
    pair p;
    for (unsigned i = 0; i < x->run[0].patterns; i++)
        for (unsigned j = 0; j < x->run[1].patterns; j++) {
            if (sum.key > limit || !set_pair(x, piece, i, j, &p))
                return OPS_NEVER;
            ops_tile tile = tile_of(&p);
            ops_use use = use_of(planner, p.tiles.stages);
            sum = ops_sum(sum,
                          ztl_ops_batches_cost(planner, &tile, p.grid, p.grids, &use, 64, limit));
            if (sum.key > limit || !ztl_ops_has_permutes(planner, &p.tiles))
                return OPS_NEVER;
        }
    return sum;
}

/* Runs of so many dimensions, if they may cost less than the limit. */
static bool set_across(ops_planner *planner, const ops_piece *piece, const ops_chain chain[2],
                       unsigned from, unsigned to, int64_t limit, across *x)
{
    x->element = planner->element;
    x->per = OPS_SLICE_BYTES / x->element;
    if (!ztl_ops_set_chunks(piece, chain, from, to, planner->element, &x->c))
        return false;
    int64_t tiles = ops_ceil(x->c.axis[0].n, x->per) * ops_ceil(x->c.axis[1].n, x->per);
    for (unsigned d = 0; d < x->c.loops; d++)
        tiles *= x->c.loop[d].n;
    ops_use use = use_of(planner, 1);
    int64_t batches = tiles * x->per * OPS_SLICE_BYTES / (2 * OPS_BLOCK);
    if (ztl_ops_price(planner, &use, batches, 0).key > limit || !find_chunks(x, 0) ||
        !find_chunks(x, 1))
        return false;
    planner->draft->effort += (x->run[0].starts + x->run[1].starts) * (uint64_t)x->per;
    return x->run[0].patterns * x->run[1].patterns <= MOST_PAIRS && least_of(planner, x) <= limit;
}

static bool find(const ops_query *q, ops_node *found)
{
    const ops_piece *piece = q->piece;
    ops_planner *planner = q->planner;
    int64_t limit = ops_reach(q, q->best->cost);
    if (planner->element > 8 || !ztl_ops_is_within_reach(piece) ||
        (q->depth == 0 && planner->draft->level == ZTL_OPS_QUICK))
        return false;
    const ops_chain chain[2] = {ztl_ops_follow_run(piece, planner->element, true, 1),
                                ztl_ops_follow_run(piece, planner->element, false, 1)};
    for (unsigned from = 1; from <= chain[0].dims; from++)
        for (unsigned to = 1; to <= chain[1].dims; to++) {
            across x;
            if (!set_across(planner, piece, chain, from, to, limit, &x))
                continue;
            ops_cost cost = cost_of(planner, &x, piece, limit);
            if (!ops_cheaper(cost, found->cost))
                continue;
            found->cost = cost;
            found->pick.runs.from = (uint8_t)from;
            found->pick.runs.to = (uint8_t)to;
            limit = cost.key < limit ? cost.key : limit;
        }
    return ops_cheaper(found->cost, OPS_NEVER);
}

/* The number of an element in its chunk, from the bits that are set at `count` positions. */
static unsigned number_of(const across *x, const uint8_t *layout, unsigned count, unsigned value,
                          bool is_source)
{
    unsigned first = ops_log2(x->element) + (is_source ? ops_log2(x->per) : 0), number = 0;
    for (unsigned k = 0; k < count; k++)
        if (value >> k & 1 && layout[k] >= first && layout[k] < first + ops_log2(x->per))
            number |= 1u << (layout[k] - first);
    return number;
}

static void place_slices(const across *x, const ops_tiles *t, const uint8_t *layout, bool is_source,
                         const int64_t *place, int64_t *at, uint8_t *instance)
{
    unsigned first = t->bits - t->instance_bits;
    for (unsigned i = 0; i < OPS_SLICES; i++) {
        at[i] = place[number_of(x, &layout[t->run[0]], 5, i, is_source)];
        instance[i] = 0;
        for (unsigned k = 0; k < 5; k++)
            if (i >> k & 1 && layout[t->run[0] + k] >= first)
                instance[i] |= (uint8_t)(1 << (layout[t->run[0] + k] - first));
    }
}

static void write_pair(ops_planner *planner, const across *x, pair *p)
{
    ops_tiles *t = &p->tiles;
    int64_t in[1 << OPS_MOST_STAGES], out[1 << OPS_MOST_STAGES];
    ztl_ops_find_permutes(t);
    for (unsigned r = 0; r < 1u << t->stages; r++) {
        in[r] = p->target->place[number_of(x, &t->start[10], t->stages, r, true)];
        out[r] = p->source->place[number_of(x, &t->end[10], t->stages, r, false)];
    }
    ops_tile tile = tile_of(p);
    place_slices(x, t, t->start, true, p->target->place, tile.in, tile.in_of);
    place_slices(x, t, t->end, false, p->source->place, tile.out, tile.out_of);
    ops_insn insn[MOST_PROGRAM];
    ops_pass form = {.kind = OPS_PASS_TILES,
                     .element = planner->element,
                     .order = t->stage[0].order,
                     .insns = ztl_ops_tiles_program(t, in, out, insn)};
    ztl_ops_pack_batches(planner->draft, &form, insn, &tile, p->grid, p->grids);
}

static void write(const ops_query *q, const ops_node *node)
{
    across x;
    pair p;
    ops_planner *planner = q->planner;
    const ops_piece *piece = q->piece;
    const ops_chain chain[2] = {ztl_ops_follow_run(piece, planner->element, true, 1),
                                ztl_ops_follow_run(piece, planner->element, false, 1)};
    if (!set_across(planner, piece, chain, node->pick.runs.from, node->pick.runs.to, OPS_NEVER.key,
                    &x))
        return;
    for (unsigned i = 0; i < x.run[0].patterns; i++)
        for (unsigned j = 0; j < x.run[1].patterns; j++)
            if (set_pair(&x, piece, i, j, &p))
                write_pair(planner, &x, &p);
}

const ops_way ztl_ops_way_across = {"tiles across the ends of rows", find, NULL, write};
