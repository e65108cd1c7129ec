/* SPDX-License-Identifier: Apache-2.0
 * The option --revision, which several commands have.
 */
#ifndef ZTL_CLI_REVISION_H
#define ZTL_CLI_REVISION_H

#include <stdbool.h>

enum ztl_revision_option { ZTL_NO_REVISION, ZTL_REVISION_TAKEN, ZTL_REVISION_WRONG };

/* Takes `--revision N` or `--revision=N` at argv[*i] and leaves *i at its last argument. A value
 * that is neither 1 nor 2 is reported in the name of the command. */
enum ztl_revision_option ztl_cli_revision(const char *command, char **argv, int *i,
                                          unsigned *revision);

#endif
