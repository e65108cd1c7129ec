/* SPDX-License-Identifier: Apache-2.0
 * ztl bench insn: how long each Ztl instruction takes on the host, as a multiple of copying its
 * operand's bytes with memcpy in the same run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bench/bench.h"
#include "bench/insn/cases.h"
#include "host/command/exit.h"
#include "host/command/options.h"

enum {
    MOST_TRIES = 99,
    WARM_UP = 3,
    MISS_CASES = 50,
    SECOND_LOOKS = 3,
    LOOKED_AT_AGAIN = 32,
    MOST_SLOWEST = 20000,
    RAM_BYTES = 8192,
    RAM_BASE = 0x1000,
    MAX_BODIES = 8
};

/* What a try should take: long beside the clock's grain, short beside a time slice. */
static const double try_ns = 4000;

typedef struct options {
    bool all, json;
    unsigned tries, slowest;
    const char *bodies;
} options;

typedef struct measure {
    double ns, ratio, spread;
} measure;

typedef struct bench {
    ztl_state hart;
    void *accelerator;
    unsigned tries;
    uint64_t x[32];
    _Alignas(64) uint8_t bytes[RAM_BYTES];
    ztl_ram ram;
    ztl_memory memory;
} bench;

static const struct {
    const char *name;
    double limit[3][2]; /* avx512, avx2, portable; median, worst */
} groups[] = {
#define ZTL_GROUP(ID, name, a, b, c, d, e, f) {name, {{a, b}, {c, d}, {e, f}}},
#include "bench/insn/groups.def"
};

static const double *limit_of(unsigned group, const char *bodies)
{
    static const char *const columns[] = {"avx512", "avx2", "portable"};
    for (unsigned i = 0; i < 3; i++)
        if (!strcmp(bodies, columns[i]))
            return groups[group].limit[i];
    return NULL;
}

static void set_up(bench *b, const bench_case *c)
{
    ztl_state *hart = &b->hart;
    ztl_csr_write(hart, ZTL_CSR_TTYPE, c->ttype);
    ztl_csr_write(hart, ZTL_CSR_TSHAPE, c->tshape);
    ztl_csr_write(hart, ZTL_CSR_PERM, c->perm);
    ztl_csr_write(hart, ZTL_CSR_MASK1, c->mask[0]);
    ztl_csr_write(hart, ZTL_CSR_MASK2, c->mask[1]);
    for (unsigned i = 0; i < 32; i++) {
        ztl_csr_write(hart, ZTL_CSR_LOAD_STRIDE + i, (uint64_t)i * c->stride_step);
        ztl_csr_write(hart, ZTL_CSR_STORE_STRIDE + i, (uint64_t)i * c->stride_step);
    }
    b->x[10] = c->copy_bytes == 2048 ? c->shape : RAM_BASE;
}

/* Nanoseconds of one execution: the mean over `repeats`. False when it does not execute. */
static bool time_once(bench *b, const ztl_insn *insn, unsigned repeats, double *ns)
{
    double start = ztl_bench_now();
    for (unsigned n = 0; n < repeats; n++)
        if (ztl_execute_decoded(&b->hart, insn, b->x, &b->memory).status != ZTL_OK)
            return false;
    *ns = (ztl_bench_now() - start) / repeats;
    return true;
}

/* Each try is compared with a copy of its own, for the machine's speed changes. */
static bool time_case(bench *b, const bench_case *c, measure *m)
{
    ztl_insn insn = {.row = ztl_isa_insn(c->id),
                     .operand = {c->operand[0], c->operand[1], c->operand[2]}};
    double tries[MOST_TRIES], ratios[MOST_TRIES], ns;
    if (!ztl_encode(&insn, &insn.word, NULL))
        return false;
    set_up(b, c);
    for (unsigned k = 0; k < 2; k++)
        if (!time_once(b, &insn, WARM_UP, &ns))
            return false;
    unsigned repeats = ns > 0 && ns < try_ns ? (unsigned)(try_ns / ns) : 1;
    for (unsigned k = 0; k < b->tries; k++) {
        double copy = ztl_bench_copy_once(c->copy_bytes);
        if (!time_once(b, &insn, repeats, &tries[k]))
            return false;
        ratios[k] = tries[k] / copy;
    }
    m->ns = ztl_bench_median(tries, b->tries);
    m->spread = (tries[b->tries * 3 / 4] - tries[b->tries / 4]) / m->ns;
    m->ratio = ztl_bench_median(ratios, b->tries);
    return true;
}

