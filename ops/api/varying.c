/* SPDX-License-Identifier: Apache-2.0
 * A plan for tensors whose outer extents are only known when it runs: a plan for the largest, and
 * plans for 1, 4, 16 … positions of each dimension that varies, of which every smaller extent is
 * composed. Positions stay where they are in tensors of the largest extents.
 */
#include <stdlib.h>

#include "ops/api/check.h"
#include "ops/exec/exec.h"

enum { BLOCKS = 33, FACTOR = 4, MOST_DIMS = 2 };

/* A dimension that varies. */
typedef struct varied {
    ops_followed at;
    size_t blocks;
    int64_t extent[BLOCKS];                            /* of each block, from the largest on */
    int64_t in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS]; /* bytes from position to position */
} varied;

struct ztl_ops_varying {
    size_t inputs, outputs;
    unsigned dims;
    varied dim[MOST_DIMS];
    ztl_ops_plan *plan[BLOCKS][BLOCKS]; /* by the blocks of both; of one: the first of each row */
    int64_t count_at;                   /* in output 1, of a condition */
    int index_input;                    /* the input that holds indices, or -1 */
    ztl_ops_tensor indices;
};

/* Whether blocks after the first add to what those before have left: updates of a scatter. */
static bool adds_on(const varied *v)
{
    return v->at.out[0] < 0;
}

/* Whether something is written even for no positions: what a scatter starts from, a count. */
static bool has_none(const ztl_ops_varying *v, const ops_call *call, unsigned k)
{
    return adds_on(&v->dim[k]) || (call->op->kind == ZTL_OPS_COMPRESS && call->inputs == 2);
}

static void set_extent(ztl_ops_tensor *tensor, int dimension, int64_t extent)
{
    if (dimension >= 0)
        tensor->extent[dimension] = extent;
}

/* Tensors of one block of each dimension; false where the operator makes of them another shape than
 * the one of all positions has. */
static bool shorten(const ztl_ops_varying *v, const ops_call *whole, const int64_t *extent,
                    ops_tensors *tensors, ztl_error *error)
{
    ztl_ops_tensor made[ZTL_OPS_BUFFERS];
    memcpy(tensors->in, whole->in, whole->inputs * sizeof *whole->in);
    memcpy(tensors->out, whole->out, whole->outputs * sizeof *whole->out);
    for (unsigned k = 0; k < v->dims; k++) {
        for (size_t i = 0; i < whole->inputs; i++)
            set_extent(&tensors->in[i], v->dim[k].at.in[i], extent[k]);
        for (size_t i = 0; i < whole->outputs; i++)
            set_extent(&tensors->out[i], v->dim[k].at.out[i], extent[k]);
    }
    size_t outputs =
        ztl_ops_infer(whole->op, tensors->in, whole->inputs, made, ZTL_OPS_BUFFERS, error);
    if (!outputs)
        return false;
    for (size_t i = 0; i < outputs; i++)
        if (outputs != whole->outputs || made[i].rank != whole->out[i].rank ||
            memcmp(made[i].extent, tensors->out[i].extent, made[i].rank * sizeof(int64_t)) != 0)
            return ztl_ops_fail(error, "%s: the shape of the output depends on the %s extent",
                                ztl_ops_name(whole->op->kind), v->dims > 1 ? "outer" : "outermost");
    return true;
}

/* Bytes from position to position; false for half of one. */
static bool step_of(const ztl_ops_tensor *tensor, int dimension, int64_t *step, ztl_error *error)
{
    int64_t stride = dimension < 0 ? 0 : tensor->stride[dimension];
    *step = tensor->bits == 4 ? stride / 2 : stride;
    return tensor->bits != 4 || stride % 2 == 0 ||
           ztl_ops_fail(error, "elements of 4 bits: positions do not begin with a byte");
}

/* Takes the extent of a tensor's dimension, if it has it; false where another one has another. */
static bool same_extent(const ztl_ops_tensor *tensor, int dimension, int64_t *most)
{
    if (dimension < 0)
        return true;
    if (dimension >= (int)tensor->rank)
        return false;
    if (*most < 0)
        *most = tensor->extent[dimension];
    return *most > 0 && tensor->extent[dimension] == *most;
}

