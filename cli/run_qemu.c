/* SPDX-License-Identifier: Apache-2.0
 * ztl run --engine qemu: the program on unmodified QEMU.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>

#include "adapters/qemu/run.h"
#include "cli/run.h"
#include "toolchain/temporary.h"

/* To standard error, or to the file of --stats=FILE. */
static bool report(const run_options *options, const ztl_statistics *statistics)
{
    if (!options->stats_file) {
        ztl_qemu_report(statistics, options->json, stderr);
        return true;
    }
    FILE *file = fopen(options->stats_file, "w");
    if (file)
        ztl_qemu_report(statistics, options->json, file);
    if (file && fclose(file) == 0)
        return true;
    run_complain("--stats=%s: %s", options->stats_file, strerror(errno));
    return false;
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
    if (options->stats && !report(options, &result.statistics))
        return ZTL_EXIT_FAILURE;
    return result.status;
}
