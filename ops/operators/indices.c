/* SPDX-License-Identifier: Apache-2.0
 * Operators with indices in a tensor: gather-elements, gather-nd, scatter-elements, scatter-nd,
 * tensor-scatter; and gather and compress where their indices or condition are an input.
 */
#include "ops/map/lookup.h"
#include "ops/operators/table.h"

/* An axis that indices select from: where it has no position, no index is right. */
static bool check_extent(const ops_call *call, unsigned axis)
{
    int64_t indices =
        ztl_ops_tensor_elements(&call->in[ztl_ops_index_input(call->op, call->inputs)]);
    return call->in->extent[axis] > 0 || indices == 0 ||
           ztl_ops_fail(call->error, "dimension %u has no positions, but there are indices", axis);
}

/* That tensor `which` has the extent, in its dimension d. */
static bool check_same(const ops_call *call, const char *which, const ztl_ops_tensor *tensor,
                       unsigned d, int64_t extent)
{
    return tensor->extent[d] == extent ||
           ztl_ops_fail(call->error, "the %s have extent %lld in dimension %u, must have %lld",
                        which, (long long)tensor->extent[d], d, (long long)extent);
}

static bool check_rank(const ops_call *call, const char *which, unsigned rank, unsigned must)
{
    return rank == must ||
           ztl_ops_fail(call->error, "the %s have rank %u, must have %u", which, rank, must);
}

static bool check_bits(const ops_call *call, const char *which, const ztl_ops_tensor *tensor)
{
    return tensor->bits == call->in->bits ||
           ztl_ops_fail(call->error, "the %s have elements of %u bits, the data of %u", which,
                        tensor->bits, call->in->bits);
}

/* Indices of one axis, for every element. */
static bool check_elements(const ops_call *call, int axis)
{
    const ztl_ops_tensor *data = call->in, *indices = &call->in[1];
    if (!check_rank(call, "indices", indices->rank, data->rank) ||
        !check_extent(call, (unsigned)axis))
        return false;
    for (unsigned d = 0; d < data->rank; d++)
        if (d != (unsigned)axis && indices->extent[d] > data->extent[d])
            return ztl_ops_fail(call->error,
                                "the indices have extent %lld in dimension %u, the data only %lld",
                                (long long)indices->extent[d], d, (long long)data->extent[d]);
    return true;
}

bool ztl_ops_shape_gather_elements(ops_call *call)
{
    int axis = ztl_ops_axis(call, call->op->axis, call->in->rank);
    return axis >= 0 && check_elements(call, axis) &&
           ztl_ops_output(call, 0, call->in[1].rank, call->in[1].extent);
}

bool ztl_ops_shape_scatter_elements(ops_call *call)
{
    int axis = ztl_ops_axis(call, call->op->axis, call->in->rank);
    const ztl_ops_tensor *indices = &call->in[1], *updates = &call->in[2];
    if (axis < 0 || !check_elements(call, axis) || !check_bits(call, "updates", updates) ||
        !check_rank(call, "updates", updates->rank, indices->rank))
        return false;
    for (unsigned d = 0; d < indices->rank; d++)
        if (!check_same(call, "updates", updates, d, indices->extent[d]))
            return false;
    return ztl_ops_output(call, 0, call->in->rank, call->in->extent);
}

/* How many dimensions the last one of the indices names, after `batch` that are alike; 0 with an
 * error. */
static unsigned tuple(const ops_call *call, int64_t batch)
{
    const ztl_ops_tensor *data = call->in, *indices = &call->in[1];
    if (indices->rank < 1) {
        ztl_ops_fail(call->error, "the indices have rank 0, need 1 or more");
        return 0;
    }
    if (batch < 0 || batch >= (int64_t)indices->rank || batch >= (int64_t)data->rank) {
        ztl_ops_fail(call->error, "batch_dims %lld is not below the ranks %u and %u",
                     (long long)batch, data->rank, indices->rank);
        return 0;
    }
    int64_t count = indices->extent[indices->rank - 1];
    if (count < 1 || count > (int64_t)data->rank - batch) {
        ztl_ops_fail(call->error, "%lld indices for each position, the data has %lld dimensions",
                     (long long)count, (long long)(data->rank - batch));
        return 0;
    }
    for (unsigned d = 0; d < batch; d++)
        if (!check_same(call, "indices", indices, d, data->extent[d]))
            return 0;
    for (unsigned d = 0; d < count; d++)
        if (!check_extent(call, (unsigned)batch + d))
            return 0;
    return (unsigned)count;
}

