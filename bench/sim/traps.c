/* SPDX-License-Identifier: Apache-2.0
 * Ztl instructions under QEMU, which traps each of them into the model: bench/guest/tensor.c.
 */
#define _GNU_SOURCE
#include <stdio.h>

#include "adapters/qemu/run.h"
#include "bench/sim/sim.h"

enum { ROUNDS = 3000, INSNS = 3 * ROUNDS };

static bool build(const char *sources, unsigned rounds, const char *path)
{
    char start[1024], source[1024], include[1100], root[1100], define[40];
    snprintf(start, sizeof start, "%s/main.c", sources);
    snprintf(source, sizeof source, "%s/tensor.c", sources);
    snprintf(root, sizeof root, "-I%s/../..", sources);
    snprintf(include, sizeof include, "-I%s/../../include", sources);
    snprintf(define, sizeof define, "-DROUNDS=%u", rounds);
    const char *const compile[] = {"riscv64-linux-gnu-gcc",
                                   "-O2",
                                   include,
                                   "-I" ZTL_BENCH_GENERATED,
                                   root,
                                   define,
                                   start,
                                   source,
                                   "-o",
                                   path,
                                   NULL};
    return sim_run(compile) == 0;
}

/* CPU seconds of the guest, start-up included; negative when it fails. */
static double time_guest(const char *path)
{
    ztl_error error;
    ztl_qemu_options options = {.program = path};
    ztl_qemu_result result;
    double before = sim_children_seconds();
    if (!ztl_qemu_run(&options, &result, &error)) {
        fprintf(stderr, "ztl bench sim: %s\n", error.text);
        return -1;
    }
    return result.status < 128 ? sim_children_seconds() - before : -1;
}

/* The same of one with so many rounds, which is built first. */
static double time_rounds(const char *sources, unsigned rounds)
{
    char path[SIM_PATH];
    double seconds = sim_file(path) && build(sources, rounds, path) ? time_guest(path) : -1;
    sim_remove(path);
    return seconds;
}

bool sim_measure_traps(const char *sources, double rate, sim_row *row)
{
    double start_up = time_rounds(sources, 0);
    double seconds = start_up < 0 ? -1 : time_rounds(sources, ROUNDS);
    if (seconds <= start_up)
        return false;
    double trapped = INSNS / (seconds - start_up) / 1e6;
    *row = (sim_row){"load, xpose, store, to QEMU trapping them", "times", rate / trapped, 0, 20};
    return true;
}
