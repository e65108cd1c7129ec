/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole-tensor operators on Ztl.
 *
 *     const int64_t shape[] = {1, 64, 56, 56}, perm[] = {0, 2, 3, 1};
 *     ztl_ops_op op = ztl_ops_transpose(perm, 4);
 *     ztl_ops_tensor in, out;
 *     ztl_error error;
 *     ztl_ops_dense(&in, 8, 4, shape);
 *     if (!ztl_ops_infer(&op, &in, 1, &out, 1, &error) ||
 *         !ztl_ops_apply(&op, &in, 1, &out, 1, sources, targets, &error))
 *         puts(error.text);
 *
 * What is done more than once is planned once:
 *
 *     ztl_ops_plan *plan = ztl_ops_plan_new(&op, &in, 1, &out, 1, NULL, &error);
 *     ztl_ops_plan_run(plan, sources, targets, &error);        // on any buffers of that form
 *     ztl_ops_plan_free(plan);
 *
 * These four functions allocate. All others work in memory of the caller's: ztl_ops_make and
 * ztl_ops_run are the same without malloc. The library keeps no state: different plans may be made,
 * and a plan may be run, by different threads at once. On a host the instructions are executed by
 * the model; <ztl/movers.h> moves the same bytes by the host's own.
 *
 * Wherever a function takes an `error`, it may be NULL.
 */
#ifndef ZTL_OPS_H
#define ZTL_OPS_H

#include <ztl/error.h>
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

typedef struct ztl_ops_reals {
    const double *value;
    size_t count;
} ztl_ops_reals;

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
    ZTL_OPS_LINEAR, /* tensor-scatter */
    ZTL_OPS_CIRCULAR,
    ZTL_OPS_APART,     /* col2im: no pixel is in two patches; 0 is this too */
    ZTL_OPS_FIRST,     /* … of several taps that have a pixel, the first */
    ZTL_OPS_SYMMETRIC, /* pad */
};

enum ztl_ops_layout { ZTL_OPS_NCHW, ZTL_OPS_NHWC };

/* Resize: from a position of the output to one of the input, */
enum ztl_ops_coordinate {
    ZTL_OPS_HALF_PIXEL,
    ZTL_OPS_HALF_PIXEL_SYMMETRIC,
    ZTL_OPS_PYTORCH_HALF_PIXEL,
    ZTL_OPS_ALIGN_CORNERS,
    ZTL_OPS_ASYMMETRIC,
    ZTL_OPS_TF_CROP_AND_RESIZE,
    ZTL_OPS_TF_HALF_PIXEL_FOR_NN, /* of opset 11 alone */
};

/* … which element is there, */
enum ztl_ops_nearest {
    ZTL_OPS_ROUND_PREFER_FLOOR,
    ZTL_OPS_ROUND_PREFER_CEIL,
    ZTL_OPS_FLOOR,
    ZTL_OPS_CEIL,
};

/* … and what `sizes` are. */
enum ztl_ops_aspect {
    ZTL_OPS_STRETCH,
    ZTL_OPS_NOT_LARGER,
    ZTL_OPS_NOT_SMALLER,
};

/* Pack, unpack: a row of ops/formats.def, which says what each is. */
enum ztl_ops_format {
    ZTL_OPS_NO_FORMAT,
#define ZTL_FORMAT(ID, ...) ZTL_OPS_##ID,
#include "ops/formats.def"
};

/* An operator and its attributes, named as ONNX names them. Zero, and an empty list, is the
 * operator's default. An attribute that is set and that the operator does not have is refused.
 * <ztl/ops_new.h> has a constructor for each operator: ztl_ops_transpose, … */
