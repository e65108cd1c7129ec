/* SPDX-License-Identifier: Apache-2.0
 * ztl op: whole-tensor operators on NumPy files.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ztl/ops.h>

#include "cli/command.h"
#include "cli/npy.h"
#include "cli/op.h"
#include "cli/op_elements.h"
#include "cli/op_emit.h"
#include "cli/op_engine.h"
#include "cli/op_help.h"
#include "cli/op_listing.h"
#include "cli/op_lists.h"
#include "cli/op_stats.h"
#include "cli/op_timing.h"
#include "cli/op_value.h"
#include "host/error.h"
#include "host/options.h"
#include "host/output.h"
#include "host/progress.h"
#include "ops/operators/call.h"
#include "ops/text/text.h"

enum { MAX_ATTRIBUTES = 64 };

/* An attribute of operators, as an option. */
typedef struct attribute {
    struct request *request;
    const ztl_op_attribute *row;
    const char *file; /* a list that is in one */
    bool given;
} attribute;

typedef struct request {
    char command[64]; /* ztl op NAME */
    ztl_op_text text;
    const char *name, *input[ZTL_OPS_BUFFERS], *output[ZTL_OPS_BUFFERS];
    const char *value, *values, *dtype, *shape_in[ZTL_OPS_BUFFERS];
    attribute attribute[MAX_ATTRIBUTES];
    size_t inputs, outputs;
    bool list;
    unsigned effort; /* enum ztl_ops_effort */
    unsigned aim;    /* enum ztl_ops_aim */
    unsigned most;   /* instructions that are listed; 0: all */
    bool plan, check, stats, json, has_type, has_engine, constant;
    size_t shapes;   /* of inputs without data */
    int index_input; /* which input holds indices or a condition that are read at run time, or -1 */
    enum ztl_type type;       /* of elements, if has_type */
    ztl_op_element element;   /* of the outputs */
    unsigned fortran, engine; /* which of the orders, and of the engines */
    unsigned threads;         /* 0: not given */
    ztl_op_figures figures;
    ztl_op_timing timing;
    ztl_op_emit emit;
    char emitted[512];     /* the command, for the head of the kernel */
    const char *csv, *svg; /* that a sweep writes behind it; NULL: none */
    ztl_ops_machine machine;
    ztl_npy in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
    ztl_ops_plan *made;
    size_t space;
    ztl_progress *progress;
    double plan_ms, run_ms;
} request;

static int complain(const request *r, int status, const char *what, const char *text)
{
    ztl_progress_wipe(r->progress);
    fprintf(stderr, "ztl op%s%s: %s%s%s\n", r->name ? " " : "", r->name ? r->name : "", what,
            *what ? ": " : "", text);
    return status;
}

static bool take_type(void *context, const char *name, ztl_error *error)
{
    request *r = context;
    const ztl_type_row *row;
    for (size_t i = 0; (row = ztl_isa_type(i)); i++)
        if (!strcmp(row->name, name)) {
            r->type = (enum ztl_type)i;
            return true;
        }
    return ztl_fail(error, "no such type '%s'; 'ztl isa --table type' lists them", name);
}

/* What -o - writes to. */
static const char standard_output[] = "/dev/stdout";

static bool take_output(void *context, const char *path, ztl_error *error)
{
    request *r = context;
    if (r->outputs == ZTL_OPS_BUFFERS)
        return ztl_fail(error, "more than %d outputs", ZTL_OPS_BUFFERS);
    r->output[r->outputs++] = strcmp(path, "-") ? path : standard_output;
    return true;
}

static bool take_shape(void *context, const char *shape, ztl_error *error)
{
    request *r = context;
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
static const char **keeps_text(attribute *a, const char *value)
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
    attribute *a = context;
    request *r = a->request;
    const char **text = keeps_text(a, value);
    if (!ztl_op_takes(r->text.op.kind, a->row))
        return ztl_fail(error, "other operators have this option; '%s --help' tells more",
                        r->command);
    if (text)
        *text = value;
    return text || ztl_op_option(&r->text, a->row->option, value, error) == ZTL_OP_TAKEN;
}

