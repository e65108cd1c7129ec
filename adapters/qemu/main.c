/* SPDX-License-Identifier: Apache-2.0
 * ztl-qemu: ztl run --engine qemu under a name of its own, for what starts programs through one
 * word (make's EMULATOR, CMake's CROSSCOMPILING_EMULATOR).
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/standard.h"
#include "toolchain/process.h"

static const char help[] =
    "usage: ztl-qemu [--isa ISA] [--stats | --json] PROGRAM [ARGUMENTS]\n\n"
    "Runs a RISC-V ELF program that uses Ztl on unmodified QEMU: a Linux program\n"
    "under qemu-riscv64, a bare-metal one under qemu-system-riscv32 or -riscv64.\n"
    "It is 'ztl run --engine qemu', which has more options.\n\n"
    "  --isa ISA   whose Ztl part counts, e.g. rv64gc_ztl1p0; all of Ztl 2 by default\n"
    "  --stats     instructions and bytes on stderr when the program has ended\n"
    "  --json      the same as JSON\n\n"
    "The exit status is the program's.\n\n"
    "example: ztl-qemu --stats ./transpose\n";

/* The ztl beside this program. */
static bool find_ztl(char *path, size_t size)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    return (size_t)snprintf(path, size, "%s/ztl", self) < size;
}

/* The options and the program, as ztl run has them. -1, or the exit status where this is all. */
static int take_words(int argc, char **argv, ztl_args *command)
{
    static const struct option options[] = {{"isa", required_argument, NULL, 'i'},
                                            {"stats", no_argument, NULL, 's'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "+h", options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return EXIT_SUCCESS;
        }
        if (option == '?')
            return 2;
        if (option == 'i')
            ztl_args_format(command, "--isa=%s", optarg);
        else
            ztl_args_add(command, "--stats");
        if (option == 'j')
            ztl_args_add(command, "--json");
    }
    if (optind == argc) {
        fputs(help, stderr);
        return 2;
    }
    /* A name that begins with '-' would be an option there. */
    ztl_args_format(command, "%s%s", *argv[optind] == '-' ? "./" : "", argv[optind]);
    ztl_args_add(command, "--");
    for (int i = optind + 1; i < argc; i++)
        ztl_args_add(command, argv[i]);
    return -1;
}

int main(int argc, char **argv)
{
    static const char *const words[] = {"ztl", "run", "--engine", "qemu"};
    ztl_args command = {0};
    char ztl[PATH_MAX] = "";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ztl_args_add(&command, words[i]);
    int status = take_words(argc, argv, &command);
    if (status < 0) {
        if (find_ztl(ztl, sizeof ztl))
            execv(ztl, command.item);
        fprintf(stderr, "ztl-qemu: %s: %s\n", ztl, strerror(errno));
        status = EXIT_FAILURE;
    }
    ztl_args_free(&command);
    return ztl_standard_close("ztl-qemu", status);
}
