/* SPDX-License-Identifier: Apache-2.0
 * The options that describe a machine, the same in every command that has one.
 */
#ifndef ZTL_CLI_MACHINE_H
#define ZTL_CLI_MACHINE_H

#include <ztl/hart.h>

#include "codec/isa_part.h"
#include "host/command/options.h"

/* What the options have said so far; config.ram points into ram once there is a --mem. */
typedef struct ztl_machine {
    ztl_hart_config config;
    ztl_window ram[ZTL_HART_MAX_RAM];
    size_t ram_count;
    uint64_t memory; /* of --mem without a base; 0: none */
} ztl_machine;

#define ZTL_MACHINE_HELP                                                                           \
    "  --isa ISA          instruction set\n"                                                       \
    "                     (" ZTL_DEFAULT_ISA ")\n"                                                 \
    "  --mem BASE:SIZE    RAM, may be repeated (default 0x80000000:128M, and where\n"              \
    "                     the program is), or only a size, at 0x80000000 or of a\n"                \
    "                     Linux program (default 1G)\n"                                            \
    "  --l1m BASE:SIZE    the window that Ztl loads come from (default everything)\n"              \
    "  --l0m BASE:SIZE    the window that Ztl stores go to (default everything)\n"                 \
    "                     numbers are decimal or 0x; K, M or G may follow\n"

void ztl_machine_init(ztl_machine *machine);

/* The rows of these options, in a table of a command's options. */
#define ZTL_MACHINE_OPTIONS(machine)                                                               \
    {"--isa", .text = &(machine)->config.isa},                                                     \
        {"--mem", .take = ztl_machine_take_ram, .context = (machine)},                             \
        {"--l1m", .take = ztl_machine_take_window, .context = &(machine)->config.l1m},             \
    {                                                                                              \
        "--l0m", .take = ztl_machine_take_window, .context = &(machine)->config.l0m                \
    }

ztl_option_taker ztl_machine_take_ram, ztl_machine_take_window;

/* A number of bytes, to a uint64_t: decimal or 0x, with K, M or G. */
ztl_option_taker ztl_machine_take_size;

/* The hart, or NULL and a message. */
ztl_hart *ztl_machine_create(ztl_machine *machine, const char *command);

#endif
