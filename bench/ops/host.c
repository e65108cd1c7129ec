/* SPDX-License-Identifier: Apache-2.0
 * ztl bench ops --host: whole operators on this machine, in the same run as other libraries'. Tries
 * take turns, buffers are warm. Times are processor time of the thread, or of a clock where there
 * are more threads; the least of all tries counts, as nothing makes a try faster than it is.
 */
#include "bench/ops/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ztl/movers.h>

#include "bench/bench.h"
#include "bench/cases/cases.h"
#include "bench/ops/peers.h"
#include "host/command/exit.h"
#include "movers/job.h"

enum { ROUNDS = 3, TRIES = 5, TRY_NS = 3000000, MOST_REPEATS = 1000, WIDTHS = 3 };
static const unsigned widths[WIDTHS] = {8, 16, 32};
static const char *const types[WIDTHS] = {"int8", "fp16", "fp32"};

/* A case with everything that running it needs. */
typedef struct job {
    ztl_ops_case c;
    ztl_mover *mover;
    uint8_t *in[8], *out[8];
    struct {
        uint8_t *in[8], *out[8];
    } before[ROUNDS]; /* of earlier rounds */
} job;

/* ns of one run: ours, and each library's or 0 where it has no function for the case. */
typedef struct times {
    double ztl, peer[BENCH_PEERS];
} times;

/* The best library of a case: its place, and how many times its speed ours is. */
typedef struct verdict {
    int best; /* -1: none */
    double speed;
} verdict;

typedef struct summary {
    double log_speed, least;
    char worst[96];
    unsigned count, slower;
} summary;

typedef struct run {
    const ztl_bench_host_options *options;
    bool asked[BENCH_PEERS], here[BENCH_PEERS];
    bench_peer peer[BENCH_PEERS];
    summary sum[WIDTHS];
    bool first;
} run;

static double now_ns(const run *r)
{
    struct timespec time;
    clock_gettime(r->options->threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Memory at the start of a page, all of it touched. */
static uint8_t *warm(size_t bytes)
{
    enum { PAGE = 4096 };
    size_t size = (bytes / PAGE + 1) * PAGE;
    uint8_t *memory = aligned_alloc(PAGE, size);
    if (memory)
        memset(memory, 1, size);
    return memory;
}

/* Other memory for the same tensors: how fast any library is depends on the pages, as some of them
 * share places in the cache. What was there before is kept, so as not to be given again. */
static bool move_buffers(job *j, unsigned round)
{
    const ztl_ops_case *c = &j->c;
    bool good = true;
    memcpy(j->before[round].in, j->in, sizeof j->in);
    memcpy(j->before[round].out, j->out, sizeof j->out);
    for (size_t i = 0; i < c->inputs; i++) {
        j->in[i] = warm(c->in[i].size);
        good = good && j->in[i];
        if (j->in[i])
            memcpy(j->in[i], j->before[round].in[i], c->in[i].size);
    }
    for (size_t i = 0; i < c->outputs; i++)
        good = (j->out[i] = warm(c->out[i].size)) && good;
    return good;
}

static bool run_once(const job *j, unsigned threads)
{
    return ztl_mover_run(j->mover, (const void *const *)j->in, (void *const *)j->out, threads,
                         NULL);
}

/* What is timed must be what plain loops make. */
static bool is_right(const job *j, ztl_error *error)
{
    const ztl_ops_case *c = &j->c;
    size_t space = ztl_ops_plan_space(&c->text.op, c->in, c->inputs, c->out, c->outputs);
    void *work = malloc(space), *expected[8] = {NULL};
    bool good = work != NULL;
    for (size_t i = 0; i < c->outputs; i++)
        good = (expected[i] = malloc(c->out[i].size + 1)) && good;
    good = good && ztl_ops_reference(&c->text.op, c->in, c->inputs, c->out, c->outputs,
                                     (const void *const *)j->in, expected, work, space, error);
    good = good && run_once(j, 1);
    for (size_t i = 0; i < c->outputs; i++) {
        if (good && memcmp(j->out[i], expected[i], c->out[i].size)) {
            snprintf(error->text, sizeof error->text, "the result is not that of plain loops");
            good = false;
        }
        free(expected[i]);
    }
    free(work);
    return good;
}

static bool prepare(job *j, ztl_error *error)
{
    const ztl_ops_case *c = &j->c;
    bool good = true;
    j->mover = ztl_mover_new(&c->text.op, c->in, c->inputs, c->out, c->outputs, error);
    if (!j->mover)
        return false;
    snprintf(error->text, sizeof error->text, "out of memory");
    for (size_t i = 0; i < c->inputs; i++)
        good = (j->in[i] = warm(c->in[i].size)) && good;
    for (size_t i = 0; i < c->outputs; i++)
        good = (j->out[i] = warm(c->out[i].size)) && good;
    for (size_t i = 0; good && i < c->inputs; i++)
        for (size_t k = 0; k < c->in[i].size; k++)
            j->in[i][k] = (uint8_t)((k + i) * 2654435761u >> 13);
    return good && is_right(j, error);
}

static void release(job *j)
{
    ztl_mover_free(j->mover);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < j->c.inputs; i++)
            free(round ? j->before[round].in[i] : j->in[i]);
        for (size_t i = 0; i < j->c.outputs; i++)
            free(round ? j->before[round].out[i] : j->out[i]);
    }
    ztl_op_free(&j->c.text);
}

