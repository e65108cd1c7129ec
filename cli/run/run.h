/* SPDX-License-Identifier: Apache-2.0
 * What the parts of ztl run share.
 */
#ifndef ZTL_CLI_RUN_H
#define ZTL_CLI_RUN_H

#include <ztl/host.h>
#include <ztl/linux.h>
#include <ztl/observe.h>
#include <ztl/timing.h>

#include "adapters/qemu/statistics.h"
#include "cli/command.h"
#include "cli/machine.h"
#include "host/command/message.h"

enum { RUN_MAX_VIEWS = 16, RUN_MAX_ENVIRONMENT = 256 };

/* Exit statuses besides the guest's own; doc/man/ztl-run.1 lists them. */
enum run_status {
    RUN_TRAPPED = 120,     /* a trap that nothing handles */
    RUN_ASLEEP = 121,      /* wfi, and nothing will wake the hart */
    RUN_LIMIT = 122,       /* --max-insns */
    RUN_TIMEOUT = 124,     /* --timeout */
    RUN_HUNG_UP = 129,     /* SIGHUP */
    RUN_INTERRUPTED = 130, /* Ctrl-C */
    RUN_KILLED = 137,      /* by the debugger */
    RUN_TERMINATED = 143,  /* SIGTERM */
};

enum run_view_kind {
    RUN_VIEW_TENSOR,
    RUN_VIEW_X,
    RUN_VIEW_F,
    RUN_VIEW_PC,
    RUN_VIEW_CSR,
    RUN_VIEW_ALL_X,
    RUN_VIEW_ALL_F,
};

/* A --dump, with its --dump-at. */
typedef struct run_view {
    enum run_view_kind kind;
    ztl_view view;     /* of tensor registers */
    const char *name;  /* of others */
    unsigned index;    /* of X and F; of a CSR its address, once the hart has been asked */
    const char *place; /* NULL: the end */
    uint64_t address;
} run_view;

/* What ztl timing sweep makes of a run: a record, and the files that it writes behind it. */
typedef struct run_sweep {
    ztl_recording *recording;
    const char *csv, *svg; /* NULL: none */
} run_sweep;

typedef struct run_options {
    const char *file; /* the program, or the first of its sources */
    char **build;     /* all sources, objects and compiler options; ended by NULL */
    size_t build_count;
    unsigned engine; /* 0: the simulator; 1: QEMU */
    char **argument; /* of the guest; ended by NULL */
    ztl_machine machine;
    bool has_isa;
    const char *directory;
    const char *environment[RUN_MAX_ENVIRONMENT + 1]; /* of a Linux program; ended by NULL */
    size_t environment_count;
    bool has_seed;
    uint64_t seed;
    unsigned clock; /* 0: the process's own; 1: the host's */
    const char *entry;
    const char *gdb;    /* where a debugger is waited for; NULL: nowhere */
    uint64_t max_insns; /* UINT64_MAX: no limit */
    double timeout;     /* seconds; 0: none */
    const char *trace;
    ztl_trace_config trace_config;
    bool stats, json, registers;
    const char *stats_file; /* NULL: standard error */
    const char *timing;     /* a machine; NULL: none */
    const char *timeline, *window;
    const char *from, *to;  /* a region by places; NULL: none */
    const run_sweep *sweep; /* that the run is for; NULL: none */
    const char *signature;
    unsigned granularity;
    run_view view[RUN_MAX_VIEWS];
    size_t view_count;
} run_options;

/* A run under way. */
typedef struct run {
    const run_options *options;
    ztl_program *program;
    ztl_hart *hart;
    ztl_host *host;
    ztl_linux *process; /* of a Linux program on the simulator; else NULL */
    const char **argument;
    ztl_trace *trace;
    bool trace_on_stdout;
    ztl_stats stats;
    struct run_timing *timing; /* NULL without --timing and --stats */
    ztl_observer observers[5]; /* regions, trace, counts, timing, recording */
    size_t observer_count;
    char *command_line;
    bool input_failed; /* standard input could not be read */
    double seconds;    /* that the hart ran */
    /* Of --engine qemu, where the hart stands for QEMU's. */
    int memory;           /* its RAM; -1: not there yet */
    char isa[512];        /* of the hart */
    const char *qemu_isa; /* of --isa; NULL: not given */
    bool pc_is_unknown;   /* where QEMU was when it was stopped */
    ztl_statistics qemu_statistics;
} run;

/* Why a run ended. */
typedef struct run_end {
    enum ztl_stop stop;
    enum run_status status; /* of an end that is not the guest's own exit */
    int code;               /* of the guest's exit */
} run_end;

/* Writes "ztl run: …" to standard error. */
#define run_complain(...) ztl_message("ztl run", __VA_ARGS__)

/* ztl run, for a sweep unless that is NULL; what the program prints then goes to standard error. */
int run_command(int argc, char **argv, const run_sweep *sweep);

/* True: go on. False: *status is the exit status, and the help or a message is written. */
bool run_parse(int argc, char **argv, run_options *options, int *status);

