/* SPDX-License-Identifier: Apache-2.0
 * ztl bench ops --host: whole transposes on this machine, through the model, in the same run as
 * NumPy's. Tries alternate, buffers are warm, times are processor time of the thread.
 */
#include "bench/ops_host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ztl/intrin.h>

#include "bench/bench.h"
#include "bench/numpy.h"
#include "bench/ops_cases.h"
#include "host/exit.h"
#include "host/error.h"

enum { TRIES = 15, TRY_NS = 3000000, MOST_REPEATS = 1000, WIDTHS = 3 };
static const unsigned widths[WIDTHS] = {8, 16, 32};
static const char *const types[WIDTHS] = {"int8", "fp16", "fp32"};

/* A case with everything that running it needs. */
typedef struct job {
    ztl_ops_case c;
    ztl_ops_plan *plan;
    uint8_t *in, *out, *scratch;
} job;

typedef struct times {
    double ztl, numpy; /* ns; numpy 0 when there is none */
} times;

typedef struct run {
    bool json, has_numpy;
    const char *only;
    bench_numpy numpy;
    double log_speed[WIDTHS];
    unsigned count[WIDTHS];
} run;

static double thread_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
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

static bool prepare(job *j, ztl_error *error)
{
    const ztl_ops_case *c = &j->c;
    size_t space = ztl_ops_plan_space(&c->text.op, c->in, 1, c->out, 1);
    ztl_fail(error, "out of memory");
    j->plan = malloc(space);
    if (!j->plan || !ztl_ops_make(&c->text.op, c->in, 1, c->out, 1, NULL, j->plan, space, error))
        return false;
    ztl_fail(error, "out of memory");
    j->in = warm(c->in[0].size);
    j->out = warm(c->out[0].size);
    j->scratch = warm(ztl_ops_scratch_bytes(j->plan));
    for (size_t i = 0; j->in && i < c->in[0].size; i++)
        j->in[i] = (uint8_t)(i * 2654435761u >> 13);
    return j->in && j->out && j->scratch;
}

static void release(job *j)
{
    free(j->plan);
    free(j->in);
    free(j->out);
    free(j->scratch);
    ztl_op_free(&j->c.text);
}

static double time_ztl(const job *j, unsigned repeats)
{
    const void *in = j->in;
    void *out = j->out;
    double start = thread_ns();
    for (unsigned i = 0; i < repeats; i++)
        ztl_ops_run(j->plan, &in, &out, j->scratch, NULL); /* these buffers cannot overlap */
    return (thread_ns() - start) / repeats;
}

static unsigned repeats_for(double ns)
{
    return ns * MOST_REPEATS < TRY_NS ? MOST_REPEATS : ns > TRY_NS ? 1 : (unsigned)(TRY_NS / ns);
}

/* Medians of tries that take turns; false when NumPy failed. */
static bool measure(run *r, const job *j, times *t)
{
    double ztl[TRIES], numpy[TRIES], first = 0;
    unsigned repeats = repeats_for(time_ztl(j, 1)), numpy_repeats = 1;
    if (r->has_numpy) {
        if (!bench_numpy_prepare(&r->numpy, j->c.in, j->c.text.op.perm) ||
            (first = bench_numpy_time(&r->numpy, 1)) < 0)
            return false;
        numpy_repeats = repeats_for(first);
    }
    for (unsigned i = 0; i < TRIES; i++) {
        ztl[i] = time_ztl(j, repeats);
        numpy[i] = r->has_numpy ? bench_numpy_time(&r->numpy, numpy_repeats) : 0;
        if (numpy[i] < 0)
            return false;
    }
    t->ztl = ztl_bench_median(ztl, TRIES);
    t->numpy = ztl_bench_median(numpy, TRIES);
    return true;
}