static bool start(bench *b, const char *bodies, unsigned tries)
{
    void *accelerator = b->accelerator ? b->accelerator : malloc(ztl_accelerator_size());
    memset(b, 0, sizeof *b);
    b->tries = tries;
    b->accelerator = accelerator;
    ztl_init(&b->hart, NULL);
    if (ztl_attach_accelerator(&b->hart, accelerator, bodies) != ZTL_OK)
        return false;
    uint32_t seed = 1;
    for (unsigned r = 1; r < 8; r++) {
        uint8_t bytes[ZTL_REG_BYTES];
        for (unsigned i = 0; i < ZTL_REG_BYTES; i++)
            bytes[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
        ztl_set_register(&b->hart, r, bytes);
    }
    b->ram = (ztl_ram){RAM_BASE, RAM_BYTES, b->bytes};
    b->memory = (ztl_memory){.ram = &b->ram, .ram_count = 1};
    return true;
}

/* A case and what it took. */
typedef struct timed {
    measure m;
    const bench_case *c;
} timed;

static int by_ratio(const void *a, const void *b)
{
    double x = ((const timed *)a)->m.ratio, y = ((const timed *)b)->m.ratio;
    return (x > y) - (x < y);
}

/* The results of one group with one set of bodies, fastest first. */
typedef struct summary {
    size_t cases;
    timed *all;
} summary;

/* Something else may have run meanwhile: what looks slower than all before is measured again. */
static bool time_carefully(bench *b, const bench_case *c, double worst, measure *m)
{
    if (!time_case(b, c, m))
        return false;
    for (unsigned again = 0; again < 5 && m->ratio > worst; again++) {
        measure second;
        if (!time_case(b, c, &second))
            return false;
        if (second.ratio < m->ratio)
            *m = second;
    }
    return true;
}

/* What else runs may do so for longer than one case takes: the slowest are measured again after all
 * the others. */
static bool look_again(bench *b, summary *s)
{
    qsort(s->all, s->cases, sizeof *s->all, by_ratio);
    for (unsigned look = 0; look < SECOND_LOOKS; look++) {
        size_t first = s->cases > LOOKED_AT_AGAIN ? s->cases - LOOKED_AT_AGAIN : 0;
        for (size_t i = first; i < s->cases; i++) {
            measure m;
            if (!time_case(b, s->all[i].c, &m))
                return false;
            if (m.ratio < s->all[i].m.ratio)
                s->all[i].m = m;
        }
        qsort(s->all, s->cases, sizeof *s->all, by_ratio);
    }
    return true;
}

/* The caller frees all of s, also on failure. */
static bool sum_up(bench *b, const bench_case *cases, size_t count, unsigned group, summary *s)
{
    double worst = 0;
    *s = (summary){.all = calloc(count, sizeof *s->all)};
    if (!s->all)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (cases[i].group != group)
            continue;
        timed *t = &s->all[s->cases++];
        t->c = &cases[i];
        if (!time_carefully(b, t->c, worst, &t->m)) {
            fprintf(stderr, "ztl bench: %s does not execute\n", t->c->name);
            return false;
        }
        worst = t->m.ratio > worst ? t->m.ratio : worst;
    }
    return look_again(b, s);
}

static void add_result(json_t *results, const char *bodies, const char *name, const measure *m,
                       double limit)
{
    char full[128];
    snprintf(full, sizeof full, "%s: %s", bodies, name);
    json_t *row = json_pack("{s:s, s:s, s:f, s:f, s:f}", "name", full, "bodies", bodies, "ns",
                            m->ns, "ratio", m->ratio, "spread", m->spread);
    if (limit > 0)
        json_object_set_new(row, "limit", json_real(limit));
    json_array_append_new(results, row);
}

static const char *verdict(double value, double limit)
{
    return limit <= 0 ? "" : value <= limit ? " ok" : " OVER";
}

static void print_limit(double limit)
{
    if (limit > 0)
        printf(" of %4.1f", limit);
    else
        printf("        ");
}

/* --slowest: the cases that take longest, and what of the limit. */
static void list_slowest(const summary *s, unsigned slowest, double limit, const char *bodies,
                         json_t *results, bool quiet)
{
    for (size_t n = 1; n <= slowest && n <= s->cases; n++) {
        const timed *t = &s->all[s->cases - n];
        add_result(results, bodies, t->c->name, &t->m, limit);
        if (!quiet)
            printf("%57s %5.2f        %-5s %s\n", "", t->m.ratio, verdict(t->m.ratio, limit),
                   t->c->name);
    }
}

