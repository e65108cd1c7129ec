/* SPDX-License-Identifier: Apache-2.0
 * The patches of a convolution, when somebody asks for them.
 */
#ifndef ZTL_ONNX_IM2COL_H
#define ZTL_ONNX_IM2COL_H

#include "onnx/convert/convert.h"

bool ztl_onnx_is_conv(const onnx_node *node);

/* Conv's im2col as a call; the convolution itself is not done. */
enum onnx_answer ztl_onnx_im2col(const onnx_graph *graph, const onnx_node *node, onnx_call *call,
                                 ztl_error *error);

/* Kernels of one element, at every element: the patches are the image. */
bool ztl_onnx_im2col_is_view(const onnx_call *call);

#endif