static double time_ztl(const run *r, const job *j, unsigned repeats)
{
    double start = now_ns(r);
    for (unsigned i = 0; i < repeats; i++) /* these buffers cannot overlap */
        run_once(j, r->options->threads);
    return (now_ns(r) - start) / repeats;
}

static unsigned repeats_for(double ns)
{
    return ns * MOST_REPEATS < TRY_NS ? MOST_REPEATS : ns > TRY_NS ? 1 : (unsigned)(TRY_NS / ns);
}

static void keep_least(double *least, double value)
{
    *least = *least == 0 || value < *least ? value : *least;
}

/* The least of tries that take turns; false when a library that had begun gave no answer. */
static bool measure_round(run *r, const job *j, times *t)
{
    unsigned repeats = repeats_for(time_ztl(r, j, 1)), peer_repeats[BENCH_PEERS] = {0};
    for (unsigned p = 0; p < BENCH_PEERS; p++)
        if (r->here[p] && bench_peer_prepare(&r->peer[p], &j->c))
            peer_repeats[p] = repeats_for(bench_peer_time(&r->peer[p], 1));
    for (unsigned i = 0; i < TRIES; i++) {
        keep_least(&t->ztl, time_ztl(r, j, repeats));
        for (unsigned p = 0; p < BENCH_PEERS; p++) {
            double ns = peer_repeats[p] ? bench_peer_time(&r->peer[p], peer_repeats[p]) : 0;
            if (ns < 0)
                return false;
            if (ns > 0)
                keep_least(&t->peer[p], ns);
        }
    }
    return true;
}

/* In each round, all have memory that they did not have before. */
static bool measure(run *r, job *j, times *t)
{
    *t = (times){.ztl = 0};
    for (unsigned round = 0; round < ROUNDS; round++)
        if ((round && !move_buffers(j, round)) || !measure_round(r, j, t))
            return false;
    return true;
}

static verdict judge(const times *t)
{
    verdict v = {.best = -1};
    for (int p = 0; p < BENCH_PEERS; p++)
        if (t->peer[p] > 0 && (v.best < 0 || t->peer[p] < t->peer[v.best]))
            v.best = p;
    v.speed = v.best < 0 ? 0 : t->peer[v.best] / t->ztl;
    return v;
}

static void print_json(const run *r, const job *j, unsigned k, double bytes, const times *t)
{
    verdict v = judge(t);
    printf("%s\n  {\"name\": \"%s %s\", \"bytes\": %.0f, \"ztl_ns\": %.0f, \"gb_per_s\": %.3f",
           r->first ? "" : ",", j->c.name, types[k], bytes, t->ztl, bytes / t->ztl);
    for (unsigned p = 0; p < BENCH_PEERS; p++)
        if (t->peer[p] > 0)
            printf(", \"%s_ns\": %.0f", bench_peer_name(p), t->peer[p]);
    if (v.best >= 0)
        printf(", \"best\": \"%s\", \"speed\": %.3f, \"ratio\": %.4f",
               bench_peer_name((size_t)v.best), v.speed, 1 / v.speed);
    printf("}");
}

static void print_text(const run *r, const job *j, unsigned k, double bytes, const times *t)
{
    verdict v = judge(t);
    printf("%-30s %-4s %10.0f %9.1f %7.2f", j->c.name, types[k], bytes, t->ztl / 1e3,
           bytes / t->ztl);
    for (unsigned p = 0; p < BENCH_PEERS; p++)
        if (r->here[p] && t->peer[p] > 0)
            printf(" %9.1f", t->peer[p] / 1e3);
        else if (r->here[p])
            printf(" %9s", "-");
    if (v.best >= 0)
        printf(" %6.2f", v.speed);
    printf("\n");
}

static void add_result(run *r, const job *j, unsigned k, const times *t)
{
    verdict v = judge(t);
    summary *sum = &r->sum[k];
    if (v.best < 0)
        return;
    if (!sum->count || v.speed < sum->least) {
        sum->least = v.speed;
        snprintf(sum->worst, sizeof sum->worst, "%s", j->c.name);
    }
    sum->log_speed += log(v.speed);
    sum->slower += v.speed < 1;
    sum->count++;
}

/* Of the table, operators that only reorder elements. */
static bool is_wanted(const run *r, enum ztl_ops_group group, const ztl_ops_case *c)
{
    const ztl_bench_host_options *o = r->options;
    return (group == ZTL_OPS_EVERYDAY || c->text.op.kind == ZTL_OPS_TRANSPOSE) &&
           (!o->group || !strcmp(o->group, ztl_ops_group_name(group))) &&
           (!o->only || strstr(c->name, o->only));
}

