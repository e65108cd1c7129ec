/* SPDX-License-Identifier: Apache-2.0
 * The nearest word by edit distance.
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

void ztl_suggest(ztl_suggestion *best, const char *typed, size_t length, const char *word)
{
    size_t d = length > LONGEST ? CLOSE + 1 : distance(typed, length, word);
    if (d <= CLOSE && (!best->word || d < best->distance))
        *best = (ztl_suggestion){word, d};
}

const char *ztl_suggest_mnemonic(unsigned revision, const char *typed, size_t length)
{
    ztl_suggestion best = {NULL, 0};
    const ztl_insn_row *row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->revision == revision)
            ztl_suggest(&best, typed, length, row->mnemonic);
    return best.word;
}
