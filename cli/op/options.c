/* SPDX-License-Identifier: Apache-2.0
 * The words of ztl op.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/op/request.h"
#include "host/command/message.h"
#include "host/command/names.h"
#include "host/command/options.h"
#include "host/error.h"

static bool take_type(void *context, const char *name, ztl_error *error)
{
    op_request *r = context;
    const ztl_type_row *row;
    for (size_t i = 0; (row = ztl_isa_type(i)); i++)
        if (!strcmp(row->name, name)) {
            r->type = (enum ztl_type)i;
            return true;
        }
    ztl_op_element dtype;
    if (ztl_op_element_named(name, &dtype, error)) {
        r->type_name = name;
        return true;
    }
    return ztl_fail(error, "no such type '%s'; 'ztl isa --table type' lists them", name);
}

static bool take_output(void *context, const char *path, ztl_error *error)
{
    op_request *r = context;
    if (r->outputs == ZTL_OPS_BUFFERS)
        return ztl_fail(error, "more than %d outputs", ZTL_OPS_BUFFERS);
    r->output[r->outputs++] = strcmp(path, "-") ? path : op_standard_output;
    return true;
}

static bool take_shape(void *context, const char *shape, ztl_error *error)
{
    op_request *r = context;
    if (r->shapes == ZTL_OPS_BUFFERS)
        return ztl_fail(error, "more than %d inputs", ZTL_OPS_BUFFERS);
    r->shape_in[r->shapes++] = shape;
    return true;
}

static bool is_file(const char *text)
{
    size_t n = strlen(text);
    return n > 4 && !strcmp(text + n - 4, ".npy");
}

/* Where the value is not a text that the operator's own reader takes; NULL for those. */
static const char **keeps_text(op_attribute *a, const char *value)
{
    switch (a->row->kind) {
    case ZTL_OP_VALUE:
        return &a->request->value;
    case ZTL_OP_VALUES:
        return &a->request->values;
    case ZTL_OP_DTYPE:
        return &a->request->dtype;
    case ZTL_OP_LIST:
    case ZTL_OP_BITS:
        return is_file(value) ? &a->file : NULL;
    default:
        return NULL;
    }
}

static bool take_attribute(void *context, const char *value, ztl_error *error)
{
    op_attribute *a = context;
    op_request *r = a->request;
    const char **text = keeps_text(a, value);
    if (!ztl_op_takes(r->text.op.kind, a->row))
        return ztl_fail(error, "other operators have this option; '%s --help' tells more",
                        r->command);
    if (text)
        *text = value;
    return text || ztl_op_option(&r->text, a->row->option, value, error) == ZTL_OP_TAKEN;
}

/* The options, and the inputs between them; false after a message. */
static bool take_words(op_request *r, int argc, char **argv)
{
    static const char *const orders[] = {"C", "F", NULL};
    bool effort = false, aim = false;
    static const char *const aims[] = {"cycles", "instructions", NULL};
    static const char *const efforts[] = {"normal", "quick", "thorough", NULL};
    static const char *const forms[] = {"c", "asm", NULL};
    bool order = false, threads = false;
    const ztl_option fixed[] = {
        {"-o", .take = take_output, .context = r},
        {"--type", .take = take_type, .context = r, .once = &r->has_type},
        {"--shape-in", .take = take_shape, .context = r, .may_be_empty = true},
        {"--indices-shape", .text = &r->indices_shape, .may_be_empty = true},
        {"--order", .choice = &r->fortran, .choices = orders, .once = &order},
        {"--engine", .choice = &r->engine, .choices = ztl_op_engines, .once = &r->has_engine},
        {"--threads", .number = &r->threads, .least = 1, .most = 64, .once = &threads},
        {"--constant", .flag = &r->constant},
        {"--no-scratch", .flag = &r->machine.no_scratch},
        {"--effort", .choice = &r->effort, .choices = efforts, .once = &effort},
        {"--machine", .text = &r->plan_for},
        {"--for", .choice = &r->aim, .choices = aims, .once = &aim},
        {"--plan", .flag = &r->plan},
        {"--list", .flag = &r->list, .number = &r->most, .most = UINT_MAX},
        {"--check", .flag = &r->check},
        {"--stats", .flag = &r->stats},
        {"--json", .flag = &r->json},
        {"--emit", .choice = &r->emit.form, .choices = forms, .once = &r->emit.is_on},
        {"--main", .flag = &r->emit.with_main},
        {"--name", .text = &r->emit.name},
        {"--timing", .text = &r->timing.machine_text},
        {"--timeline", .text = &r->timing.timeline_path},
        {"--window", .text = &r->timing.window},
    };
    enum { FIXED = sizeof fixed / sizeof fixed[0] };
    ztl_option table[FIXED + OP_MAX_ATTRIBUTES + 1] = {0};
    memcpy(table, fixed, sizeof fixed);
    const ztl_op_attribute *row;
    for (size_t i = 0, n = 0; n < OP_MAX_ATTRIBUTES && (row = ztl_op_attribute_at(i)); i++) {
        if (row != ztl_op_attribute_of(r->text.op.kind, row->option))
            continue;
        op_attribute *a = &r->attribute[n];
        *a = (op_attribute){r, row, NULL, false};
        table[FIXED + n++] = (ztl_option){row->option, .take = take_attribute, .context = a,
                                          .may_be_empty = true, .once = &a->given};
    }
    int inputs = ztl_options_take(r->command, table, argc - 1, argv + 1);
    if (inputs > ZTL_OPS_BUFFERS)
        op_complain(r, ZTL_EXIT_USAGE, argv[2 + ZTL_OPS_BUFFERS], "too many inputs");
    if (inputs < 0 || inputs > ZTL_OPS_BUFFERS)
        return false;
    for (; r->inputs < (size_t)inputs; r->inputs++)
        r->input[r->inputs] = argv[2 + r->inputs];
    return true;
}

/* The words of the command, as a comment of C. */
static void keep_command(op_request *r, int argc, char **argv)
{
    size_t used = (size_t)snprintf(r->emitted, sizeof r->emitted, "ztl op");
    for (int i = 1; i < argc && used < sizeof r->emitted - 8; i++) {
        int n = snprintf(r->emitted + used, sizeof r->emitted - used, " %.200s", argv[i]);
        used += (size_t)n;
    }
    for (char *at = r->emitted; *at; at++)
        if ((unsigned char)*at < ' ' || (*at == '/' && at > r->emitted && at[-1] == '*') ||
            (*at == '*' && at > r->emitted && at[-1] == '/'))
            *at = '?';
    r->emit.comment = r->emitted;
}

static const char *name_of(size_t index)
{
    return index < ZTL_OPS_KINDS ? ztl_ops_name((enum ztl_ops_kind)index) : NULL;
}

int op_parse(op_request *r, int argc, char **argv)
{
    r->name = argv[1];
    if (!ztl_op_find(r->name, &r->text.op)) {
        ztl_error error;
        ztl_name_unknown(&error, "operator", r->name, name_of, "ztl op");
        ztl_message("ztl op", "%s", error.text);
        return ZTL_EXIT_USAGE;
    }
    snprintf(r->command, sizeof r->command, "ztl op %s", r->name);
    r->most = 100;
    keep_command(r, argc, argv);
    return take_words(r, argc, argv) ? op_check_options(r) : ZTL_EXIT_USAGE;
}
