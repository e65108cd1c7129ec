/* SPDX-License-Identifier: Apache-2.0
 * Collecting rows for what was fused; what the nodes make one by one, to compare with.
 */
#include "onnx/report/chain.h"

#include <stdlib.h>
#include <string.h>

#include "host/error.h"
#include "host/process/buffer.h"

/* What the outputs of a row are compared with is computed from this. */
typedef struct chain {
    const onnx_report *report;
    size_t node; /* whose output it is; ONNX_NONE for a copy */
    size_t root[ZTL_OPS_BUFFERS];
    size_t inputs;
    void *made[256]; /* values on the way */
    size_t count;
} chain;

static const onnx_row *row_of(const chain *c, size_t n)
{
    return &c->report->row[c->report->row_of_node[n]];
}

/* The elements of a value as the nodes one by one make them; NULL without memory. */
static const void *dense(chain *c, size_t value, uint8_t *const *in, ztl_error *error);

/* All outputs of a node, in fresh buffers. */
static bool make_outputs(chain *c, size_t n, uint8_t *const *in, void **target, ztl_error *error)
{
    const onnx_row *row = row_of(c, n);
    const onnx_node *node = &c->report->graph->node[n];
    const void *source[ZTL_OPS_BUFFERS];
    for (size_t k = 0; k < row->call.inputs; k++)
        if (!(source[k] = dense(c, node->input[k], in, error)))
            return false;
    for (size_t o = 0; o < row->outputs; o++) {
        target[o] = c->count < 256 ? calloc(1, row->out[o].size + 8) : NULL;
        if (!target[o])
            return ztl_fail(error, "out of memory, or a very long chain");
        c->made[c->count++] = target[o];
    }
    return ztl_onnx_reference(&row->call.op, row->in, row->call.inputs, row->out, row->outputs,
                              source, target, error);
}

static const void *dense(chain *c, size_t value, uint8_t *const *in, ztl_error *error)
{
    void *target[ZTL_OPS_BUFFERS];
    for (size_t k = 0; k < c->inputs; k++)
        if (c->root[k] == value)
            return in[k];
    size_t n = c->report->graph->value[value].producer;
    const onnx_node *node = &c->report->graph->node[n];
    if (!make_outputs(c, n, in, target, error))
        return NULL;
    for (size_t o = 0; o < node->outputs; o++)
        if (node->output[o] == value)
            return target[o];
    return NULL;
}

static bool expect(const onnx_row *row, uint8_t *const *in, void *const *out, ztl_error *error)
{
    chain *c = row->context;
    const void *source;
    void *target[ZTL_OPS_BUFFERS];
    ztl_ops_op copy = {.kind = ZTL_OPS_IDENTITY};
    bool good = true;
    c->count = 0;
    if (c->node == ONNX_NONE)
        good = ztl_onnx_reference(&row->call.op, row->in, row->call.inputs, row->out, row->outputs,
                                  (const void *const *)in, out, error);
    else
        good = make_outputs(c, c->node, in, target, error);
    for (size_t o = 0; good && c->node != ONNX_NONE && o < row->outputs; o++) {
        source = target[o];
        good = ztl_onnx_reference(&copy, &row_of(c, c->node)->out[o], 1, &row->out[o], 1, &source,
                                  &out[o], error);
    }
    while (c->count)
        free(c->made[--c->count]);
    return good;
}

/* "Slice+Transpose": the nodes that a plan stands for, from the root on. */
static void add_names(const onnx_report *report, ztl_buffer *text, size_t value, size_t root)
{
    size_t n = report->graph->value[value].producer;
    if (value == root || n >= report->graph->nodes)
        return;
    const onnx_node *node = &report->graph->node[n];
    if (node->inputs)
        add_names(report, text, node->input[0], root);
    ztl_buffer_format(text, "%s+", node->kind);
}

