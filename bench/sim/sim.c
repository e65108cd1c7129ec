/* SPDX-License-Identifier: Apache-2.0
 * ztl bench sim: guest programs on the hart and on QEMU's user mode, the same executable on both.
 *
 * Times are CPU times, so that other work on the machine disturbs them little; QEMU's start-up is
 * measured by a guest that does nothing and taken off.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <jansson.h>
#include <ztl/hart.h>
#include <ztl/timing.h>

#include "bench/sim/sim.h"
#include "host/command/exit.h"
#include "host/command/options.h"
#include "host/process/process.h"
#include "host/process/temporary.h"

enum { GUESTS = 4, MOST_REPEATS = 50, BASE = 0x100000, RAM_SIZE = 16 << 20, A0 = 10, SP = 2 };

static const char *const guests[GUESTS] = {"records", "sort", "hash", "matrix"};

typedef struct options {
    bool json;
    unsigned repeats, rounds;
    const char *sources; /* the folder of the guests' sources */
} options;

/* One guest, built and timed. */
typedef struct outcome {
    double hart, qemu; /* seconds */
    double ratio;      /* hart / qemu */
    double rate;       /* of the hart, in millions of instructions a second */
    double observed;   /* the same with an observer attached */
    double traced;     /* the same with a trace written to a file */
    double timed;      /* the same with a machine attached that counts cycles */
    uint64_t instructions;
} outcome;

/* A guest as temporary files. */
typedef struct program {
    char executable[SIM_PATH];
    char image[SIM_PATH]; /* its memory alone */
} program;

double sim_children_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int sim_run(const char *const *arguments)
{
    ztl_args command = {0};
    for (; *arguments; arguments++)
        ztl_args_add(&command, *arguments);
    int status = ztl_process_run(&command);
    ztl_args_free(&command);
    return status;
}

bool sim_file(char path[SIM_PATH])
{
    if (ztl_temporary_file(path, SIM_PATH, ""))
        return true;
    perror("ztl bench sim: temporary file");
    *path = '\0';
    return false;
}

void sim_remove(const char *path)
{
    if (*path)
        ztl_temporary_remove(path);
}

static void remove_program(const program *p)
{
    sim_remove(p->executable);
    sim_remove(p->image);
}

