/* SPDX-License-Identifier: Apache-2.0
 * Where: a mask of its condition selects slices along one dimension. A slice is an element, or,
 * if the condition is broadcast along a run of both tensors, as much of that run as fits.
 */
#include "ops/lower/lower.h"

#include "ops/format/insn.h"
#include "ops/map/broadcast.h"

enum { CONDITION, VALUE, TARGET, TENSORS };

/* Slices of `width` bytes, `slices` at a time along loop `inner`; they shorten loop `run`. */
typedef struct form {
    unsigned inner, run;
    int64_t width, slices;
    int64_t count; /* of masks */
} form;

/* Whether the slices are in reach of strides. */
static bool fits(const int64_t *step, int64_t width)
{
    int64_t most = INT32_MAX / OPS_SLICES * width;
    for (unsigned i = VALUE; i < TENSORS; i++)
        if (step[i] % width || step[i] > most || step[i] < -most)
            return false;
    return true;
}

static void try_form(const ops_loops *loops, unsigned inner, unsigned run, int64_t part,
                     int64_t unit, form *best)
{
    form f = {.inner = inner, .run = run, .width = part * unit};
    int64_t n = loops->n[inner], most = OPS_BLOCK / f.width;
    if (!fits(loops->step[inner], f.width))
        return;
    f.slices = most > OPS_SLICES ? OPS_SLICES : most;
    f.slices = n < f.slices ? n : f.slices;
    f.count = ops_ceil(n, f.slices);
    for (unsigned d = 0; d < loops->rank; d++)
        f.count *= d == inner ? 1 : d == run ? loops->n[d] / part : loops->n[d];
    if (best->width == 0 || f.count < best->count)
        *best = f;
}

static bool is_run(const ops_loops *loops, unsigned d, int64_t unit)
{
    const int64_t *step = loops->step[d];
    return step[CONDITION] == 0 && step[VALUE] == unit && step[TARGET] == unit;
}

/* The form with the fewest masks; width 0 if elements can only be moved one by one. */
static form best_form(const ops_loops *loops, int64_t unit)
{
    form best = {.inner = (unsigned)loops->rank - 1};
    for (unsigned d = 0; unit && d < loops->rank; d++) {
        try_form(loops, d, d, 1, unit, &best);
        for (unsigned r = 0; r < loops->rank; r++)
            for (int64_t part = 2; r != d && is_run(loops, r, unit) && part <= loops->n[r] &&
                                   part * unit <= OPS_BLOCK;
                 part++)
                if (loops->n[r] % part == 0)
                    try_form(loops, d, r, part, unit, &best);
    }
    return best;
}

/* The loops in the order of the form; the condition's steps take the place of batches. */
static void set_loops(ops_pass *pass, const ops_loops *loops, const form *f, int64_t unit)
{
    ops_batch *step = ops_pass_batches(pass);
    for (unsigned k = 0; k < loops->rank; k++) {
        unsigned d = k + 1 == loops->rank ? f->inner : k < f->inner ? k : k + 1;
        int64_t part = f->width && d == f->run && d != f->inner ? f->width / unit : 1;
        pass->loop[k] = (ops_dim){loops->n[d] / part, loops->step[d][VALUE] * part,
                                  loops->step[d][TARGET] * part};
        step[k] = (ops_batch){.in = loops->step[d][CONDITION]};
    }
    pass->loops = (uint32_t)loops->rank;
    step[pass->loops] = (ops_batch){.in = loops->at[CONDITION]};
}

static void count(ztl_ops_stats *stats, const ops_pass *pass, const form *f)
{
    uint64_t positions = 1;
    for (unsigned d = 0; d < pass->loops; d++)
        positions *= (uint64_t)pass->loop[d].n;
    stats->scalar_reads += positions;
    if (!f->width) {
        stats->scalar += positions;
        return;
    }
    ztl_ops_count(stats, OPS_START_WHERE, 1);
    ztl_ops_count(stats, OPS_WHERE, (uint64_t)f->count);
    stats->csr += 8 * (uint64_t)ops_ceil(f->slices, 4); /* strides */
}

void ztl_ops_lower_where(ops_planner *planner, const ops_call *call, const ops_unpacked *unpacked)
{
    const ztl_ops_tensor *tensor[TENSORS] = {&call->in[0], &call->in[1], call->out};
    if (ztl_ops_tensor_elements(call->out) == 0)
        return;
    ops_loops loops = ztl_ops_loops_of(tensor, TENSORS);
    int64_t unit = unpacked ? 1 : call->out->bits / 8;
    form f = best_form(&loops, unit);
    ops_pass head = {.kind = OPS_PASS_WHERE,
                     .src = 1,
                     .dst = OPS_OUT,
                     .in = loops.at[VALUE],
                     .out = loops.at[TARGET],
                     .load_width = (uint32_t)f.width,
                     .store_width = (uint32_t)f.width,
                     .slices = (uint32_t)f.slices,
                     .element = (uint32_t)unit,
                     .value = {OPS_UNCHANGED},
                     .batches = (uint32_t)loops.rank + 1};
    if (unpacked) {
        head.in = ztl_ops_unpacked_at(unpacked, 1, head.in);
        head.out = ztl_ops_unpacked_at(unpacked, OPS_OUT, head.out);
        head.src = head.dst = OPS_SCRATCH;
    }
    ops_pass *pass = ztl_ops_write_head(planner->draft, &head);
    if (!pass)
        return;
    set_loops(pass, &loops, &f, unit);
    count(&planner->draft->plan->stats, pass, &f);
}
