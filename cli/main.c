/* SPDX-License-Identifier: Apache-2.0
 * ztl: finds the subcommand and hands over.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/intrin/host.h>

#include "cli/command.h"
#include "host/command/message.h"
#include "host/command/names.h"
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

static const char *name_of(size_t index)
{
    return index < COMMANDS ? commands[index].name : index == COMMANDS ? "help" : NULL;
}

static void print_help(FILE *out)
{
    fprintf(out, "usage: ztl COMMAND [OPTIONS]\n\n"
                 "TensorLoad (Ztl), a RISC-V extension for rearranging tensors.\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\n'ztl help COMMAND' explains one; 'ztl --version' prints the version.\n");
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
    char list[256] = "";
    const char *name;
    for (size_t i = 0, length = 0; (name = ztl_bodies_name(i)) && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, " %s", name);
    ztl_message("ztl", "ZTL_BODIES: this machine has no bodies '%s', it has%s", bodies, list);
    return false;
}

static int run_command(int argc, char **argv)
{
    ztl_error error;
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(argv[0], commands[i].name))
            return choose_bodies() ? commands[i].run(argc, argv) : ZTL_EXIT_USAGE;
    ztl_name_unknown(&error, "command", argv[0], name_of, "ztl");
    ztl_message("ztl", "%s", error.text);
    return ZTL_EXIT_USAGE;
}

/* `help op pad` is `op pad --help`. */
static int help_on(int words, char **argv)
{
    char option[] = "--help";
    memmove(argv, argv + 1, (size_t)words * sizeof *argv);
    argv[words] = option;
    return run_command(words + 1, argv);
}

static int dispatch(int argc, char **argv)
{
    if (called_as_assembler(argv[0]))
        return ztl_cli_as(argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return ZTL_EXIT_USAGE;
    }
    bool help = !strcmp(argv[1], "help");
    if (help && argc > 2)
        return help_on(argc - 2, argv + 1);
    if (help || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        print_help(stdout);
        return ZTL_EXIT_OK;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("ztl %s\n", ztl_version());
        return ZTL_EXIT_OK;
    }
    return run_command(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    if (!ztl_stack_reserve()) {
        ztl_message("ztl", "no memory for the stack");
        return ZTL_EXIT_FAILURE;
    }
    if (!ztl_standard_open()) {
        ztl_message("ztl", "a standard stream is closed, and there is no /dev/null");
        return ZTL_EXIT_FAILURE;
    }
    return ztl_standard_close("ztl", dispatch(argc, argv));
}
