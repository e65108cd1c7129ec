/* SPDX-License-Identifier: Apache-2.0
 * From the options of a machine to a hart with its memory and windows.
 */
#include "cli/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/command/message.h"
#include "host/error.h"

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

bool ztl_machine_take_size(void *context, const char *value, ztl_error *error)
{
    uint64_t *size = context;
    const char *at = value;
    return (parse_size(&at, '\0', size) && *size) ||
           ztl_fail(error, "'%s' is not a number of bytes, as in 64M", value);
}

bool ztl_machine_take_window(void *window, const char *value, ztl_error *error)
{
    ztl_window *range = window;
    const char *at = value;
    if (parse_size(&at, ':', &range->base) && parse_size(&at, '\0', &range->size) && range->size)
        return true;
    return ztl_fail(error, "'%s' is not BASE:SIZE, as in 0x80000000:64M", value);
}

bool ztl_machine_take_ram(void *context, const char *value, ztl_error *error)
{
    enum { SMALLEST = 4096 }; /* of a size alone, which could as well be a base */
    ztl_machine *machine = context;
    if (machine->ram_count == ZTL_HART_MAX_RAM)
        return ztl_fail(error, "at most %d pieces of RAM", ZTL_HART_MAX_RAM);
    ztl_window *ram = &machine->ram[machine->ram_count];
    const char *at = value;
    if (parse_size(&at, '\0', &ram->size) && ram->size >= SMALLEST) {
        ram->base = machine->config.reset_pc;
        machine->memory = ram->size;
        return ++machine->ram_count;
    }
    return ztl_machine_take_window(ram, value, error) && ++machine->ram_count;
}

ztl_hart *ztl_machine_create(ztl_machine *machine, const char *command)
{
    ztl_error error;
    if (machine->ram_count) {
        machine->config.ram = machine->ram;
        machine->config.ram_count = machine->ram_count;
        machine->config.reset_pc = machine->ram[0].base;
    }
    ztl_hart *hart = ztl_hart_create(&machine->config, &error);
    if (!hart)
        ztl_message(command, "%s", error.text);
    return hart;
}
