/* SPDX-License-Identifier: Apache-2.0
 * ztl bench ops --cycles: whole operators on a machine of engines and ports.
 */
#include "bench/cycles/cycles.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/cases/run.h"
#include "bench/cycles/compiled.h"
#include "bench/cycles/loss.h"
#include "host/command/exit.h"
#include "host/command/message.h"
#include "host/command/progress.h"

enum { WIDTHS = 3, LARGE = 64 << 10 };
static const unsigned widths[WIDTHS] = {8, 16, 32};
static const char *const types[WIDTHS] = {"int8", "fp16", "fp32"};
static const char command[] = "ztl bench ops";

/* What one case came to. */
typedef struct result {
    uint64_t bytes, floor;
    ztl_timing_counts counts, scalar;
    uint64_t kinds; /* cycles where engines are not alike */
    uint64_t one;   /* cycles with one engine */
    uint64_t bound;
    const char *bound_by;
    double known, known_kinds; /* cycles / floor of a kernel on these machines; 0: not known */
    uint64_t loss[OPS_LOSS_COUNT];
} result;

/* The columns that have means: key, heading, words. */
#define MEASURES(M)                                                                                \
    M(FLOOR, "per_floor")                                                                          \
    M(KINDS, "per_floor_kinds")                                                                    \
    M(BOUND, "per_bound")                                                                          \
    M(ONE, "one")                                                                                  \
    M(RETIRED, "retired_per_ztl")                                                                  \
    M(GAIN, "gain")                                                                                \
    M(KNOWN, "per_known")                                                                          \
    M(KNOWN_KINDS, "per_known_kinds")

enum measure {
#define MEASURE(ID, key) MEASURE_##ID,
    MEASURES(MEASURE)
#undef MEASURE
        MEASURE_COUNT
};

static const char *const keys[MEASURE_COUNT] = {
#define KEY(ID, key) key,
    MEASURES(KEY)
#undef KEY
};

/* Over one group with one type. */
typedef struct summary {
    double log[MEASURE_COUNT];   /* sums of logarithms */
    double worst[MEASURE_COUNT]; /* most, of cases of 64 KiB or more; of GAIN and ONE the least;
                                    beside kernels of all */
    char name[MEASURE_COUNT][96];
    double loss[OPS_LOSS_COUNT]; /* sums of parts of the bound */
    unsigned count, counted[MEASURE_COUNT];
} summary;

typedef struct bench {
    const ztl_bench_cycles_options *o;
    ztl_timing_machine machine, kinds, one;
    char machine_text[512];
    bool is_four, first; /* the figures of kernels are for four, and for kinds beside it */
    ztl_progress *progress;
    size_t done, cases; /* of them, and all that are wanted */
} bench;

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

static void measures_of(const result *r, double value[MEASURE_COUNT])
{
    value[MEASURE_FLOOR] = ratio(r->counts.cycles, r->floor);
    value[MEASURE_KINDS] = ratio(r->kinds, r->floor);
    value[MEASURE_BOUND] = ratio(r->counts.cycles, r->bound);
    value[MEASURE_ONE] = ratio(r->one, r->counts.cycles);
    value[MEASURE_RETIRED] = ratio(r->counts.instructions, r->counts.ztl_instructions);
    value[MEASURE_GAIN] = ratio(r->scalar.cycles, r->counts.cycles);
    value[MEASURE_KNOWN] = r->known > 0 ? value[MEASURE_FLOOR] / r->known : 0;
    value[MEASURE_KNOWN_KINDS] = r->known_kinds > 0 ? value[MEASURE_KINDS] / r->known_kinds : 0;
}

/* ---- Running ---------------------------------------------------------------------------- */

/* The machine, the same with an engine for each kind and the same with one engine observe one run.
 */
enum { MACHINES = 3 };

typedef struct watchers {
    ztl_timing *timing[MACHINES]; /* NULL behind the last */
    ztl_observer observer[MACHINES];
} watchers;

static void happened(void *context, ztl_hart *hart, const ztl_event *event)
{
    const watchers *w = context;
    for (unsigned i = 0; i < MACHINES && w->timing[i]; i++)
        w->observer[i].happened(w->observer[i].context, hart, event);
}

static void watch(void *context, ztl_hart *hart)
{
    watchers *w = context;
    for (unsigned i = 0; i < MACHINES && w->timing[i]; i++)
        w->observer[i] = ztl_timing_observer(w->timing[i]);
    ztl_observer all = {w, happened};
    ztl_hart_set_observer(hart, w->timing[1] ? &all : &w->observer[0]);
}

