/* SPDX-License-Identifier: Apache-2.0
 * Co-simulation over two streams: one command a line, one answer a line.
 */
#ifndef ZTL_COSIM_H
#define ZTL_COSIM_H

#include <stdio.h>

#include <ztl/hart.h>

/* Answers commands until `quit` or the end of the input. False with errno set when commands cannot
 * be read or answers cannot be written. */
bool ztl_cosim_serve(ztl_hart *hart, FILE *in, FILE *out);

#endif
