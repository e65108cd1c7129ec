/* SPDX-License-Identifier: Apache-2.0
 * The options that describe a machine, the same in every command that has one.
 */
#ifndef ZTL_CLI_MACHINE_H
#define ZTL_CLI_MACHINE_H

#include <ztl/hart.h>

#include "codec/isa_part.h"

/* What the options have said so far; config.ram points into ram once there is a --mem. */
typedef struct ztl_machine {
    ztl_hart_config config;
    ztl_window ram[ZTL_HART_MAX_RAM];
    size_t ram_count;
} ztl_machine;

#define ZTL_MACHINE_HELP                                                                           \
    "  --isa ISA          instruction set\n"                                                       \
    "                     (" ZTL_DEFAULT_ISA ")\n"                                                 \
    "  --mem BASE:SIZE    RAM, may be repeated (default 0x80000000:128M)\n"                        \
    "  --l1m BASE:SIZE    the window that Ztl loads come from (default everything)\n"              \
    "  --l0m BASE:SIZE    the window that Ztl stores go to (default everything)\n"                 \
    "                     numbers are decimal or 0x; K, M or G may follow\n"

void ztl_machine_init(ztl_machine *machine);

/* Takes argv[*at] if it is an option of a machine, and moves *at behind it and its value. 1: taken;
 * 0: not one of these; -1: wrong, and the message is written. */
int ztl_machine_option(ztl_machine *machine, const char *command, int argc, char **argv, int *at);

/* The hart, or NULL and a message. */
ztl_hart *ztl_machine_create(ztl_machine *machine, const char *command);

/* BASE:SIZE; false when it is not that. */
bool ztl_parse_range(const char *text, ztl_window *range);

/* The value of option argv[*at], as `--name VALUE` or `--name=VALUE`; NULL when it is not that
 * option. An absent value is an empty string, with the message written. */
const char *ztl_option_value(const char *command, const char *name, int argc, char **argv, int *at);

#endif
