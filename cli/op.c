/* SPDX-License-Identifier: Apache-2.0
 * ztl op: whole-tensor operators on NumPy files.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ztl/ops.h>

#include "cli/command.h"
#include "cli/npy.h"
#include "cli/op_options.h"
#include "ops/hart.h"

typedef struct request {
    ztl_op_text text;
    const char *name, *input[ZTL_OPS_BUFFERS], *output[ZTL_OPS_BUFFERS];
    const char *condition, *indices, *value;
    size_t inputs, outputs;
    bool plan, check, stats, json, has_type, on_hart;
    uint64_t retired, scalar; /* on the hart */
    ztl_ops_machine machine;
    ztl_npy in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
    ztl_ops_plan *made;
    size_t space;
    void *scratch;
    double plan_ms, run_ms;
} request;

static void print_usage(FILE *out)
{
    fprintf(out,
            "usage: ztl op NAME in.npy [in2.npy ...] [OPTIONS] -o out.npy [-o out2.npy ...]\n\n");
#define ZTL_OPERATOR(ID, name, command, inputs, summary)                                           \
    fprintf(out, "  %-15s %s\n", command, summary);
#include "ops/operators.def"
    fprintf(
        out,
        "\nLists have commas. Further options:\n"
        "  --type TYPE          element type: int4, fp8_e4m3, ... where the file does not tell\n"
        "  --condition 01101    or a .npy file; --indices 3,1,2 or a .npy file\n"
        "  --engine model|sim   what executes the instructions: the model, or a simulated hart\n"
        "  --no-scratch         plan without scratch memory\n"
        "  --plan               print the plan\n"
        "  --check              compare with plain loops\n"
        "  --stats, --json      instructions by kind, bytes, the lower bound, the ratio to it\n"
        "\nexample: ztl op transpose in.npy --perm 0,2,3,1 -o out.npy --stats\n");
}

static int complain(const request *r, int status, const char *what, const char *text)
{
    fprintf(stderr, "ztl op%s%s: %s%s%s\n", r->name ? " " : "", r->name ? r->name : "", what,
            *what ? ": " : "", text);
    return status;
}

static bool find_type(const char *name, enum ztl_type *type)
{
    const ztl_type_row *row;
    for (size_t i = 0; (row = ztl_isa_type(i)); i++)
        if (!strcmp(row->name, name)) {
            *type = (enum ztl_type)i;
            return true;
        }
    return false;
}

static bool flag(request *r, const char *option)
{
    bool *const flags[] = {&r->plan, &r->check, &r->stats, &r->json};
    static const char *const names[] = {"--plan", "--check", "--stats", "--json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(option, names[i])) {
            *flags[i] = true;
            return true;
        }
    if (strcmp(option, "--no-scratch"))
        return false;
    r->machine.scratch = 0;
    return true;
}

static bool is_file(const char *text)
{
    size_t n = strlen(text);
    return n > 4 && !strcmp(text + n - 4, ".npy");
}

/* An option with a value. */
static int take_option(request *r, const char *option, const char *value)
{
    char error[200];
    if (!strcmp(option, "-o")) {
        if (r->outputs == ZTL_OPS_BUFFERS)
            return complain(r, ZTL_EXIT_USAGE, option, "too many outputs");
        r->output[r->outputs++] = value;
    } else if (!strcmp(option, "--type")) {
        if (!find_type(value, &r->text.op.type))
            return complain(r, ZTL_EXIT_USAGE, value, "no such type; 'ztl isa' lists them");
        r->has_type = true;
    } else if (!strcmp(option, "--engine")) {
        r->on_hart = !strcmp(value, "sim");
        if (strcmp(value, "model") && !r->on_hart)
            return complain(r, ZTL_EXIT_USAGE, value, "no such engine; there are: model, sim");
    } else if (!strcmp(option, "--value")) {
        r->value = value;
    } else if (!strcmp(option, "--condition") && is_file(value)) {
        r->condition = value;
    } else if (!strcmp(option, "--indices") && is_file(value)) {
        r->indices = value;
    } else {
        switch (ztl_op_option(&r->text, option, value, error, sizeof error)) {
        case ZTL_OP_TAKEN:
            break;
        case ZTL_OP_UNKNOWN:
            return complain(r, ZTL_EXIT_USAGE, option,
                            "unknown option; 'ztl op --help' tells more");
        case ZTL_OP_BAD:
            return complain(r, ZTL_EXIT_USAGE, "", error);
        }
    }
    return ZTL_EXIT_OK;
}

