/* SPDX-License-Identifier: Apache-2.0
 * Arithmetic on a few numbers, as nodes on shapes do it.
 */
#ifndef ZTL_ONNX_FOLD_FOLD_H
#define ZTL_ONNX_FOLD_FOLD_H

#include "onnx/convert/convert.h"

/* Computes the outputs of a node on a few numbers that are all known. */
enum onnx_answer ztl_onnx_fold(onnx_graph *graph, const onnx_node *node, ztl_error *error);

/* Whether nodes of this kind are such arithmetic. */
bool ztl_onnx_is_arithmetic(const onnx_node *node);

/* Parts of the above. */

enum { ONNX_FOLD_MOST = 4096 }; /* elements: more is no arithmetic on shapes */

typedef struct onnx_folding {
    onnx_graph *graph;
    const onnx_node *node;
    ztl_error *error;
} onnx_folding;

/* An output of that type and shape, with memory for its elements; NULL with an error. */
onnx_value *ztl_onnx_fold_make(onnx_folding *f, int type, int rank, const int64_t *extent);

/* Elements of any arithmetic type go through a double, and 64-bit integers through themselves. */
bool ztl_onnx_is_number(int type);
void ztl_onnx_set_real(onnx_value *out, size_t i, double real);

#define ONNX_FOLD_ONE "Ceil Floor Neg Not Sqrt"
#define ONNX_FOLD_TWO "Add And Div Equal Greater Less Max Min Mod Mul Or Sub"
enum onnx_answer ztl_onnx_fold_one(onnx_folding *f);
enum onnx_answer ztl_onnx_fold_two(onnx_folding *f);
enum onnx_answer ztl_onnx_fold_product(onnx_folding *f);

#endif
