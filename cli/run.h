/* SPDX-License-Identifier: Apache-2.0
 * What the parts of ztl run share.
 */
#ifndef ZTL_CLI_RUN_H
#define ZTL_CLI_RUN_H

#include <ztl/host.h>
#include <ztl/observe.h>
#include <ztl/timing.h>

#include "cli/command.h"
#include "cli/lines.h"
#include "cli/machine.h"

enum { RUN_MAX_VIEWS = 16, RUN_ERROR = 1024 };

/* Exit statuses besides the guest's own; doc/man/ztl-run.1 lists them. */
enum run_status {
    RUN_TRAPPED = 120,     /* a trap that nothing handles */
    RUN_ASLEEP = 121,      /* wfi, and nothing will wake the hart */
    RUN_LIMIT = 122,       /* --max-insns */
    RUN_TIMEOUT = 124,     /* --timeout */
    RUN_INTERRUPTED = 130, /* Ctrl-C */
    RUN_KILLED = 137,      /* by the debugger */
};

/* A --dump, with its --dump-at. */
typedef struct run_view {
    ztl_view view;
    const char *place; /* NULL: the end */
    uint64_t address;
} run_view;

typedef struct run_options {
    const char *file;
    const char *engine; /* NULL: the simulator */
    char **argument;    /* of the guest; ended by NULL */
    ztl_machine machine;
    bool has_isa;
    const char *directory;
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
    const char *from, *to;    /* a region by places; NULL: none */
    ztl_recording *recording; /* that ztl timing sweep makes; NULL: none */
    ztl_lines *lines;         /* of the program, for the timeline; may be NULL */
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
    ztl_trace *trace;
    ztl_stats stats;
    struct run_timing *timing; /* NULL without --timing and --stats */
    ztl_observer observers[5]; /* regions, trace, counts, timing, recording */
    size_t observer_count;
    char *command_line;
    double seconds; /* that the hart ran */
} run;

/* Why a run ended. */
typedef struct run_end {
    enum ztl_stop stop;
    enum run_status status; /* of an end that is not the guest's own exit */
    int code;               /* of the guest's exit */
} run_end;

/* Writes "ztl run: …" to standard error. */
__attribute__((format(printf, 1, 2))) void run_complain(const char *format, ...);

/* ztl run, recorded unless that is NULL; what the program prints then goes to standard error. */
int run_command(int argc, char **argv, ztl_recording *recording);

/* True: go on. False: *status is the exit status, and the help or a message is written. */
bool run_parse(int argc, char **argv, run_options *options, int *status);

/* Whether a file is a source, and its program in a new temporary file; false after a message. */
bool run_is_source(const char *file);
bool run_build_source(const run_options *options, char *path, size_t size);

/* The whole of ztl run --engine qemu: the exit status. */
int run_on_qemu(const run_options *options);

/* The program of the options, built first if it is a source; NULL after a message. */
ztl_program *run_open_program(run_options *options);

/* The address of SYMBOL, SYMBOL+OFFSET or a number; false after a message that names the option. */
bool run_find_place(const ztl_program *program, const char *option, const char *text,
                    uint64_t *address);

/* Runs to the end; only one at a time in a process, for the sake of its signal handlers. */
run_end run_to_end(run *r);

/* Waits until standard input can be read; false when a signal ended the run meanwhile. */
bool run_wait_for_input(void);

/* Lets a debugger run the program. True: it is over; false: the debugger left, it goes on. */
bool run_debug(run *r, run_end *end);

/* Shows the registers of --dump on standard output: those for the place that pc is at, or those for
 * the end. */
void run_show_views(const run *r, bool at_end);

/* Says why a run did not end by itself, and, on request, registers and counts. False when the
 * counts could not be written. */
void run_report_end(const run *r, const run_end *end);
bool run_report_stats(const run *r, const run_end *end);
void run_report_summary(const run *r);

/* Cycles and regions, with --timing or --stats: cli/run_timing.c. False after a message. */
bool run_timing_check(const run_options *options);
bool run_timing_prepare(run *r);
bool run_timing_conclude(run *r); /* and the timeline is written */
void run_timing_clean_up(run *r);

/* The timeline of --timeline: cli/run_timeline.c. The window is opened and closed by regions. */
struct run_timeline;
bool run_timeline_check(const run_options *options);
struct run_timeline *run_timeline_create(const run *r, const ztl_timing_machine *machine,
                                         ztl_timing *timing);
void run_timeline_region(struct run_timeline *t, const char *name, bool entered);
bool run_timeline_write(const run *r, const struct run_timeline *t);
void run_timeline_destroy(struct run_timeline *t);

/* The report of --timing; what --stats says of regions; both as members of its JSON object. */
void run_timing_report(const run *r, FILE *out);
void run_timing_regions(const run *r, FILE *out);
void run_timing_members(const run *r, FILE *out);

/* The exit status of the command. */
int run_exit_status(const run_end *end);

#endif
