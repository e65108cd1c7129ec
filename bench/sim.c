/* SPDX-License-Identifier: Apache-2.0
 * ztl bench sim: guest programs on the hart and on QEMU's user mode, the same executable on both.
 *
 * Times are CPU times, so that other work on the machine disturbs them little; QEMU's start-up is
 * measured by a guest that does nothing and taken off.
 */
#define _GNU_SOURCE
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>
#include <ztl/hart.h>

#include "bench/bench.h"
#include "cli/command.h"

extern char **environ;

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
    uint64_t instructions;
} outcome;

/* Runs a command; its exit status, or -1. *seconds: the CPU time that it took. */
static int run(const char *const *arguments, double *seconds)
{
    pid_t child;
    int status;
    struct rusage usage;
    fflush(stdout);
    if (posix_spawnp(&child, arguments[0], NULL, NULL, (char *const *)arguments, environ) != 0 ||
        wait4(child, &status, 0, &usage) != child || !WIFEXITED(status))
        return -1;
    if (seconds)
        *seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                   1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    return WEXITSTATUS(status);
}

/* Builds DIRECTORY/NAME-ROUNDS, an executable, and the same with .bin, its memory. */
static bool build(const options *o, const char *directory, const char *name, unsigned rounds,
                  char *path, size_t size)
{
    char start[1024], source[1024], script[1024], image[1100], define[40];
    snprintf(path, size, "%s/%s-%u", directory, name, rounds);
    snprintf(image, sizeof image, "%s.bin", path);
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
                                   path,
                                   NULL};
    const char *const flatten[] = {"riscv64-linux-gnu-objcopy", "-O", "binary", path, image, NULL};
    return run(compile, NULL) == 0 && run(flatten, NULL) == 0;
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
static ztl_hart *load(const char *path)
{
    static uint8_t bytes[1 << 20];
    char image[1100];
    snprintf(image, sizeof image, "%s.bin", path);
    FILE *file = fopen(image, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    ztl_window ram = {BASE, RAM_SIZE};
    ztl_hart_config config = {.isa = "rv64imac_zicsr",
                              .ram = &ram,
                              .ram_count = 1,
                              .reset_pc = BASE,
                              .trap_policy = ZTL_TRAP_STOP_ALWAYS};
    ztl_hart *hart = size ? ztl_hart_create(&config, NULL, 0) : NULL;
    if (!hart)
        return NULL;
    ztl_hart_write_memory(hart, BASE, bytes, size);
    ztl_hart_set_x(hart, SP, BASE + RAM_SIZE);
    return hart;
}

/* Runs a guest on the hart to its end: the exit status, or -1. */
static int run_hart(const char *path, double *seconds, uint64_t *instructions)
{
    ztl_hart *hart = load(path);
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

/* Millions of instructions a second with an observer that looks at every event. */
static double observed_rate(const char *path)
{
    const uint64_t some = 10000000;
    uint64_t bytes = 0;
    ztl_observer observer = {&bytes, count};
    ztl_hart *hart = load(path);
    if (!hart)
        return 0;
    ztl_hart_set_observer(hart, &observer);
    double start = cpu_seconds();
    ztl_hart_run(hart, some);
    double rate = (double)ztl_hart_retired(hart) / (cpu_seconds() - start) / 1e6;
    ztl_hart_destroy(hart);
    return rate;
}

static int run_qemu(const char *path, double *seconds)
{
    const char *const command[] = {"qemu-riscv64", path, NULL};
    return run(command, seconds);
}

/* Repeats both in turn and takes medians; false when they disagree or cannot be run. */
static bool time_guest(const options *o, const char *path, const char *idle, outcome *result)
{
    double hart[MOST_REPEATS], qemu[MOST_REPEATS], ratio[MOST_REPEATS], observed[MOST_REPEATS];
    for (unsigned k = 0; k < o->repeats; k++) {
        double start_up;
        int ours = run_hart(path, &hart[k], &result->instructions);
        int theirs = run_qemu(path, &qemu[k]);
        if (ours < 0 || ours != theirs || run_qemu(idle, &start_up) < 0)
            return false;
        qemu[k] -= start_up < qemu[k] ? start_up : 0;
        ratio[k] = hart[k] / qemu[k];
        observed[k] = observed_rate(path);
    }
    result->hart = ztl_bench_median(hart, o->repeats);
    result->qemu = ztl_bench_median(qemu, o->repeats);
    result->ratio = ztl_bench_median(ratio, o->repeats);
    result->observed = ztl_bench_median(observed, o->repeats);
    result->rate = (double)result->instructions / result->hart / 1e6;
    return true;
}

static bool bench_guest(const options *o, const char *directory, const char *name, outcome *result)
{
    char path[1024], idle[1024];
    if (!build(o, directory, name, 0, idle, sizeof idle) ||
        !build(o, directory, name, o->rounds, path, sizeof path)) {
        fprintf(stderr, "ztl bench sim: cannot build the guest '%s' from %s\n", name, o->sources);
        return false;
    }
    if (!time_guest(o, path, idle, result)) {
        fprintf(stderr,
                "ztl bench sim: '%s' does not end the same on the hart and on qemu-riscv64\n",
                name);
        return false;
    }
    return true;
}

static void print_text(const outcome *results, double mean)
{
    printf("%-10s %14s %10s %10s %12s %14s\n", "guest", "instructions", "MIPS", "QEMU MIPS",
           "hart/QEMU", "observed MIPS");
    for (unsigned k = 0; k < GUESTS; k++)
        printf("%-10s %14llu %10.0f %10.0f %12.3f %14.0f\n", guests[k],
               (unsigned long long)results[k].instructions, results[k].rate,
               (double)results[k].instructions / results[k].qemu / 1e6, 1 / results[k].ratio,
               results[k].observed);
    printf("geometric mean of the speed against QEMU: %.3f\n", 1 / mean);
}

static void print_json(const outcome *results, double mean)
{
    char cpu[128];
    json_t *list = json_array();
    for (unsigned k = 0; k < GUESTS; k++)
        json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:f, s:I}", "name", guests[k],
                                              "ratio", results[k].ratio, "mips", results[k].rate,
                                              "observed_mips", results[k].observed, "instructions",
                                              (json_int_t)results[k].instructions));
    json_array_append_new(list, json_pack("{s:s, s:f}", "name", "geometric mean", "ratio", mean));
    json_t *report = json_pack("{s:s, s:s, s:o}", "suite", "sim", "cpu",
                               ztl_bench_cpu(cpu, sizeof cpu), "results", list);
    json_dumpf(report, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(5));
    putchar('\n');
    json_decref(report);
}

