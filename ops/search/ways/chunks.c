/* SPDX-License-Identifier: Apache-2.0
 * Chunks: a pass in one stage of PERMUTE. Source and target each have a run, of which chunks of 32
 * bytes are loaded, or stored; on the other side each element of a run is a row of its own, at any
 * multiple of 32 bytes:
 *
 *     source   a0 b0 c0 …                 a0 a1 a2 …   target
 *              a1 b1 c1 …        →        b0 b1 b2 …   wherever b belongs
 *     wherever row 1 is   …               c0 c1 c2 …
 *
 * A register has e tiles of 32/e by 32/e elements, e being the element's bytes: so many chunks of
 * the source's run by so many of the target's. Where a run ends before its last block of chunks
 * does, that one overlaps the one before. A batch is two registers, the second a constant step away
 * from the first, and PERMUTE transposes every tile; where nothing repeats by such a step, it is
 * one register.
 */
#include "ops/format/insn.h"
#include "ops/search/ways/way.h"

enum { MOST_GROUPS = 2048, MOST_INSNS = 5 };

/* Which run, or other loop, both registers of a batch are along. */
enum pair { PAIR_SOURCE, PAIR_TARGET, PAIR_LOOP, PAIR_NONE };

/* How chunks are dealt to batches. */
typedef struct deal {
    int64_t per;      /* elements of a chunk */
    int64_t tiles[2]; /* of a register, along the source's and the target's run */
    enum pair pair;
    unsigned loop;   /* PAIR_LOOP: this one */
    int64_t batches; /* all of them */
} deal;

int64_t ztl_ops_axis_place(const ops_axis *axis, int64_t k)
{
    int64_t place = 0;
    if (axis->place)
        return axis->place[k];
    for (unsigned d = 0; d < axis->dims; k /= axis->dim[d].n, d++)
        place += k % axis->dim[d].n * axis->dim[d].step;
    return place;
}

/* Whether its places are equal steps apart: it needs one stride vector, not one for each block. */
static bool is_even(const ops_axis *axis)
{
    return !axis->place && axis->dims == 1;
}

/* Elements of a register, and of a batch, along a run. */
static int64_t length_of(const deal *d, unsigned axis)
{
    return d->per * d->tiles[axis];
}

static int64_t block_of(const deal *d, unsigned axis)
{
    return length_of(d, axis) * (d->pair == axis ? 2 : 1);
}

/* Blocks of a run; a block of two registers may be longer than the run, and is one then. */
static int64_t blocks_of(const ops_chunks *c, const deal *d, unsigned axis)
{
    return ops_ceil(c->axis[axis].n, block_of(d, axis));
}

static int64_t groups_of(const ops_chunks *c, const deal *d, unsigned axis)
{
    return is_even(&c->axis[axis]) ? 1 : blocks_of(c, d, axis);
}

/* At most so many stride vectors: groups repeat after a common multiple of their length and of all
 * dimensions but the outermost, and the last one overlaps the one before. */
static int64_t vectors_of(const ops_chunks *c, const deal *d, unsigned axis)
{
    const ops_axis *run = &c->axis[axis];
    int64_t groups = groups_of(c, d, axis), inner = 1;
    for (unsigned k = 0; k + 1 < run->dims; k++)
        inner *= run->dim[k].n;
    int64_t most = inner / ztl_ops_gcd(inner, block_of(d, axis)) + 1;
    return groups > most && !run->place ? most : groups;
}

static int64_t pairs_of(const ops_dim *loop)
{
    return ops_ceil(loop->n, 2);
}

static unsigned insns_of(const deal *d)
{
    return d->pair == PAIR_NONE ? 3 : MOST_INSNS;
}

/* Counts the batches; false where chunks cannot be dealt like this. */
static bool count_batches(const ops_chunks *c, deal *d)
{
    for (unsigned a = 0; a < 2; a++)
        if (length_of(d, a) > c->axis[a].n || (d->pair == a && !is_even(&c->axis[a])))
            return false;
    d->batches = blocks_of(c, d, 0) * blocks_of(c, d, 1);
    for (unsigned k = 0; k < c->loops; k++)
        d->batches *= d->pair == PAIR_LOOP && d->loop == k ? pairs_of(&c->loop[k]) : c->loop[k].n;
    return groups_of(c, d, 0) * groups_of(c, d, 1) <= MOST_GROUPS;
}

