/* SPDX-License-Identifier: Apache-2.0
 * The files that ztl run writes.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/run/run.h"
#include "host/output.h"
#include "sim/observe/signature.h"

/* A file, and the words that name it in a message. */
typedef struct named {
    const char *option, *path;
} named;

static bool check_one(const named *file)
{
    if (ztl_output_possible(file->path))
        return true;
    run_complain("%s%s: %s", file->option, file->path, strerror(errno));
    return false;
}

static bool lies_apart(const named *file, const named *other)
{
    if (!other->path || !ztl_output_same(file->path, other->path))
        return true;
    run_complain("%s%s: the same file as %s%s", file->option, file->path, other->option,
                 other->path);
    return false;
}

/* NULL when there is none, or it goes to standard output. */
static const char *timeline_file(const run_options *options)
{
    const char *path = options->timeline;
    return path && strcmp(path, "-") != 0 ? path : NULL;
}

bool run_check_outputs(const run_options *options)
{
    bool to_stdout = options->trace && run_trace_is_stdout(options->trace);
    const named file[] = {{"--trace ", to_stdout ? NULL : options->trace},
                          {"--stats=", options->stats_file},
                          {"--signature ", options->signature},
                          {"--timeline ", timeline_file(options)},
                          {"--csv ", options->sweep ? options->sweep->csv : NULL},
                          {"--svg ", options->sweep ? options->sweep->svg : NULL},
                          {"the program ", options->file},
                          {"standard output, ", "/dev/stdout"},
                          {"standard error, ", "/dev/stderr"}};
    enum { OUTPUTS = 6, FILES = sizeof file / sizeof file[0] };
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (!file[i].path)
            continue;
        if (!check_one(&file[i]))
            return false;
        for (size_t k = i + 1; k < FILES; k++)
            if (!lies_apart(&file[i], &file[k]))
                return false;
    }
    return true;
}

/* What is written when the run is over. */
typedef struct outputs {
    named file[3];
    ztl_output output[3];
    size_t count;
} outputs;

static void add(outputs *all, named file, bool (*write)(FILE *file, const void *context),
                const void *context)
{
    if (!file.path)
        return;
    all->file[all->count] = file;
    all->output[all->count++] = (ztl_output){file.path, write, context};
}

static bool write_outputs(const outputs *all)
{
    const ztl_output *failed;
    if (ztl_outputs_write(all->output, all->count, &failed))
        return true;
    run_complain("%s%s: %s", all->file[failed - all->output].option, failed->path, strerror(errno));
    return false;
}

typedef struct ended_run {
    const run *run;
    const run_end *end;
} ended_run;

static bool print_stats(FILE *out, const void *context)
{
    const ended_run *ended = context;
    if (ended->run->options->engine)
        run_print_qemu_stats(ended->run, out);
    else
        run_print_stats(ended->run, ended->end, out);
    return !ferror(out);
}

static bool chart_timeline(const run *r)
{
    if (run_timeline_print(stdout, run_timing_timeline(r)) && run_flush())
        return true;
    run_complain("--timeline -: %s", strerror(errno));
    return false;
}

bool run_write_outputs(const run *r, const run_end *end)
{
    const run_options *options = r->options;
    const ended_run ended = {r, end};
    ztl_signature signature;
    outputs all = {.count = 0};
    ztl_error error;
    if (!run_timing_conclude(r))
        return false;
    if (options->signature &&
        !ztl_signature_find(r->program, r->hart, options->granularity, &signature, &error)) {
        run_complain("--signature: %s", error.text);
        return false;
    }
    if (options->timeline && !timeline_file(options) && !chart_timeline(r))
        return false;
    if (options->stats && !options->stats_file)
        print_stats(stderr, &ended);
    add(&all, (named){"--signature ", options->signature}, ztl_signature_print, &signature);
    add(&all, (named){"--timeline ", timeline_file(options)}, run_timeline_print,
        run_timing_timeline(r));
    add(&all, (named){"--stats=", options->stats_file}, print_stats, &ended);
    return write_outputs(&all);
}