static int parse(request *r, int argc, char **argv)
{
    r->machine.scratch = UINT64_MAX;
    r->name = argv[1];
    if (!ztl_op_find(r->name, &r->text.op)) {
        fprintf(stderr, "ztl op: no operator '%s'; 'ztl op --help' lists them\n", r->name);
        return ZTL_EXIT_USAGE;
    }
    for (int i = 2; i < argc; i++) {
        int status = ZTL_EXIT_OK;
        if (argv[i][0] != '-' || !argv[i][1]) {
            if (r->inputs == ZTL_OPS_BUFFERS)
                return complain(r, ZTL_EXIT_USAGE, argv[i], "too many inputs");
            r->input[r->inputs++] = argv[i];
        } else if (!flag(r, argv[i])) {
            if (i + 1 == argc)
                return complain(r, ZTL_EXIT_USAGE, argv[i], "needs a value");
            status = take_option(r, argv[i], argv[i + 1]);
            i++;
        }
        if (status)
            return status;
    }
    if (!r->inputs)
        return complain(r, ZTL_EXIT_USAGE, "", "no input file");
    return ZTL_EXIT_OK;
}

/* Small integers from a file: indices or a condition. */
static bool list_from_file(request *r, const char *path, ztl_ops_list *list)
{
    ztl_npy npy;
    char error[200];
    if (!ztl_npy_read(path, 0, &npy, error, sizeof error)) {
        complain(r, 0, path, error);
        return false;
    }
    unsigned bytes = npy.tensor.bits / 8;
    bool is_signed = strchr(npy.descr, 'i');
    size_t count = npy.bytes / bytes;
    int64_t *values = malloc((count + 1) * sizeof *values);
    for (size_t i = 0; values && i < count; i++) {
        uint64_t raw = 0;
        memcpy(&raw, npy.data + i * bytes, bytes);
        uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
        values[i] = (int64_t)(is_signed && bytes < 8 ? (raw ^ sign) - sign : raw);
    }
    if (values)
        ztl_op_set_list(&r->text, list, values, count);
    ztl_npy_free(&npy);
    return values;
}

/* The bits of --value: an integer, or a number of the file's float type. */
static bool read_value(request *r)
{
    char *end;
    const char *descr = r->in[0].descr;
    bool is_float = strchr(descr, 'f') && strncmp(r->value, "0x", 2) != 0;
    unsigned bits = r->in[0].tensor.bits;
    if (is_float && (bits == 32 || bits == 64)) {
        double number = strtod(r->value, &end);
        float narrow = (float)number;
        memcpy(&r->text.op.value, bits == 32 ? (void *)&narrow : (void *)&number, bits / 8);
    } else {
        r->text.op.value = (uint64_t)strtoll(r->value, &end, 0);
    }
    return *r->value && !*end;
}

