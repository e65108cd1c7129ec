/* SPDX-License-Identifier: Apache-2.0
 * A node of ONNX as an operator of the library.
 */
#ifndef ZTL_ONNX_CONVERT_H
#define ZTL_ONNX_CONVERT_H

#include "onnx/graph/graph.h"
#include "onnx/graph/read.h"

enum onnx_answer {
    ONNX_MOVES, /* the operator is in the call */
    ONNX_OTHER, /* no data movement, or a form of it that is not served: the error says which */
    ONNX_WAITS, /* it depends on a tensor whose elements are not known yet */
    ONNX_WRONG, /* the node breaks a rule of ONNX: the error says which */
};

enum { ONNX_LISTS = 8 };

typedef struct onnx_call {
    const onnx_graph *graph;
    const onnx_node *node;
    ztl_ops_op op;
    const onnx_value *in[ZTL_OPS_BUFFERS]; /* the operator's inputs */
    size_t inputs;
    int type;               /* of the outputs' elements */
    void *list[ONNX_LISTS]; /* what the operator's lists lie in */
    size_t lists;
    const onnx_value *unknown; /* the tensor that a call waits for */
    size_t deep;               /* the rank of the output where that is above ONNX_RANK, else 0 */
    ztl_error *error;
} onnx_call;

/* Whether nodes of this kind are data movement at all, in some form. */
bool ztl_onnx_is_movement(const onnx_node *node);

/* The call is to be freed whatever the answer is. */
enum onnx_answer ztl_onnx_convert(const onnx_graph *graph, const onnx_node *node, onnx_call *call,
                                  ztl_error *error);
void ztl_onnx_call_free(onnx_call *call);

/* The shapes that a call's inputs have, and those that it makes. Returns the number of outputs, 0
 * with an error. */
size_t ztl_onnx_call_shapes(const onnx_call *call, ztl_ops_tensor *in, ztl_ops_tensor *out,
                            ztl_error *error);

/* The outputs of a call on such inputs; as above. */
size_t ztl_onnx_call_outputs(const onnx_call *call, const ztl_ops_tensor *in, ztl_ops_tensor *out,
                             ztl_error *error);

/* Whether the operator gives a new shape to the same elements in the same order, and nothing else.
 */
bool ztl_onnx_only_reshapes(const onnx_call *call);

/* Whether the output is the input's bytes as they lie. */
bool ztl_onnx_is_view(const onnx_call *call, const ztl_ops_tensor *in, const ztl_ops_tensor *out);

/* Parts of the above. */

/* An input that is a parameter: its value, and room in the call for its elements, each of `size`
 * bytes there; both NULL where there is none, no room where it is not known. */
typedef struct onnx_parameter {
    const onnx_value *value;
    size_t count;
    void *room;
} onnx_parameter;

enum onnx_answer ztl_onnx_wrong(onnx_call *call, const char *what);
enum onnx_answer ztl_onnx_other(onnx_call *call, const char *what);
void *ztl_onnx_room(onnx_call *call, size_t count, size_t size);

/* An operator on the node's first input. */
void ztl_onnx_start(onnx_call *call, ztl_ops_op op);
enum onnx_answer ztl_onnx_set_axis(onnx_call *call, int64_t otherwise);

enum onnx_answer ztl_onnx_parameter(onnx_call *call, size_t input, size_t size, onnx_parameter *p);

/* The numbers of an input: integers, or of whatever type it is. */
enum onnx_answer ztl_onnx_list(onnx_call *call, size_t input, ztl_ops_list *list);
enum onnx_answer ztl_onnx_take_integers(onnx_call *call, size_t input, ztl_ops_list *list);

/* The numbers of an attribute; of one in old models that is an input in new ones. */
bool ztl_onnx_attribute_list(const onnx_call *call, const char *name, ztl_ops_list *list);
enum onnx_answer ztl_onnx_either_list(onnx_call *call, const char *name, size_t input,
                                      ztl_ops_list *list);

/* One for each operator. */
typedef enum onnx_answer onnx_conversion(onnx_call *call);
onnx_conversion ztl_onnx_compress, ztl_onnx_constant_of_shape, ztl_onnx_eye_like, ztl_onnx_gather,
    ztl_onnx_gather_elements, ztl_onnx_gather_nd, ztl_onnx_one_hot, ztl_onnx_pad, ztl_onnx_resize,
    ztl_onnx_reverse_sequence, ztl_onnx_scatter_elements, ztl_onnx_scatter_nd,
    ztl_onnx_tensor_scatter, ztl_onnx_upsample, ztl_onnx_where;

#endif
