/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ZTL_SUGGEST_H
#define ZTL_SUGGEST_H

#include <stddef.h>

/* The closest word so far; NULL when none was close. */
typedef struct ztl_suggestion {
    const char *word;
    size_t distance;
} ztl_suggestion;

/* Takes a word that is closer to what was typed than the best so far. */
void ztl_suggest(ztl_suggestion *best, const char *typed, size_t length, const char *word);

/* The mnemonic of the revision that is closest to what was typed, NULL when none is close. */
const char *ztl_suggest_mnemonic(unsigned revision, const char *typed, size_t length);

#endif
