/* SPDX-License-Identifier: Apache-2.0
 * Files of ONNX: models, tensors, external data.
 */
#ifndef ZTL_ONNX_READ_H
#define ZTL_ONNX_READ_H

#include "onnx.pb-c.h"
#include "onnx/graph/value.h"

Onnx__ModelProto *ztl_onnx_read_model(const char *path, ztl_error *error);
void ztl_onnx_free_model(Onnx__ModelProto *model);

/* A TensorProto as a value: type, shape and elements, but of a rank above ONNX_RANK. External data
 * lies below `folder`, which is the model's own; NULL refuses it. */
bool ztl_onnx_read_tensor(const Onnx__TensorProto *tensor, const char *folder, onnx_value *value,
                          ztl_error *error);

/* The tensor in a .pb file. Its name is freed by the caller. */
bool ztl_onnx_read_pb(const char *path, onnx_value *value, char **name, ztl_error *error);

#endif
