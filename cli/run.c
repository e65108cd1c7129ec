/* SPDX-License-Identifier: Apache-2.0
 * ztl run: a program on the simulator.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/run.h"

/* The guest's console is ours. What it writes comes behind what the trace has said so far. */
static void console_output(void *context, bool is_error, const void *bytes, size_t size)
{
    const run *r = context;
    bool shared = r->trace && !strcmp(r->options->trace, "-");
    if (shared)
        ztl_trace_flush(r->trace);
    fwrite(bytes, 1, size, is_error || r->options->recording ? stderr : stdout);
    if (shared)
        fflush(stdout);
}

static size_t console_input(void *context, void *bytes, size_t size)
{
    (void)context;
    fflush(stdout);
    if (!run_wait_for_input())
        return 0;
    ssize_t got = read(STDIN_FILENO, bytes, size);
    return got > 0 ? (size_t)got : 0;
}

/* The arguments with spaces between them, as semihosting hands them over. */
static char *join(char *const *argument)
{
    size_t size = 1;
    for (char *const *a = argument; *a; a++)
        size += strlen(*a) + 1;
    char *line = malloc(size), *at = line;
    if (!line)
        return NULL;
    for (char *const *a = argument; *a; a++)
        at += sprintf(at, "%s%s", a == argument ? "" : " ", *a);
    *at = '\0';
    return line;
}

static bool prepare_host(run *r)
{
    char error[RUN_ERROR];
    if (!(r->command_line = join(r->options->argument))) {
        run_complain("no memory");
        return false;
    }
    ztl_host_config config = {.context = r,
                              .output = console_output,
                              .input = console_input,
                              .directory = r->options->directory,
                              .command_line = r->command_line};
    if (!(r->host = ztl_host_create(&config, error, sizeof error))) {
        run_complain("--dir %s", error);
        return false;
    }
    ztl_host_attach(r->host, r->hart, r->program);
    return true;
}

static void happened(void *context, ztl_hart *hart, const ztl_event *event)
{
    const run *r = context;
    for (size_t i = 0; i < r->observer_count; i++)
        r->observers[i].happened(r->observers[i].context, hart, event);
}

static bool prepare_observers(run *r)
{
    char error[RUN_ERROR];
    const run_options *options = r->options;
    if (!run_timing_prepare(r))
        return false;
    if (options->trace) {
        ztl_trace_config config = options->trace_config;
        config.program = r->program;
        r->trace = ztl_trace_open(options->trace, &config, r->hart, error, sizeof error);
        if (!r->trace) {
            run_complain("--trace %s", error);
            return false;
        }
        r->observers[r->observer_count++] = ztl_trace_observer(r->trace);
    }
    if (options->stats)
        r->observers[r->observer_count++] = ztl_stats_observer(&r->stats);
    if (options->recording)
        r->observers[r->observer_count++] = ztl_recording_observer(options->recording);
    ztl_observer all = {r, happened};
    if (r->observer_count)
        ztl_hart_set_observer(r->hart, r->observer_count == 1 ? &r->observers[0] : &all);
    return true;
}

static bool prepare(run *r, run_options *options)
{
    char error[RUN_ERROR];
    uint64_t entry;
    if (!(r->program = run_open_program(options)) ||
        !(r->hart = ztl_machine_create(&options->machine, "run")))
        return false;
    if (!ztl_program_load(r->program, r->hart, error, sizeof error)) {
        run_complain("%s", error);
        return false;
    }
    if (options->entry) {
        if (!run_find_place(r->program, "--entry", options->entry, &entry))
            return false;
        ztl_hart_set_pc(r->hart, entry);
    }
    for (size_t i = 0; i < options->view_count; i++)
        if (options->view[i].place &&
            !run_find_place(r->program, "--dump-at", options->view[i].place,
                            &options->view[i].address))
            return false;
    return prepare_host(r) && prepare_observers(r);
}

/* What is written after the run shall not fail then for a wrong name. */
static bool check_outputs(const run_options *options)
{
    const struct {
        const char *option, *path;
    } outputs[] = {{"--stats=", options->stats_file},
                   {"--signature ", options->signature},
                   {"--timeline ", options->timeline && strcmp(options->timeline, "-") != 0
                                       ? options->timeline
                                       : NULL}};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (outputs[i].path && !ztl_output_possible(outputs[i].path)) {
            run_complain("%s%s: %s", outputs[i].option, outputs[i].path, strerror(errno));
            return false;
        }
    return true;
}

/* What is written after the run; false when some of it could not be. */
static bool conclude(run *r, const run_end *end)
{
    const run_options *options = r->options;
    char error[RUN_ERROR];
    bool ok = !fflush(stdout);
    if (!ok)
        run_complain("standard output: %s", strerror(errno));
    if (r->trace && !ztl_trace_close(r->trace, error, sizeof error)) {
        run_complain("%s", error);
        ok = false;
    }
    r->trace = NULL;
    run_report_end(r, end);
    run_show_views(r, true);
    if (options->signature && !ztl_signature_write(r->program, r->hart, options->signature,
                                                   options->granularity, error, sizeof error)) {
        run_complain("--signature: %s", error);
        ok = false;
    }
    if (r->timing)
        ok &= run_timing_conclude(r);
    if (options->stats)
        ok &= run_report_stats(r, end);
    if (options->timing && !(options->stats && options->json))
        run_timing_report(r, stderr);
    run_report_summary(r);
    return ok;
}

static void clean_up(run *r)
{
    char error[RUN_ERROR];
    if (r->trace)
        ztl_trace_close(r->trace, error, sizeof error);
    run_timing_clean_up(r);
    ztl_hart_destroy(r->hart);
    ztl_host_destroy(r->host);
    ztl_program_close(r->program);
    free(r->command_line);
    ztl_lines_close(r->options->lines);
}

int run_command(int argc, char **argv, ztl_recording *recording)
{
    run_options options;
    int status;
    if (!run_parse(argc, argv, &options, &status))
        return status;
    options.recording = recording;
    if (!check_outputs(&options))
        return ZTL_EXIT_FAILURE;
    if (options.engine)
        return run_on_qemu(&options);
    run r = {.options = &options};
    status = ZTL_EXIT_FAILURE;
    if (prepare(&r, &options)) {
        run_end end = run_to_end(&r);
        status = conclude(&r, &end) ? run_exit_status(&end) : ZTL_EXIT_FAILURE;
    }
    clean_up(&r);
    return status;
}

int ztl_cli_run(int argc, char **argv)
{
    return run_command(argc, argv, NULL);
}
