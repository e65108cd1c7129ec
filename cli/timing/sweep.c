/* SPDX-License-Identifier: Apache-2.0
 * ztl timing sweep: a program run once, on every combination of parameters.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/op/op.h"
#include "cli/run/run.h"
#include "cli/timing/timing.h"
#include "host/command/message.h"
#include "host/command/options.h"
#include "host/command/terminal.h"
#include "host/output.h"

static const char command[] = "ztl timing sweep";

typedef struct sweep_options {
    const char *machine, *csv, *svg;
    bool json;
    char **run; /* behind -- */
    bool is_op; /* ztl op, not ztl run */
    int words;
    timing_sweep sweep;
} sweep_options;

static void print_help(void)
{
    puts("usage: ztl timing sweep [OPTIONS] MACHINE NAME=VALUES... -- ztl run|op ...\n\n"
         "Runs a program, or an operator's plan, once and counts its cycles on every\n"
         "combination of values of the machine's parameters. VALUES are values and ranges: "
         "1..4,8,16.\n\n"
         "  --csv FILE   the table as CSV\n"
         "  --svg FILE   the cycles as a picture, over the values of the first NAME\n"
         "  --json       the table as JSON, to standard output instead\n\n"
         "example:\n"
         "  ztl timing sweep four engines.queue=1..16 l1m.bytes=32,64 -- ztl run prog.c\n"
         "  ztl timing sweep four engines.queue=1..16 -- \\\n"
         "      ztl op transpose in.npy --perm 0,2,3,1");
}

size_t timing_index(const timing_sweep *sweep, size_t combination, size_t axis)
{
    for (size_t k = sweep->axes; --k > axis;)
        combination /= sweep->axis[k].count;
    return combination % sweep->axis[axis].count;
}

static bool add_value(timing_axis *axis, const char *value)
{
    void *grown = realloc(axis->value, (axis->count + 1) * sizeof *axis->value);
    if (!grown || axis->count == TIMING_MOST)
        return false;
    axis->value = grown;
    snprintf(axis->value[axis->count++], sizeof *axis->value, "%s", value);
    return true;
}

/* "4", "kind", or "1..16"; a value that is too long for one is wrong whatever it is. */
static bool add_values(timing_axis *axis, const char *text)
{
    char value[TIMING_VALUE];
    char *end;
    unsigned long low = strtoul(text, &end, 10), high = 0;
    bool is_range = end != text && !strncmp(end, "..", 2) && end[2] >= '0' && end[2] <= '9';
    if (!is_range)
        return strlen(text) < sizeof value && add_value(axis, text);
    high = strtoul(end + 2, &end, 10);
    if (*end || high < low || high - low >= TIMING_MOST)
        return false;
    for (; low <= high; low++) {
        snprintf(value, sizeof value, "%lu", low);
        if (!add_value(axis, value))
            return false;
    }
    return true;
}

/* Whether the machine takes each of the values. */
static bool check_values(const timing_axis *axis)
{
    ztl_error error;
    ztl_timing_machine machine;
    ztl_timing_parse("four", &machine, NULL);
    for (size_t i = 0; i < axis->count; i++)
        if (!ztl_timing_set(&machine, axis->name, axis->value[i], &error)) {
            ztl_message(command, "%s", error.text);
            return false;
        }
    return true;
}

static bool take_axis(timing_sweep *sweep, char *text)
{
    char *values = strchr(text, '=');
    if (!values || values == text || !values[1]) {
        ztl_message(command, "'%s' is not NAME=VALUES, as in engines.queue=1..16", text);
        return false;
    }
    if (sweep->axes == TIMING_AXES) {
        ztl_message(command, "at most %d parameters", TIMING_AXES);
        return false;
    }
    *values++ = '\0';
    timing_axis *axis = &sweep->axis[sweep->axes++];
    axis->name = text;
    for (size_t k = 0; k + 1 < sweep->axes; k++)
        if (!strcmp(sweep->axis[k].name, text)) {
            ztl_message(command, "'%s' is there twice", text);
            return false;
        }
    for (char *rest, *one = strtok_r(values, ",", &rest); one; one = strtok_r(NULL, ",", &rest))
        if (!add_values(axis, one)) {
            ztl_message(command, "%s: '%s' is neither a value nor a range LOW..HIGH", text, one);
            return false;
        }
    return check_values(axis);
}

static bool take_word(sweep_options *o, char *word)
{
    if (o->machine)
        return take_axis(&o->sweep, word);
    o->machine = word;
    return true;
}

/* The program and its options are those of ztl run, the operator and its those of ztl op. */
static bool take_command(sweep_options *o, int argc, char **argv, int behind)
{
    const char *name = behind < argc ? strrchr(argv[behind], '/') : NULL;
    if (behind < argc && !strcmp(name ? name + 1 : argv[behind], "ztl"))
        behind++;
    o->is_op = behind < argc && !strcmp(argv[behind], "op");
    if (behind >= argc || (!o->is_op && strcmp(argv[behind], "run") != 0)) {
        ztl_message(command, "the program must stand at the end, as in -- ztl run prog.c, or an "
                             "operator, as in -- ztl op flip in.npy");
        return false;
    }
    o->run = argv + behind;
    o->words = argc - behind;
    return true;
}