/* The loop of which pairs waste least. */
static unsigned loop_of_pairs(const ops_chunks *c)
{
    unsigned best = 0;
    for (unsigned k = 1; k < c->loops; k++) {
        int64_t n = c->loop[k].n, m = c->loop[best].n;
        if (pairs_of(&c->loop[k]) * m < pairs_of(&c->loop[best]) * n)
            best = k;
    }
    return best;
}

/* The fewest instructions; false where there is no way to deal. */
static bool best_deal(const ops_chunks *c, int64_t element, deal *best)
{
    bool found = false;
    unsigned loop = loop_of_pairs(c);
    for (int64_t t = 1; t <= element; t *= 2)
        for (enum pair pair = PAIR_SOURCE; pair <= PAIR_NONE; pair++) {
            deal d = {.per = OPS_SLICE_BYTES / element,
                      .tiles = {t, element / t},
                      .pair = pair,
                      .loop = loop};
            if ((pair == PAIR_LOOP && (!c->loops || c->loop[loop].n < 2)) ||
                !count_batches(c, &d) ||
                (found && d.batches * insns_of(&d) >= best->batches * insns_of(best)))
                continue;
            *best = d;
            found = true;
        }
    return found;
}

/* The step from the first register of a batch to the second. */
static ops_batch second_of(const ops_chunks *c, int64_t element, const deal *d)
{
    if (d->pair == PAIR_LOOP)
        return (ops_batch){c->loop[d->loop].in, c->loop[d->loop].out};
    if (d->pair == PAIR_NONE)
        return (ops_batch){0, 0};
    const ops_axis *axis = &c->axis[d->pair];
    int64_t length = length_of(d, d->pair), k = axis->n < 2 * length ? axis->n - length : length;
    int64_t own = k * element, other = k * axis->dim[0].step;
    return d->pair == PAIR_SOURCE ? (ops_batch){own, other} : (ops_batch){other, own};
}

static void set_program(const ops_chunks *c, int64_t element, const deal *d, ops_insn *insn)
{
    bool pair = d->pair != PAIR_NONE;
    ops_batch second = second_of(c, element, d);
    uint32_t per = (uint32_t)d->per;
    *insn++ = (ops_insn){.op = OPS_OP(OPS_LOAD, 0)};
    if (pair)
        *insn++ = (ops_insn){.op = OPS_OP(OPS_LOAD, 1), .offset = second.in};
    *insn++ = (ops_insn){.op = OPS_PERMUTE,
                         .width = (uint8_t)ops_log2(element),
                         .arg = 2 * (uint32_t)element | per << 8 | per << 16 | 1u << 24};
    *insn++ = (ops_insn){.op = OPS_OP(OPS_STORE, 0)};
    if (pair)
        *insn++ = (ops_insn){.op = OPS_OP(OPS_STORE, 1), .offset = second.out};
}

ops_cost ztl_ops_chunks_cost(const ops_planner *planner, const ops_chunks *c)
{
    deal d;
    ops_insn insn[MOST_INSNS];
    if (!best_deal(c, planner->element, &d))
        return OPS_NEVER;
    set_program(c, planner->element, &d, insn);
    ops_tile tile = ztl_ops_slice_tile(OPS_SLICE_BYTES);
    ops_use use = ztl_ops_tile_use(planner, &tile, insn, insns_of(&d));
    return ztl_ops_price(planner, &use, d.batches,
                         OPS_SLICES * (1 + vectors_of(c, &d, 0) * vectors_of(c, &d, 1)));
}

/* Where a group begins; the last one overlaps the one before. */
static int64_t first_of(const ops_chunks *c, const deal *d, unsigned axis, int64_t group)
{
    int64_t length = block_of(d, axis), last = c->axis[axis].n - length;
    return group * length < last || is_even(&c->axis[axis]) ? group * length : last;
}