/* What a word that starts with '-' is to the compiler of sources. */
enum run_word { RUN_WORD_UNKNOWN, RUN_WORD_REFUSED, RUN_WORD_TAKEN, RUN_WORD_WITH_VALUE };
enum run_word run_compiler_option(const char *option);

/* Whether a file is a source or something else that a program is built from. */
bool run_is_part(const char *file);

/* ---- ztl run --engine qemu: cli/run/qemu.c ---- */

/* Each false after a message: the ISA of the hart; its RAM, which QEMU shares. */
bool run_choose_isa(run *r, run_options *options);
bool run_share_memory(run *r);

/* A bare-metal program to its end; the whole of a Linux program, with its exit status. */
run_end run_machine(run *r);
int run_linux(run *r, run_options *options);

/* The counts of --stats. */
void run_print_qemu_stats(const run *r, FILE *out);

/* ---- Linux programs on the simulator: cli/run/linux.c ---- */

/* Each false after a message: whether the options are for such a program; gives the hart the
 * program's address space; starts the program. */
bool run_check_system(const ztl_program *program, const run_options *options);
bool run_linux_machine(const run *r, run_options *options);
bool run_linux_start(run *r);

/* The end that a trap of it makes. */
run_end run_linux_trapped(const run *r, enum ztl_stop stop);

/* The program of the options, built first if it is a source; NULL after a message. */
ztl_program *run_open_program(run_options *options);

/* The address of SYMBOL, SYMBOL+OFFSET or a number; false after a message that names the option. */
bool run_find_place(const ztl_program *program, const char *option, const char *text,
                    uint64_t *address);

run_end run_to_end(run *r);

/* From the first to the second, --timeout and signals stop the hart and interrupt calls that wait;
 * only one run at a time in a process can have that. */
void run_watch(const run *r);
void run_unwatch(void);

/* Whether such a signal came; the end that it, or else a failure, makes. */
bool run_is_stopped(void);
run_end run_stopped(void);

/* Writes out what standard output holds; false with errno. After such a signal, what nobody takes
 * is dropped. */
bool run_flush(void);

/* Waits until a file can be read, at most so many milliseconds (-1: for ever). 1: it can be; 0: not
 * yet; -1: a signal has ended the run. */
int run_wait(int file, int milliseconds);

/* The trap handler of picolibc's start-up code, which only prints registers; false: none. */
bool run_find_library_handler(const run *r, uint64_t *address);

/* Lets a debugger run the program. True: it is over; false: the debugger left, it goes on. */
bool run_debug(run *r, run_end *end);

/* Shows the registers of --dump on standard output: those for the place that pc is at, or those for
 * the end. */
void run_show_views(const run *r, bool at_end);

/* cli/run/dump.c: what a --dump asks for; whether the hart has it, else with a message; shows it.
 */
bool run_view_parse(const char *text, run_view *view, ztl_error *error);
bool run_check_view(const run *r, run_view *view);
void run_show_view(const run *r, const run_view *view);

/* Says why a run did not end by itself, and, on request, registers; the reason of the last trap,
 * behind `what`; prints the counts. */
void run_report_end(const run *r, const run_end *end);
void run_print_registers(const run *r);
void run_print_integers(const run *r, FILE *out);
void run_print_floats(const run *r, FILE *out); /* and fcsr */
void run_explain_trap(const run *r, const char *what, FILE *out);
void run_print_stats(const run *r, const run_end *end, FILE *out);
void run_report_summary(const run *r);

/* Whether a trace goes where standard output does, by whatever name. */
bool run_trace_is_stdout(const char *path);

/* The files that are written: whether they can be, and are different ones, before the run; then
 * those that tell of its end. False after a message. */
bool run_check_outputs(const run_options *options);
bool run_write_outputs(const run *r, const run_end *end);

/* Cycles and regions, with --timing or --stats: cli/run/timing.c. False after a message. */
bool run_timing_check(const run_options *options);
bool run_timing_prepare(run *r);
bool run_timing_conclude(const run *r);
const struct run_timeline *run_timing_timeline(const run *r); /* NULL: none */
void run_timing_clean_up(run *r);

/* The timeline of --timeline: cli/run/timeline.c. The window is opened and closed by regions. */
struct run_timeline;
bool run_timeline_check(const run_options *options);
struct run_timeline *run_timeline_create(const run *r, const ztl_timing_machine *machine,
                                         ztl_timing *timing);
void run_timeline_region(struct run_timeline *t, const char *name, bool entered);
bool run_timeline_complete(struct run_timeline *t);
bool run_timeline_print(FILE *out, const void *timeline);
void run_timeline_destroy(struct run_timeline *t);

/* The report of --timing, on standard error unless it is in that of --stats; what --stats says of
 * regions; both as members of its JSON object. */
void run_timing_report(const run *r);
void run_timing_regions(const run *r, FILE *out);
void run_timing_members(const run *r, FILE *out);

/* The exit status of the command. */
int run_exit_status(const run_end *end);

#endif
