/* SPDX-License-Identifier: Apache-2.0
 * ztl onnx run: a network on arrays of .npy files.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <ztl/movers.h>

#include "cli/machine.h"
#include "cli/npy/npy.h"
#include "cli/onnx/onnx.h"
#include "host/command/exit.h"
#include "host/command/message.h"
#include "host/command/options.h"
#include "host/error.h"
#include "host/output.h"
#include "onnx/graph/read.h"
#include "onnx/run.h"
#include "ops/drive/drive.h"

static const char command[] = "ztl onnx run";

static void print_help(void)
{
    puts("usage: ztl onnx run [OPTIONS] MODEL\n\n"
         "Executes a graph of data-movement operators with Ztl instructions.\n\n"
         "  --input NAME=FILE   an input, from a .npy file or a tensor of ONNX (.pb);\n"
         "                      NAME= may be left out where the graph has one input\n"
         "  --output-dir DIR    writes each output as DIR/NAME.npy; default: shapes only\n"
         "  --engine ENGINE     host (the default), or sim, the simulated hart\n"
         "  --dim NAME=N        the extent of a symbolic dimension\n"
         "  --im2col            a Conv makes its patches, without the products\n"
         "  --stats             Ztl instructions of the whole graph\n"
         "  --mem SIZE          bytes that the tensors which nodes make may take at a time;\n"
         "                      K, M or G may follow (default 1G)\n\n"
         "example:\n"
         "  ztl onnx run model.onnx --input x=x.npy --output-dir out");
}

enum { INPUTS = 64 };

typedef struct options {
    onnx_dims dims;
    const char *input[INPUTS];
    size_t inputs;
    const char *folder;
    unsigned engine;
    bool stats, im2col;
    uint64_t memory;
} options;

/* What the engine keeps. */
typedef struct counting {
    bool simulate;
    ztl_ops_stats sum;
    uint64_t retired, plans;
} counting;

static void add(ztl_ops_stats *sum, ztl_ops_stats more)
{
    for (size_t i = 0; i < ZTL_OPS; i++)
        sum->insn[i] += more.insn[i];
    sum->csr += more.csr;
    sum->scalar += more.scalar;
}

static bool run_node(void *context, const onnx_call *call, const ztl_ops_tensor *in,
                     const ztl_ops_tensor *out, size_t outputs, const void *const *source,
                     void *const *target, ztl_error *error)
{
    counting *c = context;
    uint64_t retired = 0;
    ztl_ops_plan *plan = ztl_ops_plan_new(&call->op, in, call->inputs, out, outputs, NULL, error);
    if (!plan)
        return false;
    ops_job job = {.op = &call->op,
                   .in = in,
                   .out = out,
                   .inputs = call->inputs,
                   .outputs = outputs,
                   .source = source,
                   .target = target};
    bool good = c->simulate ? ztl_ops_sim_run(&job, plan, &retired, error)
                            : ztl_ops_plan_run(plan, source, target, error);
    add(&c->sum, ztl_ops_plan_stats(plan));
    c->retired += retired;
    c->plans++;
    ztl_ops_plan_free(plan);
    return good;
}

static bool take_input(void *context, const char *value, ztl_error *error)
{
    options *o = context;
    if (o->inputs == INPUTS)
        return ztl_fail(error, "at most %d of them", INPUTS);
    o->input[o->inputs++] = value;
    return true;
}

/* ONNX's types in NumPy's words; the first of a word is what is read. */
static const struct {
    const char *descr;
    int type;
} dtypes[] = {{"<f4", ONNX_FLOAT},       {"|u1", ONNX_UINT8},       {"|i1", ONNX_INT8},
              {"<u2", ONNX_UINT16},      {"<i2", ONNX_INT16},       {"<i4", ONNX_INT32},
              {"<i8", ONNX_INT64},       {"|b1", ONNX_BOOL},        {"<f2", ONNX_FLOAT16},
              {"<f8", ONNX_DOUBLE},      {"<u4", ONNX_UINT32},      {"<u8", ONNX_UINT64},
              {"<c8", ONNX_COMPLEX64},   {"<c16", ONNX_COMPLEX128}, {"|V2", ONNX_BFLOAT16},
              {"|V1", ONNX_FLOAT8E4M3FN}};

enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

static const char *descr_of(int type)
{
    for (size_t i = 0; i < DTYPES; i++)
        if (dtypes[i].type == type)
            return dtypes[i].descr;
    return ztl_onnx_bits(type) == 8 ? "|V1" : NULL;
}

/* An array as a value; its elements are copied, in C order. */
static bool read_npy(const char *path, onnx_value *value, ztl_error *error)
{
    ztl_npy npy;
    ztl_error why;
    ztl_ops_tensor dense;
    if (!ztl_npy_read(path, 0, &npy, &why))
        return ztl_fail(error, "%s: %.900s", path, why.text);
    for (size_t i = 0; i < DTYPES; i++)
        if (!strcmp(npy.descr, dtypes[i].descr))
            value->type = dtypes[i].type;
    value->rank = (int)npy.tensor.rank;
    memcpy(value->extent, npy.tensor.extent, sizeof value->extent);
    bool good = ztl_onnx_tensor(value, &dense) ||
                ztl_fail(error, "%s: ONNX has no type for dtype '%s'", path, npy.descr);
    if (good && !(value->buffer = ztl_onnx_buffer(dense.size)))
        good = ztl_fail(error, "out of memory");
    if (good) {
        ztl_ops_op copy = ztl_ops_identity();
        const void *source = npy.data;
        void *target = value->buffer->bytes;
        good = ztl_mover_apply(&copy, &npy.tensor, 1, &dense, 1, &source, &target, error);
    }
    ztl_npy_free(&npy);
    return good;
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static bool bind_input(onnx_graph *graph, const char *text, ztl_error *error)
{
    const char *equals = strchr(text, '=');
    char name[256], *inner = NULL;
    onnx_value value = {.rank = -1};
    if (!equals && graph->inputs != 1)
        return ztl_fail(error, "--input %s: NAME=FILE, as the graph has %zu inputs", text,
                        graph->inputs);
    if (equals)
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    else
        snprintf(name, sizeof name, "%s", graph->value[graph->input[0]].name);
    const char *path = equals ? equals + 1 : text;
    bool good = ends_in(path, ".pb") ? ztl_onnx_read_pb(path, &value, &inner, error)
                                     : read_npy(path, &value, error);
    good = good && ztl_onnx_bind(graph, name, &value, error);
    free(inner);
    ztl_onnx_release(value.buffer);
    return good;
}

/* A tensor's name as a file's: letters, digits and ._- stay. */
static char *file_name(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 8;
    char *path = malloc(size);
    if (!path)
        return NULL;
    int length = snprintf(path, size, "%s/", folder);
    for (const char *c = name; *c; c++)
        path[length++] = isalnum((unsigned char)*c) || strchr("._-", *c) ? *c : '_';
    strcpy(path + length, ".npy");
    if (path[strlen(folder) + 1] == '.')
        path[strlen(folder) + 1] = '_';
    return path;
}

static bool lay_out(const onnx_value *value, ztl_npy *npy, ztl_error *error)
{
    const char *descr = descr_of(value->type);
    *npy = (ztl_npy){.data = value->buffer->bytes, .bytes = value->buffer->size};
    if (!descr)
        return ztl_fail(error, "output %s: NumPy has no type for %s", value->name,
                        ztl_onnx_type_name(value->type));
    snprintf(npy->descr, sizeof npy->descr, "%s", descr);
    return ztl_onnx_tensor(value, &npy->tensor);
}

static bool write_outputs(const onnx_graph *graph, const char *folder, ztl_error *error)
{
    ztl_npy npy[INPUTS];
    ztl_output output[INPUTS];
    const ztl_output *failed;
    size_t count = graph->outputs;
    bool good = count <= INPUTS || ztl_fail(error, "more than %d outputs", INPUTS);
    if (good && mkdir(folder, 0777) != 0 && errno != EEXIST)
        good = ztl_fail(error, "%s: %s", folder, strerror(errno));
    size_t made = 0;
    for (; good && made < count; made++) {
        const onnx_value *value = &graph->value[graph->output[made]];
        output[made] = (ztl_output){file_name(folder, value->name), ztl_npy_write, &npy[made]};
        good = (output[made].path || ztl_fail(error, "out of memory")) &&
               lay_out(value, &npy[made], error);
        for (size_t k = 0; good && k < made; k++)
            if (!strcmp(output[k].path, output[made].path))
                good = ztl_fail(error, "two outputs would be written to %s", output[k].path);
    }
    if (good && !ztl_outputs_write(output, count, &failed))
        good = ztl_fail(error, "%s: %s", failed->path, strerror(errno));
    for (size_t i = 0; i < made; i++)
        free((char *)output[i].path);
    return good;
}

static void print_results(const onnx_graph *graph, const options *o, const counting *c)
{
    char text[160];
    for (size_t i = 0; i < graph->outputs; i++) {
        ztl_onnx_describe(&graph->value[graph->output[i]], text, sizeof text);
        ztl_onnx_put(graph->value[graph->output[i]].name, stdout);
        printf(": %s\n", text);
    }
    if (!o->stats)
        return;
    printf("%zu nodes, %llu of them with a plan; %llu Ztl instructions:", graph->nodes,
           (unsigned long long)c->plans, (unsigned long long)ztl_ops_total(&c->sum));
    for (size_t i = 0; i < ZTL_OPS; i++)
        if (c->sum.insn[i])
            printf(" %s %llu", ztl_op_name((enum ztl_op)i), (unsigned long long)c->sum.insn[i]);
    printf(c->simulate ? "\nall instructions retired: %llu\n" : "\n",
           (unsigned long long)c->retired);
}

static bool run(onnx_graph *graph, const options *o, ztl_error *error)
{
    counting c = {.simulate = o->engine == 1};
    onnx_engine engine = {run_node, &c, UINT64_MAX, o->im2col};
    for (size_t i = 0; i < o->inputs; i++)
        if (!bind_input(graph, o->input[i], error))
            return false;
    if (ztl_onnx_run(graph, &engine, o->memory, error) != ONNX_MOVES)
        return false;
    for (size_t i = 0; i < graph->outputs; i++)
        if (!graph->value[graph->output[i]].buffer)
            return ztl_fail(error, "output %s is not made", graph->value[graph->output[i]].name);
    if (o->folder && !write_outputs(graph, o->folder, error))
        return false;
    print_results(graph, o, &c);
    return true;
}

int onnx_cli_run(int argc, char **argv)
{
    static const char *const engines[] = {"host", "sim", NULL};
    options o = {.memory = ONNX_RUN_BUDGET};
    ztl_error error;
    const ztl_option table[] = {
        {.name = "--input", .take = take_input, .context = &o},
        {.name = "--output-dir", .text = &o.folder},
        {.name = "--engine", .choice = &o.engine, .choices = engines},
        {.name = "--dim", .take = onnx_take_dim, .context = &o.dims},
        {.name = "--im2col", .flag = &o.im2col},
        {.name = "--stats", .flag = &o.stats},
        {.name = "--mem", .take = ztl_machine_take_size, .context = &o.memory},
        {.name = NULL},
    };
    int status = onnx_take_model(command, table, argc, argv, print_help);
    if (status >= 0)
        return status;
    onnx_graph *graph = ztl_onnx_open(argv[1], o.dims.dim, o.dims.count, &error);
    bool is_read = graph, good = graph && run(graph, &o, &error);
    if (!good)
        ztl_message(command, "%s%s%s", is_read ? argv[1] : "", is_read ? ": " : "", error.text);
    ztl_onnx_close(graph);
    return good ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}
