/* SPDX-License-Identifier: Apache-2.0
 * Indices at run time: a run of bytes that does not depend on them is cut into slices, and as many
 * slices as a register holds are moved at once, from and to anywhere.
 */
#include "ops/lower/cuts.h"
#include "ops/lower/lower.h"

#include "ops/format/indexed.h"
#include "ops/format/insn.h"
#include "ops/map/lookup.h"

/* The last loop is not like the others where its positions depend on each other. */
static bool is_fixed(const ops_lookup *x, unsigned d)
{
    return d + 1 == x->rank && (x->form == OPS_INDEX_ROTATES || x->form == OPS_INDEX_SELECTS);
}

static void drop(ops_lookup *x, unsigned d)
{
    x->rank--;
    memmove(&x->dim[d], &x->dim[d + 1], (x->rank - d) * sizeof *x->dim);
    memmove(&x->step[d], &x->step[d + 1], (x->rank - d) * sizeof *x->step);
}

/* Whether loop d + 1 ends where the next position of loop d begins. */
static bool continues(const ops_lookup *x, unsigned d)
{
    const ops_dim *outer = &x->dim[d], *inner = &x->dim[d + 1];
    if (outer->in != inner->in * inner->n || x->step[d] != x->step[d + 1] * inner->n)
        return false;
    return x->flat || (!is_fixed(x, d + 1) && outer->out == inner->out * inner->n);
}

/* Loops of 1 go, and loops that continue each other become one; at least one remains. */
static void join_loops(ops_lookup *x)
{
    for (unsigned d = x->rank; d-- > 0;)
        if (x->dim[d].n == 1 && !is_fixed(x, d))
            drop(x, d);
    for (unsigned d = x->rank; d-- > 0;)
        if (d + 1 < x->rank && continues(x, d)) {
            x->dim[d + 1].n *= x->dim[d].n;
            drop(x, d);
        }
    if (x->rank == 0)
        ops_lookup_dim(x, 1, 0, 0, 0);
    for (unsigned d = 0; x->flat && d + 1 < x->rank; d++)
        x->dim[d].out = 0; /* positions are counted on */
}

/* Takes loops without indices that are runs of both sides out of the nest; returns what a run has,
 * in units, with `unit` for an element. */
static int64_t take_run(ops_lookup *x, int64_t unit)
{
    int64_t run = unit;
    for (unsigned d = x->rank; d-- > 0 && x->rank > 1;)
        if (x->step[d] == 0 && x->dim[d].in == run && x->dim[d].out == run && !is_fixed(x, d)) {
            run *= x->dim[d].n;
            drop(x, d);
            d = x->rank;
        }
    return run;
}

/* Nibbles in whole bytes become bytes. */
static bool to_bytes(ops_lookup *x, int64_t *run)
{
    if (ztl_ops_gcd(ztl_ops_common_step(x), *run) % 2 || x->in % 2 || x->out % 2)
        return false;
    *run /= 2;
    x->in /= 2;
    x->out /= 2;
    for (unsigned d = 0; d < x->rank; d++) {
        x->dim[d].in /= 2;
        x->dim[d].out /= 2;
    }
    for (unsigned j = 0; j < ZTL_OPS_RANK; j++)
        x->index[j].stride /= 2;
    return true;
}

/* The step from slice to slice where it is `step` from run to run; 0 where it is not always the
 * same. */
static int64_t slice_step(int64_t step, int64_t parts)
{
    return parts == 1 ? step : step == parts ? 1 : 0;
}

/* The step from slice to slice of one side, where all of them are at equal distances; else 0. */
static int64_t even_step(const ops_lookup *x, bool out, int64_t parts)
{
    const ops_dim *last = &x->dim[x->rank - 1];
    int64_t step = out ? last->out : last->in, n = last->n;
    for (unsigned d = x->rank - 1; d-- > 0; n *= x->dim[d].n)
        if ((out ? x->dim[d].out : x->dim[d].in) != step * n)
            return 0;
    if (n == 1) /* one run: any step would do */
        return 1;
    return slice_step(step, parts);
}

/* Which side is at equal distances: the one that indices do not decide. */
static void set_steps(ops_indexed *head, const ops_lookup *x)
{
    if (x->form == OPS_INDEX_GATHERS || (x->form == OPS_INDEX_SELECTS && x->rank == 1))
        head->out_step = even_step(x, true, head->parts);
    else if (x->flat)
        head->out_step = slice_step(x->dim[x->rank - 1].out, head->parts);
    if (x->form == OPS_INDEX_SCATTERS || x->form == OPS_INDEX_ROTATES)
        head->in_step = even_step(x, false, head->parts);
}