static bool create(watchers *w, const bench *b, unsigned count)
{
    const ztl_timing_machine *machine[MACHINES] = {&b->machine, &b->kinds, &b->one};
    bool good = true;
    for (unsigned i = 0; i < count; i++) {
        w->timing[i] = ztl_timing_create(machine[i]);
        good &= w->timing[i] != NULL;
    }
    return good;
}

static void destroy(watchers *w)
{
    for (unsigned i = 0; i < MACHINES; i++)
        ztl_timing_destroy(w->timing[i]);
}

/* Plans, runs and times; false after a message. */
static bool time_case(const bench *b, const ztl_ops_case *c, const ztl_ops_plan *plan,
                      const ops_image *image, result *r)
{
    ops_losses losses = {0};
    ztl_timing_sink sink = ztl_ops_losses_sink(&losses);
    watchers ztl = {.timing = {NULL}}, scalar = {.timing = {NULL}};
    uint64_t retired;
    bool good = create(&ztl, b, MACHINES) && create(&scalar, b, 1);
    const ops_manner manner = {{watch, &ztl}, {watch, &scalar}, b->o->compiled ? image : NULL};
    if (good)
        ztl_timing_set_sink(ztl.timing[0], &sink);
    else
        ztl_message(command, "no memory");
    good = good && ztl_ops_simulate(c, plan, &manner, &retired, &retired);
    if (good) {
        r->counts = ztl_timing_result(ztl.timing[0]);
        r->kinds = ztl_timing_result(ztl.timing[1]).cycles;
        r->one = ztl_timing_result(ztl.timing[2]).cycles;
        r->scalar = ztl_timing_result(scalar.timing[0]);
        r->bound = ztl_timing_bound(&b->machine, &r->counts, &r->bound_by);
        ztl_ops_losses_of(&losses, &b->machine, &r->counts, r->loss);
    }
    destroy(&ztl);
    destroy(&scalar);
    return good;
}

/* What plans are made for. */
static ztl_ops_machine plan_machine(const bench *b)
{
    return (ztl_ops_machine){.aim = (enum ztl_ops_aim)b->o->aim,
                             .engines = ZTL_OPS_ENGINES(&b->machine)};
}

static bool compile(const bench *b, enum ztl_ops_group group, unsigned bits, ops_image *image)
{
    const ztl_ops_machine machine = plan_machine(b);
    return ztl_bench_compile(group, bits, b->o->only, &machine, image);
}

static bool measure(const bench *b, const ztl_ops_case *c, const ops_image *image, result *r)
{
    ztl_error error = {"out of memory"};
    size_t space = ztl_ops_plan_space(&c->text.op, c->in, c->inputs, c->out, c->outputs);
    ztl_ops_plan *plan = malloc(space);
    const ztl_ops_machine machine = plan_machine(b);
    bool made = plan && ztl_ops_make(&c->text.op, c->in, c->inputs, c->out, c->outputs, &machine,
                                     plan, space, &error);
    if (!made)
        ztl_message(command, "%s: %s", c->name, error.text);
    bool good = made && time_case(b, c, plan, image, r);
    if (good) {
        uint64_t in, out;
        ztl_ops_moved_bytes(plan, &in, &out);
        r->floor = ztl_timing_floor(&b->machine, in, out);
    }
    for (size_t i = 0; i < c->inputs; i++)
        r->bytes += c->in[i].size;
    for (size_t i = 0; i < c->outputs; i++)
        r->bytes += c->out[i].size;
    free(plan);
    return good;
}

/* ---- Printing --------------------------------------------------------------------------- */

static void add_result(summary *sum, const ztl_ops_case *c, const result *r)
{
    double value[MEASURE_COUNT];
    measures_of(r, value);
    for (unsigned m = 0; m < MEASURE_COUNT; m++) {
        bool least = m == MEASURE_GAIN || m == MEASURE_ONE;
        if (value[m] <= 0)
            continue;
        sum->log[m] += log(value[m]);
        sum->counted[m]++;
        if ((r->bytes >= LARGE || m >= MEASURE_KNOWN) &&
            (!*sum->name[m] || (least ? value[m] < sum->worst[m] : value[m] > sum->worst[m]))) {
            sum->worst[m] = value[m];
            snprintf(sum->name[m], sizeof sum->name[m], "%s", c->name);
        }
    }
    for (unsigned i = 0; i < OPS_LOSS_COUNT; i++)
        sum->loss[i] += ratio(r->loss[i], r->bound);
    sum->count++;
}

/* Beside kernels by hand, where there are any. */
static void print_known(const double value[MEASURE_COUNT])
{
    for (unsigned m = MEASURE_KNOWN; m <= MEASURE_KNOWN_KINDS; m++)
        if (value[m] > 0)
            printf(" %5.2f", value[m]);
        else
            printf(" %5s", "-");
    putchar('\n');
}