/* The options, and the inputs between them; false after a message. */
static bool take_words(request *r, int argc, char **argv)
{
    static const char *const orders[] = {"C", "F", NULL};
    bool effort = false, aim = false;
    static const char *const aims[] = {"instructions", "cycles", NULL};
    static const char *const efforts[] = {"normal", "quick", "thorough", NULL};
    static const char *const forms[] = {"c", "asm", NULL};
    bool order = false, threads = false;
    const ztl_option fixed[] = {
        {"-o", .take = take_output, .context = r},
        {"--type", .take = take_type, .context = r, .once = &r->has_type},
        {"--shape-in", .take = take_shape, .context = r, .may_be_empty = true},
        {"--order", .choice = &r->fortran, .choices = orders, .once = &order},
        {"--engine", .choice = &r->engine, .choices = ztl_op_engines, .once = &r->has_engine},
        {"--threads", .number = &r->threads, .least = 1, .most = 64, .once = &threads},
        {"--constant", .flag = &r->constant},
        {"--no-scratch", .flag = &r->machine.no_scratch},
        {"--effort", .choice = &r->effort, .choices = efforts, .once = &effort},
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
    ztl_option table[FIXED + MAX_ATTRIBUTES + 1] = {0};
    memcpy(table, fixed, sizeof fixed);
    const ztl_op_attribute *row;
    for (size_t i = 0; i < MAX_ATTRIBUTES && (row = ztl_op_attribute_at(i)); i++) {
        attribute *a = &r->attribute[i];
        *a = (attribute){r, row, NULL, false};
        table[FIXED + i] = (ztl_option){row->option, .take = take_attribute, .context = a,
                                        .may_be_empty = true, .once = &a->given};
    }
    int inputs = ztl_options_take(r->command, table, argc - 1, argv + 1);
    if (inputs > ZTL_OPS_BUFFERS)
        complain(r, ZTL_EXIT_USAGE, argv[2 + ZTL_OPS_BUFFERS], "too many inputs");
    if (inputs < 0 || inputs > ZTL_OPS_BUFFERS)
        return false;
    for (; r->inputs < (size_t)inputs; r->inputs++)
        r->input[r->inputs] = argv[2 + r->inputs];
    return true;
}

/* The option that the operator cannot do without and that is not given, or NULL. */
static const char *missing_option(const request *r)
{
    for (size_t i = 0; i < MAX_ATTRIBUTES && r->attribute[i].row; i++)
        if (!r->attribute[i].given && ztl_op_needs(r->text.op.kind, r->attribute[i].row))
            return r->attribute[i].row->option;
    return NULL;
}

/* What ONNX has as an input and is a list here may be the file of an operator without any. */
static void take_list_file(request *r)
{
    for (size_t i = 0; ztl_op_inputs(r->text.op.kind) < 0 && r->inputs == 1 && i < MAX_ATTRIBUTES &&
                       r->attribute[i].row;
         i++) {
        attribute *a = &r->attribute[i];
        if (a->row->kind != ZTL_OP_LIST || !ztl_op_needs(r->text.op.kind, a->row) || a->given)
            continue;
        a->file = r->input[0];
        a->given = true;
        r->inputs = 0;
    }
}

static int check_inputs(const request *r)
{
    bool none = ztl_op_inputs(r->text.op.kind) < 0;
    if (none && (r->inputs || r->shapes))
        return complain(r, ZTL_EXIT_USAGE, r->inputs ? r->input[0] : "--shape-in",
                        "there are no inputs");
    if (r->shapes && r->inputs)
        return complain(r, ZTL_EXIT_USAGE, r->input[0], "--shape-in is instead of inputs");
    if (r->shapes && ((r->outputs && !r->emit.is_on) || r->check))
        return complain(r, ZTL_EXIT_USAGE, r->outputs ? "-o" : "--check",
                        "with --shape-in there is no data");
    if (r->shapes && ztl_op_timing_is_on(&r->timing))
        return complain(r, ZTL_EXIT_USAGE, "--timing", "with --shape-in there is no data");
    if (r->shapes && !r->has_type)
        return complain(r, ZTL_EXIT_USAGE, "--shape-in", "needs --type");
    if (!none && !r->inputs && !r->shapes)
        return complain(r, ZTL_EXIT_USAGE, "", "no input file");
    return ZTL_EXIT_OK;
}

/* Options of which one is needed. Split without a list makes as many parts as there are outputs. */
static int check_either(request *r)
{
    ztl_ops_op *op = &r->text.op;
    if (op->kind == ZTL_OPS_RESIZE && !op->scales.count && !op->sizes.count)
        return complain(r, ZTL_EXIT_USAGE, "", "needs --scales or --sizes");
    if (op->kind != ZTL_OPS_SPLIT || op->split.count || op->num_outputs)
        return ZTL_EXIT_OK;
    op->num_outputs = (int64_t)r->outputs;
    return r->outputs ? ZTL_EXIT_OK
                      : complain(r, ZTL_EXIT_USAGE, "",
                                 "needs --split, --num_outputs or the outputs (-o)");
}

/* Cycles are those of the simulated hart. */
static int check_timing(request *r)
{
    ztl_error error;
    if (!ztl_op_timing_check(&r->timing, &error))
        return complain(r, ZTL_EXIT_USAGE, "", error.text);
    if (r->timing.recording && (r->timing.machine_text || r->plan || r->stats || r->json))
        return complain(r, ZTL_EXIT_USAGE, "",
                        "a sweep goes with none of --timing, --plan, --stats and --json");
    if (!ztl_op_timing_is_on(&r->timing))
        return ZTL_EXIT_OK;
    if (r->shapes)
        return complain(r, ZTL_EXIT_USAGE, "--shape-in",
                        "without data nothing runs that has cycles");
    if (r->has_engine && r->engine != ZTL_OP_SIM)
        return complain(r, ZTL_EXIT_USAGE, "--engine", "only 'sim' has cycles");
    r->engine = ZTL_OP_SIM;
    return ZTL_EXIT_OK;
}

static int check_emit(request *r)
{
    bool others = r->plan || r->check || r->stats || r->json || r->has_engine ||
                  ztl_op_timing_is_on(&r->timing);
    if (!r->emit.is_on && (r->emit.with_main || r->emit.name))
        return complain(r, ZTL_EXIT_USAGE, r->emit.name ? "--name" : "--main", "needs --emit");
    if (!r->emit.is_on)
        return ZTL_EXIT_OK;
    if (others)
        return complain(r, ZTL_EXIT_USAGE, "--emit",
                        "nothing runs: there is nothing to tell of it");
    if (r->outputs > 1)
        return complain(r, ZTL_EXIT_USAGE, "--emit", "writes one file (-o)");
    if (r->emit.name && !ztl_op_emit_name(r->emit.name))
        return complain(r, ZTL_EXIT_USAGE, "--name", "is not the name of a function");
    if (!r->emit.name)
        r->emit.name = "ztl_kernel";
    return ZTL_EXIT_OK;
}

/* The words of the command, as a comment of C. */
static void keep_command(request *r, int argc, char **argv)
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

static int parse(request *r, int argc, char **argv)
{
    r->name = argv[1];
    if (!ztl_op_find(r->name, &r->text.op)) {
        const char *close = ztl_op_close(r->name);
        fprintf(stderr, "ztl op: no operator '%s'; %s%s%s\n", r->name,
                close ? "did you mean '" : "'ztl op --help' lists them", close ? close : "",
                close ? "'?" : "");
        return ZTL_EXIT_USAGE;
    }
    snprintf(r->command, sizeof r->command, "ztl op %s", r->name);
    r->most = 100;
    keep_command(r, argc, argv);
    if (!take_words(r, argc, argv))
        return ZTL_EXIT_USAGE;
    take_list_file(r);
    int status = check_inputs(r);
    if (status)
        return status;
    if (r->threads && r->engine != ZTL_OP_NATIVE)
        return complain(r, ZTL_EXIT_USAGE, "--threads", "goes with --engine native");
    const char *missing = missing_option(r);
    if (missing)
        return complain(r, ZTL_EXIT_USAGE, missing, "this option is needed");
    status = check_timing(r);
    if (!status)
        status = check_emit(r);
    if (status)
        return status;
    bool prints = r->plan || r->list || r->check || r->stats || r->json || r->emit.is_on;
    if (!r->outputs && !prints && !ztl_op_timing_is_on(&r->timing))
        return complain(r, ZTL_EXIT_USAGE, "", "no output file (-o)");
    return check_either(r);
}

/* The type of an addition where --type does not tell: that of the file. */
static bool infer_type(request *r)
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
static const ztl_npy *data_of(const request *r)
{
    return &r->in[r->index_input >= 0 ? 0 : r->inputs - 1];
}

/* The element of outputs: --dtype, --type, or that of the data. ONNX's constants are float32
 * where nothing is said. */
static bool find_element(request *r, ztl_error *error)
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
static int read_constants(request *r)
{
    ztl_error error;
    ztl_ops_op *op = &r->text.op;
    bool hot = op->kind == ZTL_OPS_ONE_HOT || op->kind == ZTL_OPS_EYE_LIKE;
    if (!find_element(r, &error))
        return complain(r, ZTL_EXIT_USAGE, "--dtype", error.text);
    if (hot || op->kind == ZTL_OPS_CONSTANT_OF_SHAPE)
        op->bits = r->element.bits;
    if (r->value && !ztl_op_set_value(r->value, &r->element, op, &error))
        return complain(r, ZTL_EXIT_USAGE, "--value", error.text);
    if (hot && !ztl_op_set_values(r->values ? r->values : "0,1", &r->element, op, &error))
        return complain(r, ZTL_EXIT_USAGE, "--values", error.text);
    return ZTL_EXIT_OK;
}

/* The elements of all inputs become those of one output: numbers of another dtype would be others
 * there. With --type bytes are what it says. */
static int check_dtypes(const request *r)
{
    size_t first = r->text.op.kind == ZTL_OPS_WHERE ? 1 : 0;
    ztl_error error;
    for (size_t i = first + 1; i < r->inputs && !r->has_type; i++)
        if ((int)i != r->index_input && !ztl_npy_alike(&r->in[first], &r->in[i])) {
            ztl_fail(&error, "dtype '%s', but '%s' in %.200s", r->in[i].descr, r->in[first].descr,
                     r->input[first]);
            return complain(r, ZTL_EXIT_FAILURE, r->input[i], error.text);
        }
    return ZTL_EXIT_OK;
}

/* An input of which only the shape is known. */
static int describe_input(request *r, size_t i)
{
    ztl_error error;
    ztl_ops_list shape;
    bool is_condition = r->text.op.kind == ZTL_OPS_WHERE && i == 0;
    ztl_op_text text = {.op = {.kind = ZTL_OPS_RESHAPE}};
    ztl_op_element e = is_condition ? (ztl_op_element){.descr = "|b1", .kind = 'b', .bits = 8}
                                    : ztl_op_element_typed(ztl_isa_type(r->type));
    bool good = ztl_op_option(&text, "--shape", r->shape_in[i], &error) == ZTL_OP_TAKEN;
    shape = text.op.shape;
    if (good && (shape.count > ZTL_OPS_RANK ||
                 !ztl_ops_dense(&r->in[i].tensor, e.bits, (unsigned)shape.count, shape.value)))
        good =
            ztl_fail(&error, "'%s' is no shape of up to %d extents", r->shape_in[i], ZTL_OPS_RANK);
    ztl_op_free(&text);
    if (!good)
        return complain(r, ZTL_EXIT_USAGE, "--shape-in", error.text);
    memcpy(r->in[i].descr, e.descr, sizeof e.descr);
    r->in[i].kind = e.kind;
    ztl_npy_lay_out(&r->in[i].tensor, false);
    r->in[i].bytes = r->in[i].tensor.size;
    return ZTL_EXIT_OK;
}

static int read_input(request *r, size_t i)
{
    ztl_error error;
    bool is_condition = r->text.op.kind == ZTL_OPS_WHERE && i == 0;
    unsigned bits = r->has_type && !is_condition ? ztl_isa_type(r->type)->bits : 0;
    if (ztl_npy_read(r->input[i], bits, &r->in[i], &error))
        return ZTL_EXIT_OK;
    return complain(r, ZTL_EXIT_FAILURE, strcmp(r->input[i], "-") ? r->input[i] : "standard input",
                    error.text);
}

/* Whether a file of this attribute is an input, which is read when the plan runs. */
static bool is_index_file(const request *r, const attribute *a)
{
    bool is_list = a->row->field == offsetof(ztl_ops_op, indices) ||
                   a->row->field == offsetof(ztl_ops_op, condition);
    return a->file && is_list && !r->constant && !r->shapes &&
           ztl_ops_index_input(&r->text.op, r->inputs + 1) >= 0;
}

/* Lists from files; *path: that of indices which are not one. */
static int read_lists(request *r, const char **path)
{
    ztl_error error;
    for (size_t i = 0; i < MAX_ATTRIBUTES && r->attribute[i].row; i++) {
        const attribute *a = &r->attribute[i];
        if (is_index_file(r, a))
            *path = a->file;
        else if (a->file && !ztl_op_list_file(&r->text, a->row, a->file, &error))
            return complain(r, ZTL_EXIT_FAILURE, a->file, error.text);
    }
    return ZTL_EXIT_OK;
}

/* Indices and conditions: a list of gather or compress becomes a part of the plan, and so does a
 * file with --constant; everything else is an input, which is read when the plan runs. `path`: of a
 * file, or NULL. */
static int read_indices(request *r, const char *path)
{
    ztl_error error;
    ztl_ops_op *op = &r->text.op;
    bool has_list = op->kind == ZTL_OPS_GATHER || op->kind == ZTL_OPS_COMPRESS;
    int input = ztl_ops_index_input(op, r->inputs + 1);
    bool is_condition = op->kind == ZTL_OPS_COMPRESS;
    if (r->constant && !has_list)
        return complain(r, ZTL_EXIT_USAGE, "--constant", "only gather and compress can do that");
    if (input < 0 || (!path && (has_list || !op->indices.count)))
        return ZTL_EXIT_OK;
    if (input > (int)r->inputs || r->inputs == ZTL_OPS_BUFFERS)
        return complain(r, ZTL_EXIT_USAGE, "", "an input file is missing");
    for (size_t i = r->inputs++; (int)i > input; i--) {
        r->in[i] = r->in[i - 1];
        r->input[i] = r->input[i - 1];
    }
    r->index_input = input;
    r->input[input] = path ? path : "--indices";
    r->in[input] = (ztl_npy){.data = NULL};
    bool good = path ? ztl_op_index_tensor(path, is_condition, &r->in[input], &error)
                     : ztl_op_index_list(op, &r->in[input], &error);
    return good ? ZTL_EXIT_OK : complain(r, ZTL_EXIT_FAILURE, r->input[input], error.text);
}

static int read_inputs(request *r)
{
    int status = ZTL_EXIT_OK;
    const char *path = NULL;
    r->inputs = r->shapes ? r->shapes : r->inputs;
    r->index_input = -1;
    for (size_t i = 0; !status && i < r->inputs; i++)
        status = r->shapes ? describe_input(r, i) : read_input(r, i);
    if (!status)
        status = read_lists(r, &path);
    if (!status && !r->shapes)
        status = read_indices(r, path);
    if (status)
        return status;
    if (r->text.op.kind == ZTL_OPS_ADD && !r->has_type && !infer_type(r))
        return complain(r, ZTL_EXIT_USAGE, r->in[0].descr,
                        r->in[0].tensor.bits > 32 ? "no type of such elements can be added to"
                                                  : "this dtype needs --type");
    if (r->text.op.kind == ZTL_OPS_ADD)
        r->text.op.type = r->type;
    status = read_constants(r);
    return status ? status : check_dtypes(r);
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Whether output 0 has as many positions as a condition selects, which output 1 tells. */
static bool selects(const request *r)
{
    return r->index_input >= 0 && r->text.op.kind == ZTL_OPS_COMPRESS;
}

static int make_plan(request *r, ztl_ops_tensor *in, ztl_ops_tensor *out, size_t *outputs)
{
    ztl_error error;
    for (size_t i = 0; i < r->inputs; i++)
        in[i] = r->in[i].tensor;
    *outputs = ztl_ops_infer(&r->text.op, in, r->inputs, out, ZTL_OPS_BUFFERS, &error);
    if (!*outputs)
        return complain(r, ZTL_EXIT_FAILURE, "", error.text);
    size_t wanted = selects(r) ? 1 : *outputs;
    if (r->outputs && !r->emit.is_on && r->outputs != wanted) {
        ztl_fail(&error, "%zu outputs (-o), the operator makes %zu", r->outputs, wanted);
        return complain(r, ZTL_EXIT_USAGE, "", error.text);
    }
    if (r->fortran && out[0].bits == 4)
        return complain(r, ZTL_EXIT_USAGE, "--order F", "packed half-bytes need C order");
    for (size_t i = 0; i < *outputs; i++)
        ztl_npy_lay_out(&out[i], r->fortran);
    r->space = ztl_ops_plan_space(&r->text.op, in, r->inputs, out, *outputs);
    r->made = malloc(r->space);
    double start = now_ms();
    r->machine.aim = (enum ztl_ops_aim)r->aim;
    r->machine.effort = (enum ztl_ops_effort)r->effort;
    if (!r->made)
        return complain(r, ZTL_EXIT_FAILURE, "", "out of memory");
    if (!ztl_ops_make(&r->text.op, in, r->inputs, out, *outputs, &r->machine, r->made, r->space,
                      &error))
        return complain(r, ZTL_EXIT_FAILURE, "", error.text);
    r->plan_ms = now_ms() - start;
    return ZTL_EXIT_OK;
}

static int emit_plan(request *r, const ztl_ops_tensor *in, const ztl_ops_tensor *out,
                     size_t outputs)
{
    ztl_error error;
    const ops_job job = {
        .op = &r->text.op, .in = in, .out = out, .inputs = r->inputs, .outputs = outputs};
    ztl_progress_step(r->progress, "writing");
    return ztl_op_emit_write(&r->emit, r->made, &job, r->outputs ? r->output[0] : NULL, &error)
               ? ZTL_EXIT_OK
               : complain(r, ZTL_EXIT_FAILURE, "--emit", error.text);
}

static int run_plan(request *r, const ztl_ops_tensor *in, const ztl_ops_tensor *out, size_t outputs)
{
    ztl_error error;
    const void *source[ZTL_OPS_BUFFERS];
    void *target[ZTL_OPS_BUFFERS];
    for (size_t i = 0; i < r->inputs; i++)
        source[i] = r->in[i].data;
    for (size_t i = 0; i < outputs; i++) {
        memcpy(r->out[i].descr, r->element.descr, sizeof r->out[i].descr);
        target[i] = r->out[i].data = calloc(1, out[i].size + 1);
        if (!target[i])
            return complain(r, ZTL_EXIT_FAILURE, "", "out of memory");
    }
    ops_job job = {.op = &r->text.op,
                   .in = in,
                   .out = out,
                   .inputs = r->inputs,
                   .outputs = outputs,
                   .source = source,
                   .target = target};
    double start = now_ms();
    ztl_op_timing_watch(&r->timing, &job);
    if (!ztl_op_execute(r->engine, r->threads, &job, r->made, &r->figures, &error))
        return complain(r, ZTL_EXIT_FAILURE, ztl_op_engine_name(r->engine), error.text);
    r->run_ms = now_ms() - start;
    if (!ztl_op_timing_complete(&r->timing, &error))
        return complain(r, ZTL_EXIT_FAILURE, "--timing", error.text);
    if (r->stats || r->json) {
        ztl_progress_step(r->progress, "measuring");
        ztl_op_measure(&job, r->made, &r->figures);
    }
    return ZTL_EXIT_OK;
}

static int print_listing(request *r, const ztl_ops_tensor *in, const ztl_ops_tensor *out,
                         size_t outputs)
{
    ztl_error error;
    const void *source[ZTL_OPS_BUFFERS] = {NULL};
    for (size_t i = 0; i < r->inputs; i++)
        source[i] = r->in[i].data;
    ops_job job = {.op = &r->text.op,
                   .in = in,
                   .out = out,
                   .inputs = r->inputs,
                   .outputs = outputs,
                   .source = source};
    return ztl_op_print_listing(&job, r->made, r->most, &error)
               ? ZTL_EXIT_OK
               : complain(r, ZTL_EXIT_FAILURE, "--list", error.text);
}

/* The element at a place, in the unit of the strides, by its index in every dimension. */
static void print_difference(const request *r, const ztl_ops_tensor *t, int64_t place)
{
    int64_t index[ZTL_OPS_RANK];
    for (unsigned k = 0; k < t->rank; k++) {
        unsigned d = r->fortran ? t->rank - 1 - k : k;
        index[d] = place / t->stride[d];
        place %= t->stride[d];
    }
    fprintf(stderr, "ztl op: --check: element [");
    for (unsigned d = 0; d < t->rank; d++)
        fprintf(stderr, "%s%" PRId64, d ? ", " : "", index[d]);
    fprintf(stderr, "] differs from the reference\n");
}

static int check(request *r, const ztl_ops_tensor *in, const ztl_ops_tensor *out, size_t outputs)
{
    const void *source[ZTL_OPS_BUFFERS];
    void *target[ZTL_OPS_BUFFERS], *work = malloc(r->space);
    ztl_error error = {"out of memory"};
    int status = ZTL_EXIT_OK;
    bool good = work;
    for (size_t i = 0; i < r->inputs; i++)
        source[i] = r->in[i].data;
    for (size_t i = 0; i < outputs; i++)
        good = (target[i] = calloc(1, out[i].size + 1)) && good;
    if (!good || !ztl_ops_reference(&r->text.op, in, r->inputs, out, outputs, source, target, work,
                                    r->space, &error))
        status = complain(r, ZTL_EXIT_FAILURE, "--check", error.text);
    for (size_t i = 0; i < outputs; i++) {
        const uint8_t *a = r->out[i].data, *b = target[i];
        for (uint64_t k = 0; status == ZTL_EXIT_OK && k < out[i].size; k++)
            if (a[k] != b[k]) {
                ztl_progress_wipe(r->progress);
                bool halves = out[i].bits == 4, second = halves && (a[k] & 15) == (b[k] & 15);
                print_difference(r, &out[i], (int64_t)(halves ? 2 * k + second : k));
                status = ZTL_EXIT_FAILURE;
            }
        free(target[i]);
    }
    free(work);
    return status;
}

static uint64_t bytes_of(const ztl_npy *npy, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += npy[i].bytes;
    return sum;
}

static void print_stats(const request *r)
{
    ztl_op_report report = {.name = r->name,
                            .plan = r->made,
                            .bytes_in = bytes_of(r->in, ZTL_OPS_BUFFERS),
                            .bytes_out = bytes_of(r->out, ZTL_OPS_BUFFERS),
                            .engine = r->engine,
                            .figures = &r->figures,
                            .plan_ms = r->plan_ms,
                            .run_ms = r->run_ms,
                            .with_plan = r->plan,
                            .timing = r->timing.timing ? &r->timing : NULL};
    if (r->json)
        ztl_op_print_json(&report);
    else
        ztl_op_print_stats(&report);
}

/* The files that are written in the end, those behind a sweep too. */
enum { MOST_FILES = ZTL_OPS_BUFFERS + 3 };

static size_t list_files(const request *r, const char *file[MOST_FILES])
{
    size_t count = r->outputs;
    const char *more[] = {r->timing.timeline_path, r->csv, r->svg};
    memcpy(file, r->output, count * sizeof *file);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        if (more[i])
            file[count++] = more[i];
    return count;
}

/* What is written in the end shall not fail then for a wrong name, nor shall one output take the
 * place of another. Inputs have been read by then. */
static int check_outputs(const request *r)
{
    bool prints = r->plan || r->list || r->stats || r->json || ztl_op_timing_is_on(&r->timing);
    const char *file[MOST_FILES];
    size_t count = list_files(r, file);
    for (size_t i = 0; i < count; i++) {
        if (!ztl_output_possible(file[i]))
            return complain(r, ZTL_EXIT_FAILURE, file[i], strerror(errno));
        for (size_t k = 0; k < i; k++)
            if (ztl_output_same(file[k], file[i]))
                return complain(r, ZTL_EXIT_USAGE, file[i], "named twice as an output");
        if (prints && (file[i] == standard_output || ztl_output_same(file[i], standard_output)))
            return complain(r, ZTL_EXIT_USAGE, file[i], "standard output goes there too");
    }
    return ZTL_EXIT_OK;
}

/* Keeps those positions of output 0 that the condition has selected. */
static bool shorten(request *r, ztl_error *error)
{
    const ztl_ops_op *op = &r->text.op;
    ztl_npy *npy = &r->out[0];
    ztl_ops_tensor all = npy->tensor, kept;
    int64_t axis = op->has_axis ? op->axis : 0, none = 0, count;
    memcpy(&count, r->out[1].data, sizeof count);
    ztl_ops_op slice = ztl_ops_slice(&none, &count, &axis, NULL, 1);
    if (!ztl_ops_infer(&slice, &all, 1, &kept, 1, error))
        return false;
    ztl_npy_lay_out(&kept, r->fortran);
    void *data = calloc(1, kept.size + 1);
    const void *source = npy->data;
    if (!data || !ztl_ops_apply(&slice, &all, 1, &kept, 1, &source, &data, error)) {
        free(data);
        return false;
    }
    free(npy->data);
    *npy = (ztl_npy){.tensor = kept, .data = data, .bytes = kept.size};
    memcpy(npy->descr, r->element.descr, sizeof npy->descr);
    return true;
}

static int write_outputs(request *r)
{
    ztl_output output[MOST_FILES];
    size_t count = r->outputs;
    const ztl_output *failed;
    for (size_t i = 0; i < r->outputs; i++) {
        r->out[i].fortran = r->fortran;
        output[i] = (ztl_output){r->output[i], ztl_npy_write, &r->out[i]};
    }
    if (r->timing.timeline)
        output[count++] = ztl_op_timing_output(&r->timing);
    return ztl_outputs_write(output, count, &failed)
               ? ZTL_EXIT_OK
               : complain(r, ZTL_EXIT_FAILURE, failed->path, strerror(errno));
}

static int work(request *r)
{
    ztl_ops_tensor in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
    size_t outputs = 0;
    r->progress = ztl_progress_start("ztl op");
    ztl_progress_step(r->progress, "reading");
    int status = read_inputs(r);
    ztl_progress_step(r->progress, "planning");
    if (!status)
        status = make_plan(r, in, out, &outputs);
    if (r->emit.is_on) {
        status = status ? status : emit_plan(r, in, out, outputs);
        ztl_progress_stop(r->progress);
        return status;
    }
    ztl_progress_step(r->progress, "running");
    for (size_t i = 0; i < outputs; i++)
        r->out[i] = (ztl_npy){.tensor = out[i], .bytes = out[i].size};
    if (!status && r->shapes)
        ztl_fail(&r->figures.why_not, "there is no data");
    else if (!status)
        status = run_plan(r, in, out, outputs);
    ztl_progress_step(r->progress, "checking");
    if (!status && r->check)
        status = check(r, in, out, outputs);
    ztl_error error = {"out of memory"};
    if (!status && selects(r) && !shorten(r, &error))
        status = complain(r, ZTL_EXIT_FAILURE, "", error.text);
    ztl_progress_step(r->progress, "writing");
    if (!status)
        status = write_outputs(r);
    ztl_progress_stop(r->progress);
    if (!status && r->plan && !r->json)
        ztl_op_print_plan(r->made);
    if (!status && r->list)
        status = print_listing(r, in, out, outputs);
    if (!status && (r->stats || r->json))
        print_stats(r);
    if (!status && r->timing.timing && !r->json)
        ztl_op_timing_print(&r->timing, r->made);
    return status;
}

int ztl_cli_op(int argc, char **argv)
{
    return op_command(argc, argv, NULL, NULL, NULL);
}

int op_command(int argc, char **argv, ztl_recording *recording, const char *csv, const char *svg)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            ztl_ops_op named;
            if (ztl_op_find(argv[1], &named))
                ztl_op_help_of(stdout, named.kind);
            else
                ztl_op_help(stdout);
            return ZTL_EXIT_OK;
        }
    if (argc < 2) {
        ztl_op_help(stderr);
        return ZTL_EXIT_USAGE;
    }
    request *r = calloc(1, sizeof *r);
    if (!r) {
        fprintf(stderr, "ztl op: out of memory\n");
        return ZTL_EXIT_FAILURE;
    }
    r->timing.recording = recording;
    r->csv = csv;
    r->svg = svg;
    int status = parse(r, argc, argv);
    if (!status)
        status = check_outputs(r);
    if (!status)
        status = work(r);
    for (size_t i = 0; i < ZTL_OPS_BUFFERS; i++) {
        ztl_npy_free(&r->in[i]);
        ztl_npy_free(&r->out[i]);
    }
    ztl_op_timing_free(&r->timing);
    ztl_op_free(&r->text);
    free(r->made);
    free(r);
    return status;
}
