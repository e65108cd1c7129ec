/* SPDX-License-Identifier: Apache-2.0
 * Operators that make each number of one or two others, and the product of all.
 */
#include <math.h>
#include <string.h>

#include "host/error.h"
#include "onnx/fold/fold.h"
#include "onnx/shapes/shapes.h"

typedef enum onnx_answer answer;
typedef onnx_folding folding;

static bool is_kind(const folding *f, const char *kind)
{
    return !strcmp(f->node->kind, kind);
}

static bool gives_truth(const char *kind)
{
    return ztl_onnx_has_word("And Equal Greater Less Not Or", kind);
}

/* The remainder has the sign of the divisor. */
static int64_t modulo(int64_t x, int64_t y)
{
    int64_t rest = y == -1 ? 0 : x % y;
    return rest && (rest < 0) != (y < 0) ? rest + y : rest;
}

/* Of integers; false where it overflows or is divided by 0. */
static bool whole(const char *kind, int64_t x, int64_t y, int64_t *z)
{
    bool divides = !strcmp(kind, "Div") || !strcmp(kind, "Mod");
    if (!strcmp(kind, "Add"))
        return !__builtin_add_overflow(x, y, z);
    if (!strcmp(kind, "Sub"))
        return !__builtin_sub_overflow(x, y, z);
    if (!strcmp(kind, "Mul"))
        return !__builtin_mul_overflow(x, y, z);
    if (divides && (y == 0 || (x == INT64_MIN && y == -1)))
        return false;
    *z = !strcmp(kind, "Div")       ? x / y
         : !strcmp(kind, "Mod")     ? modulo(x, y)
         : !strcmp(kind, "Max")     ? (x > y ? x : y)
         : !strcmp(kind, "Min")     ? (x < y ? x : y)
         : !strcmp(kind, "Equal")   ? x == y
         : !strcmp(kind, "Greater") ? x > y
         : !strcmp(kind, "Less")    ? x < y
         : !strcmp(kind, "And")     ? x && y
                                    : x || y;
    return true;
}

static double real(const char *kind, double x, double y)
{
    return !strcmp(kind, "Add")       ? x + y
           : !strcmp(kind, "Sub")     ? x - y
           : !strcmp(kind, "Mul")     ? x * y
           : !strcmp(kind, "Div")     ? x / y
           : !strcmp(kind, "Max")     ? (x > y || isnan(x) ? x : y)
           : !strcmp(kind, "Min")     ? (x < y || isnan(x) ? x : y)
           : !strcmp(kind, "Equal")   ? x == y
           : !strcmp(kind, "Greater") ? x > y
                                      : x < y;
}

/* The element of an input that element i of the output is made from. */
static size_t place(const onnx_value *from, const onnx_value *out, size_t i)
{
    size_t at = 0, step = 1;
    for (int d = 1; d <= out->rank; d++) {
        size_t n = (size_t)out->extent[out->rank - d], x = n ? i % n : 0;
        i = n ? i / n : 0;
        if (d > from->rank)
            continue;
        if (from->extent[from->rank - d] != 1)
            at += x * step;
        step *= (size_t)from->extent[from->rank - d];
    }
    return at;
}

/* Unsigned numbers above the signed ones are no shapes. */
static bool is_too_large(const onnx_value *value, size_t i)
{
    return value->type == ONNX_UINT64 && ztl_onnx_integer(value, i) < 0;
}

static answer pair_of(folding *f, const onnx_value *a, const onnx_value *b, onnx_value *out)
{
    const char *kind = f->node->kind;
    int64_t number;
    for (size_t i = 0, n = ztl_onnx_count(out); i < n; i++) {
        size_t x = place(a, out, i), y = place(b, out, i);
        double value =
            ztl_onnx_is_float(a->type) ? real(kind, ztl_onnx_real(a, x), ztl_onnx_real(b, y)) : 0;
        if (ztl_onnx_is_float(out->type)) {
            ztl_onnx_set_real(out, i, value);
        } else if (ztl_onnx_is_float(a->type)) {
            ztl_onnx_set_integer(out, i, value != 0);
        } else if (!is_too_large(a, x) && !is_too_large(b, y) &&
                   whole(kind, ztl_onnx_integer(a, x), ztl_onnx_integer(b, y), &number)) {
            ztl_onnx_set_integer(out, i, number);
        } else {
            ztl_fail(f->error, "a number overflows, or is divided by 0");
            return ONNX_WRONG;
        }
    }
    return ONNX_MOVES;
}

