/* SPDX-License-Identifier: Apache-2.0
 * ztl run --gdb: a debugger decides what runs.
 */
#include <stdio.h>

#include "cli/run/run.h"
#include "sim/gdb/gdb.h"
#include "sim/program/program.h"

static void announce(const char *place)
{
    run_complain("waiting for gdb: target remote %s", place);
}

static bool is_cut(void *context)
{
    (void)context;
    return run_is_stopped();
}

static bool has_ended(void *context)
{
    const run *r = context;
    return ztl_host_poll(r->host, r->hart);
}

static void explain(void *context, FILE *out)
{
    run_explain_trap(context, "", out);
}

bool run_debug(run *r, run_end *end)
{
    ztl_error error;
    enum ztl_gdb_end why;
    uint64_t most = r->options->max_insns;
    ztl_gdb_config config = {.context = r,
                             .base = r->program->base,
                             .max_insns = most == UINT64_MAX ? 0 : most,
                             .ready = announce,
                             .is_cut = is_cut,
                             .has_ended = has_ended,
                             .explain = explain};
    *end = (run_end){.stop = ZTL_STOP_HOST, .status = (enum run_status)ZTL_EXIT_FAILURE};
    if (!ztl_gdb_serve(r->hart, r->options->gdb, &config, &why, &error)) {
        run_complain("--gdb: %s", error.text);
        return true;
    }
    switch (why) {
    case ZTL_GDB_EXITED:
        *end = (run_end){.stop = ZTL_STOP_EXIT, .code = ztl_hart_exit_code(r->hart)};
        return true;
    case ZTL_GDB_DETACHED:
        return false;
    case ZTL_GDB_KILLED:
        *end = (run_end){.stop = ZTL_STOP_HOST, .status = RUN_KILLED};
        return true;
    case ZTL_GDB_LOST:
        run_complain("--gdb: the debugger is gone");
        return true;
    case ZTL_GDB_LIMIT:
        *end = (run_end){.stop = ZTL_STOP_LIMIT, .status = RUN_LIMIT};
        return true;
    case ZTL_GDB_CUT:
        *end = run_stopped();
        return true;
    }
    return true;
}
