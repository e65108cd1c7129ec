/* SPDX-License-Identifier: Apache-2.0
 * ztl run: a program on the simulator, or on QEMU with the simulator's hart beside it.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/run/run.h"
#include "sim/program/program.h"

bool run_trace_is_stdout(const char *path)
{
    struct stat named, standard;
    if (!strcmp(path, "-"))
        return true;
    if (stat(path, &named) || fstat(STDOUT_FILENO, &standard))
        return false;
    bool nowhere = S_ISCHR(named.st_mode) && !isatty(STDOUT_FILENO);
    return named.st_dev == standard.st_dev && named.st_ino == standard.st_ino && !nowhere;
}

/* The guest's console is ours. A trace that has standard output has it alone; what the guest writes
 * then comes to standard error, behind the lines of what came before it. */
static void console_output(void *context, bool is_error, const void *bytes, size_t size)
{
    const run *r = context;
    bool to_stderr = r->trace_on_stdout || r->options->sweep;
    if (r->trace_on_stdout && memchr(bytes, '\n', size))
        ztl_trace_flush(r->trace);
    fwrite(bytes, 1, size, is_error || to_stderr ? stderr : stdout);
}

static size_t console_input(void *context, void *bytes, size_t size)
{
    run *r = context;
    if (r->trace_on_stdout)
        ztl_trace_flush(r->trace);
    fflush(stdout);
    fflush(stderr);
    int ready;
    while (!(ready = run_wait(STDIN_FILENO, -1)))
        continue;
    if (ready < 0)
        return 0;
    ssize_t got = read(STDIN_FILENO, bytes, size);
    if (got < 0 && errno != EINTR && !r->input_failed) {
        run_complain("standard input: %s", strerror(errno));
        r->input_failed = true;
    }
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
    ztl_error error;
    bool is_linux = ztl_program_is_linux(r->program);
    if (!is_linux && !check_arguments(r->options->argument))
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
    if (!(r->host = ztl_host_create(&config, &error))) {
        run_complain("--dir %s", error.text);
        return false;
    }
    if (!is_linux)
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
    ztl_error error;
    const run_options *options = r->options;
    if (!run_timing_prepare(r))
        return false;
    if (options->trace) {
        ztl_trace_config config = options->trace_config;
        config.program = r->program;
        r->trace_on_stdout = run_trace_is_stdout(options->trace);
        if (r->trace_on_stdout) /* by lines, so that none is split by one of the trace */
            setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
        r->trace =
            ztl_trace_open(r->trace_on_stdout ? "-" : options->trace, &config, r->hart, &error);
        if (!r->trace) {
            run_complain("--trace %s", error.text);
            return false;
        }
        r->observers[r->observer_count++] = ztl_trace_observer(r->trace);
    }
    if (options->stats)
        r->observers[r->observer_count++] = ztl_stats_observer(&r->stats);
    if (options->sweep)
        r->observers[r->observer_count++] = ztl_recording_observer(options->sweep->recording);
    ztl_observer all = {r, happened};
    if (r->observer_count)
        ztl_hart_set_observer(r->hart, r->observer_count == 1 ? &r->observers[0] : &all);
    return true;
}

/* The program into the hart, and the host around it. */
static bool load(run *r)
{
    ztl_error error;
    if (ztl_program_is_linux(r->program)) /* its arguments are in its memory */
        return prepare_host(r) && run_linux_start(r);
    if (ztl_program_load(r->program, r->hart, &error))
        return prepare_host(r);
    run_complain("%s", error.text);
    return false;
}

/* RAM where the program is, unless --mem says where. */
static bool choose_ram(const run *r, run_options *options)
{
    ztl_machine *machine = &options->machine;
    if (ztl_program_is_linux(r->program))
        return run_linux_machine(r, options);
    if (machine->ram_count)
        return true;
    machine->ram_count = ztl_program_ram(r->program, machine->ram, ZTL_HART_MAX_RAM);
    return true;
}

static bool prepare(run *r, run_options *options)
{
    uint64_t entry;
    if (!choose_ram(r, options) || (options->engine && !run_choose_isa(r, options)) ||
        !(r->hart = ztl_machine_create(&options->machine, "ztl run")) ||
        (options->engine && !run_share_memory(r)))
        return false;
    run_watch(r);
    if (!load(r))
        return false;
    if (options->entry) {
        if (!run_find_place(r->program, "--entry", options->entry, &entry))
            return false;
        ztl_hart_set_pc(r->hart, entry);
    }
    for (size_t i = 0; i < options->view_count; i++)
        if (!run_check_view(r, &options->view[i]) ||
            (options->view[i].place &&
             !run_find_place(r->program, "--dump-at", options->view[i].place,
                             &options->view[i].address)))
            return false;
    return prepare_observers(r);
}

/* What is written after the run; false when some of it could not be. */
static bool conclude(run *r, const run_end *end)
{
    ztl_error error;
    bool ok = run_flush() && !r->input_failed;
    if (r->trace && !ztl_trace_close(r->trace, &error)) {
        run_complain("%s", error.text);
        ok = false;
    }
    r->trace = NULL;
    run_report_end(r, end);
    run_show_views(r, true);
    ok &= run_write_outputs(r, end);
    run_timing_report(r);
    if (!r->options->engine)
        run_report_summary(r);
    return ok;
}

static void clean_up(run *r)
{
    ztl_error error;
    if (r->trace)
        ztl_trace_close(r->trace, &error);
    run_timing_clean_up(r);
    ztl_hart_destroy(r->hart);
    ztl_linux_destroy(r->process);
    ztl_host_destroy(r->host);
    ztl_program_close(r->program);
    if (r->memory >= 0)
        close(r->memory);
    free(r->command_line);
    free(r->argument);
}

int run_command(int argc, char **argv, const run_sweep *sweep)
{
    run_options options;
    int status;
    if (!run_parse(argc, argv, &options, &status))
        return status;
    options.sweep = sweep;
    if (!run_check_outputs(&options))
        return ZTL_EXIT_FAILURE;
    run r = {.options = &options, .memory = -1};
    status = ZTL_EXIT_FAILURE;
    r.program = run_open_program(&options);
    if (r.program && !run_check_system(r.program, &options)) {
        status = ZTL_EXIT_FAILURE;
    } else if (r.program && options.engine && ztl_program_is_linux(r.program)) {
        status = run_linux(&r, &options);
    } else if (r.program && prepare(&r, &options)) {
        run_end end = run_to_end(&r);
        status = conclude(&r, &end) || run_is_stopped() ? run_exit_status(&end) : ZTL_EXIT_FAILURE;
    } else if (run_is_stopped()) {
        run_end end = run_stopped();
        run_report_end(&r, &end);
        status = run_exit_status(&end);
    }
    run_unwatch();
    clean_up(&r);
    return status;
}

int ztl_cli_run(int argc, char **argv)
{
    return run_command(argc, argv, NULL);
}
