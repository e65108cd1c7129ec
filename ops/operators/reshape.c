/* SPDX-License-Identifier: Apache-2.0
 * The same elements in the same order under another shape.
 */
#include "ops/operators/call.h"

static int64_t product(const int64_t *extent, unsigned from, unsigned to)
{
    int64_t n = 1;
    for (unsigned d = from; d < to; d++)
        n *= extent[d];
    return n;
}

bool ztl_ops_shape_reshape(ops_call *call)
{
    ztl_ops_list shape = call->op->shape;
    int64_t extent[ZTL_OPS_RANK], known = 1, total = product(call->in->extent, 0, call->in->rank);
    int rest = -1;
    if (shape.count > ZTL_OPS_RANK)
        return ztl_ops_fail(call->error, "shape has %zu values, at most %d are possible",
                            shape.count, ZTL_OPS_RANK);
    for (unsigned d = 0; d < shape.count; d++) {
        bool stays = shape.value[d] == 0 && !call->op->allowzero;
        if (stays && d >= call->in->rank)
            return ztl_ops_fail(call->error, "shape has a 0 at place %u, the input has rank %u", d,
                                call->in->rank);
        extent[d] = stays ? call->in->extent[d] : shape.value[d];
        if (extent[d] < -1 || (extent[d] == -1 && rest >= 0))
            return ztl_ops_fail(call->error, "shape may have one -1 and no other negative value");
        if (extent[d] == -1)
            rest = (int)d;
        else if (__builtin_mul_overflow(known, extent[d], &known))
            return ztl_ops_fail(call->error, "shape is too large");
    }
    if (rest >= 0) {
        if (known == 0 || total % known)
            return ztl_ops_fail(call->error, "%lld elements cannot fill the shape's -1",
                                (long long)total);
        extent[rest] = total / known;
        known *= extent[rest];
    }
    if (known != total)
        return ztl_ops_fail(call->error, "the shape has %lld elements, the input %lld",
                            (long long)known, (long long)total);
    return ztl_ops_output(call, 0, (unsigned)shape.count, extent);
}

bool ztl_ops_shape_flatten(ops_call *call)
{
    unsigned rank = call->in->rank;
    int64_t axis = call->op->has_axis ? call->op->axis : 1;
    if (axis < -(int64_t)rank || axis > (int64_t)rank)
        return ztl_ops_fail(call->error, "axis %lld is outside a tensor of rank %u",
                            (long long)axis, rank);
    unsigned cut = (unsigned)(axis < 0 ? axis + rank : axis);
    int64_t extent[2] = {product(call->in->extent, 0, cut), product(call->in->extent, cut, rank)};
    return ztl_ops_output(call, 0, 2, extent);
}

bool ztl_ops_shape_squeeze(ops_call *call)
{
    const ztl_ops_tensor *in = call->in;
    bool chosen[ZTL_OPS_RANK];
    int64_t extent[ZTL_OPS_RANK];
    unsigned rank = 0;
    if (!ztl_ops_axes(call, call->op->axes, in->rank, chosen))
        return false;
    for (unsigned d = 0; d < in->rank; d++) {
        if (chosen[d] && in->extent[d] == 1)
            continue;
        if (chosen[d] && call->op->axes.count)
            return ztl_ops_fail(call->error, "axis %u has extent %lld, not 1", d,
                                (long long)in->extent[d]);
        extent[rank++] = in->extent[d];
    }
    return ztl_ops_output(call, 0, rank, extent);
}

bool ztl_ops_shape_unsqueeze(ops_call *call)
{
    size_t axes = call->op->axes.count, most = ZTL_OPS_RANK - call->in->rank;
    unsigned rank = call->in->rank + (unsigned)axes, from = 0;
    bool chosen[ZTL_OPS_RANK];
    int64_t extent[ZTL_OPS_RANK];
    if (axes == 0 || axes > most)
        return ztl_ops_fail(call->error,
                            "unsqueeze of a tensor of rank %u takes 1 to %zu axes, not %zu",
                            call->in->rank, most, axes);
    if (!ztl_ops_axes(call, call->op->axes, rank, chosen))
        return false;
    for (unsigned d = 0; d < rank; d++)
        extent[d] = chosen[d] ? 1 : call->in->extent[from++];
    return ztl_ops_output(call, 0, rank, extent);
}

/* One side's dimensions from the inside out, those joined that continue each other. */
typedef struct side {
    unsigned rank;
    int64_t n[ZTL_OPS_RANK], stride[ZTL_OPS_RANK];
} side;

static side side_of(const ztl_ops_tensor *tensor)
{
    side s = {.rank = 0};
    for (unsigned d = tensor->rank; d-- > 0;) {
        if (tensor->extent[d] == 1)
            continue;
        if (s.rank && tensor->stride[d] == s.n[s.rank - 1] * s.stride[s.rank - 1]) {
            s.n[s.rank - 1] *= tensor->extent[d];
            continue;
        }
        s.n[s.rank] = tensor->extent[d];
        s.stride[s.rank++] = tensor->stride[d];
    }
    return s;
}