typedef struct ztl_ops_op {
    enum ztl_ops_kind kind;
    enum ztl_ops_mode mode;
    enum ztl_ops_layout layout;
    bool has_axis;
    bool has_indices_shape; /* gather: false is one dimension */
    int64_t axis;
    int64_t blocksize;
    int64_t allowzero;   /* reshape: a 0 in shape is an extent, not one that stays */
    int64_t groups;      /* im2col, col2im; 0 is 1 */
    int64_t batch_dims;  /* gather-nd */
    int64_t num_outputs; /* split without a list of parts: into so many, the last one smaller */
    int64_t k;           /* trilu, eye-like: the diagonal; above 0 is above the main one */
    int64_t lower;       /* trilu: keeps what is below it, not what is above */
    int64_t depth;       /* one-hot: positions along the new axis */
    int64_t batch_axis, time_axis; /* reverse-sequence; both 0 are 1 and 0 */
    int64_t bits; /* eye-like, one-hot, constant-of-shape: of an element of the output */
    enum ztl_ops_coordinate coordinate; /* resize */
    enum ztl_ops_nearest nearest;
    enum ztl_ops_aspect aspect;
    enum ztl_ops_format format;    /* pack, unpack */
    uint64_t value;                /* the bits of an element that no input has, */
    uint64_t wide[3];              /* … and those from the 64th on */
    uint64_t on[4];                /* eye-like, one-hot: the element that is on; `value` is off */
    int64_t addend;                /* add-immediate: −128…127 */
    enum ztl_type type;            /* add-immediate */
    const char *pattern, *lengths; /* rearrange, repeat: "b (h p) w -> b h (w p)", "p=2" */
    ztl_ops_list perm, axes, starts, ends, steps, pads, indices, indices_shape, condition, shape,
        split, repeats, shift, sizes, sequence_lens, kernel, strides, dilations;
    ztl_ops_reals scales, roi; /* resize */
} ztl_ops_op;

/* How long the planner looks for ways that divide a piece of the work, in steps, which are counted,
 * not timed: a plan is the same on every machine. */
enum ztl_ops_effort {
    ZTL_OPS_NORMAL,   /* 300 000 steps a piece */
    ZTL_OPS_QUICK,    /* 10 000: for plans that are made just in time */
    ZTL_OPS_THOROUGH, /* 3 000 000, and parts of parts are divided once more */
};

/* What the planner makes few of. */
enum ztl_ops_aim {
    ZTL_OPS_FEW_CYCLES, /* on a machine of doc/timing.md */
    ZTL_OPS_FEW_INSTRUCTIONS,
};

/* How fast ports and engines are: the parameters of doc/timing.md that a plan depends on. All zero
 * is the machine `four`. */
typedef struct ztl_ops_engines {
    uint32_t load_bytes, load_slices;   /* a cycle through the load port: l1m.bytes, l1m.slices */
    uint32_t store_bytes, store_slices; /* and through the store port */
    uint32_t move_bytes;                /* of XPOSE, PERMUTE, CONCAT and MERGE */
    bool by_kind;                       /* EngineID does not choose the engine */
    bool only_one;                      /* engine for everything */
    bool shared_port;                   /* of loads and stores */
} ztl_ops_engines;

/* The engines of a ztl_timing_machine (<ztl/timing.h>). */
#define ZTL_OPS_ENGINES(machine)                                                                   \
    ((ztl_ops_engines){.load_bytes = (machine)->l1m_bytes,                                         \
                       .load_slices = (machine)->l1m_slices,                                       \
                       .store_bytes = (machine)->l0m_bytes,                                        \
                       .store_slices = (machine)->l0m_slices,                                      \
                       .move_bytes = (machine)->move_bytes,                                        \
                       .by_kind = (machine)->engines_by != 0,                                      \
                       .only_one = (machine)->engines_count == 1,                                  \
                       .shared_port = (machine)->ports_shared != 0})

/* What the planner may count on. All zero, or NULL, is a flat machine and scratch of any size. */
typedef struct ztl_ops_machine {
    bool disjoint_windows;  /* what Ztl stores, Ztl cannot load again */
    bool no_scratch;        /* plans take no scratch memory */
    uint64_t scratch_limit; /* the most scratch memory, in bytes; 0 is any */
    enum ztl_ops_effort effort;
    enum ztl_ops_aim aim;
    ztl_ops_engines engines; /* for few cycles */
} ztl_ops_machine;

typedef struct ztl_ops_stats {
    uint64_t insn[ZTL_OPS]; /* Ztl instructions, by enum ztl_op: insn[ZTL_OP_LOAD] */
    uint64_t csr;           /* CSR writes */
    uint64_t scalar;        /* elements moved by scalar code */
    uint64_t scalar_reads;  /* elements that scalar code only looks at: the condition of where */
} ztl_ops_stats;

