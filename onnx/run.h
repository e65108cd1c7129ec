/* SPDX-License-Identifier: Apache-2.0
 * Executing a graph, and directories of ONNX's tests.
 */
#ifndef ZTL_ONNX_RUN_H
#define ZTL_ONNX_RUN_H

#include <stdio.h>

#include "onnx/evaluate.h"

/* Gives an input of the graph its elements; `value` has type, shape and a buffer, which is shared.
 * False with an error when the graph has no such input or it has another type or shape. */
bool ztl_onnx_bind(onnx_graph *graph, const char *name, const onnx_value *value, ztl_error *error);

/* Bytes that the tensors which nodes make may take at a time, unless somebody says otherwise. */
#define ONNX_RUN_BUDGET (UINT64_C(1) << 30)

/* Executes all nodes, in order. Buffers are freed after their last use. ONNX_OTHER: a node is not
 * data movement. */
enum onnx_answer ztl_onnx_run(onnx_graph *graph, const onnx_engine *engine, uint64_t budget,
                              ztl_error *error);

/* One test directory: model.onnx, test_data_set_*. */
enum onnx_verdict { ONNX_PASS, ONNX_FAIL, ONNX_SKIP };

typedef struct onnx_test {
    char *path;
    enum onnx_verdict verdict;
    ztl_error why; /* it failed or was skipped */
    unsigned sets; /* of data that were compared */
    double seconds;
} onnx_test;

void ztl_onnx_test(onnx_test *test, const onnx_engine *engine);

/* The directories with a model.onnx at and below `path`, sorted; added to the list. */
bool ztl_onnx_find_tests(const char *path, onnx_test **list, size_t *count, ztl_error *error);

/* A report for continuous integration. */
void ztl_onnx_write_junit(FILE *file, const onnx_test *list, size_t count);

#endif