/* The strides of the side on which the rows of this run are: those of a group of it. */
static ops_vector vector_of(const ops_chunks *c, const deal *d, unsigned axis, int64_t group)
{
    ops_vector vector;
    const ops_axis *run = &c->axis[axis];
    int64_t first = first_of(c, d, axis, group), base = ztl_ops_axis_place(run, first);
    for (int64_t i = 0; i < OPS_SLICES; i++) {
        int64_t at[2] = {i / d->per % d->tiles[0], i / d->per / d->tiles[0]};
        int64_t place = ztl_ops_axis_place(run, first + at[axis] * d->per + i % d->per) - base;
        vector.stride[i] = (int32_t)(place / OPS_SLICE_BYTES + at[!axis]);
    }
    return vector;
}

/* What a pass is made of: loads have vectors of the groups of the target's run, whose rows are in
 * the source; stores have those of the source's. Many groups have the same. */
typedef struct parts {
    ops_vector *vector;
    uint16_t *number[2]; /* of the vector of each group */
    ops_group *group;
    ops_batch *batch;
    uint32_t vectors, groups, batches;
} parts;

/* Returns the first vector that is none of this run's. */
static uint32_t add_vectors(const ops_chunks *c, const deal *d, unsigned axis, parts *p)
{
    uint32_t first = p->vectors;
    for (int64_t g = 0; g < groups_of(c, d, axis); g++) {
        ops_vector own = vector_of(c, d, axis, g);
        uint32_t k = first;
        while (k < p->vectors && memcmp(&p->vector[k], &own, sizeof own))
            k++;
        if (k == p->vectors)
            p->vector[p->vectors++] = own;
        p->number[axis][g] = (uint16_t)k;
    }
    return p->vectors;
}

/* All batches with these vectors. */
static void add_group(const ops_chunks *c, int64_t element, const deal *d, uint32_t load,
                      uint32_t store, parts *p)
{
    p->group[p->groups] = (ops_group){.load = load, .store = store, .first = p->batches};
    for (int64_t j = 0; j < groups_of(c, d, 1); j++)
        for (int64_t i = 0; p->number[1][j] == load && i < groups_of(c, d, 0); i++) {
            if (p->number[0][i] != store)
                continue;
            int64_t from = first_of(c, d, 0, i), to = first_of(c, d, 1, j);
            p->batch[p->batches++] =
                (ops_batch){c->in + from * element + ztl_ops_axis_place(&c->axis[1], to),
                            c->out + ztl_ops_axis_place(&c->axis[0], from) + to * element};
        }
    p->group[p->groups].count = p->batches - p->group[p->groups].first;
    p->groups++;
}

static void set_groups(const ops_chunks *c, int64_t element, const deal *d, parts *p)
{
    uint32_t loads = add_vectors(c, d, 1, p), all = add_vectors(c, d, 0, p);
    for (uint32_t j = 0; j < loads; j++)
        for (uint32_t i = loads; i < all; i++)
            add_group(c, element, d, j, i, p);
}

/* A loop around all groups: whole blocks, and one at the end that overlaps the one before. */
typedef struct span {
    ops_dim whole;
    bool has_edge;
    ops_batch edge; /* where that is */
} span;

enum { SPANS = 3 };

static span span_of(ops_dim each, int64_t n, int64_t length)
{
    int64_t last = n - length;
    return (span){{n < length ? 1 : n / length, each.in * length, each.out * length},
                  n > length && n % length,
                  {last * each.in, last * each.out}};
}

static void set_spans(const ops_chunks *c, int64_t element, const deal *d, span *all)
{
    for (unsigned a = 0; a < 2; a++) {
        const ops_axis *axis = &c->axis[a];
        ops_dim each = {1, a ? axis->dim[0].step : element, a ? element : axis->dim[0].step};
        all[a] =
            is_even(axis) ? span_of(each, axis->n, block_of(d, a)) : (span){.whole = {1, 0, 0}};
    }
    all[2] = d->pair == PAIR_LOOP ? span_of(c->loop[d->loop], c->loop[d->loop].n, 2)
                                  : (span){.whole = {1, 0, 0}};
}

/* Whole blocks or the edge of each span, by the bits of `edges`: the loops of the pass, and where
 * its batches are. */