typedef struct ztl_ops_plan ztl_ops_plan;

/* A dense row-major tensor. False when the rank, an extent or the size is out of range. */
ZTL_API bool ztl_ops_dense(ztl_ops_tensor *tensor, unsigned bits, unsigned rank,
                           const int64_t *extent);

/* The dense outputs of an operator on these inputs. Returns how many there are, 0 with an error
 * when the arguments are wrong. */
ZTL_API size_t ztl_ops_infer(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                             ztl_ops_tensor *out, size_t room, ztl_error *error);

/* Reshape: the input's own bytes under the output's shape, where strides allow that: no copy is
 * needed then, and *view is what the caller goes on with. */
ZTL_API bool ztl_ops_view(const ztl_ops_tensor *in, const ztl_ops_tensor *out,
                          ztl_ops_tensor *view);

/* Plans; NULL with an error that says what is wrong. */
ZTL_API ztl_ops_plan *ztl_ops_plan_new(const ztl_ops_op *op, const ztl_ops_tensor *in,
                                       size_t inputs, const ztl_ops_tensor *out, size_t outputs,
                                       const ztl_ops_machine *machine, ztl_error *error);
ZTL_API void ztl_ops_plan_free(ztl_ops_plan *plan);

/* ztl_ops_run in scratch memory that it allocates and frees. */
ZTL_API bool ztl_ops_plan_run(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                              ztl_error *error);

/* Makes a plan, runs it once and frees it. */
ZTL_API bool ztl_ops_apply(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                           const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                           void *const *target, ztl_error *error);

/* Memory that is enough to make the plan, 0 for arguments that ztl_ops_make refuses; in less, a
 * plan that takes more instructions may be found, or none. ztl_ops_plan_bytes tells what it finally
 * takes. A plan has no pointers in it and may be moved. */
ZTL_API size_t ztl_ops_plan_space(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                                  const ztl_ops_tensor *out, size_t outputs);
ZTL_API size_t ztl_ops_plan_bytes(const ztl_ops_plan *plan);

/* ztl_ops_plan_new in memory of the caller's, which must be aligned to 8. */
ZTL_API bool ztl_ops_make(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                          const ztl_ops_tensor *out, size_t outputs, const ztl_ops_machine *machine,
                          ztl_ops_plan *plan, size_t space, ztl_error *error);

/* The scratch memory that a run needs. */
ZTL_API uint64_t ztl_ops_scratch_bytes(const ztl_ops_plan *plan);

/* What a run will execute, and the least that any program could: each KiB of input that is used
 * loaded once, each KiB of output stored once. */
ZTL_API ztl_ops_stats ztl_ops_plan_stats(const ztl_ops_plan *plan);
ZTL_API uint64_t ztl_ops_total(const ztl_ops_stats *stats);
ZTL_API uint64_t ztl_ops_lower_bound(const ztl_ops_plan *plan);

/* The bytes of the inputs that are used, each counted once, and those of the outputs. */
ZTL_API void ztl_ops_moved_bytes(const ztl_ops_plan *plan, uint64_t *in, uint64_t *out);

/* Describes the plan in lines of text. Returns the length that the whole text has. */
ZTL_API size_t ztl_ops_describe(const ztl_ops_plan *plan, char *text, size_t size);

/* Runs a plan on the calling thread's hart, whose tensor registers and Ztl CSRs are then changed.
 * `scratch` holds ztl_ops_scratch_bytes, and may be NULL where these are 0. False with an error,
 * and nothing written, where a buffer is missing, an output or the scratch memory overlaps what is
 * read (the bytes from a tensor's lowest to its highest element count), or there is no memory for
 * the hart. */
ZTL_API bool ztl_ops_run(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                         void *scratch, ztl_error *error);

/* The same by plain loops over elements, without Ztl: the reference that results are compared with.
 * `work` is as large as a plan's memory. */
ZTL_API bool ztl_ops_reference(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                               const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                               void *const *target, void *work, size_t space, ztl_error *error);

ZTL_API const char *ztl_ops_name(enum ztl_ops_kind kind);

#ifdef __cplusplus
}
#endif

#include <ztl/ops_new.h>

#endif