static void print_row(bench *b, enum ztl_ops_group group, const ztl_ops_case *c, const char *type,
                      const result *r)
{
    double value[MEASURE_COUNT];
    measures_of(r, value);
    if (!b->o->json) {
        printf("%-30.30s %9" PRIu64 " %6.2f %6.2f %6.2f", c->name, r->counts.cycles,
               value[MEASURE_FLOOR], value[MEASURE_KINDS], value[MEASURE_BOUND]);
        if (ztl_ops_group_compares(group))
            print_known(value);
        else
            printf(" %5.2f %5.1f %5.0f\n", value[MEASURE_ONE], value[MEASURE_RETIRED],
                   value[MEASURE_GAIN]);
        fflush(stdout);
        return;
    }
    printf("%s\n  {\"name\": \"%s %s%s on %s\", \"group\": \"%s\", \"bytes\": %" PRIu64
           ", \"ratio\": %.4f, \"cycles\": %" PRIu64 ", \"bound\": %" PRIu64
           ", \"bound_by\": \"%s\", \"floor\": %" PRIu64 ", \"cycles_kinds\": %" PRIu64
           ", \"cycles_one\": %" PRIu64 ", \"retired\": %" PRIu64 ", \"ztl\": %" PRIu64
           ", \"scalar_cycles\": %" PRIu64 ", \"scalar_retired\": %" PRIu64,
           b->first ? "" : ",", c->name, type, b->o->compiled ? " compiled" : "", b->machine_text,
           ztl_ops_group_name(group), r->bytes, value[MEASURE_FLOOR], r->counts.cycles, r->bound,
           r->bound_by, r->floor, r->kinds, r->one, r->counts.instructions,
           r->counts.ztl_instructions, r->scalar.cycles, r->scalar.instructions);
    for (unsigned m = 0; m < MEASURE_COUNT; m++)
        if (value[m] > 0)
            printf(", \"%s\": %.3f", keys[m], value[m]);
    printf(", \"lost\": {");
    for (unsigned i = 0; i < OPS_LOSS_COUNT; i++)
        printf("%s\"%s\": %" PRIu64, i ? ", " : "", ztl_ops_loss_keys[i], r->loss[i]);
    printf("}}");
    b->first = false;
}

static void print_json_summary(const summary *sum)
{
    for (unsigned m = 0; m < MEASURE_COUNT; m++)
        if (sum->counted[m])
            printf("\"mean_%s\": %.3f, \"worst_%s\": %.3f, ", keys[m],
                   exp(sum->log[m] / sum->counted[m]), keys[m], sum->worst[m]);
    printf("\"lost\": {");
    for (unsigned i = 0; i < OPS_LOSS_COUNT; i++)
        printf("%s\"%s\": %.4f", i ? ", " : "", ztl_ops_loss_keys[i], sum->loss[i] / sum->count);
    printf("}, \"cases\": %u}", sum->count);
}

static void print_text_summary(const char *group, const char *type, const summary *sum)
{
    static const char *const words[MEASURE_COUNT] = {
        "cycles / floor",         "cycles / floor, kinds",        "cycles / bound",
        "one engine's / cycles",  "retired / Ztl instruction",    "scalar's / cycles",
        "cycles / those by hand", "cycles / those by hand, kinds"};
    printf("\n%s, %s: %u cases\n%-35s %8s %8s\n", group, type, sum->count, "", "mean", "worst");
    for (unsigned m = 0; m < MEASURE_COUNT; m++)
        if (sum->counted[m])
            printf("  %-33s %8.2f %8.2f  %.27s\n", words[m], exp(sum->log[m] / sum->counted[m]),
                   sum->worst[m], sum->name[m]);
    printf("  lost, in parts of the bound:\n");
    for (unsigned i = 0; i < OPS_LOSS_COUNT; i++)
        if (sum->loss[i] > 0)
            printf("  %-33s %8.3f\n", ztl_ops_loss_words[i], sum->loss[i] / sum->count);
}

/* ---- All cases -------------------------------------------------------------------------- */

static void print_head(enum ztl_ops_group group, const char *type)
{
    printf("\n%-30s %9s %6s %6s %6s %s\n", type, "cycles", "/floor", "kinds", "/bound",
           ztl_ops_group_compares(group) ? "/hand kinds" : "  one ret/Z  gain");
}

static bool has_group(const bench *b, enum ztl_ops_group group)
{
    return ztl_ops_group_has_data(group) && ztl_ops_group_is(group, b->o->group);
}

static size_t count_cases(const bench *b)
{
    ztl_ops_case c;
    size_t count = 0;
    for (enum ztl_ops_group g = 0; g < ZTL_OPS_GROUPS; g++)
        for (size_t i = 0; has_group(b, g) && ztl_ops_case_of(g, i, widths[0], &c); i++) {
            count += ztl_bench_is_wanted(&c, b->o->only) ? WIDTHS : 0;
            ztl_op_free(&c.text);
        }
    return count;
}

