/* SPDX-License-Identifier: Apache-2.0
 * The options of operators: attributes as ONNX names them, lists with commas.
 */
#include "ops/text/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/suggest.h"

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

static const struct {
    enum ztl_ops_kind kind;
    const char *option;
} needs[] = {
    {ZTL_OPS_RESHAPE, "--shape"},  {ZTL_OPS_UNSQUEEZE, "--axes"},
    {ZTL_OPS_CONCAT, "--axis"},    {ZTL_OPS_SLICE, "--starts"},
    {ZTL_OPS_SLICE, "--ends"},     {ZTL_OPS_PAD, "--pads"},
    {ZTL_OPS_GATHER, "--indices"}, {ZTL_OPS_COMPRESS, "--condition"},
    {ZTL_OPS_TILE, "--repeats"},   {ZTL_OPS_EXPAND, "--shape"},
    {ZTL_OPS_ROLL, "--shift"},     {ZTL_OPS_DEPTH_TO_SPACE, "--blocksize"},
    {ZTL_OPS_RESIZE, "--scales"},  {ZTL_OPS_SPACE_TO_DEPTH, "--blocksize"},
    {ZTL_OPS_IM2COL, "--kernel"},  {ZTL_OPS_COL2IM, "--kernel"},
    {ZTL_OPS_COL2IM, "--shape"},   {ZTL_OPS_FOCUS, "--blocksize"},
    {ZTL_OPS_ADD, "--addend"},     {ZTL_OPS_FILL, "--value"},
};

bool ztl_op_needs(enum ztl_ops_kind kind, const char *option)
{
    bool found = false;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        found = found || (needs[i].kind == kind && !strcmp(needs[i].option, option));
    return found;
}

const char *ztl_op_missing(enum ztl_ops_kind kind, int argc, char **argv)
{
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        bool given = needs[i].kind != kind;
        for (int k = 0; k < argc; k++)
            given = given || !strcmp(argv[k], needs[i].option);
        if (!given)
            return needs[i].option;
    }
    return NULL;
}

/* Decimal, or hexadecimal behind 0x; what no number of 64 bits holds has no end. */
static bool number(const char *text, char **end, int64_t *value)
{
    const char *digits = text + (*text == '-' || *text == '+');
    bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    errno = 0;
    *value = strtoll(text, end, is_hex ? 16 : 10);
    return *end != text && errno == 0;
}