answer ztl_onnx_fold_two(folding *f)
{
    const onnx_value *a = ztl_onnx_in(f->graph, f->node, 0), *b = ztl_onnx_in(f->graph, f->node, 1);
    int rank = 0;
    int64_t extent[ONNX_RANK];
    bool is_logical = is_kind(f, "And") || is_kind(f, "Or");
    if (!b || f->node->inputs != 2 || a->type != b->type || !ztl_onnx_is_number(a->type) ||
        (a->type == ONNX_BOOL) != (is_logical || (a->type == ONNX_BOOL && is_kind(f, "Equal"))) ||
        (is_kind(f, "Mod") && (ztl_onnx_is_float(a->type) || ztl_onnx_int(f->node, "fmod", 0))))
        return ONNX_OTHER;
    if (!ztl_onnx_broadcast(a, &rank, extent) || !ztl_onnx_broadcast(b, &rank, extent)) {
        ztl_fail(f->error, "the shapes do not broadcast");
        return ONNX_WRONG;
    }
    int64_t count = 1;
    for (int d = 0; d < rank; d++)
        count *= extent[d]; /* the square of ONNX_FOLD_MOST at most */
    if (count > ONNX_FOLD_MOST)
        return ONNX_OTHER;
    int type = gives_truth(f->node->kind) ? ONNX_BOOL : a->type;
    onnx_value *out = ztl_onnx_fold_make(f, type, rank, extent);
    return out ? pair_of(f, a, b, out) : ONNX_WRONG;
}

static double real_of_one(const char *kind, double x)
{
    return !strcmp(kind, "Floor") ? floor(x) : !strcmp(kind, "Ceil") ? ceil(x) : sqrt(x);
}

/* Neg and Not of integers, the others of floating-point numbers. */
answer ztl_onnx_fold_one(folding *f)
{
    const onnx_value *a = ztl_onnx_in(f->graph, f->node, 0);
    bool is_float = ztl_onnx_is_float(a->type), negates = is_kind(f, "Neg");
    if (!ztl_onnx_is_number(a->type) || (a->type == ONNX_BOOL) != is_kind(f, "Not") ||
        is_float == (negates || is_kind(f, "Not")))
        return ONNX_OTHER;
    onnx_value *out = ztl_onnx_fold_make(f, a->type, a->rank, a->extent);
    for (size_t i = 0, n = out ? ztl_onnx_count(out) : 0; i < n; i++) {
        int64_t x = ztl_onnx_integer(a, i);
        if (is_float)
            ztl_onnx_set_real(out, i, real_of_one(f->node->kind, ztl_onnx_real(a, i)));
        else /* of the lowest number, what it is in two's complement */
            ztl_onnx_set_integer(out, i, negates ? (int64_t) - (uint64_t)x : !x);
    }
    return out ? ONNX_MOVES : ONNX_WRONG;
}

/* Of a list: how many elements a shape has. */
answer ztl_onnx_fold_product(folding *f)
{
    const onnx_value *a = ztl_onnx_in(f->graph, f->node, 0);
    int64_t product = 1;
    if (a->type != ONNX_INT64 || a->rank != 1 || ztl_onnx_int(f->node, "noop_with_empty_axes", 0))
        return ONNX_OTHER;
    for (size_t i = 0, n = ztl_onnx_count(a); i < n; i++)
        if (__builtin_mul_overflow(product, ztl_onnx_integer(a, i), &product)) {
            ztl_fail(f->error, "a number overflows");
            return ONNX_WRONG;
        }
    const int64_t one[] = {1};
    onnx_value *out =
        ztl_onnx_fold_make(f, a->type, ztl_onnx_int(f->node, "keepdims", 1) ? 1 : 0, one);
    if (out)
        ztl_onnx_set_integer(out, 0, product);
    return out ? ONNX_MOVES : ONNX_WRONG;
}
