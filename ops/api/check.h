/* SPDX-License-Identifier: Apache-2.0
 * Checks of calls and their tensors.
 */
#ifndef ZTL_OPS_CHECK_H
#define ZTL_OPS_CHECK_H

#include "ops/operators/call.h"

/* Rank, element, extents, and that every element lies in the buffer. */
bool ztl_ops_check_tensor(const ops_call *call, const char *what, size_t index,
                          const ztl_ops_tensor *tensor);

/* A checked tensor whose unused strides (of extents 0 and 1) are those of a dense one, so that they
 * cannot overflow. */
ztl_ops_tensor ztl_ops_tensor_plain(const ztl_ops_tensor *tensor);

/* That the operator has every attribute that is set. */
bool ztl_ops_check_attributes(const ops_call *call);

/* The first byte that the elements of a checked tensor take, and one past the last. */
void ztl_ops_tensor_span(const ztl_ops_tensor *tensor, uint64_t *low, uint64_t *high);

/* That no two elements of an output share bytes. */
bool ztl_ops_check_distinct(const ops_call *call, size_t index, const ztl_ops_tensor *tensor);

/* The tensors of a call, after ztl_ops_tensor_plain. */
typedef struct ops_tensors {
    ztl_ops_tensor in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
} ops_tensors;

/* Checks a call and the outputs it is given. The call then refers to `tensors`. */
bool ztl_ops_check_call(ops_call *call, const ztl_ops_tensor *out, size_t outputs,
                        ops_tensors *tensors);

/* The operator's index map in canonical form. */
bool ztl_ops_build_map(ops_call *call, ops_arena *arena, ops_map *map);

#endif
