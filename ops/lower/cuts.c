/* SPDX-License-Identifier: Apache-2.0
 * Which slices move runs at places that indices decide, by counting what each way takes. The slices
 * of an instruction are equally wide and lie multiples of that apart, so that
 *
 * - widths that divide all steps share an instruction as they come;
 * - a slice on its own may lie anywhere: whole registers of long runs need nothing else;
 * - runs of a gather that lie at any distance are sorted: format/indexed.h.
 *
 * A run is cut into up to three parts that go different ways; that of a scatter, whose order
 * counts, into two that are not sorted.
 */
#include "ops/lower/cuts.h"

#include "ops/format/plan.h"

enum { NARROW = OPS_SLICE_BYTES / 2 /* bytes */ };

int64_t ztl_ops_common_step(const ops_lookup *x)
{
    int64_t common = 0;
    for (unsigned d = 0; d < x->rank; d++)
        common = ztl_ops_gcd(ztl_ops_gcd(common, ops_magnitude(x->dim[d].in)),
                             ops_magnitude(x->dim[d].out));
    for (unsigned j = 0; x->form != OPS_INDEX_SELECTS && j < x->count; j++)
        common = ztl_ops_gcd(common, ops_magnitude(x->index[j].stride));
    return common;
}

int64_t ztl_ops_positions(const ops_lookup *x)
{
    int64_t n = 1;
    for (unsigned d = 0; d < x->rank; d++)
        n *= x->dim[d].n;
    return n < x->most ? n : x->most;
}

/* How far from the first byte the bytes of a side are, at most. */
static int64_t reach(const ops_lookup *x)
{
    int64_t in = 0, out = 0, place = 0;
    for (unsigned d = 0; d < x->rank; d++) {
        in += (x->dim[d].n - 1) * ops_magnitude(x->dim[d].in);
        out += (x->dim[d].n - 1) * ops_magnitude(x->dim[d].out);
    }
    for (unsigned j = 0; x->form != OPS_INDEX_SELECTS && j < x->count; j++)
        place += x->index[j].extent * ops_magnitude(x->index[j].stride);
    return (in > out ? in : out) + place;
}

/* What is looked for: the fewest batches; or with a limit, of those that stay below, the least
 * work. */
typedef struct search {
    const ops_lookup *x;
    int64_t count, common, source, far, limit;
} search;

/* Strides that are written, and indices that are read again, for a run. */
static int64_t work_of(const ops_form *f)
{
    return (f->classes ? 3 : 2) * f->parts + 2;
}

static bool is_less(const search *s, int64_t batches, int64_t work, int64_t than, int64_t than_work)
{
    if (batches > s->limit || than > s->limit)
        return batches < than;
    return work != than_work ? work < than_work : batches < than;
}

static void keep_best(const search *s, const ops_form *f, ops_form *best)
{
    if (is_less(s, f->batches, work_of(f), best->batches, work_of(best)))
        *best = *f;
}

/* Parts of a run that fill registers together as they come, or one at a time, which needs no
 * strides. */
static ops_form plain_form(const search *s, int64_t run)
{
    int64_t parts = ops_ceil(run, OPS_BLOCK), common = ztl_ops_gcd(s->common, run);
    ops_form best = {ops_ceil(run, parts), parts, 1, s->count * parts, 0, 0, 0};
    for (int64_t width = common < OPS_BLOCK / 2 ? common : OPS_BLOCK / 2; width > 0; width--) {
        ops_form f = {width, run / width, OPS_BLOCK / width, 0, 0, 0, 0};
        if (common % width || s->far / width > INT32_MAX - OPS_SLICES)
            continue;
        f.slices = f.slices > OPS_SLICES ? OPS_SLICES : f.slices;
        f.slices = f.slices > s->count * f.parts ? s->count * f.parts : f.slices;
        f.batches = ops_ceil(s->count * f.parts, f.slices);
        if (f.slices > 1)
            keep_best(s, &f, &best);
    }
    return best;
}

/* What the places of all sources have in common. */
static int64_t common_source(const ops_lookup *x)
{
    int64_t common = 0;
    for (unsigned d = 0; d < x->rank; d++)
        common = ztl_ops_gcd(common, ops_magnitude(x->dim[d].in));
    for (unsigned j = 0; x->form == OPS_INDEX_GATHERS && j < x->count; j++)
        common = ztl_ops_gcd(common, ops_magnitude(x->index[j].stride));
    return common;
}

/* Batches for n positions of a class in queues of equal residues, each of which ends with one that
 * may not be full. */
static int64_t class_batches(const ops_form *f, int64_t n, int64_t queues)
{
    int64_t spare = f->slices - ztl_ops_gcd(f->parts, f->slices);
    queues = n < queues ? n : queues;
    return (n * f->parts + queues * spare) / f->slices;
}

