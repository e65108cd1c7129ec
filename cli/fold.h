/* SPDX-License-Identifier: Apache-2.0
 * Text that fits the terminal.
 */
#ifndef ZTL_CLI_FOLD_H
#define ZTL_CLI_FOLD_H

#include <stdio.h>

enum { ZTL_FOLD_COLUMNS = 80 };

/* Prints a text and a newline, from column `at` of a line on: broken at spaces so that it fits the
 * terminal, or 80 columns where there is none. What comes below starts with `indent` spaces. */
void ztl_fold_print(FILE *out, size_t at, size_t indent, const char *text);

#endif
