/* SPDX-License-Identifier: Apache-2.0
 * Operators as text: attributes as ONNX names them, lists with commas.
 */
#include "ops/text/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/suggest.h"
#include "host/error.h"

static const ztl_op_attribute attributes[] = {
#define TAKES(ID) | UINT64_C(1) << ZTL_OPS_##ID
#define NEEDS(ID) | UINT64_C(0x100000001) << ZTL_OPS_##ID
#define ZTL_ATTRIBUTE(name, KIND, field, value, meaning, operators)                                \
    {"--" name, value, meaning, ZTL_OP_##KIND, offsetof(ztl_ops_op, field), UINT64_C(0) operators},
#include "ops/attributes.def"
};

const ztl_op_attribute *ztl_op_attribute_at(size_t index)
{
    return index < sizeof attributes / sizeof attributes[0] ? &attributes[index] : NULL;
}

static const ztl_op_attribute *attribute_of(const char *option)
{
    const ztl_op_attribute *a;
    for (size_t i = 0; (a = ztl_op_attribute_at(i)); i++)
        if (!strcmp(option, a->option))
            return a;
    return NULL;
}

bool ztl_op_find(const char *name, ztl_ops_op *op)
{
    for (unsigned kind = 0; kind < ZTL_OPS_KINDS; kind++)
        if (!strcmp(name, ztl_ops_name((enum ztl_ops_kind)kind))) {
            op->kind = (enum ztl_ops_kind)kind;
            return true;
        }
    return false;
}

const char *ztl_op_close(const char *name)
{
    ztl_suggestion best = {NULL, 0};
    for (unsigned kind = 0; kind < ZTL_OPS_KINDS; kind++)
        ztl_suggest(&best, name, strlen(name), ztl_ops_name((enum ztl_ops_kind)kind));
    return best.word;
}

void ztl_op_set_list(ztl_op_text *text, ztl_ops_list *list, int64_t *values, size_t count)
{
    size_t slot = 0;
    while (slot < text->used && text->memory[slot] != list->value)
        slot++;
    if (slot < text->used)
        free(text->memory[slot]);
    else
        text->used++;
    text->memory[slot] = values;
    *list = (ztl_ops_list){values, count};
}

void ztl_op_free(ztl_op_text *text)
{
    for (size_t i = 0; i < text->used; i++)
        free(text->memory[i]);
    text->used = 0;
}

/* Decimal, or hexadecimal after 0x; false for what is no number of 64 bits. */
static bool number(const char *text, char **end, int64_t *value)
{
    const char *digits = text + (*text == '-' || *text == '+');
    bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    errno = 0;
    *value = strtoll(text, end, is_hex ? 16 : 10);
    return *end != text && errno == 0;
}

bool ztl_op_is_fraction(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && !*end && !isspace((unsigned char)*text);
}

/* One whole number; false with a message that says what is wrong with the text. */
static bool whole_number(const char *text, int64_t *value, ztl_error *error)
{
    char *end;
    bool good = number(text, &end, value);
    if (good && !*end)
        return true;
    if (errno == ERANGE && !*end)
        ztl_fail(error, "%s is out of range: no number of 64 bits", text);
    else if (!*text)
        ztl_fail(error, "a whole number is missing");
    else
        ztl_fail(error, ztl_op_is_fraction(text) ? "%s is not a whole number" : "'%s' is no number",
                 text);
    return false;
}

/* 3,-1,4: as many as there are commas, and one more; an empty text is none. */
static bool numbers(const char *text, int64_t *values, size_t *count, ztl_error *error)
{
    char *end;
    for (; *text; text = *end ? end + 1 : end)
        if (!number(text, &end, &values[(*count)++]) || (*end && (*end != ',' || !end[1]))) {
            if (errno == ERANGE)
                ztl_fail(error, "%.*s is out of range: no number of 64 bits",
                         (int)strcspn(text, ","), text);
            else
                ztl_fail(error, "'%s' is no list of whole numbers with commas", text);
            return false;
        }
    return true;
}

/* 01101: a digit for each position. */
static bool bits(const char *text, int64_t *values, size_t *count, ztl_error *error)
{
    for (const char *at = text; *at; at++) {
        values[(*count)++] = *at - '0';
        if (*at != '0' && *at != '1')
            return ztl_fail(error, "'%s' is none of 0 and 1 in a row", text);
    }
    return true;
}

static bool take_list(ztl_op_text *text, const ztl_op_attribute *a, ztl_ops_list *list,
                      const char *value, ztl_error *error)
{
    int64_t *values = malloc((strlen(value) + 1) * sizeof *values);
    size_t count = 0;
    if (!values)
        return ztl_fail(error, "out of memory");
    bool good = (a->kind == ZTL_OP_BITS ? bits : numbers)(value, values, &count, error);
    if (good)
        ztl_op_set_list(text, list, values, count);
    else
        free(values);
    return good;
}

static bool take_number(const ztl_op_attribute *a, ztl_ops_op *op, int64_t *field,
                        const char *value, ztl_error *error)
{
    ztl_error why;
    op->has_axis |= a->kind == ZTL_OP_AXIS;
    if (!whole_number(value, field, &why))
        ztl_fail(error, "%s%s", why.text, field == &op->addend ? " (from -128 to 127)" : "");
    else if (a->kind == ZTL_OP_COUNT && *field < 1)
        ztl_fail(error, "%s is not 1 or more", value);
    else
        return true;
    return false;
}

/* One of the words of a MODE or LAYOUT, in the order of their enum. */
static bool take_word(const ztl_op_attribute *a, ztl_ops_op *op, const char *value,
                      ztl_error *error)
{
    static const char *const modes[] = {"constant", "edge", "reflect", "wrap", "DCR", "CRD"};
    static const char *const layouts[] = {"NCHW", "NHWC"};
    bool is_mode = a->kind == ZTL_OP_MODE, pads = op->kind == ZTL_OPS_PAD;
    const char *const *words = is_mode ? modes : layouts;
    unsigned first = is_mode && !pads ? ZTL_OPS_DCR : 0, end = is_mode ? 6 : 2;
    for (unsigned i = first; i < (is_mode && pads ? ZTL_OPS_DCR : end); i++)
        if (!strcmp(value, words[i])) {
            if (is_mode)
                op->mode = (enum ztl_ops_mode)i;
            else
                op->layout = (enum ztl_ops_layout)i;
            return true;
        }
    return ztl_fail(error, "'%s' is none of %s", value,
                    !is_mode ? "NCHW, NHWC"
                    : pads   ? "constant, edge, reflect, wrap"
                             : "DCR, CRD");
}

enum ztl_op_parse ztl_op_option(ztl_op_text *text, const char *option, const char *value,
                                ztl_error *error)
{
    const ztl_op_attribute *a = attribute_of(option);
    bool good;
    if (!a || a->kind == ZTL_OP_VALUE)
        return ZTL_OP_UNKNOWN;
    void *field = (char *)&text->op + a->field;
    if (a->kind == ZTL_OP_LIST || a->kind == ZTL_OP_BITS)
        good = take_list(text, a, field, value, error);
    else if (a->kind == ZTL_OP_MODE || a->kind == ZTL_OP_LAYOUT)
        good = take_word(a, &text->op, value, error);
    else
        good = take_number(a, &text->op, field, value, error);
    return good ? ZTL_OP_TAKEN : ZTL_OP_BAD;
}