/* The indices' dimensions but the last, then those of the data that they do not name. */
static unsigned rows_of(const ops_call *call, unsigned first, int64_t *extent)
{
    const ztl_ops_tensor *data = call->in, *indices = &call->in[1];
    unsigned rank = 0;
    for (unsigned d = 0; d + 1 < indices->rank; d++)
        extent[rank++] = indices->extent[d];
    for (unsigned d = first; d < data->rank; d++)
        extent[rank++] = data->extent[d];
    return rank;
}

bool ztl_ops_shape_gather_nd(ops_call *call)
{
    int64_t extent[2 * ZTL_OPS_RANK];
    unsigned count = tuple(call, call->op->batch_dims);
    return count &&
           ztl_ops_output(call, 0, rows_of(call, (unsigned)call->op->batch_dims + count, extent),
                          extent);
}

bool ztl_ops_shape_scatter_nd(ops_call *call)
{
    int64_t extent[2 * ZTL_OPS_RANK];
    unsigned count = tuple(call, 0);
    const ztl_ops_tensor *updates = &call->in[2];
    unsigned rank = count ? rows_of(call, count, extent) : 0;
    if (!count || !check_bits(call, "updates", updates) ||
        !check_rank(call, "updates", updates->rank, rank))
        return false;
    for (unsigned d = 0; d < rank; d++)
        if (!check_same(call, "updates", updates, d, extent[d]))
            return false;
    return ztl_ops_output(call, 0, call->in->rank, call->in->extent);
}

/* The axis of a cache that positions are on: the last but one, unless it is named. */
static int cache_axis(const ops_call *call)
{
    return ztl_ops_axis(call, call->op->has_axis ? call->op->axis : -2, call->in->rank);
}

/* One position for all, or one for each of dimension 0. */
bool ztl_ops_shape_tensor_scatter(ops_call *call)
{
    const ztl_ops_tensor *cache = call->in, *update = &call->in[1];
    const ztl_ops_tensor *at = call->inputs == 3 ? &call->in[2] : NULL;
    int axis = cache_axis(call);
    if (axis < 0 || !check_bits(call, "updates", update) ||
        !check_rank(call, "updates", update->rank, cache->rank))
        return false;
    for (unsigned d = 0; d < cache->rank; d++)
        if (d != (unsigned)axis && !check_same(call, "updates", update, d, cache->extent[d]))
            return false;
    if (update->extent[axis] > cache->extent[axis])
        return ztl_ops_fail(call->error, "the updates have %lld positions, dimension %d has %lld",
                            (long long)update->extent[axis], axis, (long long)cache->extent[axis]);
    if (at && at->rank > 1)
        return ztl_ops_fail(call->error, "the indices have rank %u, need 0 or 1", at->rank);
    if (at && at->rank && axis == 0)
        return ztl_ops_fail(call->error, "for axis 0, the indices must be one number of rank 0");
    if (at && at->rank && !check_same(call, "indices", at, 0, cache->extent[0]))
        return false;
    return ztl_ops_output(call, 0, cache->rank, cache->extent);
}

/* How a call begins to look things up. */
static ops_lookup start(const ops_call *call, enum ops_index_form form, unsigned src)
{
    unsigned input = (unsigned)ztl_ops_index_input(call->op, call->inputs);
    const ztl_ops_tensor *indices = &call->in[input];
    return (ops_lookup){.form = form,
                        .src = src,
                        .dst = OPS_OUT,
                        .input = input,
                        .bytes = indices->bits / 8,
                        .count = 1,
                        .in = call->in[src].offset,
                        .out = call->out->offset,
                        .at = indices->offset,
                        .most = INT64_MAX};
}

static ops_index index_of(const ztl_ops_tensor *tensor, unsigned axis, int64_t step)
{
    int64_t n = tensor->extent[axis];
    return (ops_index){n, -n, n, tensor->stride[axis], step, axis};
}

