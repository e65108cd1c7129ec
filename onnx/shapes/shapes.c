/* SPDX-License-Identifier: Apache-2.0
 * The table of operators and their rules; where inference ends.
 */
#include "onnx/shapes/shapes.h"

#include <stdio.h>
#include <string.h>

typedef const onnx_shaping shaping;

const onnx_value *ztl_onnx_shaped(shaping *s, size_t input)
{
    const onnx_value *value = ztl_onnx_in(s->graph, s->node, input);
    bool known = value && !value->other && value->rank >= 0;
    for (int d = 0; known && d < value->rank; d++)
        known = value->extent[d] >= 0;
    return known ? value : NULL;
}

void ztl_onnx_give(shaping *s, size_t o, int type, int rank, const int64_t *extent)
{
    onnx_value *out = ztl_onnx_out(s->graph, s->node, o);
    onnx_value made = {.type = type, .rank = rank};
    ztl_ops_tensor form;
    if (!out || out->other || rank > ONNX_RANK)
        return;
    if (rank)
        memcpy(made.extent, extent, (size_t)rank * sizeof *extent);
    if (!ztl_onnx_tensor(&made, &form))
        return;
    if (!out->type)
        out->type = type;
    if (out->rank >= 0 && out->rank != rank)
        return;
    for (int d = 0; d < rank; d++)
        if (out->rank < 0 || out->extent[d] < 0)
            out->extent[d] = made.extent[d];
    out->rank = rank;
}

bool ztl_onnx_axis(int64_t axis, int rank, int *at)
{
    if (axis < -rank || axis >= rank)
        return false;
    *at = (int)(axis < 0 ? axis + rank : axis);
    return true;
}

bool ztl_onnx_broadcast(const onnx_value *a, int *rank, int64_t *extent)
{
    int more = a->rank - *rank;
    if (more > 0) {
        memmove(extent + more, extent, (size_t)*rank * sizeof *extent);
        for (int d = 0; d < more; d++)
            extent[d] = 1;
        *rank = a->rank;
    }
    for (int d = 0; d < a->rank; d++) {
        int64_t *x = &extent[*rank - a->rank + d];
        if (*x != 1 && a->extent[d] != 1 && *x != a->extent[d])
            return false;
        *x = *x == 1 ? a->extent[d] : *x;
    }
    return true;
}

/* Types of output 0 that depend on the node. IN(i) is that of input i. */
enum { TO = ONNX_TYPES, QUANTIZED, SCALED, LIKE, DRAWN, FIRST };

#define IN(i) (FIRST + (i))

static const struct {
    onnx_rule *rule;
    int type;
    const char *kinds;
} table[] = {
#define ONNX_SHAPES(rule, type, kinds) {ztl_onnx_rule_##rule, type, kinds},
#include "onnx/shapes/shapes.def"
};

static int type_of(const onnx_graph *graph, const onnx_node *node, size_t input)
{
    const onnx_value *value = ztl_onnx_in(graph, node, input);
    return value ? value->type : ONNX_UNDEFINED;
}

static int output_type(const onnx_graph *graph, const onnx_node *node, int type)
{
    int zero_point = type_of(graph, node, 2);
    switch (type) {
    case TO:
        return (int)ztl_onnx_int(node, "to", 0);
    case QUANTIZED:
        return (int)ztl_onnx_int(node, "output_dtype", zero_point ? zero_point : ONNX_UINT8);
    case SCALED:
        return (int)ztl_onnx_int(node, "output_dtype", type_of(graph, node, 1));
    case LIKE:
        return (int)ztl_onnx_int(node, "dtype", type_of(graph, node, 0));
    case DRAWN:
        return (int)ztl_onnx_int(node, "dtype", ONNX_FLOAT);
    default:
        return type < FIRST ? type : type_of(graph, node, (size_t)(type - FIRST));
    }
}

void ztl_onnx_infer_shapes(const onnx_graph *graph, const onnx_node *node)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0] && !node->is_foreign; i++)
        if (ztl_onnx_has_word(table[i].kinds, node->kind)) {
            onnx_shaping s = {graph, node, output_type(graph, node, table[i].type)};
            table[i].rule(&s);
        }
}

/* A value that is not known: its shape, or its elements. */
typedef struct unknown {
    const onnx_value *value;
    bool elements;
} unknown;

static bool is_unknown(const onnx_value *value, bool elements)
{
    return value && (elements ? !value->buffer : !ztl_onnx_is_shaped(value));
}

/* The first input of a node because of which its output is not known; no value: it is the node. */
static unknown input_before(const onnx_graph *graph, const onnx_node *node, bool elements)
{
    for (size_t i = 0; i < node->inputs; i++) {
        const onnx_value *value = ztl_onnx_in(graph, node, i);
        if (is_unknown(value, elements))
            return (unknown){value, elements && ztl_onnx_is_shaped(value)};
    }
    for (size_t i = 1; i < node->inputs && !elements; i++) { /* a parameter decides on the shape */
        const onnx_value *value = ztl_onnx_in(graph, node, i);
        if (is_unknown(value, true) && value->rank < 2 && ztl_onnx_is_integer(value->type))
            return (unknown){value, true};
    }
    return (unknown){NULL, elements};
}

void ztl_onnx_say_unknown(const onnx_graph *graph, const onnx_value *value, char *text, size_t size)
{
    unknown at = {value, ztl_onnx_is_shaped(value)}, before;
    const onnx_node *node = NULL;
    while (at.value->producer < graph->nodes) {
        node = &graph->node[at.value->producer];
        before = input_before(graph, node, at.elements);
        if (!before.value)
            break;
        at = before;
    }
    const char *domain = node ? node->domain : "";
    const char *dot = *domain ? "." : "";
    if (at.value->deep)
        snprintf(text, size, "a tensor has rank %zu, at most %d is possible", at.value->deep,
                 ONNX_RANK);
    else if (at.value->producer >= graph->nodes)
        snprintf(text, size, "the %s of input %s %s not known", at.elements ? "elements" : "shape",
                 at.value->name, at.elements ? "are" : "is");
    else if (at.elements)
        snprintf(text, size, "what %s%s%s computes is not known before the network runs", domain,
                 dot, node->kind);
    else
        snprintf(text, size, "no shape is inferred behind %s%s%s", domain, dot, node->kind);
}
