/* SPDX-License-Identifier: Apache-2.0
 * What the subcommands share.
 */
#ifndef ZTL_COMMAND_H
#define ZTL_COMMAND_H

#include "host/command/exit.h"

/* A subcommand: argv[0] is its own name. Returns the exit status. */
typedef int ztl_command(int argc, char **argv);

#define ZTL_COMMAND(NAME, summary) ztl_command ztl_cli_##NAME;
#include "cli/commands.def"

#endif
