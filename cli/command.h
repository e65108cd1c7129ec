/* SPDX-License-Identifier: Apache-2.0
 * What the subcommands share.
 */
#ifndef ZTL_COMMAND_H
#define ZTL_COMMAND_H

enum ztl_exit {
    ZTL_EXIT_OK = 0,
    ZTL_EXIT_FAILURE = 1, /* the work could not be done */
    ZTL_EXIT_USAGE = 2,   /* the command line is wrong */
};

/* A subcommand: argv[0] is its own name. Returns the exit status. */
typedef int ztl_command(int argc, char **argv);

#define ZTL_COMMAND(NAME, summary) ztl_command ztl_cli_##NAME;
#include "cli/commands.def"

#endif