int64_t *ztl_op_numbers(const char *text, size_t *count, char *error, size_t size)
{
    int64_t *values = malloc((strlen(text) / 2 + 1) * sizeof *values);
    char *end;
    *count = 0;
    if (!values) {
        snprintf(error, size, "out of memory");
        return NULL;
    }
    while (*text) {
        if (!number(text, &end, &values[*count]) || (*end && (*end != ',' || !end[1]))) {
            snprintf(error, size, "'%s' is no list of whole numbers with commas", text);
            free(values);
            return NULL;
        }
        ++*count;
        text = *end ? end + 1 : end;
    }
    return values;
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

static ztl_ops_list *list_named(ztl_ops_op *op, const char *name)
{
    const struct {
        const char *name;
        ztl_ops_list *list;
    } lists[] = {
        {"perm", &op->perm},       {"axes", &op->axes},       {"starts", &op->starts},
        {"ends", &op->ends},       {"steps", &op->steps},     {"pads", &op->pads},
        {"indices", &op->indices}, {"shape", &op->shape},     {"split", &op->split},
        {"repeats", &op->repeats}, {"shift", &op->shift},     {"scales", &op->scales},
        {"kernel", &op->kernel},   {"strides", &op->strides}, {"dilations", &op->dilations},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (!strcmp(name, lists[i].name))
            return lists[i].list;
    return NULL;
}

static int64_t *scalar_named(ztl_ops_op *op, const char *name)
{
    if (!strcmp(name, "axis")) {
        op->has_axis = true;
        return &op->axis;
    }
    if (!strcmp(name, "blocksize"))
        return &op->blocksize;
    if (!strcmp(name, "allowzero"))
        return &op->allowzero;
    if (!strcmp(name, "groups"))
        return &op->groups;
    if (!strcmp(name, "num_outputs"))
        return &op->num_outputs;
    return !strcmp(name, "addend") ? &op->addend : NULL;
}

static bool is_attribute(const char *name)
{
    static const char *const others[] = {"mode", "layout", "condition", "value"};
    ztl_ops_op op;
    bool found = list_named(&op, name) || scalar_named(&op, name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        found = found || !strcmp(name, others[i]);
    return found;
}

bool ztl_op_uses(enum ztl_ops_kind kind, const char *option)
{
    static const char *const summaries[] = {
#define ZTL_OPERATOR(ID, name, command, inputs, summary) summary,
#include "ops/operators.def"
    };
    size_t n = strlen(option);
    const char *at = summaries[kind];
    if (strncmp(option, "--", 2) || !is_attribute(option + 2))
        return true;
    while ((at = strstr(at, option)) && at[n] && !strchr(" ,;:()", at[n]))
        at += n;
    return at != NULL;
}

static bool choose(const char *value, const char *const *words, size_t count, unsigned *chosen)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(value, words[i])) {
            *chosen = i;
            return true;
        }
    return false;
}

/* The words of --mode that an operator knows, in the order of enum ztl_ops_mode from `first` on. */
static size_t modes_of(enum ztl_ops_kind kind, const char *const **words, unsigned *first)
{
    static const char *const modes[] = {"constant", "edge", "reflect", "wrap", "DCR", "CRD"};
    bool pads = kind == ZTL_OPS_PAD;
    *first = pads ? ZTL_OPS_CONSTANT : ZTL_OPS_DCR;
    *words = modes + *first;
    return pads ? ZTL_OPS_DCR : 2;
}

static bool word_option(ztl_ops_op *op, const char *name, const char *value)
{
    static const char *const layouts[] = {"NCHW", "NHWC"};
    const char *const *modes;
    unsigned chosen = 0, first;
    if (!strcmp(name, "mode")) {
        size_t count = modes_of(op->kind, &modes, &first);
        bool found = choose(value, modes, count, &chosen);
        op->mode = (enum ztl_ops_mode)(first + chosen);
        return found;
    }
    bool found = choose(value, layouts, 2, &chosen);
    op->layout = (enum ztl_ops_layout)chosen;
    return found;
}

/* 01101: a digit for each position. */
static bool condition(ztl_op_text *text, const char *value)
{
    size_t n = strlen(value);
    int64_t *values = malloc((n + 1) * sizeof *values);
    for (size_t i = 0; values && i < n; i++) {
        values[i] = value[i] - '0';
        if (value[i] != '0' && value[i] != '1') {
            free(values);
            return false;
        }
    }
    if (values)
        ztl_op_set_list(text, &text->op.condition, values, n);
    return values;
}

static const char *values_of(enum ztl_ops_kind kind, const char *name)
{
    if (!strcmp(name, "mode"))
        return kind == ZTL_OPS_PAD ? "constant, edge, reflect, wrap" : "DCR, CRD";
    return !strcmp(name, "layout") ? "NCHW, NHWC" : "0 and 1 in a row";
}

enum ztl_op_parse ztl_op_option(ztl_op_text *text, const char *option, const char *value,
                                char *error, size_t size)
{
    const char *name = option + 2;
    if (strncmp(option, "--", 2))
        return ZTL_OP_UNKNOWN;
    ztl_ops_list *list = list_named(&text->op, name);
    if (list) {
        size_t count;
        char why[100];
        int64_t *values = ztl_op_numbers(value, &count, why, sizeof why);
        if (values)
            ztl_op_set_list(text, list, values, count);
        else
            snprintf(error, size, "%s: %s", option, why);
        return values ? ZTL_OP_TAKEN : ZTL_OP_BAD;
    }
    int64_t *scalar = scalar_named(&text->op, name);
    char *end;
    if (scalar) {
        bool is_count = scalar == &text->op.groups || scalar == &text->op.num_outputs;
        if (!number(value, &end, scalar) || *end)
            snprintf(error, size, "%s: '%s' is no number", option, value);
        else if (is_count && *scalar < 1)
            snprintf(error, size, "%s: %s is not 1 or more", option, value);
        else
            return ZTL_OP_TAKEN;
        return ZTL_OP_BAD;
    }
    bool good;
    if (!strcmp(name, "mode") || !strcmp(name, "layout"))
        good = word_option(&text->op, name, value);
    else if (!strcmp(name, "condition"))
        good = condition(text, value);
    else
        return ZTL_OP_UNKNOWN;
    if (!good)
        snprintf(error, size, "%s: '%s' is none of %s", option, value,
                 values_of(text->op.kind, name));
    return good ? ZTL_OP_TAKEN : ZTL_OP_BAD;
}
