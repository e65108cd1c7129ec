/* SPDX-License-Identifier: Apache-2.0
 * ztl timing: machines that cycles are counted on.
 */
#include "cli/timing.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "cli/command.h"

void timing_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("ztl timing: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static void print_help(void)
{
    puts("usage: ztl timing --list\n"
         "       ztl timing [--json] MACHINE\n"
         "       ztl timing sweep [OPTIONS] MACHINE NAME=VALUES... -- ztl run ...\n\n"
         "Explains the machines that 'ztl run --timing' counts cycles on, prints one as a\n"
         "machine file, or runs a program once and counts its cycles on every combination\n"
         "of values.\n\n"
         "A MACHINE is four, one, wide or the name of a machine file, with parameters\n"
         "behind commas: four,engines.queue=8,l1m.bytes=128. VALUES are values and ranges:\n"
         "1..4,8,16.\n\n"
         "options of sweep:\n"
         "  --csv FILE   the table as CSV\n"
         "  --svg FILE   the cycles as a picture, over the values of the first NAME\n"
         "  --json       the table as JSON, to standard output instead\n\n"
         "examples:\n"
         "  ztl timing wide > mine.ini\n"
         "  ztl run --timing mine.ini,csr.drain=yes prog.c\n"
         "  ztl timing sweep four engines.queue=1..16 l1m.bytes=32,64 -- ztl run prog.c");
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
        printf("%-14s", parameter.name);
        for (size_t k = 0; (preset = ztl_timing_preset_name(k)); k++) {
            ztl_timing_parse(preset, &machine, NULL, 0);
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

static int show_machine(int argc, char **argv)
{
    char error[TIMING_ERROR];
    ztl_timing_machine machine;
    bool json = argc > 1 && !strcmp(argv[1], "--json");
    if (argc != 2 + json || argv[1 + json][0] == '-') {
        timing_complain("one machine is needed; 'ztl timing --help' tells more");
        return ZTL_EXIT_USAGE;
    }
    if (!ztl_timing_parse(argv[1 + json], &machine, error, sizeof error)) {
        timing_complain("%s", error);
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
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
        return print_help(), ZTL_EXIT_OK;
    if (argc == 2 && !strcmp(argv[1], "--list"))
        return list_parameters(), ZTL_EXIT_OK;
    if (argc > 1 && !strcmp(argv[1], "sweep"))
        return timing_sweep_command(argc - 1, argv + 1);
    return show_machine(argc, argv);
}

int ztl_cli_timing(int argc, char **argv)
{
    int status = choose(argc, argv);
    if (!fflush(stdout) || status)
        return status;
    timing_complain("standard output: %s", strerror(errno));
    return ZTL_EXIT_FAILURE;
}
