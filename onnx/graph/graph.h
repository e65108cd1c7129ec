/* SPDX-License-Identifier: Apache-2.0
 * A graph of nodes and values, read from a model.
 */
#ifndef ZTL_ONNX_GRAPH_H
#define ZTL_ONNX_GRAPH_H

#include "onnx.pb-c.h"
#include "onnx/graph/value.h"

#define ONNX_NONE SIZE_MAX /* an optional input or output that is not there */

typedef struct onnx_node {
    const Onnx__NodeProto *proto;
    const char *kind;  /* its op_type, never NULL */
    const char *label; /* its name, or that of its first output; never NULL */
    size_t *input, *output;
    size_t inputs, outputs;
    const char *domain; /* "" for ONNX's own */
    bool is_foreign;    /* of a domain that is not ONNX's */
} onnx_node;

/* --dim batch=1 */
typedef struct onnx_dim {
    const char *name;
    int64_t extent;
    bool used;
} onnx_dim;

typedef struct onnx_graph {
    Onnx__ModelProto *model;
    const Onnx__GraphProto *proto;
    int64_t opset;
    onnx_node *node; /* in an order in which they can be executed */
    size_t nodes;
    onnx_value *value;
    size_t values;
    size_t *input, *output; /* the graph's, without initializers */
    size_t inputs, outputs;
    size_t *slot; /* of names */
    size_t slots;
    size_t *list;       /* what the nodes' lists lie in */
    onnx_budget budget; /* of what nodes make: none until somebody sets it */
} onnx_graph;

/* A model and its values, with what the file says of them. NULL with an error that names the node
 * or tensor and what is wrong. */
onnx_graph *ztl_onnx_open(const char *path, onnx_dim *dims, size_t dim_count, ztl_error *error);
void ztl_onnx_close(onnx_graph *graph);

/* The value of that name, or ONNX_NONE. */
size_t ztl_onnx_find(const onnx_graph *graph, const char *name);

/* The value that a node takes or makes there; NULL for none. */
onnx_value *ztl_onnx_in(const onnx_graph *graph, const onnx_node *node, size_t i);
onnx_value *ztl_onnx_out(const onnx_graph *graph, const onnx_node *node, size_t i);

/* Whether a node has the inputs that ONNX demands of its operator; else an error with their name.
 */
bool ztl_onnx_check_inputs(const onnx_graph *graph, const onnx_node *node, ztl_error *error);

/* Whether operators of a domain are ONNX's own. */
bool ztl_onnx_is_own(const char *domain);

/* Whether a list of words between single spaces has a word. */
bool ztl_onnx_has_word(const char *list, const char *word);

/* Attributes; the default, or NULL, where a node has none of that name. */
const Onnx__AttributeProto *ztl_onnx_attribute(const onnx_node *node, const char *name);
int64_t ztl_onnx_int(const onnx_node *node, const char *name, int64_t otherwise);
bool ztl_onnx_word_is(const onnx_node *node, const char *name, const char *word,
                      const char *otherwise);

#endif
