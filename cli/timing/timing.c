/* SPDX-License-Identifier: Apache-2.0
 * ztl timing: machines that cycles are counted on.
 */
#include "cli/timing/timing.h"

#include <errno.h>
#include <string.h>

#include "cli/command.h"
#include "host/command/message.h"
#include "host/command/names.h"
#include "host/command/options.h"
#include "host/command/terminal.h"

static void print_help(void)
{
    puts("usage: ztl timing --list\n"
         "       ztl timing [--json] MACHINE\n"
         "       ztl timing sweep ...\n\n"
         "Explains the machines that 'ztl run --timing' counts cycles on, or prints one as\n"
         "a machine file. 'ztl timing sweep --help' tells how to compare machines.\n\n"
         "A MACHINE is four, kinds, one, wide or a machine file, with parameters\n"
         "behind commas: four,engines.queue=8,l1m.bytes=128.\n\n"
         "  --list   the presets and all parameters\n"
         "  --json   the machine as JSON\n\n"
         "examples:\n"
         "  ztl timing wide > mine.ini\n"
         "  ztl run --timing mine.ini,csr.drain=yes prog.c");
}

/* A name, its value in each preset, what is allowed; below it what it means. */
static void list_parameters(void)
{
    ztl_timing_machine machine;
    ztl_timing_parameter parameter;
    const char *preset;
    char value[16];
    printf("%-14s", "");
    for (size_t k = 0; (preset = ztl_timing_preset_name(k)); k++)
        printf(" %5s", preset);
    puts("  allowed");
    for (size_t i = 0; (parameter = ztl_timing_parameter_of(i)).name; i++) {
        ztl_terminal_signs(parameter.allowed);
        printf("%-14s", parameter.name);
        for (size_t k = 0; (preset = ztl_timing_preset_name(k)); k++) {
            ztl_timing_parse(preset, &machine, NULL);
            ztl_timing_value(&machine, i, value);
            printf(" %5s", value);
        }
        printf("  %s\n    %s\n", parameter.allowed, parameter.meaning);
    }
}

/* The part of a name before its dot is a section. */
static void print_file(const ztl_timing_machine *machine)
{
    ztl_timing_parameter parameter;
    char text[TIMING_ERROR], value[16], section[32] = "";
    ztl_timing_describe(machine, text, sizeof text);
    printf("# %s\n", text);
    for (size_t i = 0; (parameter = ztl_timing_parameter_of(i)).name; i++) {
        int length = (int)strcspn(parameter.name, ".");
        if (strncmp(section, parameter.name, (size_t)length) || section[length]) {
            snprintf(section, sizeof section, "%.*s", length, parameter.name);
            printf("\n[%s]\n", section);
        }
        ztl_timing_value(machine, i, value);
        printf("# %s\n%s = %s\n", parameter.meaning, parameter.name + length + 1, value);
    }
}

static void print_json(const ztl_timing_machine *machine)
{
    ztl_timing_parameter parameter;
    char value[16];
    fputs("{", stdout);
    for (size_t i = 0; (parameter = ztl_timing_parameter_of(i)).name; i++) {
        ztl_timing_value(machine, i, value);
        const char *quote = *value >= '0' && *value <= '9' ? "" : "\"";
        printf("%s\n  \"%s\": %s%s%s", i ? "," : "", parameter.name, quote, value, quote);
    }
    puts("\n}");
}

/* The word that is no machine. */
static const char *command_of(size_t index)
{
    return index ? NULL : "sweep";
}

static int show_machine(const char *text, bool json)
{
    ztl_error error;
    ztl_timing_machine machine;
    if (!ztl_timing_parse(text, &machine, &error)) {
        const char *command = ztl_name_close(text, command_of);
        if (command)
            ztl_message("ztl timing", "no machine '%s', did you mean '%s'?", text, command);
        else
            ztl_message("ztl timing", "%s", error.text);
        return ZTL_EXIT_USAGE;
    }
    if (json)
        print_json(&machine);
    else
        print_file(&machine);
    return ZTL_EXIT_OK;
}

static int choose(int argc, char **argv)
{
    bool list = false, json = false;
    const ztl_option table[] = {{"--list", .flag = &list}, {"--json", .flag = &json}, {0}};
    if (argc > 1 && !strcmp(argv[1], "sweep"))
        return timing_sweep_command(argc - 1, argv + 1);
    int words = ztl_options_take("ztl timing", table, argc, argv);
    if (words == ZTL_OPTIONS_HELP)
        return print_help(), ZTL_EXIT_OK;
    if (words == 0 && list && !json)
        return list_parameters(), ZTL_EXIT_OK;
    if (words == 1 && !list)
        return show_machine(argv[1], json);
    if (words != ZTL_OPTIONS_WRONG)
        ztl_message("ztl timing", "--list or one machine is needed; see 'ztl timing --help'");
    return ZTL_EXIT_USAGE;
}

int ztl_cli_timing(int argc, char **argv)
{
    int status = choose(argc, argv);
    if (!fflush(stdout) || status)
        return status;
    ztl_message("ztl timing", "standard output: %s", strerror(errno));
    return ZTL_EXIT_FAILURE;
}
