/* SPDX-License-Identifier: Apache-2.0
 * The inputs of ztl op: files, shapes, lists, constants.
 */
#include <string.h>

#include "cli/op/input/lists.h"
#include "cli/op/request.h"
#include "host/error.h"
#include "ops/operators/table.h"

/* The type of an addition where --type does not tell: that of the file. */
static bool infer_type(op_request *r)
{
    static const struct {
        const char *kind;
        enum ztl_type type;
    } rows[] = {{"u1", ZTL_TYPE_BYTE},  {"i1", ZTL_TYPE_INT8}, {"i2", ZTL_TYPE_INT16},
                {"i4", ZTL_TYPE_INT32}, {"f2", ZTL_TYPE_FP16}, {"f4", ZTL_TYPE_FP32}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!strcmp(r->in[0].descr + 1, rows[i].kind)) {
            r->type = rows[i].type;
            return true;
        }
    return false;
}

/* The input that outputs have the elements of. */
static const ztl_npy *data_of(const op_request *r)
{
    return &r->in[r->index_input >= 0 ? 0 : r->inputs - 1];
}

/* The element of outputs: --dtype, --type, or that of the data. ONNX's constants are float32
 * where nothing is said. */
static bool find_element(op_request *r, ztl_error *error)
{
    const ztl_type_row *type = r->has_type ? ztl_isa_type(r->type) : NULL;
    if (r->dtype && !ztl_op_element_named(r->dtype, &r->element, error))
        return false;
    if (!r->dtype && r->inputs)
        r->element = ztl_op_element_of(data_of(r), type);
    else if (!r->dtype && type)
        r->element = ztl_op_element_typed(type);
    else if (!r->dtype)
        return ztl_op_element_named("float32", &r->element, error);
    return true;
}

/* The elements that are constants, as bits. */
static int read_constants(op_request *r)
{
    ztl_error error;
    ztl_ops_op *op = &r->text.op;
    bool hot = ops_does(op, OPS_ON_OFF);
    if (!find_element(r, &error))
        return op_complain(r, ZTL_EXIT_USAGE, "--dtype", error.text);
    if (ztl_ops_find_attribute(op->kind, OPS_ATTRIBUTE_DTYPE))
        op->bits = r->element.bits;
    if (r->value && !ztl_op_set_value(r->value, &r->element, op, &error))
        return op_complain(r, ZTL_EXIT_USAGE, "--value", error.text);
    if (hot && !ztl_op_set_values(r->values ? r->values : "0,1", &r->element, op, &error))
        return op_complain(r, ZTL_EXIT_USAGE, "--values", error.text);
    return ZTL_EXIT_OK;
}

/* The elements of all inputs become those of one output: numbers of another dtype would be others
 * there. With --type bytes are what it says. */
static int check_dtypes(const op_request *r)
{
    size_t first = ops_does(&r->text.op, OPS_SELECTS) ? 1 : 0;
    ztl_error error;
    for (size_t i = first + 1; i < r->inputs && !r->has_type; i++)
        if ((int)i != r->index_input && !ztl_npy_alike(&r->in[first], &r->in[i])) {
            ztl_fail(&error, "dtype '%s', but '%s' in %.200s", r->in[i].descr, r->in[first].descr,
                     r->input[first]);
            return op_complain(r, ZTL_EXIT_FAILURE, r->input[i], error.text);
        }
    return ZTL_EXIT_OK;
}

/* An input of which only the shape is known, from the text of an option. */
static int describe(op_request *r, size_t i, const char *option, const char *shape_text,
                    ztl_op_element e)
{
    ztl_error error;
    ztl_ops_list shape;
    ztl_op_text text = {.op = {.kind = ZTL_OPS_RESHAPE}};
    bool good = ztl_op_option(&text, "--shape", shape_text, &error) == ZTL_OP_TAKEN;
    shape = text.op.shape;
    bool is_shape = shape.count <= ZTL_OPS_RANK;
    for (size_t d = 0; d < shape.count; d++)
        is_shape = is_shape && shape.value[d] >= 0;
    if (good && !is_shape)
        good = ztl_fail(&error, "'%s' is no shape of up to %d extents", shape_text, ZTL_OPS_RANK);
    if (good && !ztl_ops_dense(&r->in[i].tensor, e.bits, (unsigned)shape.count, shape.value))
        good = ztl_fail(&error, "'%s' has more elements than there can be", shape_text);
    ztl_op_free(&text);
    if (!good)
        return op_complain(r, ZTL_EXIT_USAGE, option, error.text);
    memcpy(r->in[i].descr, e.descr, sizeof e.descr);
    r->in[i].kind = e.kind;
    ztl_npy_lay_out(&r->in[i].tensor, false);
    r->in[i].bytes = r->in[i].tensor.size;
    return ZTL_EXIT_OK;
}

static const ztl_op_element condition_element = {.descr = "|b1", .kind = 'b', .bits = 8};

