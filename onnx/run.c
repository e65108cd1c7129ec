/* SPDX-License-Identifier: Apache-2.0
 * Running a graph node by node on bound inputs.
 */
#include "onnx/run.h"

#include <string.h>

#include "host/error.h"

static bool same_shape(const onnx_value *declared, const onnx_value *given)
{
    if (declared->rank < 0)
        return true;
    bool same = declared->rank == given->rank;
    for (int d = 0; same && d < given->rank; d++)
        same = declared->extent[d] < 0 || declared->extent[d] == given->extent[d];
    return same;
}

bool ztl_onnx_bind(onnx_graph *graph, const char *name, const onnx_value *value, ztl_error *error)
{
    char declared[160], given[160];
    size_t at = ztl_onnx_find(graph, name);
    if (at == ONNX_NONE || graph->value[at].producer != ONNX_OUTSIDE)
        return ztl_fail(error, "the graph has no input %s", name);
    onnx_value *input = &graph->value[at];
    if (input->other)
        return ztl_fail(error, "input %s is %s, not a tensor", name, input->other);
    if ((input->type && input->type != value->type) || !same_shape(input, value)) {
        ztl_onnx_describe(input, declared, sizeof declared);
        ztl_onnx_describe(value, given, sizeof given);
        return ztl_fail(error, "input %s: %s is given, the graph wants %s", name, given, declared);
    }
    input->type = value->type;
    input->rank = value->rank;
    memcpy(input->extent, value->extent, sizeof input->extent);
    ztl_onnx_release(input->buffer);
    input->buffer = ztl_onnx_share(value->buffer);
    return true;
}

static bool check_inputs(const onnx_graph *graph, ztl_error *error)
{
    for (size_t i = 0; i < graph->inputs; i++)
        if (!graph->value[graph->input[i]].buffer)
            return ztl_fail(error, "input %s is not given", graph->value[graph->input[i]].name);
    return true;
}

static void release_inputs(onnx_graph *graph, size_t n)
{
    const onnx_node *node = &graph->node[n];
    for (size_t i = 0; i < node->inputs; i++) {
        onnx_value *value = ztl_onnx_in(graph, node, i);
        if (value && value->last_use == n) {
            ztl_onnx_release(value->buffer);
            value->buffer = NULL;
        }
    }
}

enum onnx_answer ztl_onnx_run(onnx_graph *graph, const onnx_engine *engine, uint64_t budget,
                              ztl_error *error)
{
    if (!check_inputs(graph, error))
        return ONNX_WRONG;
    graph->budget.most = budget;
    graph->budget.what = "the tensors that nodes make at a time";
    for (size_t n = 0; n < graph->nodes; n++) {
        enum onnx_answer answer = ztl_onnx_evaluate(graph, &graph->node[n], engine, error);
        if (answer != ONNX_MOVES)
            return answer;
        release_inputs(graph, n);
    }
    return ONNX_MOVES;
}