static char *name_of(const onnx_report *report, size_t n, const onnx_form *in, size_t inputs,
                     bool is_copy, size_t target)
{
    ztl_buffer text = {0};
    const onnx_node *node = &report->graph->node[n];
    size_t start = 0;
    while (start + 1 < inputs && in[start].root == node->input[start])
        start++; /* the first input that is seen through others */
    if (!is_copy && inputs)
        add_names(report, &text, node->input[start], in[start].root);
    ztl_buffer_add(&text, is_copy ? "Concat, one input" : node->kind);
    if (target != ONNX_NONE && !is_copy)
        ztl_buffer_add(&text, "+Concat");
    return text.failed ? (ztl_buffer_free(&text), NULL) : text.data;
}

static bool same(const ztl_ops_tensor *a, const ztl_ops_tensor *b)
{
    return a->rank == b->rank && a->bits == b->bits && a->offset == b->offset &&
           a->size == b->size && !memcmp(a->extent, b->extent, a->rank * sizeof *a->extent) &&
           !memcmp(a->stride, b->stride, a->rank * sizeof *a->stride);
}

static onnx_row *find_alike(onnx_fusion *fusion, const onnx_row *row)
{
    for (size_t i = 0; i < fusion->rows; i++) {
        onnx_row *r = &fusion->row[i];
        bool alike = !strcmp(r->kind, row->kind) && r->origin == row->origin &&
                     r->call.inputs == row->call.inputs && r->outputs == row->outputs;
        for (size_t k = 0; alike && k < row->call.inputs; k++)
            alike = same(&r->in[k], &row->in[k]);
        for (size_t k = 0; alike && k < row->outputs; k++)
            alike = same(&r->out[k], &row->out[k]);
        if (alike)
            return r;
    }
    return NULL;
}

static void free_row(onnx_row *row)
{
    free((char *)row->kind);
    free(row->in);
    free(row->out);
    free(row->context);
}

static bool fill_row(const onnx_report *report, onnx_row *row, size_t n, const onnx_form *in,
                     const ztl_ops_tensor *out, bool is_copy)
{
    chain *c = calloc(1, sizeof *c);
    row->in = calloc(row->call.inputs + 1, sizeof *row->in);
    row->out = calloc(row->outputs + 1, sizeof *row->out);
    row->context = c;
    row->expect = expect;
    if (!c || !row->in || !row->out || !row->kind)
        return false;
    *c = (chain){.report = report, .node = is_copy ? ONNX_NONE : n, .inputs = row->call.inputs};
    for (size_t k = 0; k < row->call.inputs; k++) {
        row->in[k] = in[k].tensor;
        row->call.in[k] = &report->graph->value[in[k].root];
        c->root[k] = in[k].root;
    }
    memcpy(row->out, out, row->outputs * sizeof *out);
    return ztl_onnx_describe_shapes(row);
}

/* The same plan as alone: the figures are there. */
static bool collect_plain(onnx_fusion *fusion, const onnx_row *row)
{
    ztl_onnx_add(&fusion->total, &row->figures, 1);
    return true;
}

bool ztl_onnx_collect(const onnx_report *report, onnx_fusion *fusion, const onnx_row *row,
                      size_t node, const ztl_ops_op *op, const onnx_form *in, size_t inputs,
                      const ztl_ops_tensor *out, size_t outputs, size_t target, bool composed)
{
    if (!composed)
        return collect_plain(fusion, row);
    onnx_row new = {.node = &report->graph->node[node],
                    .nodes = 1,
                    .kind = name_of(report, node, in, inputs, !row, target),
                    .element = row ? row->element : report->row[report->row_of_node[node]].element,
                    .state = ONNX_ROW_MEASURED,
                    .call = {.op = *op, .inputs = inputs},
                    .outputs = outputs,
                    .origin = row};
    if (!fill_row(report, &new, node, in, out, !row)) {
        free_row(&new);
        return false;
    }
    onnx_row *alike = find_alike(fusion, &new);
    if (alike) {
        alike->nodes++;
        free_row(&new);
    } else {
        fusion->row[fusion->rows++] = new;
    }
    return true;
}

void ztl_onnx_fusion_free(onnx_fusion *fusion)
{
    for (size_t i = 0; i < fusion->rows; i++)
        free_row(&fusion->row[i]);
    free(fusion->row);
}
