/* SPDX-License-Identifier: Apache-2.0
 * ztl run --engine qemu: the program on unmodified QEMU.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>

#include "adapters/qemu/run.h"
#include "cli/run.h"
#include "toolchain/temporary.h"

typedef struct report {
    const ztl_statistics *statistics;
    bool json;
} report;

static bool print_report(FILE *file, const void *context)
{
    const report *r = context;
    ztl_qemu_report(r->statistics, r->json, file);
    return !ferror(file);
}

int run_on_qemu(const run_options *options)
{
    char built[4096] = "", error[RUN_ERROR];
    const ztl_machine *machine = &options->machine;
    if (run_is_source(options->file) && !run_build_source(options, built, sizeof built))
        return ZTL_EXIT_FAILURE;
    ztl_qemu_options qemu = {.program = *built ? built : options->file,
                             .arguments = (const char *const *)options->argument,
                             .isa = options->has_isa ? machine->config.isa : NULL,
                             .l1m = machine->config.l1m,
                             .l0m = machine->config.l0m};
    ztl_qemu_result result;
    bool ok = ztl_qemu_run(&qemu, &result, error, sizeof error);
    if (*built)
        ztl_temporary_remove(built);
    if (!ok) {
        run_complain("%s", error);
        return ZTL_EXIT_FAILURE;
    }
    const report counts = {&result.statistics, options->json};
    return run_write_stats(options, print_report, &counts) ? result.status : ZTL_EXIT_FAILURE;
}
