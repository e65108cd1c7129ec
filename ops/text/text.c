/* SPDX-License-Identifier: Apache-2.0
 * Operators as text: attributes as ONNX names them, lists with commas.
 */
#include "ops/text/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/error.h"
#include "ops/operators/table.h"

/* Fields without an option have none here. */
static const ztl_op_attribute attributes[] = {
#define ZTL_ATTRIBUTE(ID, name, KIND, field, value, meaning)                                       \
    [OPS_ATTRIBUTE_##ID] = {"--" name, value, meaning, ZTL_OP_##KIND, offsetof(ztl_ops_op, field)},
#include "ops/attributes.def"
};

enum { ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

static bool has_as(enum ztl_ops_kind kind, const ztl_op_attribute *attribute, enum ops_need need)
{
    const ops_has *has = ztl_ops_find_attribute(kind, (enum ops_attribute)(attribute - attributes));
    return has && (need == OPS_TAKES || has->need == need);
}

bool ztl_op_takes(enum ztl_ops_kind kind, const ztl_op_attribute *attribute)
{
    return has_as(kind, attribute, OPS_TAKES);
}

bool ztl_op_needs(enum ztl_ops_kind kind, const ztl_op_attribute *attribute)
{
    return has_as(kind, attribute, OPS_NEEDS);
}

bool ztl_op_needs_either(enum ztl_ops_kind kind, const ztl_op_attribute *attribute)
{
    return has_as(kind, attribute, OPS_EITHER);
}

const ztl_op_attribute *ztl_op_attribute_at(size_t index)
{
    return index < ATTRIBUTES ? &attributes[index] : NULL;
}

const ztl_op_attribute *ztl_op_attribute_of(enum ztl_ops_kind kind, const char *option)
{
    const ztl_op_attribute *found = NULL;
    for (size_t i = 0; i < ATTRIBUTES; i++)
        if (!strcmp(option, attributes[i].option)) {
            if (ztl_op_takes(kind, &attributes[i]))
                return &attributes[i];
            found = &attributes[i];
        }
    return found;
}

const ztl_op_attribute *ztl_op_has(enum ztl_ops_kind kind, size_t index)
{
    for (const ops_has *has = ztl_ops_operator(kind)->has; has->attribute != OPS_ATTRIBUTES; has++)
        if ((size_t)has->attribute < ATTRIBUTES && index-- == 0)
            return &attributes[has->attribute];
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

/* Memory for a list, in the place of what it had. */
static void keep(ztl_op_text *text, const void *before, void *values)
{
    size_t slot = 0;
    while (slot < text->used && text->memory[slot] != before)
        slot++;
    if (slot < text->used)
        free(text->memory[slot]);
    else
        text->used++;
    text->memory[slot] = values;
}

void ztl_op_set_list(ztl_op_text *text, ztl_ops_list *list, int64_t *values, size_t count)
{
    keep(text, list->value, values);
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

/* 01101, or 0,1,1,0,1: a digit for each position. */
static bool bits(const char *text, int64_t *values, size_t *count, ztl_error *error)
{
    size_t step = text[0] && text[1] == ',' ? 2 : 1, length = strlen(text);
    for (size_t i = 0; i < length; i += step) {
        bool separated = step == 1 || i + 1 == length || (text[i + 1] == ',' && i + 2 < length);
        values[(*count)++] = text[i] - '0';
        if ((text[i] != '0' && text[i] != '1') || !separated) {
            ztl_fail(error, "'%s' is none of 0 and 1 in a row", text);
            return false;
        }
    }
    return true;
}

static bool take_list(ztl_op_text *text, const ztl_op_attribute *a, ztl_ops_list *list,
                      const char *value, ztl_error *error)
{
    int64_t *values = malloc((strlen(value) + 1) * sizeof *values);
    size_t count = 0;
    if (!values) {
        ztl_fail(error, "out of memory");
        return false;
    }
    bool good = (a->kind == ZTL_OP_BITS ? bits : numbers)(value, values, &count, error);
    if (good)
        ztl_op_set_list(text, list, values, count);
    else
        free(values);
    return good;
}

/* 2,0.5: any numbers; nan and infinity are for the operator to refuse. */
static bool take_reals(ztl_op_text *text, ztl_ops_reals *list, const char *value, ztl_error *error)
{
    double *values = malloc((strlen(value) + 1) * sizeof *values);
    size_t count = 0;
    if (!values) {
        ztl_fail(error, "out of memory");
        return false;
    }
    char *end;
    for (const char *at = value; *at; at = *end ? end + 1 : end) {
        values[count++] = strtod(at, &end);
        if (end == at || isspace((unsigned char)*at) || (*end && (*end != ',' || !end[1]))) {
            ztl_fail(error, "'%s' is no list of numbers with commas", at);
            free(values);
            return false;
        }
    }
    keep(text, list->value, values);
    *list = (ztl_ops_reals){values, count};
    return true;
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

static const struct {
    enum ztl_op_attribute_kind kind;
    unsigned value;
    const char *word;
} words[] = {
#define ZTL_WORD(KIND, ID, word) {ZTL_OP_##KIND, ZTL_OPS_##ID, word},
#include "ops/words.def"
#define ZTL_FORMAT(ID, word, ...) {ZTL_OP_FORMAT, ZTL_OPS_##ID, word},
#include "ops/formats.def"
};

/* The field is an enum. */
static bool take_word(const ztl_op_attribute *a, unsigned *field, const char *value,
                      ztl_error *error)
{
    char all[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].kind != a->kind)
            continue;
        if (!strcmp(value, words[i].word)) {
            *field = words[i].value;
            return true;
        }
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "",
                                 words[i].word);
    }
    return ztl_fail(error, "'%s' is none of %s", value, all);
}

/* 0 or 1, stored the other way round. */
static bool take_not(int64_t *field, const char *value, ztl_error *error)
{
    if (strcmp(value, "0") && strcmp(value, "1")) {
        ztl_fail(error, "'%s' is neither 0 nor 1", value);
        return false;
    }
    *field = *value == '0';
    return true;
}

enum ztl_op_parse ztl_op_option(ztl_op_text *text, const char *option, const char *value,
                                ztl_error *error)
{
    const ztl_op_attribute *a = ztl_op_attribute_of(text->op.kind, option);
    bool good;
    if (!a || a->kind >= ZTL_OP_VALUE)
        return ZTL_OP_UNKNOWN;
    void *field = (char *)&text->op + a->field;
    switch (a->kind) {
    case ZTL_OP_LIST:
    case ZTL_OP_BITS:
        good = take_list(text, a, field, value, error);
        break;
    case ZTL_OP_TEXT:
        *(const char **)field = value;
        good = true;
        break;
    case ZTL_OP_REALS:
        good = take_reals(text, field, value, error);
        break;
    case ZTL_OP_NUMBER:
    case ZTL_OP_AXIS:
    case ZTL_OP_COUNT:
        good = take_number(a, &text->op, field, value, error);
        break;
    case ZTL_OP_NOT:
        good = take_not(field, value, error);
        break;
    default:
        good = take_word(a, field, value, error);
    }
    return good ? ZTL_OP_TAKEN : ZTL_OP_BAD;
}
