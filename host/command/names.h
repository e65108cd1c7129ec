/* SPDX-License-Identifier: Apache-2.0
 * A word that should be one of a list of names: a command, a suite, a table.
 */
#ifndef ZTL_HOST_NAMES_H
#define ZTL_HOST_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include <ztl/error.h>

/* The index-th name, NULL past the last. */
typedef const char *ztl_name_of(size_t index);

/* The name that is probably meant: half of the word's letters at least are right. NULL: none is. */
const char *ztl_name_close(const char *word, ztl_name_of *names);

/* Fails with "unknown WHAT 'WORD'", and with the name that is probably meant; where none is, with
 * the command whose help has them all. */
bool ztl_name_unknown(ztl_error *error, const char *what, const char *word, ztl_name_of *names,
                      const char *command);

#endif