/* Slices of runs that are sorted. */
static ops_form sorted_form(const search *s, int64_t width, int64_t parts)
{
    const ops_lookup *x = s->x;
    ops_form f = {width, parts, OPS_BLOCK / width, INT64_MAX, 0, 0, 0};
    const ops_dim *last = &x->dim[x->rank - 1];
    int64_t n = last->n, outer = s->count / n;
    f.slices = f.slices > OPS_SLICES ? OPS_SLICES : f.slices;
    if (f.slices < 2 || s->far / width >= INT32_MAX - OPS_BLOCK)
        return f;
    f.classes = width / ztl_ops_gcd(width, ops_magnitude(last->out));
    f.classes = f.classes < n ? f.classes : n;
    f.grain = ztl_ops_gcd(width, s->source);
    int64_t queues = width / f.grain, longer = n % f.classes, shortest = n / f.classes;
    if (x->count == 1 && last->in == 0 && x->index->extent < queues)
        queues = x->index->extent;
    f.batches = outer * (longer * class_batches(&f, shortest + 1, queues) +
                         (f.classes - longer) * class_batches(&f, shortest, queues));
    f.partial = outer * f.classes * queues;
    return f;
}

static void add_cut(ops_cuts *cuts, int64_t at, int64_t run, const ops_form *f)
{
    cuts->cut[cuts->count++] = (ops_cut){at, run, *f};
    cuts->batches += f->batches;
    cuts->work += work_of(f);
}

/* A part of a run, less than a register, in slices of one width. */
static ops_form one_width(const search *s, int64_t run)
{
    ops_form best = plain_form(s, run);
    for (int64_t parts = 1; parts == 1 || run / parts >= NARROW; parts++)
        if (run % parts == 0) {
            ops_form f = sorted_form(s, run / parts, parts);
            keep_best(s, &f, &best);
        }
    return best;
}

/* The rest of a run from `at` on. Strides of narrow slices do not reach far, and no more of them
 * than of wider ones are moved at once: these begin earlier, over what is there already. */
static void add_rest(const search *s, int64_t at, int64_t run, ops_cuts *cuts)
{
    ops_form f = one_width(s, run - at);
    int64_t wider = run - at < NARROW && run > NARROW ? run - NARROW : at;
    ops_form other = wider < at ? sorted_form(s, NARROW, 1) : f;
    if (other.batches < f.batches)
        add_cut(cuts, wider, run - wider, &other);
    else
        add_cut(cuts, at, run - at, &f);
}

/* The fewest batches that slices of a width can take, with a rest of another in 32 at a time. */
static int64_t least_batches(const search *s, int64_t width, int64_t parts)
{
    int64_t slices = OPS_BLOCK / width < OPS_SLICES ? OPS_BLOCK / width : OPS_SLICES;
    return s->count * parts / slices + s->count / OPS_SLICES;
}

/* What follows `at`, less than a register: slices of one width, or of one and then of another. */
static void cover(const search *s, int64_t at, int64_t run, ops_cuts *cuts)
{
    int64_t left = run - at;
    ops_cuts best = *cuts;
    add_rest(s, at, run, &best);
    for (int64_t width = left > OPS_BLOCK / 2 ? OPS_BLOCK / 2 : left - 1; width >= NARROW;
         width--) {
        int64_t parts = left / width, rest = left % width;
        int64_t most = best.batches > s->limit ? best.batches : s->limit;
        bool more = best.batches <= s->limit && cuts->work + 3 * parts > best.work;
        if (rest == 0 || more || cuts->batches + least_batches(s, width, parts) > most)
            continue;
        ops_form f = sorted_form(s, width, parts);
        if (f.batches > most - cuts->batches)
            continue;
        ops_cuts tried = *cuts;
        add_cut(&tried, at, left - rest, &f);
        add_rest(s, run - rest, run, &tried);
        if (is_less(s, tried.batches, tried.work, best.batches, best.work))
            best = tried;
    }
    *cuts = best;
}

/* Slices of one width for all of a run; or whole registers first, and then what remains. */
static void cut_within(const search *s, int64_t run, ops_cuts *best)
{
    int64_t blocks = run / OPS_BLOCK;
    ops_form plain = plain_form(s, run);
    ops_form block = {OPS_BLOCK, blocks, 1, s->count * blocks, 0, 0, 0};
    ops_cuts cuts = {.count = 0};
    *best = (ops_cuts){.count = 0};
    add_cut(best, 0, run, &plain);
    bool gathers = s->x->form == OPS_INDEX_GATHERS;
    if (!gathers && (s->x->form != OPS_INDEX_SCATTERS || !blocks || run % OPS_BLOCK == 0))
        return;
    if (blocks)
        add_cut(&cuts, 0, blocks * OPS_BLOCK, &block);
    if (gathers && run % OPS_BLOCK)
        cover(s, blocks * OPS_BLOCK, run, &cuts);
    if (!gathers) { /* updates stay in their order: they are not sorted */
        ops_form rest = plain_form(s, run % OPS_BLOCK);
        add_cut(&cuts, blocks * OPS_BLOCK, run % OPS_BLOCK, &rest);
    }
    if (is_less(s, cuts.batches, cuts.work, best->batches, best->work))
        *best = cuts;
}

/* A twentieth more instructions are worth less work around them: a slice takes some twenty
 * instructions of a hart. */
void ztl_ops_cut_run(const ops_lookup *x, int64_t run, ops_cuts *cuts)
{
    search s = {x, ztl_ops_positions(x), ztl_ops_common_step(x), common_source(x), reach(x), 0};
    cut_within(&s, run, cuts);
    s.limit = cuts->batches + cuts->batches / 20;
    cut_within(&s, run, cuts);
}
