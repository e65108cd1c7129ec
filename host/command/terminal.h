/* SPDX-License-Identifier: Apache-2.0
 * What the terminal that a stream writes to can show, by what the environment says of it.
 */
#ifndef ZTL_HOST_TERMINAL_H
#define ZTL_HOST_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Whether a stream is a terminal that knows escape sequences: a line can be written anew. */
bool ztl_terminal_rewrites(FILE *out);

/* The same, of one whose user wants colours. */
bool ztl_terminal_colours(FILE *out);

/* Its columns, or those that COLUMNS gives it; 0 when it is no terminal, or has not said so. */
size_t ztl_terminal_columns(FILE *out);

/* Where the locale has no UTF-8, the signs of our own texts become ASCII: D0·D1 is then D0*D1. */
void ztl_terminal_signs(char *text);

#endif
