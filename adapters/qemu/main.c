/* SPDX-License-Identifier: Apache-2.0
 * ztl-qemu: runs a Ztl program on QEMU and says what it executed.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/qemu/run.h"
#include "host/stack.h"
#include "host/standard.h"

static const char help[] =
    "usage: ztl-qemu [--isa ISA] [--stats | --json] PROGRAM [ARGUMENTS]\n\n"
    "Runs a RISC-V ELF program that uses Ztl on unmodified QEMU: a Linux program\n"
    "under qemu-riscv64, a bare-metal one under qemu-system-riscv32 or -riscv64.\n\n"
    "  --isa ISA   whose Ztl part counts, e.g. rv64gc_ztl1p0; all of Ztl 2 by default\n"
    "  --stats     instructions and bytes on stderr when the program has ended\n"
    "  --json      the same as JSON\n\n"
    "The exit status is the program's.\n\n"
    "example: ztl-qemu --stats ./transpose\n";

static int run_command(int argc, char **argv)
{
    static const struct option options[] = {{"isa", required_argument, NULL, 'i'},
                                            {"stats", no_argument, NULL, 's'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    ztl_qemu_options run = {.program = NULL};
    bool stats = false, json = false;
    for (int option; (option = getopt_long(argc, argv, "+h", options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return EXIT_SUCCESS;
        }
        if (option == '?')
            return 2;
        if (option == 'i')
            run.isa = optarg;
        stats |= option == 's' || option == 'j';
        json |= option == 'j';
    }
    if (optind == argc) {
        fputs(help, stderr);
        return 2;
    }
    run.program = argv[optind];
    run.arguments = (const char *const *)argv + optind + 1;
    ztl_qemu_result result;
    char error[512];
    if (!ztl_qemu_run(&run, &result, error, sizeof error)) {
        fprintf(stderr, "ztl-qemu: %s\n", error);
        return EXIT_FAILURE;
    }
    if (stats)
        ztl_qemu_report(&result.statistics, json, stderr);
    return result.status;
}

int main(int argc, char **argv)
{
    if (!ztl_stack_reserve()) {
        fprintf(stderr, "ztl-qemu: no memory for the stack\n");
        return EXIT_FAILURE;
    }
    if (!ztl_standard_open()) {
        fprintf(stderr, "ztl-qemu: a standard stream is closed, and there is no /dev/null\n");
        return EXIT_FAILURE;
    }
    return ztl_standard_close("ztl-qemu", run_command(argc, argv));
}
