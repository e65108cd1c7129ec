/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic on shapes that exporters leave behind: a few numbers, computed when all are known.
 */
#include "onnx/fold/fold.h"

#include <math.h>
#include <string.h>

#include "host/error.h"

typedef enum onnx_answer answer;
typedef onnx_folding folding;

static answer wrong(folding *f, const char *what)
{
    ztl_fail(f->error, "%s", what);
    return ONNX_WRONG;
}

static onnx_value *in(const folding *f, size_t i)
{
    return ztl_onnx_in(f->graph, f->node, i);
}

onnx_value *ztl_onnx_fold_make(folding *f, int type, int rank, const int64_t *extent)
{
    onnx_value *out = ztl_onnx_out(f->graph, f->node, 0);
    ztl_ops_tensor form;
    if (!out) {
        ztl_fail(f->error, "its output is missing");
        return NULL;
    }
    out->type = type;
    out->rank = rank;
    if (rank > 0)
        memmove(out->extent, extent, (size_t)rank * sizeof *extent);
    ztl_onnx_release(out->buffer);
    out->buffer = NULL;
    if (!ztl_onnx_tensor(out, &form))
        ztl_fail(f->error, "its output is too large");
    else
        out->buffer = ztl_onnx_make(&f->graph->budget, form.size, f->error);
    return out->buffer ? out : NULL;
}

static answer fill(onnx_value *out, const int64_t *number, size_t count)
{
    for (size_t i = 0; out && i < count; i++)
        ztl_onnx_set_integer(out, i, number[i]);
    return out ? ONNX_MOVES : ONNX_WRONG;
}

static answer constant(folding *f)
{
    const Onnx__AttributeProto *a =
        f->node->proto->n_attribute ? f->node->proto->attribute[0] : NULL;
    onnx_value *out = ztl_onnx_out(f->graph, f->node, 0);
    if (!a || !a->name || !out)
        return wrong(f, "no value");
    int64_t extent[] = {(int64_t)(a->n_ints + a->n_floats)};
    if (!strcmp(a->name, "value") && a->t) {
        onnx_value read = {.name = out->name};
        if (!ztl_onnx_read_tensor(a->t, NULL, &read, f->error))
            return ONNX_WRONG;
        ztl_onnx_release(out->buffer);
        out->type = read.type;
        out->rank = read.rank;
        out->deep = read.deep;
        memcpy(out->extent, read.extent, sizeof out->extent);
        out->buffer = read.buffer;
        return read.deep ? ONNX_OTHER : ONNX_MOVES;
    }
    if (!strcmp(a->name, "value_int"))
        return fill(ztl_onnx_fold_make(f, ONNX_INT64, 0, NULL), &a->i, 1);
    if (!strcmp(a->name, "value_ints"))
        return fill(ztl_onnx_fold_make(f, ONNX_INT64, 1, extent), a->ints, a->n_ints);
    const float *real = !strcmp(a->name, "value_float") ? &a->f : a->floats;
    size_t count = real == &a->f ? 1 : a->n_floats;
    if (strcmp(a->name, "value_float") && strcmp(a->name, "value_floats"))
        return ONNX_OTHER;
    if (!(out = ztl_onnx_fold_make(f, ONNX_FLOAT, real != &a->f, extent)))
        return ONNX_WRONG;
    if (count)
        memcpy(out->buffer->bytes, real, count * sizeof *real);
    return ONNX_MOVES;
}

static int64_t clamp(int64_t at, int64_t rank)
{
    at += at < 0 ? rank : 0;
    return at < 0 ? 0 : at > rank ? rank : at;
}

static answer shape(folding *f)
{
    const onnx_value *value = in(f, 0);
    if (!value || !ztl_onnx_is_shaped(value))
        return ONNX_WAITS;
    int64_t from = clamp(ztl_onnx_int(f->node, "start", 0), value->rank);
    int64_t to = clamp(ztl_onnx_int(f->node, "end", value->rank), value->rank);
    int64_t count[] = {to > from ? to - from : 0};
    return fill(ztl_onnx_fold_make(f, ONNX_INT64, 1, count), value->extent + from,
                (size_t)count[0]);
}

static answer size(folding *f)
{
    if (!in(f, 0) || !ztl_onnx_is_shaped(in(f, 0)))
        return ONNX_WAITS;
    int64_t count = (int64_t)ztl_onnx_count(in(f, 0));
    return fill(ztl_onnx_fold_make(f, ONNX_INT64, 0, NULL), &count, 1);
}