static ops_lookup look_up_gather(const ops_call *call)
{
    const ztl_ops_tensor *in = call->in, *indices = &call->in[1], *out = call->out;
    unsigned axis = (unsigned)ztl_ops_axis(call, call->op->axis, in->rank), d = 0;
    ops_lookup x = start(call, OPS_INDEX_GATHERS, 0);
    x.index[0] = index_of(in, axis, 0);
    for (; d < axis; d++)
        ops_lookup_dim(&x, out->extent[d], in->stride[d], out->stride[d], 0);
    for (unsigned k = 0; k < indices->rank; k++, d++)
        ops_lookup_dim(&x, out->extent[d], 0, out->stride[d], indices->stride[k]);
    for (unsigned k = axis + 1; k < in->rank; k++, d++)
        ops_lookup_dim(&x, out->extent[d], in->stride[k], out->stride[d], 0);
    return x;
}

static ops_lookup look_up_elements(const ops_call *call)
{
    const bool scatters = ops_does(call->op, OPS_SCATTERS);
    const ztl_ops_tensor *indices = &call->in[1];
    const ztl_ops_tensor *looked = scatters ? call->out : call->in;
    const ztl_ops_tensor *plain = scatters ? &call->in[2] : call->out;
    unsigned axis = (unsigned)ztl_ops_axis(call, call->op->axis, call->in->rank);
    ops_lookup x = start(call, scatters ? OPS_INDEX_SCATTERS : OPS_INDEX_GATHERS, scatters ? 2 : 0);
    x.index[0] = index_of(looked, axis, 0);
    for (unsigned d = 0; d < indices->rank; d++) {
        int64_t step = d == axis ? 0 : looked->stride[d];
        ops_lookup_dim(&x, indices->extent[d], scatters ? plain->stride[d] : step,
                       scatters ? step : plain->stride[d], indices->stride[d]);
    }
    return x;
}

static ops_lookup look_up_nd(const ops_call *call)
{
    const bool scatters = ops_does(call->op, OPS_SCATTERS);
    const ztl_ops_tensor *indices = &call->in[1];
    const ztl_ops_tensor *looked = scatters ? call->out : call->in;
    const ztl_ops_tensor *plain = scatters ? &call->in[2] : call->out;
    unsigned last = indices->rank - 1, batch = (unsigned)call->op->batch_dims, d = 0;
    ops_lookup x = start(call, scatters ? OPS_INDEX_SCATTERS : OPS_INDEX_GATHERS, scatters ? 2 : 0);
    x.count = (unsigned)indices->extent[last];
    for (unsigned k = 0; k < x.count; k++)
        x.index[k] = index_of(looked, batch + k, k * indices->stride[last]);
    for (; d < last; d++) {
        int64_t step = d < batch ? looked->stride[d] : 0;
        ops_lookup_dim(&x, indices->extent[d], scatters ? plain->stride[d] : step,
                       scatters ? step : plain->stride[d], indices->stride[d]);
    }
    for (unsigned k = batch + x.count; k < looked->rank; k++, d++)
        ops_lookup_dim(&x, plain->extent[d], scatters ? plain->stride[d] : looked->stride[k],
                       scatters ? looked->stride[k] : plain->stride[d], 0);
    return x;
}

/* The positions of a cache come last if they go round at its end. */
static ops_lookup look_up_cache(const ops_call *call)
{
    const ztl_ops_tensor *update = &call->in[1], *at = &call->in[2], *out = call->out;
    unsigned axis = (unsigned)cache_axis(call);
    bool rotates = call->op->mode == ZTL_OPS_CIRCULAR;
    ops_lookup x = start(call, rotates ? OPS_INDEX_ROTATES : OPS_INDEX_SCATTERS, 1);
    x.index[0] = index_of(out, axis, 0);
    x.index[0].low = 0;
    x.index[0].end = out->extent[axis] - update->extent[axis] + 1;
    for (unsigned d = 0; d < out->rank; d++)
        if (d != axis || !rotates)
            ops_lookup_dim(&x, update->extent[d], update->stride[d], out->stride[d],
                           d == 0 && at->rank ? at->stride[0] : 0);
    if (rotates)
        ops_lookup_dim(&x, update->extent[axis], update->stride[axis], 0, 0);
    return x;
}

