/* SPDX-License-Identifier: Apache-2.0
 *
 * For every node two choices: whether it is only seen through strides by those who take it, and
 * whether it writes into the concat that takes it. Each choice that lowers the sum is kept.
 */
#include "onnx/report/fuse.h"

#include <stdlib.h>
#include <string.h>

#include "host/error.h"
#include "host/process/buffer.h"
#include "onnx/report/chain.h"
#include "ops/operators/table.h"

#define NO_PLAN (UINT64_MAX / 1024)

/* A plan's instructions, by a hash of all that it is made from. */
typedef struct cost {
    uint64_t key, ztl;
} cost;

typedef struct fusing {
    const onnx_report *report;
    const onnx_graph *graph;
    bool *seen;      /* by node: it is not moved */
    size_t *into;    /* by node: the concat that it writes into, or ONNX_NONE */
    size_t *uses;    /* by value: nodes that take it, and outputs of the graph */
    onnx_form *form; /* by value */
    cost *known;
    size_t costs, room;
    onnx_fusion *fusion; /* what is collected; NULL while only the sum counts */
    bool failed;         /* for want of memory */
} fusing;

static const onnx_row *row_of(const fusing *f, size_t n)
{
    size_t at = f->report->row_of_node[n];
    const onnx_row *row = at == SIZE_MAX ? NULL : &f->report->row[at];
    return row && (row->state == ONNX_ROW_VIEW || row->state == ONNX_ROW_MEASURED) ? row : NULL;
}

static bool is_movement(const fusing *f, size_t n)
{
    return row_of(f, n) && ztl_onnx_is_movement(&f->graph->node[n]);
}

static onnx_form itself(const fusing *f, size_t value, const ztl_ops_tensor *shape)
{
    onnx_form form = {.root = value};
    if (shape) {
        form.tensor = *shape;
    } else if (ztl_onnx_tensor(&f->graph->value[value], &form.tensor) && f->report->options.bits &&
               ztl_onnx_is_float(f->graph->value[value].type)) {
        ztl_ops_tensor t = form.tensor;
        ztl_ops_dense(&form.tensor, f->report->options.bits, t.rank, t.extent);
    }
    return form;
}

