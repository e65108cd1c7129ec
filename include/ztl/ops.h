/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole-tensor operators on Ztl.
 *
 *     ztl_ops_op op = {.kind = ZTL_OPS_TRANSPOSE, .perm = {(int64_t[]){0, 2, 3, 1}, 4}};
 *     ztl_ops_tensor in, out;
 *     ztl_ops_dense(&in, 8, 4, (int64_t[]){1, 64, 56, 56});
 *     ztl_ops_error error;
 *     ztl_ops_infer(&op, &in, 1, &out, 1, &error);
 *     size_t space = ztl_ops_plan_space(&op, &in, 1, &out, 1);
 *     ztl_ops_plan *plan = malloc(space);
 *     ztl_ops_make(&op, &in, 1, &out, 1, NULL, plan, space, &error);
 *     void *scratch = malloc(ztl_ops_scratch_bytes(plan) + 1);
 *     ztl_ops_run(plan, inputs, outputs, scratch, &error);          // as often as needed
 *
 * A plan is made once and run many times, on any buffers of the described form. The library
 * allocates nothing: the plan and the scratch memory are the caller's. It keeps no state: different
 * plans may be made and run by different threads at once.
 */
#ifndef ZTL_OPS_H
#define ZTL_OPS_H

#include <ztl/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ZTL_OPS_RANK = 8,     /* the largest rank */
    ZTL_OPS_BUFFERS = 64, /* the most inputs, and the most outputs */
};

/* A tensor in a buffer. Strides and offset are in bytes; for elements of 4 bits in half-bytes. */
typedef struct ztl_ops_tensor {
    unsigned rank;
    unsigned bits; /* of an element: 4, 8, 16, 32, 64, 128 or 256 */
    int64_t extent[ZTL_OPS_RANK];
    int64_t stride[ZTL_OPS_RANK];
    int64_t offset; /* of element 0 from the start of the buffer */
    uint64_t size;  /* of the buffer, in bytes */
} ztl_ops_tensor;

typedef struct ztl_ops_list {
    const int64_t *value;
    size_t count;
} ztl_ops_list;

enum ztl_ops_kind {
#define ZTL_OPERATOR(ID, ...) ZTL_OPS_##ID,
#include "ops/operators.def"
    ZTL_OPS_KINDS
};

enum ztl_ops_mode {
    ZTL_OPS_CONSTANT, /* pad */
    ZTL_OPS_EDGE,
    ZTL_OPS_REFLECT,
    ZTL_OPS_WRAP,
    ZTL_OPS_DCR, /* depth-to-space */
    ZTL_OPS_CRD,
};

enum ztl_ops_layout { ZTL_OPS_NCHW, ZTL_OPS_NHWC };

/* An operator and its attributes, named as ONNX names them. What an operator does not use is not
 * looked at; an empty list is the operator's default. */
typedef struct ztl_ops_op {
    enum ztl_ops_kind kind;
    enum ztl_ops_mode mode;
    enum ztl_ops_layout layout;
    bool has_axis;
    bool has_indices_shape; /* gather: false is one dimension */
    int64_t axis;
    int64_t blocksize;
    int64_t allowzero;   /* reshape: a 0 in shape is an extent, not one that stays */
    int64_t groups;      /* im2col; 0 is 1 */
    int64_t num_outputs; /* split without a list of parts: into so many, the last one smaller */
    uint64_t value;      /* pad, fill, col2im: the bits of one element, */
    uint64_t wide[3];    /* … and those from the 64th on */
    int64_t addend;      /* add-immediate: −128…127 */
    enum ztl_type type;  /* add-immediate */
    ztl_ops_list perm, axes, starts, ends, steps, pads, indices, indices_shape, condition, shape,
        split, repeats, shift, scales, kernel, strides, dilations;
} ztl_ops_op;

typedef struct ztl_ops_error {
    char text[160];
} ztl_ops_error;

