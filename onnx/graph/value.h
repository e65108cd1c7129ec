/* SPDX-License-Identifier: Apache-2.0
 * Tensors of a graph: what is known of them before and while it runs.
 */
#ifndef ZTL_ONNX_VALUE_H
#define ZTL_ONNX_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <ztl/error.h>
#include <ztl/ops.h>

enum { ONNX_RANK = ZTL_OPS_RANK };

/* TensorProto.DataType; newer ones than Debian's onnx.proto has are numbers too. */
enum onnx_type {
    ONNX_UNDEFINED,
    ONNX_FLOAT,
    ONNX_UINT8,
    ONNX_INT8,
    ONNX_UINT16,
    ONNX_INT16,
    ONNX_INT32,
    ONNX_INT64,
    ONNX_STRING,
    ONNX_BOOL,
    ONNX_FLOAT16,
    ONNX_DOUBLE,
    ONNX_UINT32,
    ONNX_UINT64,
    ONNX_COMPLEX64,
    ONNX_COMPLEX128,
    ONNX_BFLOAT16,
    ONNX_FLOAT8E4M3FN,
    ONNX_FLOAT8E4M3FNUZ,
    ONNX_FLOAT8E5M2,
    ONNX_FLOAT8E5M2FNUZ,
    ONNX_UINT4,
    ONNX_INT4,
    ONNX_FLOAT4E2M1,
    ONNX_FLOAT8E8M0,
    ONNX_UINT2,
    ONNX_INT2,
    ONNX_TYPES
};

/* What the nodes of a graph may take for their outputs, so that a small file cannot ask for all
 * memory. Buffers give back what they took. */
typedef struct onnx_budget {
    uint64_t most, used; /* bytes */
    const char *what;    /* what it is for: "constants" */
} onnx_budget;

/* Bytes that several tensors may be: a reshape is its input's. */
typedef struct onnx_buffer {
    size_t users;
    uint64_t size;
    onnx_budget *budget; /* NULL: the bytes are a file's */
    _Alignas(16) uint8_t bytes[];
} onnx_buffer;

typedef struct onnx_value {
    const char *name;
    int type;                  /* enum onnx_type, 0 while not known */
    int rank;                  /* -1 while not known */
    int64_t extent[ONNX_RANK]; /* -1 where not known */
    onnx_buffer *buffer;       /* the elements, or NULL while not known */
    size_t producer;           /* the node, or ONNX_OUTSIDE */
    size_t last_use; /* the last node that takes it; SIZE_MAX for an output of the graph */
    bool is_output, is_initializer;
    bool is_captured; /* the body of a node, as of an If, takes it */
    size_t deep;      /* its rank where that is above ONNX_RANK, else 0; `rank` is not known then */
    const char *other; /* what it is instead of a tensor: "a sequence"; or NULL */
} onnx_value;

#define ONNX_OUTSIDE SIZE_MAX

unsigned ztl_onnx_bits(int type); /* of an element; 0 for strings and types that are not known */
const char *ztl_onnx_type_name(int type);
bool ztl_onnx_is_float(int type);
bool ztl_onnx_is_integer(int type);

bool ztl_onnx_is_shaped(const onnx_value *value); /* type, rank and all extents are known */

/* The value as a dense tensor of the operator library; false where it is too large or not shaped.
 * That library has no elements of 2 bits: of such a tensor, strides are not to be used. */
bool ztl_onnx_tensor(const onnx_value *value, ztl_ops_tensor *tensor);

/* A zeroed buffer with one user; NULL without memory. */
onnx_buffer *ztl_onnx_buffer(uint64_t size);

/* The same within a budget; NULL with an error without memory, and when the budget is used up. */
onnx_buffer *ztl_onnx_make(onnx_budget *budget, uint64_t size, ztl_error *error);
onnx_buffer *ztl_onnx_share(onnx_buffer *buffer);
void ztl_onnx_release(onnx_buffer *buffer);

/* Element i as a number. Any integer or floating-point type, and bool. */
int64_t ztl_onnx_integer(const onnx_value *value, size_t i);
double ztl_onnx_real(const onnx_value *value, size_t i);
void ztl_onnx_set_integer(onnx_value *value, size_t i, int64_t number);

size_t ztl_onnx_count(const onnx_value *value); /* elements; the value is shaped */

/* Writes a text that the file chose, fit for a terminal. */
void ztl_onnx_put(const char *text, FILE *file);

/* "float32 [1, 64, ?, 56]" */
void ztl_onnx_describe(const onnx_value *value, char *text, size_t size);

#endif
