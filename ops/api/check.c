/* SPDX-License-Identifier: Apache-2.0
 * Descriptions of tensors: making and checking them.
 */
#include "ops/api/check.h"

static bool is_element(unsigned bits)
{
    return bits == 4 || (bits >= 8 && bits <= 256 && (bits & (bits - 1)) == 0);
}

bool ztl_ops_dense(ztl_ops_tensor *tensor, unsigned bits, unsigned rank, const int64_t *extent)
{
    if (rank > ZTL_OPS_RANK || !is_element(bits))
        return false;
    *tensor = (ztl_ops_tensor){.rank = rank, .bits = bits};
    int64_t step = bits == 4 ? 1 : bits / 8;
    for (unsigned d = rank; d-- > 0;) {
        tensor->extent[d] = extent[d];
        tensor->stride[d] = step;
        if (extent[d] < 0 || (extent[d] > 0 && __builtin_mul_overflow(step, extent[d], &step)))
            return false;
    }
    for (unsigned d = 0; d < rank; d++)
        step = extent[d] == 0 ? 0 : step;
    if (step > INT64_MAX / 16)
        return false;
    tensor->size = (uint64_t)(bits == 4 ? (step + 1) / 2 : step);
    return true;
}

/* The lowest and the highest offset of an element; false on overflow. */
static bool span(const ztl_ops_tensor *tensor, int64_t *low, int64_t *high)
{
    *low = *high = tensor->offset;
    for (unsigned d = 0; d < tensor->rank; d++) {
        int64_t reach, *end = tensor->stride[d] < 0 ? low : high;
        if (__builtin_mul_overflow(tensor->extent[d] - 1, tensor->stride[d], &reach) ||
            __builtin_add_overflow(*end, reach, end))
            return false;
    }
    return true;
}

void ztl_ops_tensor_span(const ztl_ops_tensor *tensor, uint64_t *low, uint64_t *high)
{
    int64_t first, last, unit = tensor->bits == 4 ? 2 : 1;
    *low = *high = 0;
    if (ztl_ops_tensor_elements(tensor) == 0 || !span(tensor, &first, &last))
        return;
    *low = (uint64_t)(first / unit);
    *high = (uint64_t)(last / unit) + (tensor->bits == 4 ? 1 : tensor->bits / 8);
}

bool ztl_ops_check_tensor(const ops_call *call, const char *what, size_t index,
                          const ztl_ops_tensor *tensor)
{
    unsigned bits = tensor->bits;
    int64_t elements = 1, low, high;
    if (tensor->rank > ZTL_OPS_RANK)
        return ztl_ops_fail(call->error, "%s %zu has rank %u, at most %d is possible", what, index,
                            tensor->rank, ZTL_OPS_RANK);
    if (!is_element(bits))
        return ztl_ops_fail(call->error,
                            "%s %zu has elements of %u bits, not 4, 8, 16, 32, 64, 128 or 256",
                            what, index, bits);
    bool empty = false;
    for (unsigned d = 0; d < tensor->rank; d++) {
        if (tensor->extent[d] < 0)
            return ztl_ops_fail(call->error, "%s %zu has extent %lld in dimension %u", what, index,
                                (long long)tensor->extent[d], d);
        empty |= tensor->extent[d] == 0;
        if (tensor->extent[d] && __builtin_mul_overflow(elements, tensor->extent[d], &elements))
            return ztl_ops_fail(call->error, "%s %zu has too many elements", what, index);
    }
    if (elements > INT64_MAX / 256)
        return ztl_ops_fail(call->error, "%s %zu has too many elements", what, index);
    if (empty)
        return true;
    if (tensor->size > INT64_MAX / 2)
        return ztl_ops_fail(call->error, "%s %zu: a buffer of %llu bytes is too large", what, index,
                            (unsigned long long)tensor->size);
    int64_t unit = bits == 4 ? 1 : bits / 8, room = (int64_t)tensor->size * (bits == 4 ? 2 : 1);
    if (!span(tensor, &low, &high) || low < 0 || high > room - unit)
        return ztl_ops_fail(call->error, "%s %zu: its strides leave the buffer of %llu bytes", what,
                            index, (unsigned long long)tensor->size);
    return true;
}

ztl_ops_tensor ztl_ops_tensor_plain(const ztl_ops_tensor *tensor)
{
    ztl_ops_tensor plain = *tensor;
    int64_t step = tensor->bits == 4 ? 1 : tensor->bits / 8;
    if (ztl_ops_tensor_elements(tensor) == 0) {
        ztl_ops_dense(&plain, tensor->bits, tensor->rank, tensor->extent);
        return plain;
    }
    for (unsigned d = tensor->rank; d-- > 0;) {
        if (plain.extent[d] == 1)
            plain.stride[d] = step;
        else if (__builtin_mul_overflow(plain.stride[d], plain.extent[d], &step))
            step = 0;
    }
    return plain;
}

/* In order of stride: each dimension must step over everything that the smaller ones reach. */
bool ztl_ops_check_distinct(const ops_call *call, size_t index, const ztl_ops_tensor *tensor)
{
    int64_t reach = tensor->bits == 4 ? 1 : tensor->bits / 8;
    bool done[ZTL_OPS_RANK] = {false};
    if (ztl_ops_tensor_elements(tensor) == 0)
        return true;
    for (unsigned k = 0; k < tensor->rank; k++) {
        int least = -1;
        for (unsigned d = 0; d < tensor->rank; d++)
            if (!done[d] && tensor->extent[d] > 1 &&
                (least < 0 ||
                 ops_magnitude(tensor->stride[d]) < ops_magnitude(tensor->stride[least])))
                least = (int)d;
        if (least < 0)
            break;
        done[least] = true;
        int64_t step = ops_magnitude(tensor->stride[least]);
        if (step < reach)
            return ztl_ops_fail(call->error, "output %zu: elements along dimension %d overlap",
                                index, least);
        reach += step * (tensor->extent[least] - 1);
    }
    return true;
}
