/* SPDX-License-Identifier: Apache-2.0
 * What is known of a node's outputs, from what is known of its inputs.
 */
#ifndef ZTL_ONNX_EVALUATE_H
#define ZTL_ONNX_EVALUATE_H

#include "onnx/convert/convert.h"

/* Runs an operator on buffers. */
typedef struct onnx_engine {
    bool (*run)(void *context, const onnx_call *call, const ztl_ops_tensor *in,
                const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                void *const *target, ztl_error *error);
    void *context;
    uint64_t most; /* bytes of an output that is computed; larger ones only get a shape */
    bool im2col;   /* a Conv is its patches, not their products */
} onnx_engine;

/* The engine that computes constants: the library on the host. */
onnx_engine ztl_onnx_host_engine(uint64_t most);

/* Gives the outputs of a node their shapes and, where all inputs are known, their elements.
 * ONNX_MOVES: shapes at least; ONNX_OTHER and ONNX_WAITS: those that follow from the inputs'. */
enum onnx_answer ztl_onnx_evaluate(onnx_graph *graph, const onnx_node *node,
                                   const onnx_engine *engine, ztl_error *error);

/* All nodes in turn: shapes, and constants up to 64 KiB each and 64 MiB in all. False with an error
 * for a model that breaks a rule, or has more of them. */
bool ztl_onnx_infer(onnx_graph *graph, ztl_error *error);

#endif
