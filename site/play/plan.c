/* SPDX-License-Identifier: Apache-2.0
 * An operator from text: its plan, its batches, and its cycles on a machine.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ops.h>

#include "codec/text.h"
#include "host/command/names.h"
#include "host/error.h"
#include "ops/text/text.h"
#include "site/play/executed.h"
#include "site/play/play.h"

enum { MOST_WORDS = 24, MOST_BYTES = 64 << 20 };

/* What was typed: name, shape, type, then attributes; a value without a name is of the first. */
typedef struct request {
    char *word[MOST_WORDS];
    size_t words;
    ztl_op_text op;
    ztl_ops_tensor in[2], out[4];
    size_t inputs, outputs;
} request;

static bool split(request *r, char *text, ztl_error *error)
{
    for (char *word = strtok(text, " \t\n"); word; word = strtok(NULL, " \t\n")) {
        if (r->words == MOST_WORDS)
            return ztl_fail(error, "more than %d words", MOST_WORDS);
        r->word[r->words++] = word;
    }
    return r->words >= 3 || ztl_fail(error, "must be: operator shape type attributes, as transpose "
                                            "1,64,56,56 int8 0,2,3,1");
}

static unsigned bits_of(const char *type)
{
    const ztl_type_row *row;
    const char *digits = strpbrk(type, "0123456789");
    for (size_t i = 0; (row = ztl_isa_type(i)); i++)
        if (!strcmp(row->name, type))
            return row->bits;
    bool is_known = !strncmp(type, "uint", 4) || !strncmp(type, "int", 3) ||
                    !strncmp(type, "float", 5) || !strncmp(type, "bits", 4);
    return is_known && digits ? (unsigned)atoi(digits) : 0;
}

static bool read_shape(const char *text, const char *type, ztl_ops_tensor *tensor, ztl_error *error)
{
    int64_t extent[ZTL_OPS_RANK];
    unsigned rank = 0, bits = bits_of(type);
    if (!bits)
        return ztl_fail(error, "'%.40s' is no type: int8, bf16, float32, …", type);
    for (const char *at = text; *at;) {
        char *end;
        if (rank == ZTL_OPS_RANK)
            return ztl_fail(error, "more than %d dimensions", (int)ZTL_OPS_RANK);
        extent[rank++] = strtoll(at, &end, 10);
        if (end == at || (*end && *end != ',') || extent[rank - 1] < 0)
            return ztl_fail(error, "'%.60s' is no shape, must be as 1,64,56,56", text);
        at = end + (*end == ',');
    }
    return ztl_ops_dense(tensor, bits, rank, extent) ||
           ztl_fail(error, "no tensor can have the shape %.60s", text);
}

static bool take_attribute(request *r, const char *option, const char *value, ztl_error *error)
{
    switch (ztl_op_option(&r->op, option, value, error)) {
    case ZTL_OP_TAKEN:
        return true;
    case ZTL_OP_BAD:
        return false;
    default:
        return ztl_fail(error, "%s has no %.40s", ztl_ops_name(r->op.op.kind), option);
    }
}

/* --perm 0,2,3,1, or 0,2,3,1 alone for the operator's next attribute; another shape is an input. */
static bool read_rest(request *r, ztl_error *error)
{
    size_t next = 0;
    for (size_t i = 3; i < r->words; i++) {
        const char *word = r->word[i];
        if (!strncmp(word, "--", 2)) {
            if (i + 1 == r->words)
                return ztl_fail(error, "%.40s needs a value", word);
            if (!take_attribute(r, word, r->word[++i], error))
                return false;
            continue;
        }
        const ztl_op_attribute *attribute = ztl_op_has(r->op.op.kind, next++);
        if (!attribute)
            return ztl_fail(error, "'%.40s' is one attribute too many", word);
        if (!take_attribute(r, attribute->option, word, error))
            return false;
    }
    return true;
}

static const char *operator_name(size_t kind)
{
    return kind < ZTL_OPS_KINDS ? ztl_ops_name((enum ztl_ops_kind)kind) : NULL;
}

static bool read_request(request *r, char *text, ztl_error *error)
{
    if (!split(r, text, error))
        return false;
    if (!ztl_op_find(r->word[0], &r->op.op)) {
        const char *close = ztl_name_close(r->word[0], operator_name);
        return ztl_fail(error, "there is no operator '%.40s'%s%s%s", r->word[0],
                        close ? ", did you mean '" : "", close ? close : "", close ? "'?" : "");
    }
    if (!read_shape(r->word[1], r->word[2], &r->in[0], error) || !read_rest(r, error))
        return false;
    /* Operators of several tensors get the same shape for each. */
    for (r->inputs = 1; r->inputs <= 2; r->inputs++) {
        r->in[1] = r->in[0];
        r->outputs = ztl_ops_infer(&r->op.op, r->in, r->inputs, r->out, 4, error);
        if (r->outputs)
            return true;
    }
    r->inputs = 1;
    return ztl_ops_infer(&r->op.op, r->in, 1, r->out, 4, error) != 0;
}