/* Whether every tensor that has the dimension has the same extent, and there is one. */
static bool find_steps(varied *v, const ops_call *call, unsigned k, ztl_error *error)
{
    int64_t most = -1;
    bool good = true;
    for (size_t i = 0; i < call->inputs; i++)
        good = good && same_extent(&call->in[i], v->at.in[i], &most);
    for (size_t i = 0; i < call->outputs; i++)
        good = good && same_extent(&call->out[i], v->at.out[i], &most);
    if (!good || most < 0)
        return k == 0 ? ztl_ops_fail(error, "%s: the outermost dimension is not that of the output",
                                     ztl_ops_name(call->op->kind))
                      : ztl_ops_fail(error, "%s: dimension %u does not have one extent everywhere",
                                     ztl_ops_name(call->op->kind), k);
    v->extent[0] = most;
    for (size_t i = 0; i < call->inputs; i++)
        if (!step_of(&call->in[i], v->at.in[i], &v->in[i], error))
            return false;
    for (size_t i = 0; i < call->outputs; i++)
        if (!step_of(&call->out[i], v->at.out[i], &v->out[i], error))
            return false;
    return true;
}

/* The largest extent, and the powers of 4 below. */
static void find_blocks(varied *v, bool none)
{
    int64_t most = v->extent[0], block = 1;
    while (block <= (most - 1) / FACTOR)
        block *= FACTOR;
    for (int64_t extent = most; extent > 0;) {
        v->extent[v->blocks++] = extent;
        extent = extent == most && block < most ? block : extent / FACTOR;
    }
    if (none)
        v->extent[v->blocks++] = 0;
}

static bool make_plan(ztl_ops_varying *v, const ops_call *call, size_t i, size_t j,
                      const ztl_ops_machine *machine, ztl_error *error)
{
    ops_tensors tensors;
    const int64_t extent[MOST_DIMS] = {v->dim[0].extent[i], v->dim[1].extent[j]};
    if (!shorten(v, call, extent, &tensors, error))
        return false;
    ztl_ops_plan *plan = ztl_ops_plan_new(call->op, tensors.in, call->inputs, tensors.out,
                                          call->outputs, machine, error);
    v->plan[i][j] = plan;
    if (!plan)
        return false;
    bool adds = adds_on(&v->dim[0]) || (v->dims > 1 && adds_on(&v->dim[1]));
    return !adds || plan->indexed == OPS_IN_PLACE ||
           ztl_ops_fail(error,
                        "%s: the number of updates varies, which needs an output with the "
                        "strides of input 0",
                        ztl_ops_name(call->op->kind));
}

/* Where the dimensions are. Without `inner`, all tensors that have the only one have it outermost.
 */
static bool follow(ztl_ops_varying *v, const ops_call *call, bool inner, ztl_error *error)
{
    for (unsigned k = 0; k < v->dims; k++) {
        ops_followed *at = &v->dim[k].at;
        bool good = ztl_ops_follow(call, k, at) && (!at->counts_on || k + 1 == v->dims);
        for (size_t i = 0; !inner && good && i < call->outputs; i++)
            good = at->out[i] <= 0;
        if (!good && k == 0)
            return ztl_ops_fail(error, "%s: the outermost dimension cannot vary here",
                                ztl_ops_name(call->op->kind));
        if (!good)
            return ztl_ops_fail(error, "%s: dimension %u cannot vary here",
                                ztl_ops_name(call->op->kind), k);
        if (!find_steps(&v->dim[k], call, k, error))
            return false;
    }
    return true;
}

static bool make_blocks(ztl_ops_varying *v, const ops_call *call, const ztl_ops_machine *machine,
                        ztl_error *error)
{
    v->dim[1].blocks = v->dims > 1 ? 0 : 1;
    for (unsigned k = 0; k < v->dims; k++)
        find_blocks(&v->dim[k], has_none(v, call, k));
    for (size_t i = 0; i < v->dim[0].blocks; i++)
        for (size_t j = 0; j < v->dim[1].blocks; j++)
            if (!make_plan(v, call, i, j, machine, error))
                return false;
    return true;
}

