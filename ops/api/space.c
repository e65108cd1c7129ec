/* SPDX-License-Identifier: Apache-2.0
 * How much memory making a plan takes.
 */
#include "ops/format/plan.h"
#include "ops/api/check.h"
#include "ops/lower/lower.h"

/* The pieces of the operator's map: with no memory for any, they are only counted. */
static ops_map count_pieces(const ops_call *call, uint64_t scratch)
{
    ops_call copy = *call;
    ops_arena none = {.base = NULL};
    ops_map map = {.scratch_limit = scratch, .may_overwrite = call->out[0].bits != 4};
    ztl_ops_build_map(&copy, &none, &map);
    return map;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

enum {
    FIXED_SPACE = 112 << 10,
    LIST_SPACE = 256 << 10, /* of a list, whatever its length: see pack/packing.h */
    MOST_SHARING = 64,      /* pieces that share loads … */
    SHARING = 24,           /* … each with up to so many others around it */
    COPIES = 4,             /* of pieces that are solved together, */
    NIBBLES = 9             /* and of those of nibbles, which are cut where bytes are */
};

/* Memory for lists, and for what they leave in the plan. */
static uint64_t list_space(uint64_t elements, uint64_t bytes)
{
    return at_most(64 * elements, LIST_SPACE + bytes / 8);
}

/* All pieces are there while those that are solved together are copied. */
static uint64_t piece_space(const ops_call *call)
{
    ops_map map = count_pieces(call, UINT64_MAX), direct = count_pieces(call, 0);
    uint64_t pieces = larger(map.count, direct.count),
             constants = larger(map.constants, direct.constants);
    uint64_t together = larger(at_most(pieces, OPS_MOST_TOGETHER), constants);
    uint64_t sharing = pieces > 1 ? at_most(pieces, MOST_SHARING) * SHARING : 0;
    uint64_t copies = call->out->bits == 4 ? NIBBLES * pieces : constants + COPIES * together;
    return (pieces + copies + sharing) * sizeof(ops_piece);
}

size_t ztl_ops_plan_space(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                          const ztl_ops_tensor *out, size_t outputs)
{
    uint64_t elements = 0, bytes = 0;
    ops_call call = {.op = op, .in = in, .inputs = inputs};
    ops_tensors tensors;
    if (!ztl_ops_check_call(&call, out, outputs, &tensors))
        return 0;
    for (size_t i = 0; i < outputs; i++) {
        uint64_t n = (uint64_t)ztl_ops_tensor_elements(&out[i]);
        elements += n * (out[i].bits > 64 ? out[i].bits / 64 : 1);
        bytes += out[i].bits == 4 ? n : n * out[i].bits / 8;
    }
    uint64_t pieces = piece_space(&call);
    if (!pieces) /* nothing to list: constants of nothing, or indices at run time */
        elements = bytes = 0;
    return (size_t)(FIXED_SPACE + pieces + op->indices.count * sizeof(int64_t) +
                    list_space(elements, bytes));
}