static bool build(const options *o, const char *name, unsigned rounds, program *p)
{
    char start[1024], source[1024], script[1024], define[40];
    snprintf(start, sizeof start, "%s/start.c", o->sources);
    snprintf(source, sizeof source, "%s/%s.c", o->sources, name);
    snprintf(script, sizeof script, "%s/guest.ld", o->sources);
    snprintf(define, sizeof define, "-DROUNDS=%u", rounds);
    const char *const compile[] = {"riscv64-linux-gnu-gcc",
                                   "-O2",
                                   "-march=rv64imac",
                                   "-mabi=lp64",
                                   "-nostdlib",
                                   "-static",
                                   "-ffreestanding",
                                   "-fno-pic",
                                   "-no-pie",
                                   "-fno-tree-loop-distribute-patterns",
                                   "-Wl,--build-id=none",
                                   define,
                                   "-T",
                                   script,
                                   start,
                                   source,
                                   "-o",
                                   p->executable,
                                   NULL};
    const char *const flatten[] = {
        "riscv64-linux-gnu-objcopy", "-O", "binary", p->executable, p->image, NULL};
    return sim_file(p->executable) && sim_file(p->image) && sim_run(compile) == 0 &&
           sim_run(flatten) == 0;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void count(void *context, ztl_hart *hart, const ztl_event *event)
{
    (void)hart;
    *(uint64_t *)context += event->length;
}

/* A hart with the image loaded; NULL when there is none. */
static ztl_hart *load(const program *p)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(p->image, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    ztl_window ram = {BASE, RAM_SIZE};
    ztl_hart_config config = {.isa = "rv64imac_zicsr",
                              .ram = &ram,
                              .ram_count = 1,
                              .reset_pc = BASE,
                              .trap_policy = ZTL_TRAP_STOP_ALWAYS};
    ztl_hart *hart = size ? ztl_hart_create(&config, NULL) : NULL;
    if (!hart)
        return NULL;
    ztl_hart_write_memory(hart, BASE, bytes, size);
    ztl_hart_set_x(hart, SP, BASE + RAM_SIZE);
    return hart;
}

/* Runs a guest on the hart to its end: the exit status, or -1. */
static int run_hart(const program *p, double *seconds, uint64_t *instructions)
{
    ztl_hart *hart = load(p);
    if (!hart)
        return -1;
    double start = cpu_seconds();
    enum ztl_stop stop = ztl_hart_run(hart, UINT64_MAX);
    *seconds = cpu_seconds() - start;
    *instructions = ztl_hart_retired(hart);
    int status = stop == ZTL_STOP_TRAP ? (int)ztl_hart_x(hart, A0) : -1;
    ztl_hart_destroy(hart);
    return status;
}

/* Millions of instructions a second with an observer. */
static double rate_with(const program *p, const ztl_observer *observer)
{
    const uint64_t some = 10000000;
    ztl_hart *hart = load(p);
    if (!hart)
        return 0;
    ztl_hart_set_observer(hart, observer);
    double start = cpu_seconds();
    ztl_hart_run(hart, some);
    double rate = (double)ztl_hart_retired(hart) / (cpu_seconds() - start) / 1e6;
    ztl_hart_destroy(hart);
    return rate;
}

/* ... that looks at every event. */
static double observed_rate(const program *p)
{
    uint64_t bytes = 0;
    return rate_with(p, &(ztl_observer){&bytes, count});
}

/* ... that counts cycles. */
static double timed_rate(const program *p)
{
    ztl_timing_machine machine;
    ztl_timing *timing =
        ztl_timing_parse("four", &machine, NULL) ? ztl_timing_create(&machine) : NULL;
    if (!timing)
        return 0;
    ztl_observer observer = ztl_timing_observer(timing);
    double rate = rate_with(p, &observer);
    ztl_timing_destroy(timing);
    return rate;
}

/* The same with a trace of every instruction, as ztl run --trace writes it. */
static double traced_rate(const program *p)
{
    const uint64_t some = 2000000;
    char file[SIM_PATH];
    if (!sim_file(file))
        return 0;
    ztl_hart *hart = load(p);
    ztl_trace_config config = {.format = ZTL_TRACE_SPIKE};
    ztl_trace *trace = hart ? ztl_trace_open(file, &config, hart, NULL) : NULL;
    double rate = 0;
    if (trace) {
        ztl_observer observer = ztl_trace_observer(trace);
        ztl_hart_set_observer(hart, &observer);
        double start = cpu_seconds();
        ztl_hart_run(hart, some);
        uint64_t retired = ztl_hart_retired(hart);
        if (ztl_trace_close(trace, NULL))
            rate = (double)retired / (cpu_seconds() - start) / 1e6;
    }
    sim_remove(file);
    ztl_hart_destroy(hart);
    return rate;
}

static int run_qemu(const program *p, double *seconds)
{
    const char *const command[] = {"qemu-riscv64", p->executable, NULL};
    double before = sim_children_seconds();
    int status = sim_run(command);
    *seconds = sim_children_seconds() - before;
    return status;
}

enum { TRACED = SIM_TENSOR_ROWS, TIMED, TRAPS, ROWS };

typedef struct report {
    outcome guests[GUESTS];
    double mean; /* of their ratios */
    sim_row rows[ROWS];
} report;

/* Repeats both in turn and takes medians; false when they disagree or cannot be run. */
static bool time_guest(const options *o, const program *p, const program *idle, outcome *result)
{
    double hart[MOST_REPEATS], qemu[MOST_REPEATS], ratio[MOST_REPEATS], observed[MOST_REPEATS];
    double traced[MOST_REPEATS], timed[MOST_REPEATS];
    for (unsigned k = 0; k < o->repeats; k++) {
        double start_up;
        int ours = run_hart(p, &hart[k], &result->instructions);
        int theirs = run_qemu(p, &qemu[k]);
        if (ours < 0 || ours != theirs || run_qemu(idle, &start_up) < 0)
            return false;
        qemu[k] -= start_up < qemu[k] ? start_up : 0;
        ratio[k] = hart[k] / qemu[k];
        observed[k] = observed_rate(p);
        traced[k] = traced_rate(p);
        timed[k] = timed_rate(p);
    }
    result->hart = ztl_bench_median(hart, o->repeats);
    result->qemu = ztl_bench_median(qemu, o->repeats);
    result->ratio = ztl_bench_median(ratio, o->repeats);
    result->observed = ztl_bench_median(observed, o->repeats);
    result->traced = ztl_bench_median(traced, o->repeats);
    result->timed = ztl_bench_median(timed, o->repeats);
    result->rate = (double)result->instructions / result->hart / 1e6;
    return true;
}

static bool build_and_time(const options *o, const char *name, program *p, program *idle,
                           outcome *result)
{
    if (!build(o, name, 0, idle) || !build(o, name, o->rounds, p)) {
        fprintf(stderr, "ztl bench sim: cannot build the guest '%s' from %s\n", name, o->sources);
        return false;
    }
    if (!time_guest(o, p, idle, result)) {
        fprintf(stderr,
                "ztl bench sim: '%s' does not end the same on the hart and on qemu-riscv64\n",
                name);
        return false;
    }
    return true;
}

static bool bench_guest(const options *o, const char *name, outcome *result)
{
    program p = {"", ""}, idle = {"", ""};
    bool good = build_and_time(o, name, &p, &idle, result);
    remove_program(&p);
    remove_program(&idle);
    return good;
}

static const char *verdict(const sim_row *row)
{
    if (row->most <= 0 && row->least <= 0)
        return "";
    bool kept = row->most > 0 ? row->value <= row->most : row->value >= row->least;
    return kept ? " ok" : " MISSED";
}

static void print_text(const report *r)
{
    printf("%-10s %14s %10s %10s %12s %14s %12s\n", "guest", "instructions", "MIPS", "QEMU MIPS",
           "hart/QEMU", "observed MIPS", "traced MIPS");
    for (unsigned k = 0; k < GUESTS; k++) {
        const outcome *o = &r->guests[k];
        printf("%-10s %14llu %10.0f %10.0f %12.3f %14.0f %12.1f\n", guests[k],
               (unsigned long long)o->instructions, o->rate,
               (double)o->instructions / o->qemu / 1e6, 1 / o->ratio, o->observed, o->traced);
    }
    printf("geometric mean of the speed against QEMU: %.3f\n\n", 1 / r->mean);
    for (unsigned k = 0; k < ROWS; k++) {
        const sim_row *row = &r->rows[k];
        printf("%-46s %8.2f %-10s", row->name, row->value, row->unit);
        if (row->most > 0)
            printf("at most %.2f", row->most);
        else if (row->least > 0)
            printf("at least %.0f", row->least);
        printf("%s\n", verdict(row));
    }
}

/* Less is better for `ratio`, whatever the figure is. */
static json_t *row_as_json(const sim_row *row)
{
    json_t *object = json_pack("{s:s, s:f, s:f, s:s}", "name", row->name, "ratio",
                               row->most > 0 ? row->value : 1 / row->value, "value", row->value,
                               "unit", row->unit);
    if (row->most > 0)
        json_object_set_new(object, "most", json_real(row->most));
    if (row->least > 0)
        json_object_set_new(object, "least", json_real(row->least));
    return object;
}

static void print_json(const report *r)
{
    char cpu[128];
    json_t *list = json_array();
    for (unsigned k = 0; k < GUESTS; k++)
        json_array_append_new(
            list, json_pack("{s:s, s:f, s:f, s:f, s:f, s:I}", "name", guests[k], "ratio",
                            r->guests[k].ratio, "mips", r->guests[k].rate, "observed_mips",
                            r->guests[k].observed, "traced_mips", r->guests[k].traced,
                            "instructions", (json_int_t)r->guests[k].instructions));
    json_array_append_new(list,
                          json_pack("{s:s, s:f}", "name", "geometric mean", "ratio", r->mean));
    for (unsigned k = 0; k < ROWS; k++)
        json_array_append_new(list, row_as_json(&r->rows[k]));
    json_t *all = json_pack("{s:s, s:s, s:o}", "suite", "sim", "cpu",
                            ztl_bench_cpu(cpu, sizeof cpu), "results", list);
    json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(5));
    putchar('\n');
    json_decref(all);
}

