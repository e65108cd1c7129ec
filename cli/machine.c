/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ztl_machine_init(ztl_machine *machine)
{
    *machine = (ztl_machine){.config = ztl_hart_default_config()};
    machine->config.bodies = getenv("ZTL_BODIES");
}

/* A number with a suffix, up to the character `end`. */
static bool parse_size(const char **at, char end, uint64_t *value)
{
    static const char suffixes[] = "KMG";
    char *stop;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *value = strtoull(*at, &stop, !strncmp(*at, "0x", 2) ? 16 : 10);
    const char *suffix = *stop ? strchr(suffixes, *stop) : NULL;
    unsigned shift = suffix ? 10u * (unsigned)(suffix - suffixes + 1) : 0;
    stop += suffix != NULL;
    if (errno || *stop != end || *value > UINT64_MAX >> shift)
        return false;
    *value <<= shift;
    *at = stop + (end != '\0');
    return true;
}

bool ztl_parse_range(const char *text, ztl_window *range)
{
    return parse_size(&text, ':', &range->base) && parse_size(&text, '\0', &range->size) &&
           range->size > 0;
}

const char *ztl_option_value(const char *command, const char *name, int argc, char **argv, int *at)
{
    size_t length = strlen(name);
    const char *option = argv[*at];
    if (strncmp(option, name, length) != 0 || (option[length] && option[length] != '='))
        return NULL;
    bool joined = option[length] == '=';
    const char *value = joined ? option + length + 1 : *at + 1 < argc ? argv[*at + 1] : "";
    *at += joined || *at + 1 >= argc ? 1 : 2;
    if (!*value)
        fprintf(stderr, "ztl %s: %s needs a value\n", command, name);
    return value;
}

static int take_range(const char *command, const char *name, const char *text, ztl_window *range)
{
    if (!*text)
        return -1;
    if (ztl_parse_range(text, range))
        return 1;
    fprintf(stderr, "ztl %s: %s: '%s' is not BASE:SIZE, as in 0x80000000:64M\n", command, name,
            text);
    return -1;
}

static int take_ram(ztl_machine *machine, const char *command, const char *text)
{
    if (machine->ram_count == ZTL_HART_MAX_RAM) {
        fprintf(stderr, "ztl %s: --mem: at most %d pieces of RAM\n", command, ZTL_HART_MAX_RAM);
        return -1;
    }
    int taken = take_range(command, "--mem", text, &machine->ram[machine->ram_count]);
    if (taken == 1)
        machine->ram_count++;
    return taken;
}

int ztl_machine_option(ztl_machine *machine, const char *command, int argc, char **argv, int *at)
{
    const char *value;
    if ((value = ztl_option_value(command, "--isa", argc, argv, at))) {
        machine->config.isa = value;
        return *value ? 1 : -1;
    }
    if ((value = ztl_option_value(command, "--mem", argc, argv, at)))
        return take_ram(machine, command, value);
    if ((value = ztl_option_value(command, "--l1m", argc, argv, at)))
        return take_range(command, "--l1m", value, &machine->config.l1m);
    if ((value = ztl_option_value(command, "--l0m", argc, argv, at)))
        return take_range(command, "--l0m", value, &machine->config.l0m);
    return 0;
}

ztl_hart *ztl_machine_create(ztl_machine *machine, const char *command)
{
    char error[256];
    if (machine->ram_count) {
        machine->config.ram = machine->ram;
        machine->config.ram_count = machine->ram_count;
        machine->config.reset_pc = machine->ram[0].base;
    }
    ztl_hart *hart = ztl_hart_create(&machine->config, error, sizeof error);
    if (!hart)
        fprintf(stderr, "ztl %s: %s\n", command, error);
    return hart;
}