static void show_progress(bench *b, const ztl_ops_case *c, const char *type)
{
    char step[64];
    snprintf(step, sizeof step, "%zu of %zu cases, %.24s %s", b->done++, b->cases, c->name, type);
    ztl_progress_wipe(b->progress); /* a heading may follow */
    ztl_progress_step(b->progress, step);
}

/* The cases of a group with one type; false when one of them failed. */
static bool run_group(bench *b, enum ztl_ops_group group, unsigned k, summary *sum)
{
    bool good = true;
    ztl_ops_case c;
    ops_image image = {NULL, 0, 0};
    if (b->o->compiled && !compile(b, group, widths[k], &image))
        return false;
    for (size_t i = 0; ztl_ops_case_of(group, i, widths[k], &c); i++) {
        result r = {.known = b->is_four ? c.known : 0,
                    .known_kinds = b->is_four ? c.known_kinds : 0};
        bool wanted = ztl_bench_is_wanted(&c, b->o->only);
        if (wanted)
            show_progress(b, &c, types[k]);
        if (wanted && !sum->count && !b->o->json)
            print_head(group, types[k]);
        if (wanted && measure(b, &c, &image, &r)) {
            add_result(sum, &c, &r);
            ztl_progress_wipe(b->progress);
            print_row(b, group, &c, types[k], &r);
        } else if (wanted) {
            good = false;
        }
        ztl_op_free(&c.text);
        image.entry += wanted ? BENCH_ENTRY : 0;
    }
    free((void *)(uintptr_t)image.bytes);
    return good;
}

static void print_summaries(const bench *b, summary (*sum)[WIDTHS])
{
    const char *before = "";
    if (b->o->json)
        printf("\n], \"summary\": {");
    for (enum ztl_ops_group g = 0; g < ZTL_OPS_GROUPS; g++) {
        const char *name = ztl_ops_group_name(g), *inner = "";
        bool any = false;
        for (unsigned k = 0; k < WIDTHS; k++) {
            if (!sum[g][k].count)
                continue;
            if (!b->o->json) {
                print_text_summary(name, types[k], &sum[g][k]);
                continue;
            }
            if (!any)
                printf("%s\"%s\": {", before, name);
            printf("%s\"%s\": {", inner, types[k]);
            print_json_summary(&sum[g][k]);
            before = inner = ", ";
            any = true;
        }
        if (any)
            printf("}");
    }
    if (b->o->json)
        printf("}}\n");
}

static int run(bench *b)
{
    summary(*sum)[WIDTHS] = calloc(ZTL_OPS_GROUPS, sizeof *sum);
    char cpu[128];
    bool good = sum, any = false;
    if (!sum)
        ztl_message(command, "no memory");
    else if (b->o->json)
        printf("{\"suite\": \"ops cycles\", \"cpu\": \"%s\", \"machine\": \"%s\", \"results\": [",
               ztl_bench_cpu(cpu, sizeof cpu), b->machine_text);
    else
        printf("machine: %s%s\n", b->machine_text, b->o->compiled ? "; compiled plans" : "");
    b->cases = count_cases(b);
    b->progress = sum ? ztl_progress_start(command) : NULL;
    for (enum ztl_ops_group g = 0; sum && g < ZTL_OPS_GROUPS; g++)
        for (unsigned k = 0; k < WIDTHS; k++) {
            if (has_group(b, g))
                good &= run_group(b, g, k, &sum[g][k]);
            any |= sum[g][k].count > 0;
        }
    ztl_progress_stop(b->progress);
    if (sum)
        print_summaries(b, sum);
    if (good && !any)
        ztl_message(command, "no case's name contains '%s'", b->o->only);
    free(sum);
    return good && any ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}

int ztl_bench_ops_cycles(const ztl_bench_cycles_options *options)
{
    bench b = {.o = options, .first = true};
    ztl_error error;
    if (!ztl_timing_parse(options->machine ? options->machine : "four", &b.machine, &error)) {
        ztl_message(command, "--machine: %s", error.text);
        return ZTL_EXIT_USAGE;
    }
    if (options->compiled && !ztl_bench_can_compile()) {
        if (options->json)
            printf("{\"suite\": \"ops cycles\", \"results\": [], \"summary\": {}}\n");
        return ZTL_EXIT_OK;
    }
    b.kinds = b.one = b.machine;
    b.kinds.engines_by = 1;
    b.one.engines_count = 1;
    ztl_timing_describe(&b.machine, b.machine_text, sizeof b.machine_text);
    b.is_four = !strcmp(b.machine_text, "four");
    return run(&b);
}