static ops_batch set_loops(const ops_chunks *c, const deal *d, const span *all, unsigned edges,
                           ops_pass *pass)
{
    ops_batch at = {0, 0};
    pass->loops = 0;
    for (unsigned k = 0; k < c->loops; k++)
        if (c->loop[k].n > 1 && (d->pair != PAIR_LOOP || d->loop != k))
            pass->loop[pass->loops++] = c->loop[k];
    for (unsigned s = SPANS; s-- > 0;) {
        if (edges >> s & 1) {
            at.in += all[s].edge.in;
            at.out += all[s].edge.out;
        } else if (all[s].whole.n > 1) {
            pass->loop[pass->loops++] = all[s].whole;
        }
    }
    return at;
}

static void write_passes(ops_planner *planner, const ops_chunks *c, const deal *d, parts *p)
{
    span all[SPANS];
    ops_insn insn[MOST_INSNS];
    ops_batch before = {0, 0};
    ops_pass pass = {.kind = OPS_PASS_TILES,
                     .src = c->src,
                     .dst = c->dst,
                     .load_width = OPS_SLICE_BYTES,
                     .store_width = OPS_SLICE_BYTES,
                     .slices = OPS_SLICES,
                     .element = planner->element,
                     .order = 0 | 2 << 2 | 1 << 4 | 3 << 6,
                     .insns = insns_of(d),
                     .vectors = p->vectors,
                     .groups = p->groups,
                     .batches = p->batches};
    set_program(c, planner->element, d, insn);
    set_spans(c, planner->element, d, all);
    for (unsigned edges = 0; edges < 1u << SPANS; edges++) {
        bool exists = true;
        for (unsigned s = 0; s < SPANS; s++)
            exists = exists && (!(edges >> s & 1) || all[s].has_edge);
        if (!exists)
            continue;
        ops_batch at = set_loops(c, d, all, edges, &pass);
        for (uint32_t i = 0; i < p->batches; i++) {
            p->batch[i].in += at.in - before.in;
            p->batch[i].out += at.out - before.out;
        }
        before = at;
        ztl_ops_write_pass(planner->draft, &pass, insn, p->vector, p->group, p->batch);
    }
}

/* The bytes of vectors, groups and batches. */
typedef struct sizes {
    size_t vectors, groups, batches, numbers[2];
} sizes;

static sizes sizes_of(const ops_chunks *c, const deal *d)
{
    size_t groups[2], vectors[2];
    for (unsigned a = 0; a < 2; a++) {
        groups[a] = (size_t)groups_of(c, d, a);
        vectors[a] = (size_t)vectors_of(c, d, a);
    }
    return (sizes){(vectors[0] + vectors[1]) * sizeof(ops_vector),
                   vectors[0] * vectors[1] * sizeof(ops_group),
                   groups[0] * groups[1] * sizeof(ops_batch),
                   {groups[0] * sizeof(uint16_t), groups[1] * sizeof(uint16_t)}};
}

/* They are made, and then copied to each pass. */
bool ztl_ops_chunks_fit(const ops_planner *planner, const ops_chunks *c)
{
    deal d;
    span all[SPANS];
    size_t passes = 1;
    if (!best_deal(c, planner->element, &d))
        return false;
    sizes s = sizes_of(c, &d);
    size_t each = s.vectors + s.groups + s.batches;
    set_spans(c, planner->element, &d, all);
    for (unsigned k = 0; k < SPANS; k++)
        passes += all[k].has_edge ? passes : 0;
    return each + s.numbers[0] + s.numbers[1] + 64 +
               passes * (each + sizeof(ops_pass) + MOST_INSNS * sizeof(ops_insn)) <=
           planner->draft->room;
}

void ztl_ops_chunks_write(ops_planner *planner, const ops_chunks *c)
{
    deal d;
    size_t high = planner->arena->high;
    if (!best_deal(c, planner->element, &d))
        return;
    sizes s = sizes_of(c, &d);
    parts p = {.vector = ztl_ops_borrow(planner->arena, s.vectors),
               .number = {ztl_ops_borrow(planner->arena, s.numbers[0]),
                          ztl_ops_borrow(planner->arena, s.numbers[1])},
               .group = ztl_ops_borrow(planner->arena, s.groups),
               .batch = ztl_ops_borrow(planner->arena, s.batches)};
    if (p.vector && p.number[0] && p.number[1] && p.group && p.batch) {
        set_groups(c, planner->element, &d, &p);
        write_passes(planner, c, &d, &p);
    }
    planner->arena->high = high;
}