bool ztl_onnx_is_number(int type)
{
    return ztl_onnx_is_integer(type) || type == ONNX_FLOAT || type == ONNX_DOUBLE;
}

void ztl_onnx_set_real(onnx_value *out, size_t i, double real)
{
    float single = (float)real;
    if (out->type == ONNX_FLOAT)
        memcpy(out->buffer->bytes + i * sizeof single, &single, sizeof single);
    else
        memcpy(out->buffer->bytes + i * sizeof real, &real, sizeof real);
}

static answer cast(folding *f)
{
    const onnx_value *value = in(f, 0);
    int type = (int)ztl_onnx_int(f->node, "to", 0);
    if (!ztl_onnx_is_number(value->type) || !ztl_onnx_is_number(type))
        return ONNX_OTHER;
    onnx_value *out = ztl_onnx_fold_make(f, type, value->rank, value->extent);
    if (!out)
        return ONNX_WRONG;
    for (size_t i = 0, n = ztl_onnx_count(value); i < n; i++)
        if (ztl_onnx_is_float(type))
            ztl_onnx_set_real(out, i, ztl_onnx_real(value, i));
        else if (type == ONNX_BOOL)
            ztl_onnx_set_integer(out, i, ztl_onnx_real(value, i) != 0);
        else
            ztl_onnx_set_integer(out, i, ztl_onnx_integer(value, i));
    return ONNX_MOVES;
}

static answer range(folding *f)
{
    if (!in(f, 1) || !in(f, 2) || !ztl_onnx_is_integer(in(f, 0)->type) ||
        in(f, 1)->type != in(f, 0)->type || in(f, 2)->type != in(f, 0)->type)
        return ONNX_OTHER;
    int64_t start = ztl_onnx_integer(in(f, 0), 0), end = ztl_onnx_integer(in(f, 1), 0);
    int64_t step = ztl_onnx_integer(in(f, 2), 0);
    if (!step)
        return wrong(f, "a step of 0");
    double exact = ceil(((double)end - (double)start) / (double)step);
    int64_t count[] = {exact <= 0               ? 0
                       : exact > ONNX_FOLD_MOST ? ONNX_FOLD_MOST + 1
                                                : (int64_t)exact};
    if (count[0] > ONNX_FOLD_MOST)
        return ONNX_OTHER;
    onnx_value *out = ztl_onnx_fold_make(f, in(f, 0)->type, 1, count);
    for (int64_t i = 0; out && i < count[0]; i++)
        ztl_onnx_set_integer(out, (size_t)i, start + i * step);
    return out ? ONNX_MOVES : ONNX_WRONG;
}

static const struct {
    const char *kinds;
    answer (*fold)(folding *f);
    bool needs_elements;
} table[] = {
    {"Cast", cast, true},
    {"Constant", constant, false},
    {"Range", range, true},
    {"Shape", shape, false},
    {"Size", size, false},
    {ONNX_FOLD_ONE, ztl_onnx_fold_one, true},
    {ONNX_FOLD_TWO, ztl_onnx_fold_two, true},
    {"ReduceProd", ztl_onnx_fold_product, true},
};

enum { ROWS = sizeof table / sizeof table[0] };

static answer check_inputs(const folding *f)
{
    if (!f->node->inputs)
        return ONNX_WRONG;
    for (size_t i = 0; i < f->node->inputs; i++) {
        if (!in(f, i) || in(f, i)->other)
            return ONNX_OTHER;
        if (!in(f, i)->buffer)
            return ONNX_WAITS;
        if (ztl_onnx_count(in(f, i)) > ONNX_FOLD_MOST)
            return ONNX_OTHER;
    }
    return ONNX_MOVES;
}

static size_t row_of(const onnx_node *node)
{
    size_t i = 0;
    while (i < ROWS && (node->is_foreign || !ztl_onnx_has_word(table[i].kinds, node->kind)))
        i++;
    return i;
}

bool ztl_onnx_is_arithmetic(const onnx_node *node)
{
    return row_of(node) < ROWS;
}

answer ztl_onnx_fold(onnx_graph *graph, const onnx_node *node, ztl_error *error)
{
    folding f = {graph, node, error};
    ztl_fail(error, "no data movement");
    size_t row = row_of(node);
    if (row == ROWS)
        return ONNX_OTHER;
    answer a = table[row].needs_elements ? check_inputs(&f) : ONNX_MOVES;
    return a == ONNX_MOVES ? table[row].fold(&f) : a;
}
