/* SPDX-License-Identifier: Apache-2.0
 * Rows for what was fused, and what their outputs must be: those of the nodes one by one.
 */
#ifndef ZTL_ONNX_REPORT_CHAIN_H
#define ZTL_ONNX_REPORT_CHAIN_H

#include "onnx/report/fuse.h"

/* Adds a plan to the fusion: a row of its own, or the figures of the node's row where it is the
 * same plan. `row` NULL: the copy of an input into a concat. False without memory. */
bool ztl_onnx_collect(const onnx_report *report, onnx_fusion *fusion, const onnx_row *row,
                      size_t node, const ztl_ops_op *op, const onnx_form *in, size_t inputs,
                      const ztl_ops_tensor *out, size_t outputs, size_t target, bool composed);

#endif
