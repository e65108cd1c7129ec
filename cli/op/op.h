/* SPDX-License-Identifier: Apache-2.0
 * ztl op, for itself and for ztl timing sweep.
 */
#ifndef ZTL_CLI_OP_H
#define ZTL_CLI_OP_H

#include <ztl/timing.h>

/* Runs ztl op and records its plan's run, for a sweep that writes these files; NULL: none. */
int op_command(int argc, char **argv, ztl_recording *recording, const char *csv, const char *svg);

#endif