static int describe_input(op_request *r, size_t i)
{
    ztl_error error;
    ztl_op_element e = condition_element;
    if (!ops_does(&r->text.op, OPS_SELECTS) || i > 0) {
        if (!r->type_name)
            e = ztl_op_element_typed(ztl_isa_type(r->type));
        else if (!ztl_op_element_named(r->type_name, &e, &error))
            return op_complain(r, ZTL_EXIT_USAGE, "--type", error.text);
    }
    return describe(r, i, "--shape-in", r->shape_in[i], e);
}

static int read_input(op_request *r, size_t i)
{
    ztl_error error;
    bool is_condition = ops_does(&r->text.op, OPS_SELECTS) && i == 0;
    unsigned bits = r->has_type && !is_condition ? ztl_isa_type(r->type)->bits : 0;
    if (ztl_npy_read(r->input[i], bits, &r->in[i], &error))
        return ZTL_EXIT_OK;
    return op_complain(r, ZTL_EXIT_FAILURE,
                       strcmp(r->input[i], "-") ? r->input[i] : "standard input", error.text);
}

/* Whether a file of this attribute is an input, which is read when the plan runs. */
static bool is_index_file(const op_request *r, const op_attribute *a)
{
    return a->file && op_is_index(a->row) && !r->constant && !r->shapes &&
           ztl_ops_index_input(&r->text.op, r->inputs + 1) >= 0;
}

/* Lists from files; *path: that of indices which are not one. */
static int read_lists(op_request *r, const char **path)
{
    ztl_error error;
    for (size_t i = 0; i < OP_MAX_ATTRIBUTES && r->attribute[i].row; i++) {
        const op_attribute *a = &r->attribute[i];
        if (is_index_file(r, a))
            *path = a->file;
        else if (a->file && !ztl_op_list_file(&r->text, a->row, a->file, &error))
            return op_complain(r, ZTL_EXIT_FAILURE, a->file, error.text);
    }
    return ZTL_EXIT_OK;
}

/* Makes room for an input before others. */
static void insert_input(op_request *r, int input, const char *name)
{
    for (size_t i = r->inputs++; (int)i > input; i--) {
        r->in[i] = r->in[i - 1];
        r->input[i] = r->input[i - 1];
    }
    r->index_input = input;
    r->input[input] = name;
    r->in[input] = (ztl_npy){.data = NULL};
}

/* Indices of 64 bits, or a condition, of which only the shape is known. */
static int describe_indices(op_request *r)
{
    const ztl_op_element index = {.descr = "<i8", .kind = 'i', .bits = 64};
    int input = ztl_ops_index_input(&r->text.op, r->inputs + 1);
    if (input > (int)r->inputs || r->inputs == ZTL_OPS_BUFFERS)
        return op_complain(r, ZTL_EXIT_USAGE, "--shape-in", "is needed for every other input");
    insert_input(r, input, "--indices-shape");
    return describe(r, (size_t)input, "--indices-shape", r->indices_shape,
                    ops_does(&r->text.op, OPS_CONDITION) ? condition_element : index);
}

/* Indices and conditions: where they may be a list it becomes a part of the plan, and so does a
 * file with --constant; everything else is an input, which is read when the plan runs. `path`: of a
 * file, or NULL. */
static int read_indices(op_request *r, const char *path)
{
    ztl_error error;
    ztl_ops_op *op = &r->text.op;
    bool has_list = ops_does(op, OPS_LISTS);
    int input = ztl_ops_index_input(op, r->inputs + 1);
    bool is_condition = ops_does(op, OPS_CONDITION);
    if (r->constant && !has_list)
        return op_complain(r, ZTL_EXIT_USAGE, "--constant",
                           "this operator has no list for it to become");
    if (input < 0 || (!path && (has_list || !op->indices.count)))
        return ZTL_EXIT_OK;
    if (input > (int)r->inputs || r->inputs == ZTL_OPS_BUFFERS)
        return op_complain(r, ZTL_EXIT_USAGE, "", "an input file is missing");
    insert_input(r, input, path ? path : "--indices");
    bool good = path ? ztl_op_index_tensor(path, is_condition, &r->in[input], &error)
                     : ztl_op_index_list(op, &r->in[input], &error);
    return good ? ZTL_EXIT_OK : op_complain(r, ZTL_EXIT_FAILURE, r->input[input], error.text);
}

int op_read_inputs(op_request *r)
{
    int status = ZTL_EXIT_OK;
    const char *path = NULL;
    r->inputs = r->shapes ? r->shapes : r->inputs;
    r->has_type = r->has_type && !r->type_name;
    r->index_input = -1;
    for (size_t i = 0; !status && i < r->inputs; i++)
        status = r->shapes ? describe_input(r, i) : read_input(r, i);
    if (!status)
        status = read_lists(r, &path);
    if (!status && r->indices_shape)
        status = describe_indices(r);
    if (!status && !r->shapes)
        status = read_indices(r, path);
    if (status)
        return status;
    bool adds = ops_does(&r->text.op, OPS_ADDS);
    if (adds && !r->has_type && !infer_type(r))
        return op_complain(r, ZTL_EXIT_USAGE, r->in[0].descr,
                           r->in[0].tensor.bits > 32 ? "no type of such elements can be added to"
                                                     : "this dtype needs --type");
    if (adds)
        r->text.op.type = r->type;
    status = read_constants(r);
    return status ? status : check_dtypes(r);
}