static bool run_case(run *r, enum ztl_ops_group group, size_t index, unsigned k)
{
    job j = {.mover = NULL};
    times t;
    ztl_error error;
    bool good = true,
         wanted = ztl_ops_case_of(group, index, widths[k], &j.c) && is_wanted(r, group, &j.c);
    if (wanted && (good = prepare(&j, &error))) {
        snprintf(error.text, sizeof error.text, "a library gave no answer");
        good = measure(r, &j, &t);
    }
    if (!good)
        fprintf(stderr, "ztl bench ops: %s: %s\n", j.c.name, error.text);
    if (wanted && good) {
        double bytes = 0;
        for (size_t i = 0; i < j.c.inputs; i++)
            bytes += (double)j.c.in[i].size;
        for (size_t i = 0; i < j.c.outputs; i++)
            bytes += (double)j.c.out[i].size;
        (r->options->json ? print_json : print_text)(r, &j, k, bytes, &t);
        fflush(stdout);
        r->first = false;
        add_result(r, &j, k, &t);
    }
    release(&j);
    return good;
}

static void print_head(const run *r)
{
    char cpu[128];
    ztl_bench_cpu(cpu, sizeof cpu);
    const char *kernels = ztl_native_set(0)->name;
    const bool json = r->options->json;
    printf(json ? "{\"suite\": \"ops-host\", \"cpu\": \"%s\", \"kernels\": \"%s\", \"threads\": %u"
                : "%s, kernels %s, threads %u\n",
           cpu, kernels, r->options->threads);
    for (unsigned p = 0; p < BENCH_PEERS; p++) {
        const char *name = bench_peer_name(p);
        if (r->here[p])
            printf(json ? ", \"%s\": \"%s\"" : "%s %s\n", name, r->peer[p].version);
        else if (r->asked[p])
            printf(json ? ", \"%s\": null" : "%s is not installed\n", name);
    }
    printf(json ? ", \"results\": [" : "%-30s %-4s %10s %9s %7s", "case", "type", "bytes", "us",
           "GB/s");
    for (unsigned p = 0; p < BENCH_PEERS && !json; p++)
        if (r->here[p])
            printf(" %9s", bench_peer_name(p));
    printf(json ? "" : "  speed\n");
}

static void print_means(const run *r)
{
    bool first = true;
    for (unsigned k = 0; k < WIDTHS; k++) {
        const summary *sum = &r->sum[k];
        if (!sum->count)
            continue;
        printf(r->options->json
                   ? "%s\"%s\": {\"mean_speed\": %.3f, \"cases\": %u, \"slower\": %u, "
                     "\"least_speed\": %.3f, \"worst\": \"%s\"}"
                   : "%s%s: %.2f times the best library's speed in the geometric mean of %u "
                     "cases;\n    slower in %u, least %.2f at %s\n",
               first || !r->options->json ? "" : ", ", types[k], exp(sum->log_speed / sum->count),
               sum->count, sum->slower, sum->least, sum->worst);
        first = false;
    }
}

/* Which libraries are asked for; false after a message. */
static bool read_names(run *r, const char *names)
{
    while (*names) {
        size_t length = strcspn(names, ","), p = 0;
        while (p < BENCH_PEERS && (strlen(bench_peer_name(p)) != length ||
                                   strncmp(bench_peer_name(p), names, length) != 0))
            p++;
        if (p == BENCH_PEERS) {
            fprintf(stderr,
                    "ztl bench ops: --against '%.*s': the libraries are numpy, pytorch, onednn "
                    "and opencv\n",
                    (int)length, names);
            return false;
        }
        r->asked[p] = true;
        names += length + (names[length] == ',');
    }
    return true;
}

int ztl_bench_ops_host(const ztl_bench_host_options *options)
{
    run r = {.options = options, .first = true};
    bool good = true;
    if (!read_names(&r, options->against ? options->against : "numpy"))
        return ZTL_EXIT_USAGE;
    for (unsigned p = 0; p < BENCH_PEERS; p++)
        r.here[p] = r.asked[p] && bench_peer_start(&r.peer[p], bench_peer_name(p), options->python,
                                                   options->threads);
    print_head(&r);
    for (enum ztl_ops_group g = ZTL_OPS_TABLE; g <= ZTL_OPS_EVERYDAY; g++)
        for (size_t i = 0; i < ztl_ops_cases(g); i++)
            for (unsigned k = 0; k < WIDTHS; k++)
                good &= run_case(&r, g, i, k);
    if (options->json)
        printf("\n], \"summary\": {");
    print_means(&r);
    if (options->json)
        printf("}}\n");
    for (unsigned p = 0; p < BENCH_PEERS; p++)
        if (r.here[p])
            bench_peer_stop(&r.peer[p]);
    if (good && r.first)
        fprintf(stderr, "ztl bench ops: no case's name contains '%s'\n",
                options->only ? options->only : "");
    return good && !r.first ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}
