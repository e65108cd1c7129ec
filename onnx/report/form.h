/* SPDX-License-Identifier: Apache-2.0
 * Values that are not moved, but seen through strides of another value's bytes.
 */
#ifndef ZTL_ONNX_REPORT_FORM_H
#define ZTL_ONNX_REPORT_FORM_H

#include "onnx/convert/convert.h"

typedef struct onnx_form {
    size_t root;           /* the value whose bytes they are */
    ztl_ops_tensor tensor; /* over the root's buffer */
} onnx_form;

/* Whether output o of a call can be a form of its input's form: *out. `dense` is the shape of that
 * output. True for a reshape whose strides allow it, a transpose, slice, split or expand. */
bool ztl_onnx_see(const onnx_call *call, size_t o, const ztl_ops_tensor *dense, const onnx_form *in,
                  onnx_form *out);

/* Whether a form is all of its root's bytes, in their order. */
bool ztl_onnx_is_dense(const onnx_form *form);

/* The part of a concat's output that input i becomes. */
ztl_ops_tensor ztl_onnx_part(const onnx_call *concat, const ztl_ops_tensor *in, size_t i,
                             const ztl_ops_tensor *out);

#endif