/* What the planner may count on. NULL is the default: a flat machine, scratch of any size. */
typedef struct ztl_ops_machine {
    bool disjoint_windows; /* what Ztl stores, Ztl cannot load again */
    uint64_t scratch;      /* the most scratch memory, in bytes; UINT64_MAX is any */
    bool byte_strides;     /* a machine that does not exist, whose slices lie at any byte instead of
                              multiples of their width: plans can be counted but not run */
} ztl_ops_machine;

typedef struct ztl_ops_stats {
    uint64_t load, store, xpose, permute, concat, merge, addi; /* Ztl instructions */
    uint64_t csr;                                              /* CSR writes */
    uint64_t scalar;                                           /* elements moved by scalar code */
    uint64_t scalar_reads; /* elements that scalar code only looks at: the condition of where */
} ztl_ops_stats;

typedef struct ztl_ops_plan ztl_ops_plan;

/* A dense row-major tensor. False when the rank, an extent or the size is out of range. */
ZTL_API bool ztl_ops_dense(ztl_ops_tensor *tensor, unsigned bits, unsigned rank,
                           const int64_t *extent);

/* The dense outputs of an operator on these inputs. Returns how many there are, 0 with an error
 * when the arguments are wrong. */
ZTL_API size_t ztl_ops_infer(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                             ztl_ops_tensor *out, size_t room, ztl_ops_error *error);

/* Reshape: the input's own bytes under the output's shape, where strides allow that: no copy is
 * needed then, and *view is what the caller goes on with. */
ZTL_API bool ztl_ops_view(const ztl_ops_tensor *in, const ztl_ops_tensor *out,
                          ztl_ops_tensor *view);

/* Memory that is enough to make the plan, 0 for arguments that ztl_ops_make refuses; in less, a
 * plan that takes more instructions may be found. ztl_ops_plan_bytes tells what it finally takes. A
 * plan has no pointers in it and may be moved. */
ZTL_API size_t ztl_ops_plan_space(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                                  const ztl_ops_tensor *out, size_t outputs);
ZTL_API size_t ztl_ops_plan_bytes(const ztl_ops_plan *plan);

/* Plans; false with an error that says what is wrong. `plan` must be aligned to 8. */
ZTL_API bool ztl_ops_make(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                          const ztl_ops_tensor *out, size_t outputs, const ztl_ops_machine *machine,
                          ztl_ops_plan *plan, size_t space, ztl_ops_error *error);

/* The scratch memory that a run needs. */
ZTL_API uint64_t ztl_ops_scratch_bytes(const ztl_ops_plan *plan);

/* What a run will execute, and the least that any program could: each KiB of input that is used
 * loaded once, each KiB of output stored once. */
ZTL_API ztl_ops_stats ztl_ops_plan_stats(const ztl_ops_plan *plan);
ZTL_API uint64_t ztl_ops_total(const ztl_ops_stats *stats);
ZTL_API uint64_t ztl_ops_lower_bound(const ztl_ops_plan *plan);

/* Describes the plan in lines of text. Returns the length that the whole text has. */
ZTL_API size_t ztl_ops_describe(const ztl_ops_plan *plan, char *text, size_t size);

/* Runs a plan on the calling thread's hart, whose tensor registers and Ztl CSRs are then changed.
 * `scratch` holds ztl_ops_scratch_bytes. False with an error, and nothing written,
 * where a buffer is missing, an output or the scratch memory overlaps what is read (the bytes from
 * a tensor's lowest to its highest element count), or there is no memory for the hart. `error` may
 * be NULL. */
ZTL_API bool ztl_ops_run(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                         void *scratch, ztl_ops_error *error);

/* The same by plain loops over elements, without Ztl: the reference that results are compared with.
 * `work` is as large as a plan's memory. */
ZTL_API bool ztl_ops_reference(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                               const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                               void *const *target, void *work, size_t space, ztl_ops_error *error);

ZTL_API const char *ztl_ops_name(enum ztl_ops_kind kind);

#ifdef __cplusplus
}
#endif
#endif