static void report_group(const options *o, unsigned group, const summary *s, const char *bodies,
                         json_t *results)
{
    const double *limit = limit_of(group, bodies);
    double median = limit ? limit[0] : 0, worst = limit ? limit[1] : 0;
    const timed *middle = &s->all[s->cases / 2], *last = &s->all[s->cases - 1];
    char name[80];
    snprintf(name, sizeof name, "%s, median", groups[group].name);
    add_result(results, bodies, name, &middle->m, median);
    snprintf(name, sizeof name, "%s, worst", groups[group].name);
    add_result(results, bodies, name, &last->m, worst);
    if (!o->json) {
        printf("%-30s %6zu  %5.2f", groups[group].name, s->cases, middle->m.ratio);
        print_limit(median);
        printf("%-5s %5.2f", verdict(middle->m.ratio, median), last->m.ratio);
        print_limit(worst);
        printf("%-5s %s\n", verdict(last->m.ratio, worst), last->c->name);
    }
    list_slowest(s, o->slowest, worst, bodies, results, o->json);
    fflush(stdout);
}

/* --all: median and worst of every group. */
static bool run_all(bench *b, const bench_case *cases, size_t count, const char *bodies,
                    const options *o, json_t *results)
{
    if (!o->json)
        printf("\n%-30s %6s  %15s  %15s   worst case\n", bodies, "cases", "median", "worst");
    for (unsigned group = 0; group < GROUPS; group++) {
        summary s;
        bool good = sum_up(b, cases, count, group, &s) && s.cases;
        if (good)
            report_group(o, group, &s, bodies, results);
        free(s.all);
        if (!good)
            return false;
    }
    return true;
}

/* By default: the cases that people think of first, and the worst of each group. */
static bool run_some(bench *b, const bench_case *cases, size_t count, const char *bodies,
                     const options *o, json_t *results)
{
    const bool quiet = o->json;
    if (!quiet)
        printf("\n%-52s %9s %7s %7s\n", bodies, "ns", "ratio", "spread");
    for (unsigned group = 0; group < GROUPS; group++) {
        double worst = 0;
        const bench_case *worst_case = NULL;
        for (size_t i = 0; i < count; i++) {
            bool scan = strcmp(bodies, "plain") != 0;
            if (cases[i].group != group || (!cases[i].representative && !scan))
                continue;
            measure m;
            if (!time_carefully(b, &cases[i], worst, &m))
                return false;
            if (m.ratio > worst) {
                worst = m.ratio;
                worst_case = &cases[i];
            }
            if (!cases[i].representative)
                continue;
            add_result(results, bodies, cases[i].name, &m, 0);
            if (!quiet)
                printf("%-52s %9.1f %7.2f %6.0f%%\n", cases[i].name, m.ns, m.ratio, 100 * m.spread);
        }
        measure m;
        char name[96];
        if (!worst_case || !time_case(b, worst_case, &m))
            return false;
        snprintf(name, sizeof name, "worst: %s", worst_case->name);
        add_result(results, bodies, name, &m, 0);
        if (!quiet)
            printf("%-52s %9.1f %7.2f %6.0f%%\n", name, m.ns, m.ratio, 100 * m.spread);
    }
    return true;
}

/* Nanoseconds of the first execution after all plans were forgotten. */
static bool time_miss(bench *b, const bench_case *c, measure *m)
{
    ztl_insn insn = {.row = ztl_isa_insn(c->id),
                     .operand = {c->operand[0], c->operand[1], c->operand[2]}};
    const char *bodies = ztl_bodies_in_use(&b->hart);
    double tries[MOST_TRIES];
    if (!ztl_encode(&insn, &insn.word, NULL))
        return false;
    set_up(b, c);
    for (unsigned k = 0; k < b->tries; k++) {
        ztl_attach_accelerator(&b->hart, b->accelerator, bodies);
        if (!time_once(b, &insn, 1, &tries[k]))
            return false;
    }
    m->ns = ztl_bench_median(tries, b->tries);
    m->spread = (tries[b->tries * 3 / 4] - tries[b->tries / 4]) / m->ns;
    m->ratio = m->ns / ztl_bench_copy_once(c->copy_bytes);
    return true;
}

/* What a changed shape, type or mask costs: a sample of each group. */
static bool run_misses(bench *b, const bench_case *cases, size_t count, const char *bodies,
                       json_t *results, bool quiet)
{
    if (!quiet)
        printf("\n%-30s %21s\n", "with the plan made anew, ns", "median    worst");
    for (unsigned group = 0; group < GROUPS; group++) {
        timed taken[MISS_CASES];
        size_t members = 0, seen = 0, n = 0;
        for (size_t i = 0; i < count; i++)
            members += cases[i].group == group;
        size_t step = (members + MISS_CASES - 1) / MISS_CASES;
        for (size_t i = 0; i < count; i++) {
            if (cases[i].group != group || seen++ % step != 0)
                continue;
            if (!time_miss(b, &cases[i], &taken[n++].m))
                return false;
        }
        qsort(taken, n, sizeof *taken, by_ratio);
        char name[80];
        snprintf(name, sizeof name, "%s, plan made anew, median", groups[group].name);
        add_result(results, bodies, name, &taken[n / 2].m, 0);
        snprintf(name, sizeof name, "%s, plan made anew, worst", groups[group].name);
        add_result(results, bodies, name, &taken[n - 1].m, 0);
        if (!quiet)
            printf("%-30s %12.0f %8.0f\n", groups[group].name, taken[n / 2].m.ns,
                   taken[n - 1].m.ns);
    }
    return true;
}