static void drop_inner(side *s, unsigned count)
{
    s->rank -= count;
    memmove(s->n, s->n + count, s->rank * sizeof s->n[0]);
    memmove(s->stride, s->stride + count, s->rank * sizeof s->stride[0]);
}

/* Cuts both sides at the same places; false if a cut of one lies inside a step of the other: the
 * sides are then what remains from there. */
static bool refine(side *a, side *b, ops_piece *piece)
{
    unsigned i = 0, j = 0;
    bool fits = true;
    while (fits && i < a->rank && j < b->rank) {
        int64_t n = a->n[i] < b->n[j] ? a->n[i] : b->n[j];
        fits = a->n[i] % n == 0 && b->n[j] % n == 0 && piece->rank < OPS_MAP_DIMS;
        if (!fits)
            break;
        ztl_ops_add_dim(piece, n, a->stride[i], b->stride[j]);
        a->stride[i] *= n;
        b->stride[j] *= n;
        i += (a->n[i] /= n) == 1;
        j += (b->n[j] /= n) == 1;
    }
    drop_inner(a, i);
    drop_inner(b, j);
    return fits;
}

/* Where the elements from `index` on lie, and how many follow at the same step. */
static int64_t run_at(const side *s, int64_t index, int64_t *place)
{
    int64_t left = s->n[0] - index % s->n[0];
    *place = 0;
    for (unsigned d = 0; d < s->rank; index /= s->n[d++])
        *place += index % s->n[d] * s->stride[d];
    return left;
}

/* Without scratch memory: a piece for every run that neither side cuts. */
static void add_runs(ops_map *map, const side *a, const side *b, const ops_piece *inner)
{
    int64_t total = product(a->n, 0, a->rank), n;
    for (int64_t k = 0; k < total; k += n) {
        int64_t in, out, left = run_at(a, k, &in), other = run_at(b, k, &out);
        n = left < other ? left : other;
        ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, inner->in + in, inner->out + out);
        ztl_ops_add_dim(piece, n, a->stride[0], b->stride[0]);
        for (unsigned d = 0; d < inner->rank; d++)
            ztl_ops_add_dim(piece, inner->dim[d].n, inner->dim[d].in, inner->dim[d].out);
    }
}

/* Dense memory cuts anywhere. */
static void through_scratch(const ztl_ops_tensor *in, const ztl_ops_tensor *out, ops_map *map)
{
    ztl_ops_tensor dense;
    ztl_ops_dense(&dense, in->bits, in->rank, in->extent);
    map->scratch = dense.size;
    ops_piece *first = ztl_ops_add_piece(map, 0, OPS_SCRATCH, in->offset, 0);
    for (unsigned d = 0; d < in->rank; d++)
        ztl_ops_add_dim(first, in->extent[d], in->stride[d], dense.stride[d]);
    ztl_ops_dense(&dense, out->bits, out->rank, out->extent);
    ops_piece *second = ztl_ops_add_piece(map, OPS_SCRATCH, OPS_OUT, 0, out->offset);
    for (unsigned d = 0; d < out->rank; d++)
        ztl_ops_add_dim(second, out->extent[d], dense.stride[d], out->stride[d]);
}

void ztl_ops_map_reshape(const ops_call *call, ops_map *map)
{
    const ztl_ops_tensor *in = call->in, *out = call->out;
    side a = side_of(in), b = side_of(out);
    ops_piece trial = {.in = in->offset, .out = out->offset};
    ztl_ops_tensor dense;
    if (refine(&a, &b, &trial)) {
        ops_piece *piece = ztl_ops_add_piece(map, 0, OPS_OUT, in->offset, out->offset);
        for (unsigned d = 0; d < trial.rank; d++)
            ztl_ops_add_dim(piece, trial.dim[d].n, trial.dim[d].in, trial.dim[d].out);
    } else if (ztl_ops_dense(&dense, in->bits, in->rank, in->extent) &&
               dense.size <= map->scratch_limit) {
        through_scratch(in, out, map);
    } else {
        add_runs(map, &a, &b, &trial);
    }
}

void ztl_ops_map_flatten(const ops_call *call, ops_map *map)
{
    ztl_ops_map_reshape(call, map);
}

void ztl_ops_map_squeeze(const ops_call *call, ops_map *map)
{
    ztl_ops_map_reshape(call, map);
}

void ztl_ops_map_unsqueeze(const ops_call *call, ops_map *map)
{
    ztl_ops_map_reshape(call, map);
}

bool ztl_ops_view(const ztl_ops_tensor *in, const ztl_ops_tensor *out, ztl_ops_tensor *view)
{
    side s = side_of(in);
    unsigned i = 0;
    *view = *out;
    view->offset = in->offset;
    view->size = in->size;
    for (unsigned d = out->rank; d-- > 0;) {
        int64_t n = out->extent[d];
        view->stride[d] = i < s.rank ? s.stride[i] : in->bits == 4 ? 1 : in->bits / 8;
        if (n == 1)
            continue;
        if (i == s.rank || n == 0 || s.n[i] % n)
            return n == 0;
        s.stride[i] *= n;
        i += (s.n[i] /= n) == 1;
    }
    return i == s.rank;
}