static void print_usage(FILE *out)
{
    fprintf(out, "usage: ztl bench sim [--repeat N] [--rounds N] [--guests DIR] [--json]\n\n"
                 "Runs guest programs on the hart and on qemu-riscv64, the same executable on\n"
                 "both, and compares the times: medians, CPU time, QEMU's start-up taken off.\n\n"
                 "  --repeat N     how often each is run (5)\n"
                 "  --rounds N     how much each guest does (20)\n"
                 "  --guests DIR   where the guests' sources are\n"
                 "  --json         results as JSON; ratio is the hart's time to QEMU's\n\n"
                 "example: ztl bench sim --repeat 3\n");
}

static bool parse_number(const char *text, unsigned most, unsigned *number)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    *number = (unsigned)value;
    return *text && !*end && value >= 1 && value <= most;
}

/* An exit status, or -1 to go on. */
static int parse(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (!strcmp(argv[i], "--json"))
            o->json = true;
        else if (!strcmp(argv[i], "--guests") && has_value)
            o->sources = argv[++i];
        else if (!strcmp(argv[i], "--repeat") && has_value &&
                 parse_number(argv[i + 1], MOST_REPEATS, &o->repeats))
            i++;
        else if (!strcmp(argv[i], "--rounds") && has_value &&
                 parse_number(argv[i + 1], 10000, &o->rounds))
            i++;
        else if (!strcmp(argv[i], "--help")) {
            print_usage(stdout);
            return ZTL_EXIT_OK;
        } else {
            fprintf(stderr, "ztl bench sim: wrong option or value: '%s'\n", argv[i]);
            print_usage(stderr);
            return ZTL_EXIT_USAGE;
        }
    }
    return -1;
}

static void remove_directory(const char *directory)
{
    const char *const command[] = {"rm", "-rf", directory, NULL};
    run(command, NULL);
}

int ztl_bench_sim(int argc, char **argv)
{
    options o = {.repeats = 5, .rounds = 20, .sources = ZTL_BENCH_GUESTS};
    outcome results[GUESTS];
    char directory[] = "/tmp/ztl-bench-XXXXXX";
    int status = parse(argc, argv, &o);
    if (status >= 0)
        return status;
    if (!mkdtemp(directory)) {
        perror("ztl bench sim");
        return ZTL_EXIT_FAILURE;
    }
    bool good = true;
    double sum = 0;
    for (unsigned k = 0; k < GUESTS && good; k++) {
        good = bench_guest(&o, directory, guests[k], &results[k]);
        sum += good ? log(results[k].ratio) : 0;
    }
    remove_directory(directory);
    if (good)
        (o.json ? print_json : print_text)(results, exp(sum / GUESTS));
    return good ? ZTL_EXIT_OK : ZTL_EXIT_FAILURE;
}
