/* SPDX-License-Identifier: Apache-2.0
 * ztl-qemu: ztl run --engine qemu under a name of its own, for what starts programs through one
 * word (make's EMULATOR, CMake's CROSSCOMPILING_EMULATOR).
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/command/exit.h"
#include "host/command/options.h"
#include "host/process/process.h"
#include "host/standard.h"

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
static int take_words(char **argv, ztl_args *command)
{
    bool stats = false, json = false, wants_help = false;
    const char *isa = NULL;
    const ztl_option table[] = {{"--isa", .text = &isa},     {"--stats", .flag = &stats},
                                {"--json", .flag = &json},   {"--help", .flag = &wants_help},
                                {"-h", .flag = &wants_help}, {0}};
    int at = 1;
    while (argv[at] && argv[at][0] == '-' && strcmp(argv[at], "--") != 0) {
        enum ztl_option_taken taken = ztl_option_take("ztl-qemu", table, argv, &at);
        if (taken == ZTL_OPTION_OTHER)
            ztl_option_unknown("ztl-qemu", table, argv[at]);
        if (taken != ZTL_OPTION_TAKEN)
            return ZTL_EXIT_USAGE;
        if (wants_help) {
            fputs(help, stdout);
            return ZTL_EXIT_OK;
        }
    }
    at += argv[at] && !strcmp(argv[at], "--");
    if (!argv[at]) {
        fputs(help, stderr);
        return ZTL_EXIT_USAGE;
    }
    if (isa)
        ztl_args_format(command, "--isa=%s", isa);
    if (stats || json)
        ztl_args_add(command, "--stats");
    if (json)
        ztl_args_add(command, "--json");
    /* A name that begins with '-' would be an option there. */
    ztl_args_format(command, "%s%s", *argv[at] == '-' ? "./" : "", argv[at]);
    ztl_args_add(command, "--");
    while (argv[++at])
        ztl_args_add(command, argv[at]);
    return -1;
}

int main(int argc, char **argv)
{
    (void)argc;
    static const char *const words[] = {"ztl", "run", "--engine", "qemu"};
    ztl_args command = {0};
    char ztl[PATH_MAX] = "";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ztl_args_add(&command, words[i]);
    int status = take_words(argv, &command);
    if (status < 0) {
        if (find_ztl(ztl, sizeof ztl))
            execv(ztl, command.item);
        fprintf(stderr, "ztl-qemu: %s: %s\n", ztl, strerror(errno));
        status = ZTL_EXIT_FAILURE;
    }
    ztl_args_free(&command);
    return ztl_standard_close("ztl-qemu", status);
}
