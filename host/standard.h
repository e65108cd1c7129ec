/* SPDX-License-Identifier: Apache-2.0
 * Standard input, output and error of a program: its first call and its last.
 */
#ifndef ZTL_HOST_STANDARD_H
#define ZTL_HOST_STANDARD_H

#include <stdbool.h>

/* Fills descriptors 0 to 2 where they are closed, so that no file gets one of these numbers.
 * Reading from such a one finds nothing; writing to it is an error still. False: that is
 * impossible. */
bool ztl_standard_open(void);

/* The exit status: the given one, or 1 after a message when what was written to standard output did
 * not get there. The reader of a pipe that has left is told of by SIGPIPE, as everywhere. */
int ztl_standard_close(const char *program, int status);

#endif
