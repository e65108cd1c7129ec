/* SPDX-License-Identifier: Apache-2.0
 * Shapes of what nodes make that are not executed: arithmetic, and movement by unknown indices.
 */
#ifndef ZTL_ONNX_SHAPES_SHAPES_H
#define ZTL_ONNX_SHAPES_SHAPES_H

#include "onnx/graph/graph.h"

/* Gives the outputs of a node the types and shapes that follow from those of its inputs, where the
 * operator is in shapes.def. What is known of an output already, as from the file, stays. */
void ztl_onnx_infer_shapes(const onnx_graph *graph, const onnx_node *node);

/* Why a value's shape is not known, or its elements: a node whose inputs are known, or a value from
 * outside. The text is for reports, without the value's own name. */
void ztl_onnx_say_unknown(const onnx_graph *graph, const onnx_value *value, char *text,
                          size_t size);

/* Parts of the above. */

typedef struct onnx_shaping {
    const onnx_graph *graph;
    const onnx_node *node;
    int type; /* of output 0 */
} onnx_shaping;

/* A rule gives the outputs of a node their shapes, or does nothing where it cannot. */
typedef void onnx_rule(const onnx_shaping *s);

/* An input whose extents are known; NULL otherwise. */
const onnx_value *ztl_onnx_shaped(const onnx_shaping *s, size_t input);

/* Output o of that type and shape. Extents below 0 and tensors that are too large are not given. */
void ztl_onnx_give(const onnx_shaping *s, size_t o, int type, int rank, const int64_t *extent);

/* An axis counted from the front; false where it is outside. */
bool ztl_onnx_axis(int64_t axis, int rank, int *at);

/* A shape broadcast with another one, into *rank and extent; false where they do not fit. */
bool ztl_onnx_broadcast(const onnx_value *a, int *rank, int64_t *extent);

#define ONNX_SHAPES(rule, type, kinds) onnx_rule ztl_onnx_rule_##rule;
#include "onnx/shapes/shapes.def"

#endif