static void mix(uint64_t *key, uint64_t number)
{
    *key = (*key ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    *key ^= *key >> 29;
}

static void mix_tensor(uint64_t *key, const ztl_ops_tensor *t)
{
    mix(key, t->rank * 1024 + t->bits);
    mix(key, (uint64_t)t->offset);
    mix(key, t->size);
    for (unsigned d = 0; d < t->rank; d++) {
        mix(key, (uint64_t)t->extent[d]);
        mix(key, (uint64_t)t->stride[d]);
    }
}

/* A plan to be made: an operator on forms. */
typedef struct item {
    const onnx_row *row; /* whose operator it is; NULL: a copy */
    size_t node;
    ztl_ops_op op;
    onnx_form in[ZTL_OPS_BUFFERS];
    ztl_ops_tensor out[ZTL_OPS_BUFFERS];
    size_t inputs, outputs;
    size_t target; /* the concat whose output out[0] is a part of, or ONNX_NONE */
} item;

static uint64_t key_of(const fusing *f, const item *i)
{
    uint64_t key = i->row ? (uint64_t)(i->row - f->report->row) + 1 : 0;
    for (size_t k = 0; k < i->inputs; k++)
        mix_tensor(&key, &i->in[k].tensor);
    for (size_t k = 0; k < i->outputs; k++)
        mix_tensor(&key, &i->out[k]);
    return key;
}

static uint64_t plan(fusing *f, const item *i)
{
    ztl_ops_tensor in[ZTL_OPS_BUFFERS];
    for (size_t k = 0; k < i->inputs; k++)
        in[k] = i->in[k].tensor;
    size_t space = ztl_ops_plan_space(&i->op, in, i->inputs, i->out, i->outputs);
    void *memory = malloc(space + 1);
    bool good = memory &&
                ztl_ops_make(&i->op, in, i->inputs, i->out, i->outputs, NULL, memory, space, NULL);
    ztl_ops_stats stats = good ? ztl_ops_plan_stats(memory) : (ztl_ops_stats){.scalar = NO_PLAN};
    f->failed =
        f->failed || !memory; /* no plan for want of memory is not one that does not exist */
    free(memory);
    return ztl_ops_total(&stats) + stats.scalar;
}

static uint64_t cost_of(fusing *f, const item *i)
{
    uint64_t key = key_of(f, i);
    for (size_t k = 0; k < f->costs; k++)
        if (f->known[k].key == key)
            return f->known[k].ztl;
    if (f->costs == f->room) {
        size_t room = f->room ? 2 * f->room : 64;
        cost *more = realloc(f->known, room * sizeof *more);
        if (!more) {
            f->failed = true;
            return NO_PLAN;
        }
        f->known = more;
        f->room = room;
    }
    uint64_t ztl = plan(f, i);
    f->known[f->costs++] = (cost){key, ztl};
    return ztl;
}

/* Whether a plan is another than the node's alone. */
static bool is_composed(const item *i)
{
    bool composed = i->target != ONNX_NONE;
    for (size_t k = 0; k < i->inputs; k++)
        composed = composed || !ztl_onnx_is_dense(&i->in[k]);
    return composed;
}

static uint64_t add_item(fusing *f, const item *i)
{
    if (f->fusion &&
        !ztl_onnx_collect(f->report, f->fusion, i->row, i->node, &i->op, i->in, i->inputs, i->out,
                          i->outputs, i->target, !i->row || is_composed(i)))
        f->failed = true;
    return cost_of(f, i);
}

/* The inputs of a concat that nobody has written into it yet. */
static uint64_t concat_rest(fusing *f, size_t n, const item *whole)
{
    const onnx_node *node = &f->graph->node[n];
    ztl_ops_tensor dense[ZTL_OPS_BUFFERS];
    uint64_t sum = 0;
    for (size_t k = 0; k < whole->inputs; k++)
        dense[k] = whole->row->in[k];
    for (size_t k = 0; k < whole->inputs; k++) {
        size_t producer = f->graph->value[node->input[k]].producer;
        if (producer < f->graph->nodes && f->into[producer] == n)
            continue;
        item copy = {.node = n,
                     .op = {.kind = ZTL_OPS_IDENTITY},
                     .in = {whole->in[k]},
                     .inputs = 1,
                     .outputs = 1,
                     .target = n};
        copy.out[0] = ztl_onnx_part(&whole->row->call, dense, k, whole->out);
        sum += add_item(f, &copy);
    }
    return sum;
}

static bool has_guests(const fusing *f, size_t n)
{
    for (size_t k = 0; k < f->graph->node[n].inputs; k++) {
        const onnx_value *value = ztl_onnx_in(f->graph, &f->graph->node[n], k);
        if (value && value->producer < f->graph->nodes && f->into[value->producer] == n)
            return true;
    }
    return false;
}

/* Out[0] of a node that writes into a concat. */
static void redirect(const fusing *f, size_t n, item *i)
{
    size_t concat = f->into[n];
    const onnx_row *row = row_of(f, concat);
    const onnx_node *node = &f->graph->node[concat];
    for (size_t k = 0; k < node->inputs; k++)
        if (node->input[k] == f->graph->node[n].output[0])
            i->out[0] = ztl_onnx_part(&row->call, row->in, k, row->out);
    i->target = concat;
}

/* The forms of a node's outputs, where it need not be moved. */
static bool see(const fusing *f, size_t n, const onnx_row *row, const onnx_form *in)
{
    const onnx_node *node = &f->graph->node[n];
    onnx_form out[ZTL_OPS_BUFFERS];
    bool is_free = f->seen[n] || (row->state == ONNX_ROW_VIEW && ztl_onnx_is_dense(in));
    for (size_t o = 0; is_free && o < row->outputs; o++)
        is_free = ztl_onnx_see(&row->call, o, &row->out[o], in, &out[o]);
    for (size_t o = 0; is_free && o < node->outputs; o++)
        if (node->output[o] != ONNX_NONE)
            f->form[node->output[o]] = out[o];
    return is_free;
}

static uint64_t take_node(fusing *f, size_t n)
{
    const onnx_node *node = &f->graph->node[n];
    const onnx_row *row = row_of(f, n);
    bool moves = is_movement(f, n);
    for (size_t o = 0; o < node->outputs; o++)
        if (node->output[o] != ONNX_NONE)
            f->form[node->output[o]] =
                itself(f, node->output[o], moves && o < row->outputs ? &row->out[o] : NULL);
    if (!row)
        return 0;
    item i = {.row = row,
              .node = n,
              .op = row->call.op,
              .inputs = row->call.inputs,
              .outputs = row->outputs,
              .target = ONNX_NONE};
    for (size_t k = 0; k < i.inputs; k++)
        i.in[k] = f->form[node->input[k]];
    memcpy(i.out, row->out, row->outputs * sizeof *i.out);
    if (moves && i.inputs == 1 && see(f, n, row, i.in))
        return 0;
    if (i.inputs == 1 && row->state == ONNX_ROW_VIEW && ztl_onnx_is_dense(i.in))
        return 0;
    if (has_guests(f, n))
        return concat_rest(f, n, &i);
    if (f->into[n] != ONNX_NONE)
        redirect(f, n, &i);
    return add_item(f, &i);
}

static uint64_t sum(fusing *f)
{
    uint64_t total = 0;
    for (size_t v = 0; v < f->graph->values; v++)
        f->form[v] = itself(f, v, NULL);
    for (size_t n = 0; n < f->graph->nodes; n++)
        total += take_node(f, n);
    return total;
}

/* Whether all who take a node's outputs move data, and nobody else wants them. */
static bool may_be_seen(const fusing *f, size_t n)
{
    const onnx_node *node = &f->graph->node[n];
    const onnx_row *row = row_of(f, n);
    onnx_form in, out;
    if (!is_movement(f, n) || row->call.inputs != 1)
        return false;
    in = itself(f, node->input[0], &row->in[0]);
    for (size_t o = 0; o < node->outputs; o++) {
        if (node->output[o] == ONNX_NONE)
            continue;
        if (f->graph->value[node->output[o]].is_output ||
            f->graph->value[node->output[o]].is_captured ||
            !ztl_onnx_see(&row->call, o, &row->out[o], &in, &out))
            return false;
    }
    for (size_t m = n + 1; m < f->graph->nodes; m++)
        for (size_t k = 0; k < f->graph->node[m].inputs; k++)
            for (size_t o = 0; o < node->outputs; o++)
                if (f->graph->node[m].input[k] == node->output[o] && node->output[o] != ONNX_NONE &&
                    (!is_movement(f, m) || k >= row_of(f, m)->call.inputs))
                    return false;
    return true;
}

/* The concat that a node may write into: the only one who takes its only output. */
static size_t may_join(const fusing *f, size_t n)
{
    const onnx_node *node = &f->graph->node[n];
    if (!is_movement(f, n) || row_of(f, n)->outputs != 1 || !node->outputs ||
        node->output[0] == ONNX_NONE || f->uses[node->output[0]] != 1 ||
        f->graph->value[node->output[0]].is_captured ||
        ops_does(&row_of(f, n)->call.op, OPS_SELECTS))
        return ONNX_NONE;
    for (size_t m = n + 1; m < f->graph->nodes; m++)
        for (size_t k = 0; k < f->graph->node[m].inputs; k++)
            if (f->graph->node[m].input[k] == node->output[0])
                return is_movement(f, m) && ops_does(&row_of(f, m)->call.op, OPS_JOINS) &&
                               row_of(f, m)->state == ONNX_ROW_MEASURED && f->into[m] == ONNX_NONE
                           ? m
                           : ONNX_NONE;
    return ONNX_NONE;
}

static void choose(fusing *f)
{
    uint64_t best = 0;
    for (size_t n = 0; n < f->graph->nodes; n++)
        f->seen[n] = is_movement(f, n) && row_of(f, n)->state == ONNX_ROW_VIEW && may_be_seen(f, n);
    best = sum(f);
    for (size_t n = 0; n < f->graph->nodes && !f->failed; n++) {
        if (f->seen[n] || !may_be_seen(f, n))
            continue;
        f->seen[n] = true;
        uint64_t now = sum(f);
        f->seen[n] = now < best;
        best = now < best ? now : best;
    }
    for (size_t n = 0; n < f->graph->nodes && !f->failed; n++) {
        size_t concat = f->seen[n] ? ONNX_NONE : may_join(f, n);
        if (concat == ONNX_NONE || has_guests(f, n))
            continue;
        f->into[n] = concat;
        uint64_t now = sum(f);
        f->into[n] = now < best ? concat : ONNX_NONE;
        best = now < best ? now : best;
    }
}

static void count_uses(fusing *f)
{
    for (size_t n = 0; n < f->graph->nodes; n++)
        for (size_t k = 0; k < f->graph->node[n].inputs; k++)
            if (f->graph->node[n].input[k] != ONNX_NONE)
                f->uses[f->graph->node[n].input[k]]++;
    for (size_t i = 0; i < f->graph->outputs; i++)
        f->uses[f->graph->output[i]]++;
}

static void count_gone(const fusing *f, onnx_fusion *fusion)
{
    for (size_t n = 0; n < f->graph->nodes; n++) {
        const onnx_row *row = row_of(f, n);
        if (row && row->state == ONNX_ROW_MEASURED && f->seen[n])
            fusion->gone++;
    }
}

bool ztl_onnx_fuse(const onnx_report *report, onnx_fusion *fusion, ztl_error *error)
{
    size_t nodes = report->graph->nodes + 1, values = report->graph->values + 1;
    fusing f = {.report = report,
                .graph = report->graph,
                .seen = calloc(nodes, sizeof *f.seen),
                .into = calloc(nodes, sizeof *f.into),
                .uses = calloc(values, sizeof *f.uses),
                .form = calloc(values, sizeof *f.form)};
    *fusion = (onnx_fusion){.row = calloc(4 * nodes + values, sizeof *fusion->row)};
    f.failed = !f.seen || !f.into || !f.uses || !f.form || !fusion->row;
    for (size_t n = 0; !f.failed && n < nodes; n++)
        f.into[n] = ONNX_NONE;
    if (!f.failed) {
        count_uses(&f);
        choose(&f);
        f.fusion = fusion;
        sum(&f);
        count_gone(&f, fusion);
        ztl_onnx_measure_rows(fusion->row, fusion->rows, &report->options);
        for (size_t i = 0; i < fusion->rows; i++)
            ztl_onnx_add(&fusion->total, &fusion->row[i].figures, fusion->row[i].nodes);
    }
    free(f.seen);
    free(f.into);
    free(f.uses);
    free(f.form);
    free(f.known);
    return !f.failed || ztl_fail(error, "out of memory");
}
