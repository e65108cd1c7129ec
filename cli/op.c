/* SPDX-License-Identifier: Apache-2.0
 * ztl op: whole-tensor operators on NumPy files.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ztl/ops.h>

#include "cli/command.h"
#include "cli/npy.h"
#include "cli/op_engine.h"
#include "cli/op_help.h"
#include "cli/op_lists.h"
#include "cli/op_stats.h"
#include "cli/op_value.h"
#include "host/options.h"
#include "host/output.h"
#include "host/progress.h"
#include "ops/text/text.h"
#include "host/error.h"

enum { MAX_ATTRIBUTES = 32 };

/* An attribute of operators, as an option. */
typedef struct attribute {
    struct request *request;
    const ztl_op_attribute *row;
    bool given;
} attribute;

typedef struct request {
    char command[64]; /* ztl op NAME */
    ztl_op_text text;
    const char *name, *input[ZTL_OPS_BUFFERS], *output[ZTL_OPS_BUFFERS];
    const char *condition, *indices, *value;
    attribute attribute[MAX_ATTRIBUTES];
    size_t inputs, outputs;
    bool plan, check, stats, json, has_type;
    enum ztl_type type;       /* of elements, if has_type */
    unsigned fortran, engine; /* which of the orders, and of the engines */
    unsigned threads;         /* 0: not given */
    ztl_op_figures figures;
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

static bool take_output(void *context, const char *path, ztl_error *error)
{
    request *r = context;
    if (r->outputs == ZTL_OPS_BUFFERS)
        return ztl_fail(error, "more than %d outputs", ZTL_OPS_BUFFERS);
    r->output[r->outputs++] = path;
    return true;
}

static bool is_file(const char *text)
{
    size_t n = strlen(text);
    return n > 4 && !strcmp(text + n - 4, ".npy");
}

/* Where the value is not a text that the operator's own reader takes; NULL for those. */
static const char **keeps_text(request *r, const char *option, const char *value)
{
    return !strcmp(option, "--value")                         ? &r->value
           : !strcmp(option, "--condition") && is_file(value) ? &r->condition
           : !strcmp(option, "--indices") && is_file(value)   ? &r->indices
                                                              : NULL;
}

static bool take_attribute(void *context, const char *value, ztl_error *error)
{
    const attribute *a = context;
    request *r = a->request;
    const char **text = keeps_text(r, a->row->option, value);
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
    bool engine = false, order = false, threads = false;
    const ztl_option fixed[] = {
        {"-o", .take = take_output, .context = r},
        {"--type", .take = take_type, .context = r, .once = &r->has_type},
        {"--order", .choice = &r->fortran, .choices = orders, .once = &order},
        {"--engine", .choice = &r->engine, .choices = ztl_op_engines, .once = &engine},
        {"--threads", .number = &r->threads, .least = 1, .most = 64, .once = &threads},
        {"--no-scratch", .flag = &r->machine.no_scratch},
        {"--plan", .flag = &r->plan},
        {"--check", .flag = &r->check},
        {"--stats", .flag = &r->stats},
        {"--json", .flag = &r->json},
    };
    enum { FIXED = sizeof fixed / sizeof fixed[0] };
    ztl_option table[FIXED + MAX_ATTRIBUTES + 1] = {0};
    memcpy(table, fixed, sizeof fixed);
    const ztl_op_attribute *row;
    for (size_t i = 0; i < MAX_ATTRIBUTES && (row = ztl_op_attribute_at(i)); i++) {
        attribute *a = &r->attribute[i];
        *a = (attribute){r, row, false};
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

/* Split without a list makes as many parts as there are outputs. */
static int check_split(request *r)
{
    ztl_ops_op *op = &r->text.op;
    if (op->kind != ZTL_OPS_SPLIT || op->split.count || op->num_outputs)
        return ZTL_EXIT_OK;
    op->num_outputs = (int64_t)r->outputs;
    return r->outputs ? ZTL_EXIT_OK
                      : complain(r, ZTL_EXIT_USAGE, "",
                                 "needs --split, --num_outputs or the outputs (-o)");
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
    if (!take_words(r, argc, argv))
        return ZTL_EXIT_USAGE;
    if (!r->inputs)
        return complain(r, ZTL_EXIT_USAGE, "", "no input file");
    if (r->threads && r->engine != ZTL_OP_NATIVE)
        return complain(r, ZTL_EXIT_USAGE, "--threads", "goes with --engine native");
    const char *missing = missing_option(r);
    if (missing)
        return complain(r, ZTL_EXIT_USAGE, missing, "this option is needed");
    if (!r->outputs && !r->plan && !r->check && !r->stats && !r->json)
        return complain(r, ZTL_EXIT_USAGE, "", "no output file (-o)");
    return check_split(r);
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

/* The bits of --value, by --type or the file's dtype. */
static bool read_value(request *r, ztl_error *error)
{
    const ztl_npy *npy = &r->in[r->inputs - 1];
    const ztl_type_row *type = r->has_type ? ztl_isa_type(r->type) : NULL;
    uint64_t word[ZTL_OP_WORDS];
    if (!ztl_op_value(r->value, npy->kind, npy->tensor.bits, type, word, error))
        return false;
    r->text.op.value = word[0];
    memcpy(r->text.op.wide, word + 1, sizeof r->text.op.wide);
    return true;
}

/* The elements of all inputs become those of one output: numbers of another dtype would be others
 * there. With --type bytes are what it says. */
static int check_dtypes(const request *r)
{
    size_t first = r->text.op.kind == ZTL_OPS_WHERE ? 1 : 0;
    ztl_error error;
    for (size_t i = first + 1; i < r->inputs && !r->has_type; i++)
        if (!ztl_npy_alike(&r->in[first], &r->in[i])) {
            ztl_fail(&error, "dtype '%s', but '%s' in %.200s", r->in[i].descr, r->in[first].descr,
                     r->input[first]);
            return complain(r, ZTL_EXIT_FAILURE, r->input[i], error.text);
        }
    return ZTL_EXIT_OK;
}

static int read_inputs(request *r)
{
    ztl_error error;
    unsigned bits = r->has_type ? ztl_isa_type(r->type)->bits : 0;
    for (size_t i = 0; i < r->inputs; i++) {
        bool is_condition = r->text.op.kind == ZTL_OPS_WHERE && i == 0;
        if (!ztl_npy_read(r->input[i], is_condition ? 0 : bits, &r->in[i], &error))
            return complain(r, ZTL_EXIT_FAILURE, r->input[i], error.text);
    }
    if (r->condition && !ztl_op_condition_file(&r->text, r->condition, &error))
        return complain(r, ZTL_EXIT_FAILURE, r->condition, error.text);
    if (r->indices && !ztl_op_indices_file(&r->text, r->indices, &error))
        return complain(r, ZTL_EXIT_FAILURE, r->indices, error.text);
    if (r->text.op.kind == ZTL_OPS_ADD && !r->has_type && !infer_type(r))
        return complain(r, ZTL_EXIT_USAGE, r->in[0].descr,
                        r->in[0].tensor.bits > 32 ? "no type of such elements can be added to"
                                                  : "this dtype needs --type");
    if (r->text.op.kind == ZTL_OPS_ADD)
        r->text.op.type = r->type;
    if (r->value && !read_value(r, &error))
        return complain(r, ZTL_EXIT_USAGE, "--value", error.text);
    return check_dtypes(r);
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int make_plan(request *r, ztl_ops_tensor *in, ztl_ops_tensor *out, size_t *outputs)
{
    ztl_error error;
    for (size_t i = 0; i < r->inputs; i++)
        in[i] = r->in[i].tensor;
    *outputs = ztl_ops_infer(&r->text.op, in, r->inputs, out, ZTL_OPS_BUFFERS, &error);
    if (!*outputs)
        return complain(r, ZTL_EXIT_FAILURE, "", error.text);
    if (r->outputs && r->outputs != *outputs) {
        ztl_fail(&error, "%zu outputs (-o), the operator makes %zu", r->outputs, *outputs);
        return complain(r, ZTL_EXIT_USAGE, "", error.text);
    }
    if (r->fortran && out[0].bits == 4)
        return complain(r, ZTL_EXIT_USAGE, "--order F", "packed half-bytes need C order");
    for (size_t i = 0; i < *outputs; i++)
        ztl_npy_lay_out(&out[i], r->fortran);
    r->space = ztl_ops_plan_space(&r->text.op, in, r->inputs, out, *outputs);
    r->made = malloc(r->space);
    double start = now_ms();
    if (!r->made)
        return complain(r, ZTL_EXIT_FAILURE, "", "out of memory");
    if (!ztl_ops_make(&r->text.op, in, r->inputs, out, *outputs, &r->machine, r->made, r->space,
                      &error))
        return complain(r, ZTL_EXIT_FAILURE, "", error.text);
    r->plan_ms = now_ms() - start;
    return ZTL_EXIT_OK;
}

static int run_plan(request *r, const ztl_ops_tensor *in, const ztl_ops_tensor *out, size_t outputs)
{
    ztl_error error;
    const void *source[ZTL_OPS_BUFFERS];
    void *target[ZTL_OPS_BUFFERS];
    for (size_t i = 0; i < r->inputs; i++)
        source[i] = r->in[i].data;
    for (size_t i = 0; i < outputs; i++) {
        r->out[i] = (ztl_npy){.tensor = out[i], .bytes = out[i].size};
        memcpy(r->out[i].descr, r->in[r->inputs - 1].descr, sizeof r->out[i].descr);
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
    if (!ztl_op_execute(r->engine, r->threads, &job, r->made, &r->figures, &error))
        return complain(r, ZTL_EXIT_FAILURE, ztl_op_engine_name(r->engine), error.text);
    r->run_ms = now_ms() - start;
    if (r->stats || r->json) {
        ztl_progress_step(r->progress, "measuring");
        ztl_op_measure(&job, r->made, &r->figures);
    }
    return ZTL_EXIT_OK;
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
                            .with_plan = r->plan};
    if (r->json)
        ztl_op_print_json(&report);
    else
        ztl_op_print_stats(&report);
}

/* What is written in the end shall not fail then for a wrong name, nor shall one output take the
 * place of another. Inputs have been read by then. */
static int check_outputs(const request *r)
{
    bool prints = r->plan || r->stats || r->json;
    for (size_t i = 0; i < r->outputs; i++) {
        if (!ztl_output_possible(r->output[i]))
            return complain(r, ZTL_EXIT_FAILURE, r->output[i], strerror(errno));
        for (size_t k = 0; k < i; k++)
            if (ztl_output_same(r->output[k], r->output[i]))
                return complain(r, ZTL_EXIT_USAGE, r->output[i], "named twice as an output");
        if (prints && ztl_output_same(r->output[i], "/dev/stdout"))
            return complain(r, ZTL_EXIT_USAGE, r->output[i], "standard output goes there too");
    }
    return ZTL_EXIT_OK;
}

static int write_outputs(request *r)
{
    ztl_output output[ZTL_OPS_BUFFERS];
    const ztl_output *failed;
    for (size_t i = 0; i < r->outputs; i++) {
        r->out[i].fortran = r->fortran;
        output[i] = (ztl_output){r->output[i], ztl_npy_write, &r->out[i]};
    }
    return ztl_outputs_write(output, r->outputs, &failed)
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
    ztl_progress_step(r->progress, "running");
    if (!status)
        status = run_plan(r, in, out, outputs);
    ztl_progress_step(r->progress, "checking");
    if (!status && r->check)
        status = check(r, in, out, outputs);
    ztl_progress_step(r->progress, "writing");
    if (!status && r->outputs)
        status = write_outputs(r);
    ztl_progress_stop(r->progress);
    if (!status && r->plan && !r->json)
        ztl_op_print_plan(r->made);
    if (!status && (r->stats || r->json))
        print_stats(r);
    return status;
}

int ztl_cli_op(int argc, char **argv)
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
    int status = parse(r, argc, argv);
    if (!status)
        status = check_outputs(r);
    if (!status)
        status = work(r);
    for (size_t i = 0; i < ZTL_OPS_BUFFERS; i++) {
        ztl_npy_free(&r->in[i]);
        ztl_npy_free(&r->out[i]);
    }
    ztl_op_free(&r->text);
    free(r->made);
    free(r);
    return status;
}
