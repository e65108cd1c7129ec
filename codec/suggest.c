/* SPDX-License-Identifier: Apache-2.0
 * The nearest mnemonic by edit distance.
 */
#include "codec/suggest.h"

#include <ztl/isa.h>

#include "codec/text.h"

enum { LONGEST = 32, CLOSE = 3 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions and replacements between a text and a word, without regard to case. */
static size_t distance(const char *text, size_t length, const char *word)
{
    size_t row[LONGEST + 1];
    for (size_t i = 0; i <= length; i++)
        row[i] = i;
    for (size_t j = 1; word[j - 1]; j++) {
        size_t diagonal = row[0];
        row[0] = j;
        for (size_t i = 1; i <= length; i++) {
            size_t replace = diagonal + (ztl_lower(text[i - 1]) != word[j - 1]);
            diagonal = row[i];
            row[i] = least(replace, least(row[i], row[i - 1]) + 1);
        }
    }
    return row[length];
}

const char *ztl_suggest_mnemonic(unsigned revision, const char *typed, size_t length)
{
    const char *best = NULL;
    size_t best_distance = CLOSE + 1;
    const ztl_insn_row *row;
    if (length > LONGEST)
        return NULL;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        if (row->revision != revision)
            continue;
        size_t d = distance(typed, length, row->mnemonic);
        if (d < best_distance) {
            best_distance = d;
            best = row->mnemonic;
        }
    }
    return best;
}
