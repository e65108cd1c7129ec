/* SPDX-License-Identifier: Apache-2.0
 * ztl op: whole-tensor operators on NumPy files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/op/help.h"
#include "cli/op/op.h"
#include "cli/op/request.h"
#include "host/command/message.h"
#include "host/error.h"
#include "ops/text/text.h"

int op_complain(const op_request *r, int status, const char *what, const char *text)
{
    ztl_progress_wipe(r->progress);
    char command[64];
    snprintf(command, sizeof command, "ztl op%s%s", r->name ? " " : "", r->name ? r->name : "");
    ztl_message(command, "%s%s%s", what, *what ? ": " : "", text);
    return status;
}

static int read_and_plan(op_request *r)
{
    ztl_progress_step(r->progress, "reading");
    int status = op_read_inputs(r);
    ztl_progress_step(r->progress, "planning");
    return status ? status : op_make_plan(r);
}

static int run_and_write(op_request *r)
{
    int status = ZTL_EXIT_OK;
    ztl_progress_step(r->progress, "running");
    for (size_t i = 0; i < r->job.outputs; i++)
        r->out[i] = (ztl_npy){.tensor = r->job.out[i], .bytes = r->job.out[i].size};
    if (!r->shapes)
        status = op_run_plan(r);
    else if (ztl_op_timing_is_on(&r->timing))
        status = op_time_plan(r);
    if (r->shapes)
        ztl_fail(&r->figures.why_not, "there is no data");
    ztl_progress_step(r->progress, "checking");
    if (!status && r->check)
        status = op_check_results(r);
    ztl_progress_step(r->progress, "writing");
    return status ? status : op_write_outputs(r);
}

static int work(op_request *r)
{
    r->progress = ztl_progress_start("ztl op");
    int status = read_and_plan(r);
    if (!status)
        status = r->emit.is_on ? op_emit_plan(r) : run_and_write(r);
    ztl_progress_stop(r->progress);
    return status || r->emit.is_on ? status : op_print(r);
}

int ztl_cli_op(int argc, char **argv)
{
    return op_command(argc, argv, NULL, NULL, NULL);
}

/* Help of all operators or of one, if asked for. False also for an unknown name: op_parse answers.
 */
static bool print_help(int argc, char **argv)
{
    ztl_ops_op named;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") && strcmp(argv[i], "-h"))
            continue;
        if (*argv[1] == '-')
            ztl_op_help(stdout);
        else if (ztl_op_find(argv[1], &named))
            ztl_op_help_of(stdout, named.kind);
        else
            return false;
        return true;
    }
    return false;
}

int op_command(int argc, char **argv, ztl_recording *recording, const char *csv, const char *svg)
{
    if (print_help(argc, argv))
        return ZTL_EXIT_OK;
    if (argc < 2) {
        ztl_op_help(stderr);
        return ZTL_EXIT_USAGE;
    }
    op_request *r = calloc(1, sizeof *r);
    if (!r) {
        ztl_message("ztl op", "out of memory");
        return ZTL_EXIT_FAILURE;
    }
    r->timing.recording = recording;
    r->csv = csv;
    r->svg = svg;
    int status = op_parse(r, argc, argv);
    if (!status)
        status = op_check_outputs(r);
    if (!status)
        status = work(r);
    for (size_t i = 0; i < ZTL_OPS_BUFFERS; i++) {
        ztl_npy_free(&r->in[i]);
        ztl_npy_free(&r->out[i]);
    }
    ztl_op_timing_free(&r->timing);
    ztl_op_free(&r->text);
    free(r->made);
    free(r);
    return status;
}