static void print_usage(FILE *out)
{
    fprintf(out, "usage: ztl bench insn [--all [--slowest N]] [--bodies NAME] [--tries N]\n"
                 "                      [--json]\n\n"
                 "Times every Ztl instruction and compares it with memcpy of the same bytes.\n\n"
                 "  --all           every legal case: median and worst of each group\n"
                 "  --slowest N     with --all: also the N slowest cases of each group\n"
                 "  --bodies NAME   one set of bodies only, of:");
    const char *name;
    for (size_t i = 0; (name = ztl_bodies_name(i)); i++)
        fprintf(out, " %s", name);
    fprintf(out, "\n  --tries N       how often each case is timed (7)"
                 "\n  --json          results as JSON, for ztl bench compare\n\n"
                 "example: ztl bench insn --all --bodies portable\n");
}

static bool known_bodies(const char *wanted)
{
    const char *name;
    for (size_t i = 0; (name = ztl_bodies_name(i)); i++)
        if (!strcmp(name, wanted))
            return true;
    return false;
}

/* An exit status, or -1 to go on. */
static int parse(int argc, char **argv, options *o)
{
    const ztl_option table[] = {{"--all", .flag = &o->all},
                                {"--slowest", .number = &o->slowest, .most = MOST_SLOWEST},
                                {"--bodies", .text = &o->bodies},
                                {"--tries", .number = &o->tries, .least = 1, .most = MOST_TRIES},
                                {"--json", .flag = &o->json},
                                {0}};
    int status = ztl_bench_options("ztl bench insn", table, argc, argv, print_usage);
    if (status >= 0)
        return status;
    if (o->slowest && !o->all) {
        fprintf(stderr, "ztl bench insn: --slowest needs --all\n");
        return ZTL_EXIT_USAGE;
    }
    if (o->bodies && !known_bodies(o->bodies)) {
        fprintf(stderr, "ztl bench insn: this machine has no bodies '%s'\n", o->bodies);
        return ZTL_EXIT_USAGE;
    }
    return -1;
}

static bool run_bodies(const options *o, const bench_case *cases, size_t count, json_t *results)
{
    static bench b;
    const char *name;
    for (size_t i = 0; (name = ztl_bodies_name(i)); i++) {
        bool wanted = o->bodies ? !strcmp(o->bodies, name) : !o->all || strcmp(name, "plain");
        if (!wanted)
            continue;
        if (!start(&b, name, o->tries) ||
            !(o->all ? run_all : run_some)(&b, cases, count, name, o, results))
            return false;
        bool plans = strcmp(name, "plain") != 0;
        if (plans && !run_misses(&b, cases, count, name, results, o->json))
            return false;
    }
    return true;
}

int ztl_bench_insn(int argc, char **argv)
{
    options o = {.tries = 7, .bodies = getenv("ZTL_BODIES")};
    int status = parse(argc, argv, &o);
    if (status >= 0)
        return status;
    size_t count;
    bench_case *cases = bench_cases(&count);
    if (!cases) {
        fprintf(stderr, "ztl bench insn: out of memory\n");
        return ZTL_EXIT_FAILURE;
    }
    char cpu[128];
    double spread, copy = ztl_bench_copy(2048, &spread), half = ztl_bench_copy(1024, NULL);
    ztl_bench_cpu(cpu, sizeof cpu);
    if (!o.json)
        printf("%s; memcpy of 1 KiB %.1f ns, of 2 KiB %.1f ns, spread %.0f%%\n"
               "ratios to memcpy of the operand, medians of %u tries\n",
               cpu, half, copy, 100 * spread, o.tries);
    json_t *results = json_array();
    bool good = run_bodies(&o, cases, count, results);
    free(cases);
    json_t *report = json_pack("{s:s, s:s, s:f, s:f, s:f, s:b, s:o}", "suite", "insn", "cpu", cpu,
                               "memcpy_1024_ns", half, "memcpy_2048_ns", copy, "memcpy_spread",
                               spread, "all", o.all, "results", results);
    if (o.json && good) {
        json_dumpf(report, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(5));
        putchar('\n');
    }
    json_decref(report);
    return good ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}
