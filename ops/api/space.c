/* SPDX-License-Identifier: Apache-2.0
 * How much memory making a plan takes.
 */
#include "ops/format/plan.h"
#include "ops/api/check.h"

/* The number of pieces of the operator's map: with no memory for any, they are only counted. */
static uint64_t count_pieces(const ops_call *call, uint64_t scratch)
{
    ops_call copy = *call;
    ops_arena none = {.base = NULL};
    ops_map map = {.scratch_limit = scratch, .may_overwrite = call->out[0].bits != 4};
    ztl_ops_build_map(&copy, &none, &map);
    return map.count;
}

static bool reshapes(enum ztl_ops_kind kind)
{
    return kind == ZTL_OPS_RESHAPE || kind == ZTL_OPS_FLATTEN || kind == ZTL_OPS_SQUEEZE ||
           kind == ZTL_OPS_UNSQUEEZE;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* Memory for lists, at some 40 bytes an element, of which one list has at most 2^17; and for what
 * they leave in the plan. */
static uint64_t list_space(uint64_t elements, uint64_t bytes)
{
    return at_most(64 * elements, (3u << 20) + bytes / 8);
}

enum {
    FIXED_SPACE = 96 << 10,
    USUAL_SPACE = 32 << 10,
    COPIES = 6,       /* of all pieces, at the same time */
    MOST_SHARING = 64 /* pieces that share loads, each with up to so many others around it */
};

/* Memory that is enough, and memory that is enough for most plans. */
bool ztl_ops_spaces(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                    const ztl_ops_tensor *out, size_t outputs, size_t *enough, size_t *usual)
{
    uint64_t elements = 0, bytes = 0;
    ops_call call = {.op = op, .in = in, .inputs = inputs};
    ops_tensors tensors;
    if (!ztl_ops_check_call(&call, out, outputs, &tensors))
        return false;
    uint64_t pieces = count_pieces(&call, UINT64_MAX);
    uint64_t others =
        reshapes(op->kind) ? ztl_ops_reshape_pieces(call.in, call.out) : count_pieces(&call, 0);
    pieces = pieces > others ? pieces : others;
    for (size_t i = 0; i < outputs; i++) {
        uint64_t n = (uint64_t)ztl_ops_tensor_elements(&out[i]);
        elements += n * (out[i].bits > 64 ? out[i].bits / 64 : 1);
        bytes += out[i].bits == 4 ? n : n * out[i].bits / 8;
    }
    if (!pieces) /* nothing to list: constants of nothing, or indices at run time */
        elements = bytes = 0;
    uint64_t sharing = pieces > 1 ? at_most(pieces, MOST_SHARING) * MOST_SHARING : 0;
    uint64_t fixed = FIXED_SPACE + (COPIES * pieces + sharing) * sizeof(ops_piece) +
                     op->indices.count * sizeof(int64_t);
    *enough = (size_t)(fixed + list_space(elements, bytes));
    *usual = (size_t)(fixed + at_most(USUAL_SPACE, list_space(elements, bytes)));
    return true;
}

size_t ztl_ops_plan_space(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                          const ztl_ops_tensor *out, size_t outputs)
{
    size_t enough, usual;
    return ztl_ops_spaces(op, in, inputs, out, outputs, &enough, &usual) ? enough : 0;
}