static size_t bytes_of(const ztl_ops_tensor *tensor)
{
    uint64_t elements = 1;
    for (unsigned i = 0; i < tensor->rank; i++)
        elements *= (uint64_t)tensor->extent[i];
    return (size_t)((elements * tensor->bits + 7) / 8);
}

/* Runs the plan on a hart whose memory is this module's, and counts. */
static bool count_cycles(const ztl_ops_plan *plan, const void *const *in, void *const *out,
                         void *scratch, ztl_timing *timing, ztl_error *error)
{
    ztl_window ram = {PLAY_OWN, __builtin_wasm_memory_size(0) * UINT64_C(65536) - PLAY_OWN};
    ztl_hart_config config = ztl_hart_default_config();
    config.ram = &ram;
    config.ram_count = 1;
    play_map_own_memory((size_t)ram.size);
    ztl_hart *hart = ztl_hart_create(&config, error);
    play_map_own_memory(0);
    if (!hart)
        return false;
    ztl_timing_attach(timing, hart);
    play_execute_on(hart);
    bool done = ztl_ops_run(plan, in, out, scratch, error);
    if (!play_execute_on(NULL) && done)
        done = ztl_fail(error, "an instruction of the plan trapped");
    ztl_hart_destroy(hart);
    return done;
}

static bool time_plan(const request *r, const ztl_ops_plan *plan, ztl_timing *timing,
                      ztl_error *error)
{
    const void *in[2];
    void *out[4] = {0}, *scratch = NULL;
    uint64_t total = ztl_ops_scratch_bytes(plan);
    size_t scratch_bytes = (size_t)total;
    for (size_t i = 0; i < r->inputs; i++)
        total += bytes_of(&r->in[i]);
    for (size_t i = 0; i < r->outputs; i++)
        total += bytes_of(&r->out[i]);
    if (total > MOST_BYTES)
        return ztl_fail(error, "too large to be run in a page: more than %d MiB", MOST_BYTES >> 20);
    char *memory = calloc(1, (size_t)total + 8192), *at = memory;
    if (!memory)
        return ztl_fail(error, "out of memory");
    at += 64 - (uintptr_t)at % 64;
    for (size_t i = 0; i < r->inputs; at += (bytes_of(&r->in[i++]) + 127) & ~(size_t)63)
        in[i] = at;
    for (size_t i = 0; i < r->outputs; at += (bytes_of(&r->out[i++]) + 127) & ~(size_t)63)
        out[i] = at;
    if (scratch_bytes)
        scratch = at;
    bool done = count_cycles(plan, in, out, scratch, timing, error);
    free(memory);
    return done;
}

static void print_plan(const request *r, const ztl_ops_plan *plan, FILE *out)
{
    ztl_error error;
    ztl_timing_machine machine;
    size_t length = ztl_ops_describe(plan, NULL, 0);
    char *text = malloc(length + 1);
    if (text) {
        ztl_ops_describe(plan, text, length + 1);
        fputs(text, out);
        free(text);
    }
    if (!ztl_timing_parse("four", &machine, &error))
        return;
    ztl_timing *timing = ztl_timing_create(&machine);
    if (timing && time_plan(r, plan, timing, &error)) {
        ztl_timing_counts counts = ztl_timing_result(timing);
        const char *name;
        uint64_t in, moved, bound = ztl_timing_bound(&machine, &counts, &name);
        ztl_ops_moved_bytes(plan, &in, &moved);
        fprintf(out,
                "%" PRIu64 " cycles on the machine four for %" PRIu64
                " Ztl instructions and %" PRIu64 " writes of CSRs;\nthe %s is busy in %" PRIu64
                " of them, and no program takes fewer than %" PRIu64 "\n",
                counts.cycles, counts.ztl_instructions,
                counts.instructions - counts.ztl_instructions, name, bound,
                ztl_timing_floor(&machine, in, moved));
    } else {
        fprintf(out, "no cycles: %s\n", error.text);
    }
    ztl_timing_destroy(timing);
}

/* The plan of the operator in the input, as text; what is wrong starts with "error: ". */
PLAY const char *play_plan(void)
{
    ztl_error error = {""};
    request *r = calloc(1, sizeof *r);
    char *text = strdup(play_input());
    FILE *out = play_open();
    ztl_ops_plan *plan = NULL;
    if (r && text && read_request(r, text, &error))
        plan = ztl_ops_plan_new(&r->op.op, r->in, r->inputs, r->out, r->outputs, NULL, &error);
    if (plan)
        print_plan(r, plan, out);
    else
        fprintf(out, "error: %s\n", error.text);
    ztl_ops_plan_free(plan);
    if (r)
        ztl_op_free(&r->op);
    free(text);
    free(r);
    return play_close();
}
