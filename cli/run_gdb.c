/* SPDX-License-Identifier: Apache-2.0
 * ztl run --gdb: a debugger decides what runs.
 */
#include <stdio.h>

#include "cli/run.h"
#include "sim/gdb/gdb.h"

static void announce(const char *place)
{
    fprintf(stderr, "ztl run: waiting for gdb: target remote %s\n", place);
}

bool run_debug(run *r, run_end *end)
{
    char error[RUN_ERROR];
    enum ztl_gdb_end why;
    *end = (run_end){.stop = ZTL_STOP_HOST, .status = (enum run_status)ZTL_EXIT_FAILURE};
    if (!ztl_gdb_serve(r->hart, r->options->gdb, announce, &why, error, sizeof error)) {
        run_complain("--gdb: %s", error);
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
    }
    return true;
}