static void count(ztl_ops_stats *stats, const ops_pass *pass, const ops_lookup *x,
                  const ops_form *f)
{
    const ops_indexed *head = ops_pass_indexed(pass);
    uint64_t n = (uint64_t)ztl_ops_positions(x), slices = n * (uint64_t)f->parts;
    stats->scalar_reads += n * x->count;
    if (!pass->slices) {
        stats->scalar += n;
        return;
    }
    ztl_ops_count(stats, OPS_START_INDEXED, 1);
    ztl_ops_count(stats, OPS_INDEXED, (uint64_t)f->batches);
    if (f->classes) {
        stats->csr += 2 * slices + 2 * (uint64_t)f->partial;
        return;
    }
    uint64_t sides[] = {pass->slices == 1 || head->in_step, pass->slices == 1 || head->out_step};
    for (unsigned i = 0; i < 2; i++)
        stats->csr += sides[i] ? pass->slices : slices;
    stats->csr += slices % pass->slices != 0;
}

/* The pass of a lookup whose runs are cut into slices; width 0: nibbles one by one. */
static void write(ops_planner *planner, const ops_lookup *x, int64_t run, const ops_form *f)
{
    ops_pass plain = {.kind = OPS_PASS_INDEXED,
                      .src = x->src,
                      .dst = x->dst,
                      .load_width = (uint32_t)f->width,
                      .store_width = (uint32_t)f->width,
                      .slices = (uint32_t)f->slices,
                      .value = {OPS_UNCHANGED},
                      .in = x->in,
                      .out = x->out,
                      .loops = x->rank,
                      .batches = OPS_INDEXED_BATCHES};
    int64_t unit = f->slices > 1 && !f->classes ? f->width : 1;
    ops_indexed head = {.form = x->form,
                        .input = x->input,
                        .bytes = x->bytes,
                        .count = x->count,
                        .at = x->at,
                        .unit = unit,
                        .parts = f->parts,
                        .classes = f->classes,
                        .grain = f->grain,
                        .most = x->most,
                        .restart = x->form == OPS_INDEX_SELECTS && !x->flat,
                        .count_at = x->count_at};
    ops_lookup scaled = *x;
    for (unsigned d = 0; d < x->rank; d++) {
        scaled.dim[d].in /= unit;
        scaled.dim[d].out /= unit;
        plain.loop[d] = scaled.dim[d];
        head.step[d] = x->step[d];
    }
    for (unsigned j = 0; j < x->count; j++) {
        head.index[j] = x->index[j];
        head.index[j].stride /= unit;
    }
    head.part = f->width / unit;
    head.last = f->width ? (run - f->width) / unit : 0;
    if (!f->classes)
        set_steps(&head, &scaled);
    ops_pass *pass = ztl_ops_write_head(planner->draft, &plain);
    if (!pass)
        return;
    *ops_pass_indexed(pass) = head;
    count(&planner->draft->plan->stats, pass, x, f);
}

/* The nibbles of a run, one by one: the outermost loop, as the last one may be special. */
static void loop_outside(ops_lookup *x, int64_t run)
{
    memmove(&x->dim[1], &x->dim[0], x->rank * sizeof *x->dim);
    memmove(&x->step[1], &x->step[0], x->rank * sizeof *x->step);
    x->rank++;
    x->dim[0] = (ops_dim){run, 1, 1};
    x->step[0] = 0;
}

/* A pass for each part of the runs. */
static void write_cuts(ops_planner *planner, const ops_lookup *x, int64_t run)
{
    ops_cuts all;
    ztl_ops_cut_run(x, run, &all);
    for (unsigned i = 0; i < all.count; i++) {
        ops_lookup part = *x;
        part.in += all.cut[i].at;
        part.out += all.cut[i].at;
        write(planner, &part, all.cut[i].run, &all.cut[i].form);
    }
}

/* A condition of positions that have no elements: they are only counted. */
static void write_count(ops_planner *planner, ops_lookup *x)
{
    ops_form none = {1, 0, 1, 0, 0, 0, 0};
    ops_dim last = x->dim[x->rank - 1];
    int64_t step = x->step[x->rank - 1];
    bool any = x->most > 0 && last.n > 0;
    x->rank = 0;
    x->most = any ? x->most : 0;
    ops_lookup_dim(x, any ? last.n : 1, 0, 0, any ? step : 0);
    write(planner, x, 1, &none);
}

bool ztl_ops_lower_indexed(ops_planner *planner, const ops_call *call)
{
    ops_lookup x;
    ops_form f = {0, 1, 0, 0, 0, 0, 0};
    if (!ztl_ops_look_up(call, &x))
        return false;
    bool selects = x.form == OPS_INDEX_SELECTS, empty = ztl_ops_positions(&x) == 0;
    if (empty && !selects)
        return true;
    if (empty) {
        write_count(planner, &x);
        return true;
    }
    join_loops(&x);
    int64_t run = take_run(&x, call->out->bits == 4 ? 1 : call->out->bits / 8);
    join_loops(&x);
    if (call->out->bits != 4 || to_bytes(&x, &run)) {
        write_cuts(planner, &x, run);
        return true;
    }
    if (run > 1)
        loop_outside(&x, run);
    write(planner, &x, run, &f);
    return true;
}