/* The axis that is selected from comes last. */
static ops_lookup look_up_compress(const ops_call *call)
{
    const ztl_ops_tensor *in = call->in, *condition = &call->in[1], *out = call->out;
    ops_lookup x = start(call, OPS_INDEX_SELECTS, 0);
    int axis = call->op->has_axis ? ztl_ops_axis(call, call->op->axis, in->rank) : -1;
    int64_t step = condition->stride[0];
    x.flat = axis < 0;
    x.count_at = call->out[1].offset;
    if (x.flat) {
        x.most = condition->extent[0];
        for (unsigned d = 0; d < in->rank; d++) {
            int64_t inner = 1;
            for (unsigned k = d + 1; k < in->rank; k++)
                inner *= in->extent[k];
            ops_lookup_dim(&x, in->extent[d], in->stride[d], out->stride[0], inner * step);
        }
        return x;
    }
    for (unsigned d = 0; d < in->rank; d++)
        if (d != (unsigned)axis)
            ops_lookup_dim(&x, in->extent[d], in->stride[d], out->stride[d], 0);
    ops_lookup_dim(&x, condition->extent[0], in->stride[axis], out->stride[axis], step);
    return x;
}

/* Of each operator with OPS_INDICES. */
static ops_lookup (*const look_ups[ZTL_OPS_KINDS])(const ops_call *) = {
    [ZTL_OPS_GATHER] = look_up_gather,
    [ZTL_OPS_COMPRESS] = look_up_compress,
    [ZTL_OPS_TENSOR_SCATTER] = look_up_cache,
    [ZTL_OPS_GATHER_ELEMENTS] = look_up_elements,
    [ZTL_OPS_SCATTER_ELEMENTS] = look_up_elements,
    [ZTL_OPS_GATHER_ND] = look_up_nd,
    [ZTL_OPS_SCATTER_ND] = look_up_nd,
};

bool ztl_ops_look_up(const ops_call *call, ops_lookup *x)
{
    if (ztl_ops_index_input(call->op, call->inputs) < 0)
        return false;
    *x = look_ups[call->op->kind](call);
    return true;
}

bool ztl_ops_check_indices(const ops_call *call)
{
    int input = ztl_ops_index_input(call->op, call->inputs);
    if (input < 0)
        return true;
    if (!look_ups[call->op->kind])
        return ztl_ops_fail(call->error, "no code looks up the indices of %s",
                            ztl_ops_name(call->op->kind));
    unsigned bits = call->in[input].bits;
    if (ops_does(call->op, OPS_CONDITION))
        return bits == 8 ||
               ztl_ops_fail(call->error, "the condition has elements of %u bits, needs 8", bits);
    if (call->op->indices.count || call->op->has_indices_shape)
        return ztl_ops_fail(call->error, "indices are both a list and an input");
    return bits == 32 || bits == 64 ||
           ztl_ops_fail(call->error, "the indices have elements of %u bits, need 32 or 64", bits);
}

/* What is known before a plan runs: nothing of a gather, and of a scatter what it starts from. */
void ztl_ops_map_gather_elements(const ops_call *call, ops_map *map)
{
    (void)call;
    (void)map;
}

void ztl_ops_map_gather_nd(const ops_call *call, ops_map *map)
{
    (void)call;
    (void)map;
}

void ztl_ops_map_scatter_elements(const ops_call *call, ops_map *map)
{
    ztl_ops_add_box(map, 0, call->in, 0, call->out);
}

void ztl_ops_map_scatter_nd(const ops_call *call, ops_map *map)
{
    ztl_ops_add_box(map, 0, call->in, 0, call->out);
}

/* Without indices, the updates are the first positions. */
void ztl_ops_map_tensor_scatter(const ops_call *call, ops_map *map)
{
    if (call->inputs == 3) {
        ztl_ops_add_box(map, 0, call->in, 0, call->out);
        return;
    }
    const ztl_ops_tensor *cache = call->in, *update = &call->in[1];
    unsigned axis = (unsigned)cache_axis(call);
    int64_t first[ZTL_OPS_RANK] = {0}, from[ZTL_OPS_RANK] = {0}, n[ZTL_OPS_RANK];
    memcpy(n, cache->extent, sizeof n);
    ztl_ops_add_part(map, 1, update, first, 0, call->out, first, update->extent);
    from[axis] = update->extent[axis];
    n[axis] -= update->extent[axis];
    ztl_ops_add_part(map, 0, cache, from, 0, call->out, from, n);
}
