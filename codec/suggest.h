/* SPDX-License-Identifier: Apache-2.0
 * The name that was probably meant: the closest one of a list.
 */
#ifndef ZTL_SUGGEST_H
#define ZTL_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* The closest word so far; NULL when none was close. */
typedef struct ztl_suggestion {
    const char *word;
    size_t distance;
} ztl_suggestion;

/* Takes a word that is closer to what was typed than the best so far. */
void ztl_suggest(ztl_suggestion *best, const char *typed, size_t length, const char *word);

/* The mnemonic of the revision that is closest to what was typed, NULL when none is close. Where a
 * suffix was left out, the first that there is. */
const char *ztl_suggest_mnemonic(unsigned revision, const char *typed, size_t length);

/* The name of a CSR of the revision that is close to what was typed, with the index that was typed
 * or the range that it must be in; false when none is close. */
bool ztl_suggest_csr(unsigned revision, const char *typed, size_t length, char *name, size_t size);

#endif
