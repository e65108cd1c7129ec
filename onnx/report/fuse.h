/* SPDX-License-Identifier: Apache-2.0
 *
 * Chains of nodes as one plan. A slice, transpose, split, expand or reshape need not be moved: who
 * takes it can read through its strides. And what a concat joins can be written where it belongs.
 * An index map of an index map is an index map; the planner takes strides, so that it is one here.
 */
#ifndef ZTL_ONNX_REPORT_FUSE_H
#define ZTL_ONNX_REPORT_FUSE_H

#include "onnx/report/form.h"
#include "onnx/report/report.h"

typedef struct onnx_fusion {
    onnx_row *row; /* nodes whose plan is another than alone, alike ones together */
    size_t rows;
    size_t gone;        /* nodes that are not moved any more */
    onnx_figures total; /* of the whole network */
} onnx_fusion;

/* Fuses where fewer Ztl instructions are the result, and measures. Outputs are compared with those
 * of the nodes one by one. False with an error without memory. */
bool ztl_onnx_fuse(const onnx_report *report, onnx_fusion *fusion, ztl_error *error);
void ztl_onnx_fusion_free(onnx_fusion *fusion);

#endif
