/* SPDX-License-Identifier: Apache-2.0
 * Checks of tensor descriptions.
 */
#ifndef ZTL_OPS_TENSOR_H
#define ZTL_OPS_TENSOR_H

#include "ops/operators/call.h"

int64_t ops_tensor_elements(const ztl_ops_tensor *tensor);

/* Rank, element, extents, and that every element lies in the buffer. */
bool ops_check_tensor(ops_call *call, const char *what, size_t index, const ztl_ops_tensor *tensor);

/* A checked tensor, with steps for dimensions of one and for no elements that cannot overflow. */
ztl_ops_tensor ops_tensor_plain(const ztl_ops_tensor *tensor);

/* The first byte that the elements take, and the one behind the last; of a checked tensor. */
void ops_tensor_span(const ztl_ops_tensor *tensor, uint64_t *low, uint64_t *high);

/* That no two elements of an output share bytes. */
bool ops_check_distinct(ops_call *call, size_t index, const ztl_ops_tensor *tensor);

/* The range of an integer type. */
int64_t ops_lowest(const ztl_type_row *type);
int64_t ops_highest(const ztl_type_row *type);

/* One element plus an immediate, by the rules of ADDI. */
uint64_t ops_add_value(const ztl_type_row *type, uint64_t value, int64_t addend);

/* A word of 64 bits of the constant that pad, fill and col2im write. */
static inline uint64_t ops_fill_word(const ztl_ops_op *op, unsigned word)
{
    return word ? op->wide[word - 1] : op->value;
}

/* The tensors of a call. Steps that are never taken are as in a dense tensor, whatever they were
 * given as. */
typedef struct ops_tensors {
    ztl_ops_tensor in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
} ops_tensors;

/* Checks everything about a call with the outputs as they are given; its tensors are then these. */
bool ops_check_call(ops_call *call, const ztl_ops_tensor *out, size_t outputs,
                    ops_tensors *tensors);

/* The operator's index map in canonical form. */
bool ops_build_map(ops_call *call, ops_arena *arena, ops_map *map);

#endif