static ztl_ops_varying *make_varying(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                                     const ztl_ops_tensor *out, size_t outputs, unsigned dims,
                                     bool inner, const ztl_ops_machine *machine, ztl_error *error)
{
    ops_call call = {.op = op, .in = in, .inputs = inputs, .error = error};
    ops_tensors tensors;
    if (dims < 1 || dims > MOST_DIMS) {
        ztl_ops_fail(error, "%u dimensions cannot vary, only 1 or %d", dims, MOST_DIMS);
        return NULL;
    }
    if (!ztl_ops_check_call(&call, out, outputs, &tensors))
        return NULL;
    ztl_ops_varying *v = calloc(1, sizeof *v);
    if (!v) {
        ztl_ops_fail(error, "out of memory: %zu bytes", sizeof *v);
        return NULL;
    }
    v->inputs = inputs;
    v->outputs = outputs;
    v->dims = dims;
    v->count_at = outputs > 1 ? out[1].offset : 0;
    v->index_input = ztl_ops_index_input(op, inputs);
    if (v->index_input >= 0)
        v->indices = in[v->index_input];
    if (follow(v, &call, inner, error) && make_blocks(v, &call, machine, error))
        return v;
    ztl_ops_varying_free(v);
    return NULL;
}

ztl_ops_varying *ztl_ops_varying_new(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                                     const ztl_ops_tensor *out, size_t outputs,
                                     const ztl_ops_machine *machine, ztl_error *error)
{
    return make_varying(op, in, inputs, out, outputs, 1, false, machine, error);
}

ztl_ops_varying *ztl_ops_varying_new_outer(const ztl_ops_op *op, const ztl_ops_tensor *in,
                                           size_t inputs, const ztl_ops_tensor *out, size_t outputs,
                                           unsigned dims, const ztl_ops_machine *machine,
                                           ztl_error *error)
{
    return make_varying(op, in, inputs, out, outputs, dims, true, machine, error);
}

void ztl_ops_varying_free(ztl_ops_varying *v)
{
    for (size_t i = 0; v && i < BLOCKS; i++)
        for (size_t j = 0; j < BLOCKS; j++)
            ztl_ops_plan_free(v->plan[i][j]);
    free(v);
}

uint64_t ztl_ops_varying_scratch(const ztl_ops_varying *v)
{
    uint64_t most = 0;
    for (size_t i = 0; i < v->dim[0].blocks; i++)
        for (size_t j = 0; j < v->dim[1].blocks; j++)
            if (ztl_ops_scratch_bytes(v->plan[i][j]) > most)
                most = ztl_ops_scratch_bytes(v->plan[i][j]);
    return most;
}

/* Block after block; `check` only looks at them. */
typedef struct run {
    const ztl_ops_varying *v;
    const int64_t *extent;
    const void *const *in;
    void *const *out;
    void *scratch;
    bool check;
    size_t block[MOST_DIMS];
    int64_t done[MOST_DIMS]; /* positions before the block */
    int64_t kept;            /* of these, how many a condition has selected */
    ztl_error *error;
} run;

/* Where in a buffer the block begins. */
static int64_t offset_of(const run *r, size_t i, bool out)
{
    int64_t offset = 0;
    for (unsigned k = 0; k < r->v->dims; k++) {
        const varied *dim = &r->v->dim[k];
        int64_t at = out && dim->at.counts_on && !r->check ? r->kept : r->done[k];
        offset += at * (out ? dim->out[i] : dim->in[i]);
    }
    return offset;
}

/* Whether updates that come after others: they go over what those have left. */
static bool goes_on(const run *r)
{
    for (unsigned k = 0; k < r->v->dims; k++)
        if (adds_on(&r->v->dim[k]) && r->done[k] > 0)
            return true;
    return false;
}

