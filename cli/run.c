/* SPDX-License-Identifier: Apache-2.0
 * ztl run: a program on the simulator, or on QEMU with the simulator's hart beside it.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/run.h"
#include "sim/program/program.h"

/* The guest's console is ours. What it writes comes behind what the trace has said so far. */
static void console_output(void *context, bool is_error, const void *bytes, size_t size)
{
    const run *r = context;
    bool shared = r->trace && !strcmp(r->options->trace, "-");
    if (!run_may_write(is_error ? STDERR_FILENO : STDOUT_FILENO))
        return;
    if (shared)
        ztl_trace_flush(r->trace);
    fwrite(bytes, 1, size, is_error ? stderr : stdout);
    if (shared)
        fflush(stdout);
}

static size_t console_input(void *context, void *bytes, size_t size)
{
    (void)context;
    int ready;
    fflush(stdout);
    while (!(ready = run_wait(STDIN_FILENO, -1)))
        continue;
    if (ready < 0)
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

/* picolibc splits the line at white space, and there is no way to quote any. */
static bool check_arguments(char *const *argument)
{
    for (char *const *a = argument; *a; a++)
        if (!**a || strpbrk(*a, " \t\n\v\f\r")) {
            run_complain("argument '%s': bare metal splits arguments at spaces", *a);
            return false;
        }
    return true;
}

/* The program would go on as if there were no arguments. */
static void no_room(void *context, size_t needed, size_t room)
{
    const run *r = context;
    run_complain("the arguments take %zu bytes, the program has room for %zu", needed, room);
    ztl_hart_request_exit(r->hart, ZTL_EXIT_FAILURE);
}

static bool prepare_host(run *r)
{
    char error[RUN_ERROR];
    if (!check_arguments(r->options->argument))
        return false;
    if (!(r->command_line = join(r->options->argument))) {
        run_complain("no memory");
        return false;
    }
    ztl_host_config config = {.context = r,
                              .output = console_output,
                              .input = console_input,
                              .no_room = no_room,
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
    ztl_observer all = {r, happened};
    if (r->observer_count)
        ztl_hart_set_observer(r->hart, r->observer_count == 1 ? &r->observers[0] : &all);
    return true;
}

static bool prepare(run *r, run_options *options)
{
    char error[RUN_ERROR];
    uint64_t entry;
    if ((options->engine && !run_choose_isa(r, options)) ||
        !(r->hart = ztl_machine_create(&options->machine, "run")) ||
        (options->engine && !run_share_memory(r)))
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
    } outputs[] = {{"--stats=", options->stats_file}, {"--signature ", options->signature}};
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
    if (!run_may_write(STDOUT_FILENO))
        __fpurge(stdout);
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
    if (options->stats)
        ok &= options->engine ? run_report_qemu(r) : run_report_stats(r, end);
    if (!options->engine)
        run_report_summary(r);
    return ok;
}

static void clean_up(run *r)
{
    char error[RUN_ERROR];
    if (r->trace)
        ztl_trace_close(r->trace, error, sizeof error);
    ztl_hart_destroy(r->hart);
    ztl_host_destroy(r->host);
    ztl_program_close(r->program);
    if (r->memory >= 0)
        close(r->memory);
    free(r->command_line);
}

int ztl_cli_run(int argc, char **argv)
{
    run_options options;
    int status;
    if (!run_parse(argc, argv, &options, &status))
        return status;
    if (!check_outputs(&options))
        return ZTL_EXIT_FAILURE;
    run r = {.options = &options, .memory = -1};
    status = ZTL_EXIT_FAILURE;
    r.program = run_open_program(&options);
    if (r.program && options.engine && ztl_program_is_linux(r.program)) {
        status = run_linux(&r, &options);
    } else if (r.program && prepare(&r, &options)) {
        run_end end = run_to_end(&r);
        status = conclude(&r, &end) ? run_exit_status(&end) : ZTL_EXIT_FAILURE;
    }
    clean_up(&r);
    return status;
}