static int read_inputs(request *r)
{
    char error[200];
    unsigned bits = r->has_type ? ztl_isa_type(r->text.op.type)->bits : 0;
    for (size_t i = 0; i < r->inputs; i++) {
        bool is_condition = r->text.op.kind == ZTL_OPS_WHERE && i == 0;
        if (!ztl_npy_read(r->input[i], is_condition ? 0 : bits, &r->in[i], error, sizeof error))
            return complain(r, ZTL_EXIT_FAILURE, r->input[i], error);
    }
    if ((r->condition && !list_from_file(r, r->condition, &r->text.op.condition)) ||
        (r->indices && !list_from_file(r, r->indices, &r->text.op.indices)))
        return ZTL_EXIT_FAILURE;
    if (r->value && !read_value(r))
        return complain(r, ZTL_EXIT_USAGE, r->value, "no number");
    return ZTL_EXIT_OK;
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int make_plan(request *r, ztl_ops_tensor *in, ztl_ops_tensor *out, size_t *outputs)
{
    ztl_ops_error error;
    for (size_t i = 0; i < r->inputs; i++)
        in[i] = r->in[i].tensor;
    *outputs = ztl_ops_infer(&r->text.op, in, r->inputs, out, ZTL_OPS_BUFFERS, &error);
    if (!*outputs)
        return complain(r, ZTL_EXIT_FAILURE, "", error.text);
    if (r->outputs && r->outputs != *outputs) {
        snprintf(error.text, sizeof error.text, "%zu outputs (-o), the operator makes %zu",
                 r->outputs, *outputs);
        return complain(r, ZTL_EXIT_USAGE, "", error.text);
    }
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

/* The plan, and for the statistics the scalar version, whose output is not kept. */
static int run_on_hart(request *r, const ztl_ops_tensor *out, size_t outputs,
                       const void *const *source, void *const *target)
{
    ztl_ops_tensor in[ZTL_OPS_BUFFERS];
    void *spare[ZTL_OPS_BUFFERS] = {NULL};
    char error[200] = "out of memory";
    for (size_t i = 0; i < r->inputs; i++)
        in[i] = r->in[i].tensor;
    ops_job job = {.op = &r->text.op,
                   .in = in,
                   .out = out,
                   .inputs = r->inputs,
                   .outputs = outputs,
                   .source = source,
                   .target = target};
    bool good = ops_hart_run(&job, r->made, &r->retired, error, sizeof error);
    enum ztl_ops_kind kind = r->text.op.kind;
    bool moves = kind != ZTL_OPS_ADD && kind != ZTL_OPS_WHERE && out->bits != 4;
    for (size_t i = 0; i < outputs; i++)
        moves = (spare[i] = calloc(1, out[i].size + 1)) && moves;
    job.target = spare;
    if (good && moves && (r->stats || r->json) &&
        !ops_hart_scalar(&job, &r->scalar, error, sizeof error))
        r->scalar = 0;
    for (size_t i = 0; i < outputs; i++)
        free(spare[i]);
    return good ? ZTL_EXIT_OK : complain(r, ZTL_EXIT_FAILURE, "--engine sim", error);
}

static int run_plan(request *r, const ztl_ops_tensor *out, size_t outputs)
{
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
    r->scratch = malloc(ztl_ops_scratch_bytes(r->made) + 1);
    if (!r->scratch)
        return complain(r, ZTL_EXIT_FAILURE, "", "out of memory");
    double start = now_ms();
    int status = ZTL_EXIT_OK;
    if (r->on_hart)
        status = run_on_hart(r, out, outputs, source, target);
    else
        ztl_ops_run(r->made, source, target, r->scratch);
    r->run_ms = now_ms() - start;
    return status;
}

/* The first element that differs, by its index in every dimension. */
static void print_difference(const ztl_ops_tensor *t, uint64_t byte)
{
    int64_t element = (int64_t)(t->bits == 4 ? byte * 2 : byte / (t->bits / 8));
    int64_t index[ZTL_OPS_RANK];
    for (unsigned d = t->rank; d-- > 0; element /= t->extent[d])
        index[d] = element % t->extent[d];
    fprintf(stderr, "ztl op: --check: element [");
    for (unsigned d = 0; d < t->rank; d++)
        fprintf(stderr, "%s%" PRId64, d ? ", " : "", index[d]);
    fprintf(stderr, "] differs from the reference\n");
}

static int check(request *r, const ztl_ops_tensor *in, const ztl_ops_tensor *out, size_t outputs)
{
    const void *source[ZTL_OPS_BUFFERS];
    void *target[ZTL_OPS_BUFFERS], *work = malloc(r->space);
    ztl_ops_error error = {"out of memory"};
    int status = ZTL_EXIT_OK;
    for (size_t i = 0; i < r->inputs; i++)
        source[i] = r->in[i].data;
    for (size_t i = 0; i < outputs; i++)
        target[i] = calloc(1, out[i].size + 1);
    if (!work || !ztl_ops_reference(&r->text.op, in, r->inputs, out, outputs, source, target, work,
                                    r->space, &error))
        status = complain(r, ZTL_EXIT_FAILURE, "--check", error.text);
    for (size_t i = 0; i < outputs; i++) {
        const uint8_t *a = r->out[i].data, *b = target[i];
        for (uint64_t k = 0; status == ZTL_EXIT_OK && k < out[i].size; k++)
            if (a[k] != b[k]) {
                print_difference(&out[i], k);
                status = ZTL_EXIT_FAILURE;
            }
        free(target[i]);
    }
    free(work);
    return status;
}

static void print_stats(const request *r)
{
    ztl_ops_stats s = ztl_ops_plan_stats(r->made);
    uint64_t total = ztl_ops_total(&s), bound = ztl_ops_lower_bound(r->made);
    const char *format =
        r->json ? "{\"operator\": \"%s\", \"load\": %" PRIu64 ", \"store\": %" PRIu64
                  ", \"permute\": %" PRIu64 ", \"concat\": %" PRIu64 ", \"merge\": %" PRIu64
                  ", \"addi\": %" PRIu64 ", \"ztl\": %" PRIu64 ", \"csr_writes\": %" PRIu64
                  ", \"scalar_moves\": %" PRIu64 ", \"lower_bound\": %" PRIu64
                  ", \"ratio\": %.3f, \"scratch\": %" PRIu64 ", \"plan_ms\": %.3f, \"run_ms\": %.3f"
                : "%s: load %" PRIu64 ", store %" PRIu64 ", permute %" PRIu64 ", concat %" PRIu64
                  ", merge %" PRIu64 ", addi %" PRIu64 "; Ztl instructions %" PRIu64
                  ", CSR writes %" PRIu64 ", scalar moves %" PRIu64 "; lower bound %" PRIu64
                  ", ratio %.3f; scratch %" PRIu64 " bytes; planned in %.3f ms, run in %.3f ms\n";
    printf(format, r->name, s.load, s.store, s.permute, s.concat, s.merge, s.addi, total, s.csr,
           s.scalar, bound, bound ? (double)total / (double)bound : 1.0,
           ztl_ops_scratch_bytes(r->made), r->plan_ms, r->run_ms);
    if (r->json)
        printf(", \"retired\": %" PRIu64 ", \"scalar_retired\": %" PRIu64 "}\n", r->retired,
               r->scalar);
    else if (r->on_hart)
        printf("on the hart: %" PRIu64 " instructions retired; scalar C at -O3: %" PRIu64 "\n",
               r->retired, r->scalar);
}

static void print_plan(const request *r)
{
    size_t n = ztl_ops_describe(r->made, NULL, 0);
    char *text = malloc(n + 1);
    if (text) {
        ztl_ops_describe(r->made, text, n + 1);
        fputs(text, stdout);
    }
    free(text);
}

static int work(request *r)
{
    ztl_ops_tensor in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
    size_t outputs = 0;
    char error[200];
    int status = read_inputs(r);
    if (!status)
        status = make_plan(r, in, out, &outputs);
    if (!status)
        status = run_plan(r, out, outputs);
    if (!status && r->check)
        status = check(r, in, out, outputs);
    for (size_t i = 0; !status && i < r->outputs; i++)
        if (!ztl_npy_write(r->output[i], &r->out[i], error, sizeof error))
            status = complain(r, ZTL_EXIT_FAILURE, r->output[i], error);
    if (!status && r->plan)
        print_plan(r);
    if (!status && (r->stats || r->json))
        print_stats(r);
    return status;
}

int ztl_cli_op(int argc, char **argv)
{
    if (argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        print_usage(stdout);
        return ZTL_EXIT_OK;
    }
    if (argc < 3) {
        print_usage(stderr);
        return ZTL_EXIT_USAGE;
    }
    request *r = calloc(1, sizeof *r);
    if (!r)
        return ZTL_EXIT_FAILURE;
    int status = parse(r, argc, argv);
    if (!status)
        status = work(r);
    for (size_t i = 0; i < ZTL_OPS_BUFFERS; i++) {
        ztl_npy_free(&r->in[i]);
        ztl_npy_free(&r->out[i]);
    }
    ztl_op_free(&r->text);
    free(r->scratch);
    free(r->made);
    free(r);
    return status;
}