/* The number of an index among all, from that in a block: dimension by dimension, from the last. */
static int64_t number_of(const run *r, int64_t number)
{
    const ztl_ops_tensor *all = &r->v->indices;
    int64_t result = 0, inner = 1;
    for (unsigned d = all->rank; d-- > 0; inner *= all->extent[d]) {
        int64_t extent = all->extent[d], first = 0;
        for (unsigned k = 0; k < r->v->dims; k++)
            if (r->v->dim[k].at.in[r->v->index_input] == (int)d) {
                extent = r->v->dim[k].extent[r->block[k]];
                first = r->done[k];
            }
        result += (number % extent + first) * inner;
        number /= extent;
    }
    return result;
}

static bool run_one(run *r)
{
    const ztl_ops_varying *v = r->v;
    const void *source[ZTL_OPS_BUFFERS] = {NULL};
    void *target[ZTL_OPS_BUFFERS] = {NULL};
    const ztl_ops_plan *plan = v->plan[r->block[0]][r->block[1]];
    ops_bad_index bad;
    for (size_t i = 0; i < v->inputs; i++)
        source[i] = r->in && r->in[i] ? (const uint8_t *)r->in[i] + offset_of(r, i, false) : NULL;
    for (size_t i = 0; i < v->outputs; i++)
        target[i] = r->out && r->out[i] ? (uint8_t *)r->out[i] + offset_of(r, i, true) : NULL;
    if (goes_on(r))
        source[0] = target[0];
    if (!r->check) {
        ztl_ops_run_plan(plan, source, target, r->scratch);
        return true;
    }
    if (!ztl_ops_check_run(plan, source, target, r->scratch, r->error))
        return false;
    if (!plan->indexed || !ztl_ops_find_bad_index(plan, source, &bad))
        return true;
    bad.number = number_of(r, bad.number);
    return ztl_ops_say_bad(r->error, &bad);
}

/* What a condition has selected of a block, and of all blocks before it. */
static void count_kept(run *r)
{
    int64_t count;
    uint8_t *at = (uint8_t *)r->out[1] + r->v->count_at;
    memcpy(&count, at, sizeof count);
    r->kept += count;
    memcpy(at, &r->kept, sizeof count);
}

static bool run_dim(run *r, unsigned k)
{
    if (k == r->v->dims)
        return run_one(r);
    const varied *dim = &r->v->dim[k];
    int64_t extent = r->extent[k];
    if (dim->at.counts_on)
        r->kept = 0;
    r->block[k] = 0;
    r->done[k] = 0;
    if (!extent && dim->extent[dim->blocks - 1] > 0)
        return true;
    do {
        while (dim->extent[r->block[k]] > extent - r->done[k])
            r->block[k]++;
        if (!run_dim(r, k + 1))
            return false;
        if (dim->at.counts_on && !r->check)
            count_kept(r);
        r->done[k] += dim->extent[r->block[k]];
    } while (r->done[k] < extent);
    return true;
}

bool ztl_ops_varying_run_outer(const ztl_ops_varying *v, const int64_t *extent,
                               const void *const *in, void *const *out, void *scratch,
                               ztl_error *error)
{
    run r = {.v = v, .extent = extent, .in = in, .out = out, .scratch = scratch, .error = error};
    for (unsigned k = 0; k < v->dims; k++)
        if (extent[k] < 0 || extent[k] > v->dim[k].extent[0])
            return ztl_ops_fail(error, "extent %lld is not from 0 to %lld", (long long)extent[k],
                                (long long)v->dim[k].extent[0]);
    r.check = true;
    if (!run_dim(&r, 0))
        return false;
    r.check = false;
    return run_dim(&r, 0);
}

bool ztl_ops_varying_run(const ztl_ops_varying *v, int64_t extent, const void *const *in,
                         void *const *out, void *scratch, ztl_error *error)
{
    if (v->dims != 1)
        return ztl_ops_fail(error, "%u extents vary: ztl_ops_varying_run_outer takes them",
                            v->dims);
    return ztl_ops_varying_run_outer(v, &extent, in, out, scratch, error);
}