static void print_usage(FILE *out)
{
    fprintf(out, "usage: ztl bench sim [--repeat N] [--rounds N] [--guests DIR] [--json]\n\n"
                 "Runs guest programs on the hart and on qemu-riscv64, the same executable on\n"
                 "both, and compares the CPU times: medians, without QEMU's start-up. Then runs\n"
                 "Ztl instructions in loops on the hart, and under QEMU, where they trap.\n\n"
                 "  --repeat N     runs of each guest (5)\n"
                 "  --rounds N     iterations of each guest (20)\n"
                 "  --guests DIR   the folder of the guests' sources\n"
                 "  --json         results as JSON; lower ratios are better\n\n"
                 "example: ztl bench sim --repeat 3\n");
}

/* An exit status, or -1 to go on. */
static int parse(int argc, char **argv, options *o)
{
    const ztl_option table[] = {
        {"--repeat", .number = &o->repeats, .least = 1, .most = MOST_REPEATS},
        {"--rounds", .number = &o->rounds, .least = 1, .most = 10000},
        {"--guests", .text = &o->sources},
        {"--json", .flag = &o->json},
        {0}};
    return ztl_bench_options("ztl bench sim", table, argc, argv, print_usage);
}

static bool bench_guests(const options *o, report *r)
{
    double sum = 0, slowest = HUGE_VAL, slowest_timed = HUGE_VAL;
    for (unsigned k = 0; k < GUESTS; k++) {
        if (!bench_guest(o, guests[k], &r->guests[k]))
            return false;
        sum += log(r->guests[k].ratio);
        slowest = fmin(slowest, r->guests[k].traced);
        slowest_timed = fmin(slowest_timed, r->guests[k].timed);
    }
    r->mean = exp(sum / GUESTS);
    r->rows[TRACED] = (sim_row){"traced to a file, the slowest guest", "million/s", slowest, 0, 10};
    r->rows[TIMED] =
        (sim_row){"counting cycles, the slowest guest", "million/s", slowest_timed, 0, 10};
    return true;
}

static bool bench_tensors(const options *o, report *r)
{
    if (!sim_measure_tensor(r->rows)) {
        fprintf(stderr, "ztl bench sim: a loop of Ztl instructions does not run\n");
        return false;
    }
    if (!sim_measure_traps(o->sources, r->rows[SIM_TENSOR_ROWS - 1].value, &r->rows[TRAPS])) {
        fprintf(stderr, "ztl bench sim: QEMU does not run 'tensor' from %s\n", o->sources);
        return false;
    }
    return true;
}

int ztl_bench_sim(int argc, char **argv)
{
    options o = {.repeats = 5, .rounds = 20, .sources = ZTL_BENCH_GUESTS};
    report r;
    int status = parse(argc, argv, &o);
    if (status >= 0)
        return status;
    bool good = bench_guests(&o, &r) && bench_tensors(&o, &r);
    if (good)
        (o.json ? print_json : print_text)(&r);
    return good ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}
