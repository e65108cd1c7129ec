/* SPDX-License-Identifier: Apache-2.0
 * Products of matrices, and sums over letters.
 */
#include <ctype.h>
#include <string.h>

#include "onnx/shapes/shapes.h"

/* The matrices of MatMul; QLinearMatMul has a scale and a zero point behind each. A vector is a row
 * on the left, a column on the right; its dimension of 1 is not in the output. */
void ztl_onnx_rule_matmul(const onnx_shaping *s)
{
    const onnx_value *a = ztl_onnx_shaped(s, 0);
    const onnx_value *b = ztl_onnx_shaped(s, s->node->inputs > 7 ? 3 : 1);
    if (!a || !b || !a->rank || !b->rank)
        return;
    onnx_value left = *a, right = *b;
    int64_t extent[ONNX_RANK + 2];
    int rank = 0;
    left.rank = a->rank > 2 ? a->rank - 2 : 0;
    right.rank = b->rank > 2 ? b->rank - 2 : 0;
    if (a->extent[a->rank - 1] != b->extent[b->rank > 1 ? b->rank - 2 : 0] ||
        !ztl_onnx_broadcast(&left, &rank, extent) || !ztl_onnx_broadcast(&right, &rank, extent))
        return;
    if (a->rank > 1)
        extent[rank++] = a->extent[a->rank - 2];
    if (b->rank > 1)
        extent[rank++] = b->extent[b->rank - 1];
    ztl_onnx_give(s, 0, s->type, rank, extent);
}

void ztl_onnx_rule_gemm(const onnx_shaping *s)
{
    const onnx_value *a = ztl_onnx_shaped(s, 0), *b = ztl_onnx_shaped(s, 1);
    bool turn_a = ztl_onnx_int(s->node, "transA", 0), turn_b = ztl_onnx_int(s->node, "transB", 0);
    if (!a || !b || a->rank != 2 || b->rank != 2 || a->extent[!turn_a] != b->extent[turn_b])
        return;
    int64_t extent[] = {a->extent[turn_a], b->extent[!turn_b]};
    ztl_onnx_give(s, 0, s->type, 2, extent);
}

/* An equation: the extent of each letter, and the dimensions that an ellipsis stands for. */
typedef struct equation {
    int64_t extent[128];
    unsigned used[128];
    int64_t more[ONNX_RANK];
    int more_rank;
} equation;

static bool set_letter(equation *e, char letter, int64_t extent)
{
    int64_t *known = &e->extent[(unsigned char)letter];
    if (e->used[(unsigned char)letter]++ && *known != 1 && extent != 1 && *known != extent)
        return false;
    if (e->used[(unsigned char)letter] == 1 || *known == 1)
        *known = extent;
    return true;
}

/* What stands between two commas, without its spaces; its length, or -1 where it is too long or
 * wrong. An ellipsis is one '.'. */
static int take_term(const char **at, const char *end, char term[ONNX_RANK + 1])
{
    int length = 0;
    for (; *at < end && **at != ',' && **at != '-'; ++*at) {
        bool dots = end - *at >= 3 && !memcmp(*at, "...", 3);
        if (**at == ' ')
            continue;
        if (length > ONNX_RANK || (!dots && !isalpha((unsigned char)**at)))
            return -1;
        term[length++] = dots ? '.' : **at;
        *at += dots ? 2 : 0;
    }
    return length;
}

static bool match(equation *e, const char *term, int length, const onnx_value *value)
{
    int dots = 0, at = 0;
    for (int i = 0; i < length; i++)
        dots += term[i] == '.';
    int hidden = value->rank - (length - dots);
    if (dots > 1 || hidden < 0 || (!dots && hidden))
        return false;
    for (int i = 0; i < length; i++) {
        if (term[i] != '.') {
            if (!set_letter(e, term[i], value->extent[at++]))
                return false;
            continue;
        }
        onnx_value part = {.rank = hidden};
        memcpy(part.extent, value->extent + at, (size_t)hidden * sizeof *part.extent);
        if (!ztl_onnx_broadcast(&part, &e->more_rank, e->more))
            return false;
        at += hidden;
    }
    return true;
}

/* Without an arrow: the ellipsis, then the letters that are there once, in their order. */
static int letters_once(const equation *e, char *term, int room)
{
    int length = 0;
    term[length++] = '.';
    for (int letter = 'A'; letter <= 'z'; letter++)
        if (e->used[letter] == 1 && length < room)
            term[length++] = (char)letter;
    return length;
}

void ztl_onnx_rule_einsum(const onnx_shaping *s)
{
    const Onnx__AttributeProto *text = ztl_onnx_attribute(s->node, "equation");
    equation e = {.more_rank = 0};
    char term[ONNX_RANK + 2];
    if (!text || !text->has_s)
        return;
    const char *at = (const char *)text->s.data, *end = at + text->s.len;
    for (size_t i = 0; i < s->node->inputs; i++) {
        const onnx_value *value = ztl_onnx_shaped(s, i);
        int length = take_term(&at, end, term);
        if (!value || length < 0 || !match(&e, term, length, value))
            return;
        at += at < end && *at == ',';
    }
    bool arrow = end - at >= 2 && at[0] == '-' && at[1] == '>';
    at += arrow ? 2 : 0;
    int length = arrow ? take_term(&at, end, term) : letters_once(&e, term, ONNX_RANK + 2);
    int64_t extent[2 * ONNX_RANK + 2];
    int rank = 0;
    if (length < 0 || at != end)
        return;
    for (int i = 0; i < length; i++)
        if (term[i] != '.')
            extent[rank++] = e.used[(unsigned char)term[i]] ? e.extent[(unsigned char)term[i]] : -1;
        else
            for (int d = 0; d < e.more_rank; d++)
                extent[rank++] = e.more[d];
    ztl_onnx_give(s, 0, s->type, rank, extent);
}