/* Whether to go on; else *status is the exit status. */
static bool parse(sweep_options *o, int argc, char **argv, int *status)
{
    const ztl_option table[] = {
        {"--csv", .text = &o->csv}, {"--svg", .text = &o->svg}, {"--json", .flag = &o->json}, {0}};
    ztl_error error;
    int end = 1;
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    bool has_end = end < argc;
    argv[end] = NULL; /* where the value of an option cannot be */
    int words = ztl_options_take(command, table, end, argv);
    if (words == ZTL_OPTIONS_HELP) {
        print_help();
        *status = ZTL_EXIT_OK;
        return false;
    }
    for (int i = 1; i <= words; i++)
        if (!take_word(o, argv[i]))
            return false;
    if (words < 0)
        return false;
    if (!o->machine || !o->sweep.axes) {
        ztl_message(command, "a machine and at least one NAME=VALUES are needed");
        return false;
    }
    if (!ztl_timing_parse(o->machine, &o->sweep.base, &error)) {
        ztl_message(command, "%s", error.text);
        return false;
    }
    return take_command(o, argc, argv, has_end ? end + 1 : argc);
}

/* All combinations; false after a message. */
static bool prepare(timing_sweep *sweep)
{
    sweep->count = 1;
    for (size_t k = 0; k < sweep->axes; k++) {
        if (sweep->axis[k].count > TIMING_MOST / sweep->count) {
            ztl_message(command, "more than %d combinations", TIMING_MOST);
            return false;
        }
        sweep->count *= sweep->axis[k].count;
    }
    sweep->machines = calloc(sweep->count, sizeof *sweep->machines);
    sweep->counts = calloc(sweep->count, sizeof *sweep->counts);
    if (!sweep->machines || !sweep->counts) {
        ztl_message(command, "no memory");
        return false;
    }
    for (size_t i = 0; i < sweep->count; i++) {
        sweep->machines[i] = sweep->base;
        for (size_t k = 0; k < sweep->axes; k++)
            ztl_timing_set(&sweep->machines[i], sweep->axis[k].name,
                           sweep->axis[k].value[timing_index(sweep, i, k)], NULL);
    }
    return true;
}

static bool print_csv(FILE *file, const void *sweep)
{
    timing_print_csv(sweep, file);
    return !ferror(file);
}

static bool print_chart(FILE *file, const void *sweep)
{
    timing_print_chart(sweep, file);
    return !ferror(file);
}

static bool write_files(const sweep_options *o)
{
    ztl_output output[2];
    size_t count = 0;
    const ztl_output *failed;
    if (o->csv)
        output[count++] = (ztl_output){o->csv, print_csv, &o->sweep};
    if (o->svg)
        output[count++] = (ztl_output){o->svg, print_chart, &o->sweep};
    if (ztl_outputs_write(output, count, &failed))
        return true;
    ztl_message(command, "%s: %s", failed->path, strerror(errno));
    return false;
}

static void show_progress(void *context, size_t done)
{
    const timing_sweep *sweep = context;
    fprintf(stderr,
            done < sweep->count ? "\rztl timing sweep: %zu of %zu machines\033[K" : "\r\033[K",
            done, sweep->count);
}

static int sweep_run(sweep_options *o, ztl_recording *recording)
{
    timing_sweep *sweep = &o->sweep;
    const run_sweep record = {recording, o->csv, o->svg};
    int status = o->is_op ? op_command(o->words, o->run, recording, o->csv, o->svg)
                          : run_command(o->words, o->run, &record);
    if (!ztl_recording_instructions(recording)) {
        if (!status)
            ztl_message(command, "nothing ran on the simulator");
        return status ? status : ZTL_EXIT_FAILURE;
    }
    if (status)
        ztl_message(command, "the program ended with status %d", status);
    if (!ztl_recording_sweep(recording, sweep->count, sweep->machines, sweep->counts,
                             ztl_terminal_rewrites(stderr) ? show_progress : NULL, sweep)) {
        ztl_message(command, "no memory");
        return ZTL_EXIT_FAILURE;
    }
    (o->json ? timing_print_json : timing_print_table)(sweep, stdout);
    return write_files(o) ? status : ZTL_EXIT_FAILURE;
}

int timing_sweep_command(int argc, char **argv)
{
    sweep_options o = {0};
    int status = ZTL_EXIT_USAGE;
    ztl_recording *recording = ztl_recording_create();
    if (!recording) {
        ztl_message(command, "no memory");
        return ZTL_EXIT_FAILURE;
    }
    if (parse(&o, argc, argv, &status) && prepare(&o.sweep))
        status = sweep_run(&o, recording);
    ztl_recording_destroy(recording);
    for (size_t k = 0; k < o.sweep.axes; k++)
        free(o.sweep.axis[k].value);
    free(o.sweep.machines);
    free(o.sweep.counts);
    return status;
}
