/* SPDX-License-Identifier: Apache-2.0
 * Lists of operators from .npy files.
 */
#include "cli/op/input/lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/npy/npy.h"
#include "host/error.h"
#include "ops/operators/table.h"

static size_t count_of(const ztl_ops_tensor *t)
{
    size_t n = 1;
    for (unsigned d = 0; d < t->rank; d++)
        n *= (size_t)t->extent[d];
    return n;
}

static int64_t number_at(const ztl_npy *npy, int64_t at)
{
    unsigned bytes = npy->tensor.bits / 8;
    uint64_t raw = 0, sign = UINT64_C(1) << (8 * bytes - 1);
    for (unsigned k = 0; k < bytes; k++)
        raw |= (uint64_t)npy->data[(size_t)at + k] << 8 * k;
    if (npy->kind == 'i')
        return (int64_t)((raw ^ sign) - sign);
    return raw > INT64_MAX ? INT64_MAX : (int64_t)raw;
}

/* All numbers, the last index fastest whatever the file's order is; NULL without memory. */
static int64_t *numbers_of(const ztl_npy *npy)
{
    const ztl_ops_tensor *t = &npy->tensor;
    size_t count = count_of(t);
    int64_t *values = malloc((count + 1) * sizeof *values), at[ZTL_OPS_RANK] = {0}, place = 0;
    for (size_t i = 0; values && i < count; i++) {
        values[i] = number_at(npy, place);
        for (unsigned d = t->rank; d-- > 0;) {
            place += t->stride[d];
            if (++at[d] < t->extent[d])
                break;
            place -= t->stride[d] * t->extent[d];
            at[d] = 0;
        }
    }
    return values;
}

/* Reads the file, whose numbers are of the given kinds, and sets the list. */
static bool read_list(ztl_op_text *text, const char *path, const char *kinds, unsigned rank,
                      ztl_ops_list *list, ztl_npy *npy, ztl_error *error)
{
    if (!ztl_npy_read(path, 0, npy, error))
        return false;
    int64_t *values = NULL;
    if (!strchr(kinds, npy->kind) || npy->tensor.rank > rank)
        ztl_fail(error, "needs integers%s", rank == 1 ? " in one dimension" : "");
    else if (!(values = numbers_of(npy)))
        ztl_fail(error, "out of memory");
    else
        ztl_op_set_list(text, list, values, count_of(&npy->tensor));
    ztl_npy_free(npy);
    return values;
}

/* With the shape of the file beside the list. */
static bool read_indices(ztl_op_text *text, const char *path, ztl_error *error)
{
    ztl_npy npy;
    ztl_ops_op *op = &text->op;
    if (!read_list(text, path, "iu", ZTL_OPS_RANK, &op->indices, &npy, error))
        return false;
    int64_t *shape = malloc(sizeof npy.tensor.extent);
    if (!shape)
        return ztl_fail(error, "out of memory");
    memcpy(shape, npy.tensor.extent, sizeof npy.tensor.extent);
    ztl_op_set_list(text, &op->indices_shape, shape, npy.tensor.rank);
    op->has_indices_shape = true;
    return true;
}

bool ztl_op_list_file(ztl_op_text *text, const ztl_op_attribute *attribute, const char *path,
                      ztl_error *error)
{
    ztl_npy npy;
    if (attribute->field == offsetof(ztl_ops_op, indices))
        return read_indices(text, path, error);
    void *list = (char *)&text->op + attribute->field;
    return read_list(text, path, attribute->kind == ZTL_OP_BITS ? "biu" : "iu", 1, list, &npy,
                     error);
}

/* The file's numbers become elements of so many bits, in dense order. */
static bool convert(ztl_npy *npy, unsigned bits, ztl_error *error)
{
    int64_t *values = numbers_of(npy);
    size_t count = count_of(&npy->tensor);
    ztl_ops_tensor dense;
    if (!values || !ztl_ops_dense(&dense, bits, npy->tensor.rank, npy->tensor.extent)) {
        free(values);
        return ztl_fail(error, "out of memory");
    }
    uint8_t *bytes = (uint8_t *)values;
    for (size_t i = 0; bits == 8 && i < count; i++)
        bytes[i] = values[i] != 0;
    free(npy->data);
    npy->data = bytes;
    npy->tensor = dense;
    npy->bytes = dense.size;
    return true;
}

bool ztl_op_index_tensor(const char *path, bool is_condition, ztl_npy *npy, ztl_error *error)
{
    if (!ztl_npy_read(path, 0, npy, error))
        return false;
    if (!strchr(is_condition ? "biu" : "iu", npy->kind)) {
        return ztl_fail(error, "needs integers%s", is_condition ? " or booleans" : "");
    }
    if (is_condition)
        return convert(npy, 8, error);
    bool stays = npy->kind == 'i' && npy->tensor.bits >= 32;
    return stays || convert(npy, 64, error);
}

/* One number is a position for all; several have one dimension. */
bool ztl_op_index_list(ztl_ops_op *op, ztl_npy *npy, ztl_error *error)
{
    int64_t count = (int64_t)op->indices.count;
    bool one = ops_does(op, OPS_SHARED) && count == 1;
    *npy = (ztl_npy){.descr = "<i8", .kind = 'i', .bytes = 8 * (size_t)count};
    ztl_ops_dense(&npy->tensor, 64, one ? 0 : 1, &count);
    npy->data = malloc(npy->bytes + 1);
    if (!npy->data) {
        return ztl_fail(error, "out of memory");
    }
    memcpy(npy->data, op->indices.value, npy->bytes);
    op->indices = (ztl_ops_list){NULL, 0};
    return true;
}
