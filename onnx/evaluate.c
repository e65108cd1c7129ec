/* SPDX-License-Identifier: Apache-2.0
 * Shapes and small constants of a graph, node by node; the engine that runs its movements.
 */
#include "onnx/evaluate.h"

#include <string.h>

#include <ztl/movers.h>

#include "host/error.h"
#include "onnx/convert/im2col.h"
#include "onnx/fold/fold.h"
#include "onnx/shapes/shapes.h"

/* Bytes: constants up to SMALL each are computed while shapes are inferred, and all of a model may
 * take FOLDED. */
enum { SMALL = 64 << 10, FOLDED = 64 << 20 };

static bool host_run(void *context, const onnx_call *call, const ztl_ops_tensor *in,
                     const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                     void *const *target, ztl_error *error)
{
    (void)context;
    return ztl_mover_apply(&call->op, in, call->inputs, out, outputs, source, target, error);
}

onnx_engine ztl_onnx_host_engine(uint64_t most)
{
    return (onnx_engine){.run = host_run, .most = most};
}

/* An operator with its tensors. */
typedef struct work {
    onnx_graph *graph;
    const onnx_node *node;
    onnx_call call;
    ztl_ops_tensor in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
    size_t outputs;
} work;

static bool set_shapes(work *w, ztl_error *error)
{
    if (w->node->outputs > w->outputs)
        return ztl_fail(error, "%zu outputs, the operator makes %zu", w->node->outputs, w->outputs);
    for (size_t i = 0; i < w->outputs; i++) {
        onnx_value *value = ztl_onnx_out(w->graph, w->node, i);
        if (!value)
            continue;
        value->type = w->call.type;
        value->rank = (int)w->out[i].rank;
        memcpy(value->extent, w->out[i].extent, sizeof value->extent);
    }
    return true;
}

static bool has_elements(const work *w, uint64_t most)
{
    for (size_t i = 0; i < w->call.inputs; i++)
        if (!w->call.in[i]->buffer)
            return false;
    for (size_t i = 0; i < w->outputs; i++)
        if (w->out[i].size > most)
            return false;
    return true;
}

static bool compute(work *w, const onnx_engine *engine, ztl_error *error)
{
    const void *source[ZTL_OPS_BUFFERS];
    void *target[ZTL_OPS_BUFFERS];
    onnx_buffer *made[ZTL_OPS_BUFFERS] = {NULL};
    bool is_view = ztl_onnx_is_view(&w->call, w->in, w->out), good = true;
    for (size_t i = 0; i < w->call.inputs; i++)
        source[i] = w->call.in[i]->buffer->bytes;
    for (size_t i = 0; i < w->outputs; i++) {
        made[i] = !good     ? NULL
                  : is_view ? ztl_onnx_share(w->call.in[0]->buffer)
                            : ztl_onnx_make(&w->graph->budget, w->out[i].size, error);
        good = made[i];
        target[i] = made[i] ? made[i]->bytes : NULL;
    }
    good = good && (is_view || engine->run(engine->context, &w->call, w->in, w->out, w->outputs,
                                           source, target, error));
    for (size_t i = 0; i < w->outputs; i++) {
        onnx_value *value = ztl_onnx_out(w->graph, w->node, i);
        if (!good || !value) {
            ztl_onnx_release(made[i]);
            continue;
        }
        ztl_onnx_release(value->buffer);
        value->buffer = made[i];
    }
    return good;
}

static enum onnx_answer move(work *w, const onnx_engine *engine, ztl_error *error)
{
    enum onnx_answer answer = ztl_onnx_is_conv(w->node)
                                  ? ztl_onnx_im2col(w->graph, w->node, &w->call, error)
                                  : ztl_onnx_convert(w->graph, w->node, &w->call, error);
    if (w->call.deep && ztl_onnx_out(w->graph, w->node, 0))
        ztl_onnx_out(w->graph, w->node, 0)->deep = w->call.deep;
    if (answer != ONNX_MOVES)
        return answer;
    w->outputs = ztl_onnx_call_shapes(&w->call, w->in, w->out, error);
    if (!w->outputs || !set_shapes(w, error) ||
        (has_elements(w, engine->most) && !compute(w, engine, error)))
        return ONNX_WRONG;
    return ONNX_MOVES;
}

enum onnx_answer ztl_onnx_evaluate(onnx_graph *graph, const onnx_node *node,
                                   const onnx_engine *engine, ztl_error *error)
{
    ztl_error why = {""};
    work w = {.graph = graph, .node = node};
    bool moves = ztl_onnx_is_movement(node) || (engine->im2col && ztl_onnx_is_conv(node));
    enum onnx_answer answer = moves ? move(&w, engine, &why) : ztl_onnx_fold(graph, node, &why);
    if (answer == ONNX_WAITS)
        ztl_fail(error, "node %s (%s): %s is not known", node->label, node->kind,
                 w.call.unknown ? w.call.unknown->name : "an input");
    else if (answer != ONNX_MOVES)
        ztl_fail(error, "node %s (%s): %.900s", node->label, node->kind, why.text);
    ztl_onnx_call_free(&w.call);
    if (answer == ONNX_OTHER || answer == ONNX_WAITS)
        ztl_onnx_infer_shapes(graph, node);
    return answer;
}

bool ztl_onnx_infer(onnx_graph *graph, ztl_error *error)
{
    onnx_engine engine = ztl_onnx_host_engine(SMALL);
    graph->budget.most = FOLDED;
    graph->budget.what = "constants";
    for (size_t n = 0; n < graph->nodes; n++)
        if (ztl_onnx_evaluate(graph, &graph->node[n], &engine, error) == ONNX_WRONG)
            return false;
    return true;
}
