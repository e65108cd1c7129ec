/* SPDX-License-Identifier: Apache-2.0
 * ztl: finds the subcommand and hands over.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/intrin/host.h>

#include "cli/command.h"
#include "host/stack.h"
#include "host/standard.h"

static const struct {
    const char *name;
    ztl_command *run;
    const char *summary;
} commands[] = {
#define ZTL_COMMAND(NAME, summary) {#NAME, ztl_cli_##NAME, summary},
#include "cli/commands.def"
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *out)
{
    fprintf(out, "usage: ztl COMMAND [OPTIONS]\n\n"
                 "TensorLoad (Ztl), a RISC-V extension for rearranging tensors.\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\n'ztl COMMAND --help' explains one; 'ztl --version' prints the version.\n");
}

/* gcc -B finds us under the name of the assembler. */
static bool called_as_assembler(const char *name)
{
    const char *slash = name ? strrchr(name, '/') : NULL;
    return name && !strcmp(slash ? slash + 1 : name, "as");
}

/* The libraries do not look into the environment: the program does, for them. */
static bool choose_bodies(void)
{
    const char *bodies = getenv("ZTL_BODIES");
    if (!bodies || ztl_intrin_use_bodies(bodies) == ZTL_OK)
        return true;
    fprintf(stderr, "ztl: ZTL_BODIES: this machine has no bodies '%s', it has", bodies);
    for (size_t i = 0; (bodies = ztl_bodies_name(i)); i++)
        fprintf(stderr, " %s", bodies);
    fprintf(stderr, "\n");
    return false;
}

static int dispatch(int argc, char **argv)
{
    if (called_as_assembler(argv[0]))
        return ztl_cli_as(argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return ZTL_EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help(stdout);
        return ZTL_EXIT_OK;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("ztl %s\n", ztl_version());
        return ZTL_EXIT_OK;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(argv[1], commands[i].name))
            return choose_bodies() ? commands[i].run(argc - 1, argv + 1) : ZTL_EXIT_USAGE;
    fprintf(stderr, "ztl: unknown command '%s'; 'ztl --help' lists them\n", argv[1]);
    return ZTL_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    if (!ztl_stack_reserve()) {
        fprintf(stderr, "ztl: no memory for the stack\n");
        return ZTL_EXIT_FAILURE;
    }
    if (!ztl_standard_open()) {
        fprintf(stderr, "ztl: a standard stream is closed, and there is no /dev/null\n");
        return ZTL_EXIT_FAILURE;
    }
    return ztl_standard_close("ztl", dispatch(argc, argv));
}
