/* SPDX-License-Identifier: Apache-2.0
 * Ztl instructions under QEMU, which traps each of them into the model: bench/guest/tensor.c.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>

#include "adapters/qemu/run.h"
#include "bench/sim.h"

enum { ROUNDS = 3000, INSNS = 3 * ROUNDS };

static double children_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* CPU seconds of the guest with so many rounds, start-up included; negative when it fails. */
static double time_rounds(const sim_guests *guests, unsigned rounds)
{
    char path[1024], start[1024], source[1024], include[1100], root[1100], define[40], error[256];
    snprintf(path, sizeof path, "%s/tensor-%u", guests->directory, rounds);
    snprintf(start, sizeof start, "%s/main.c", guests->sources);
    snprintf(source, sizeof source, "%s/tensor.c", guests->sources);
    snprintf(root, sizeof root, "-I%s/../..", guests->sources);
    snprintf(include, sizeof include, "-I%s/../../include", guests->sources);
    snprintf(define, sizeof define, "-DROUNDS=%u", rounds);
    const char *const compile[] = {
        "riscv64-linux-gnu-gcc", "-O2", include, root, define, start, source, "-o", path, NULL};
    ztl_qemu_options options = {.program = path};
    ztl_qemu_result result;
    if (sim_run(compile, NULL) != 0)
        return -1;
    double before = children_seconds();
    if (!ztl_qemu_run(&options, &result, error, sizeof error)) {
        fprintf(stderr, "ztl bench sim: %s\n", error);
        return -1;
    }
    return result.status < 128 ? children_seconds() - before : -1;
}

bool sim_measure_traps(const sim_guests *guests, double rate, sim_row *row)
{
    double start_up = time_rounds(guests, 0);
    double seconds = start_up < 0 ? -1 : time_rounds(guests, ROUNDS);
    if (seconds <= start_up)
        return false;
    double trapped = INSNS / (seconds - start_up) / 1e6;
    *row = (sim_row){"load, xpose, store, to QEMU trapping them", "times", rate / trapped, 0, 20};
    return true;
}