static void print_line(const run *r, const job *j, unsigned k, const times *t, bool first)
{
    double bytes = (double)(j->c.in[0].size + j->c.out[0].size);
    if (r->json)
        printf("%s\n  {\"name\": \"%s %s\", \"bytes\": %.0f, \"ztl_ns\": %.0f, \"gb_per_s\": %.3f",
               first ? "" : ",", j->c.name, types[k], bytes, t->ztl, bytes / t->ztl);
    else
        printf("%-30s %-4s %10.0f %10.1f %7.2f", j->c.name, types[k], bytes, t->ztl / 1e3,
               bytes / t->ztl);
    if (r->json && r->has_numpy)
        printf(", \"numpy_ns\": %.0f, \"numpy_gb_per_s\": %.3f, \"speed\": %.3f, \"ratio\": %.4f",
               t->numpy, bytes / t->numpy, t->numpy / t->ztl, t->ztl / t->numpy);
    else if (r->has_numpy)
        printf(" %10.1f %7.2f %7.2f", t->numpy / 1e3, bytes / t->numpy, t->numpy / t->ztl);
    printf(r->json ? "}" : "\n");
    fflush(stdout);
}

static bool run_case(run *r, size_t index, unsigned k, bool *first)
{
    job j = {.plan = NULL};
    times t;
    ztl_error error = {.text = "NumPy gave no answer"};
    bool good = true, wanted = ztl_ops_case_of(ZTL_OPS_TABLE, index, widths[k], &j.c) &&
                               j.c.text.op.kind == ZTL_OPS_TRANSPOSE &&
                               (!r->only || strstr(j.c.name, r->only));
    if (wanted)
        good = prepare(&j, &error) && measure(r, &j, &t);
    if (!good)
        fprintf(stderr, "ztl bench ops: %s: %s\n", j.c.name, error.text);
    if (wanted && good) {
        print_line(r, &j, k, &t, *first);
        *first = false;
        r->log_speed[k] += r->has_numpy ? log(t.numpy / t.ztl) : 0;
        r->count[k]++;
    }
    release(&j);
    return good;
}

static void print_head(const run *r)
{
    char cpu[128];
    const char *version = r->has_numpy ? r->numpy.version : "";
    ztl_bench_cpu(cpu, sizeof cpu);
    const char *bodies = ztl_bodies_in_use(ztl_intrin_state());
    if (r->json) {
        printf("{\"suite\": \"ops-host\", \"cpu\": \"%s\", \"bodies\": \"%s\", ", cpu, bodies);
        printf(r->has_numpy ? "\"numpy\": \"%s\", " : "\"numpy\": null%s, ", version);
        printf("\"results\": [");
        return;
    }
    printf("%s, bodies %s, ", cpu, bodies);
    printf(r->has_numpy ? "NumPy %s\n" : "no NumPy here to compare with%s\n", version);
    printf("%-30s %-4s %10s %10s %7s%s\n", "case", "type", "bytes", "us", "GB/s",
           r->has_numpy ? "   numpy us    GB/s   speed" : "");
}

static void print_means(const run *r)
{
    for (unsigned k = 0; k < WIDTHS; k++) {
        double mean = r->count[k] ? exp(r->log_speed[k] / r->count[k]) : 0;
        if (r->json && r->has_numpy)
            printf("%s\"%s\": {\"mean_speed\": %.3f}", k ? ", " : "", types[k], mean);
        else if (r->has_numpy && r->count[k])
            printf("%s: %.2f times NumPy's speed in the geometric mean of %u cases\n", types[k],
                   mean, r->count[k]);
    }
}

int ztl_bench_ops_host(bool json, const char *only, const char *python)
{
    run r = {.json = json, .only = only};
    bool good = true, first = true;
    r.has_numpy = bench_numpy_start(&r.numpy, python);
    print_head(&r);
    for (size_t i = 0; i < ztl_ops_cases(ZTL_OPS_TABLE); i++)
        for (unsigned k = 0; k < WIDTHS; k++)
            good &= run_case(&r, i, k, &first);
    if (json)
        printf("\n], \"summary\": {");
    print_means(&r);
    if (json)
        printf("}}\n");
    if (r.has_numpy)
        bench_numpy_stop(&r.numpy);
    if (good && first)
        fprintf(stderr, "ztl bench ops: no transpose's name contains '%s'\n", only);
    return good && !first ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}
