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

/* Insertions, deletions, replacements and swaps of two neighbours between a text and a word,
 * without regard to case. */
static size_t distance(const char *text, size_t length, const char *word)
{
    size_t row[LONGEST + 1], above[LONGEST + 1] = {0}; /* `above` is the row before the last */
    for (size_t i = 0; i <= length; i++)
        row[i] = i;
    for (size_t j = 1; word[j - 1]; j++) {
        size_t diagonal = row[0], swapped = 0;
        row[0] = j;
        for (size_t i = 1; i <= length; i++) {
            size_t best = diagonal + (ztl_lower(text[i - 1]) != word[j - 1]);
            best = least(best, least(row[i], row[i - 1]) + 1);
            if (i > 1 && j > 1 && ztl_lower(text[i - 1]) == word[j - 2] &&
                ztl_lower(text[i - 2]) == word[j - 1])
                best = least(best, swapped + 1);
            swapped = above[i - 1];
            above[i - 1] = diagonal;
            diagonal = row[i];
            row[i] = best;
        }
        above[length] = diagonal;
    }
    return row[length];
}

void ztl_suggest(ztl_suggestion *best, const char *typed, size_t length, const char *word)
{
    size_t d = length > LONGEST ? CLOSE + 1 : distance(typed, length, word);
    if (d <= CLOSE && (!best->word || d < best->distance))
        *best = (ztl_suggestion){word, d};
}

/* The length of a mnemonic without its suffix: of tl.xpose.01 that of tl.xpose. */
static size_t stem_length(const char *mnemonic)
{
    size_t dots = 0, last = 0;
    for (size_t i = 0; mnemonic[i]; i++)
        if (mnemonic[i] == '.' && ++dots)
            last = i;
    return dots > 1 ? last : 0;
}

/* The same as ztl_suggest for a mnemonic whose suffix was left out. */
static void suggest_with_suffix(ztl_suggestion *best, const char *typed, size_t length,
                                const char *mnemonic)
{
    char stem[LONGEST];
    ztl_suggestion found = {NULL, 0};
    size_t end = stem_length(mnemonic);
    for (size_t i = 0; i < end; i++)
        stem[i] = mnemonic[i];
    stem[end] = '\0';
    ztl_suggest(&found, typed, length, stem);
    if (end && found.word && found.distance < CLOSE &&
        (!best->word || found.distance < best->distance))
        *best = (ztl_suggestion){mnemonic, found.distance};
}

const char *ztl_suggest_mnemonic(unsigned revision, const char *typed, size_t length)
{
    ztl_suggestion best = {NULL, 0};
    const ztl_insn_row *row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++) {
        if (row->revision != revision)
            continue;
        ztl_suggest(&best, typed, length, row->mnemonic);
        suggest_with_suffix(&best, typed, length, row->mnemonic);
    }
    return best.word;
}

/* Takes a row that one of its spellings, `words` with spaces between them, makes the closest. */
static void suggest_row(ztl_suggestion *best, const ztl_csr_row **found, const ztl_csr_row *row,
                        const char *words, const char *typed, size_t length)
{
    char word[LONGEST];
    while (*words) {
        size_t n = 0;
        for (; words[n] && words[n] != ' '; n++)
            word[n] = words[n];
        word[n] = '\0';
        words += n + (words[n] == ' ');
        size_t d = length > LONGEST ? length : distance(typed, length, word);
        if (3 * d <= length && d <= CLOSE && (!*found || d < best->distance)) {
            best->distance = d;
            *found = row;
        }
    }
}

/* Splits what was typed into a name and an index, which may stand in braces; -1 without one. */
static int split_index(const char *typed, size_t *length)
{
    size_t end = *length - (*length && typed[*length - 1] == '}'), start = end;
    int index = 0;
    while (start > 0 && ztl_is_digit(typed[start - 1]))
        start--;
    if (start == end)
        return -1;
    for (size_t i = start; i < end; i++)
        index = index > 99 ? index : 10 * index + typed[i] - '0';
    *length = start - (start && typed[start - 1] == '{');
    return index;
}

static void add_indexed(ztl_text *out, const ztl_csr_row *row, unsigned index)
{
    ztl_text_add(out, row->name);
    if (row->count > 1)
        ztl_text_unsigned(out, index);
}

bool ztl_suggest_csr(unsigned revision, const char *typed, size_t length, char *name, size_t size)
{
    ztl_suggestion best = {NULL, 0};
    const ztl_csr_row *row, *found = NULL;
    ztl_text out = ztl_text_in(name, size);
    size_t stem = length;
    int index = split_index(typed, &stem);
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++) {
        size_t part = row->count > 1 ? stem : length;
        if (revision < row->first_revision)
            continue;
        suggest_row(&best, &found, row, row->name, typed, part);
        suggest_row(&best, &found, row, row->also, typed, part);
    }
    if (!found)
        return false;
    bool outside = found->count > 1 && index >= (int)found->count;
    add_indexed(&out, found, index < 0 || outside ? 0 : (unsigned)index);
    if (outside) {
        ztl_text_add(&out, " to ");
        add_indexed(&out, found, found->count - 1u);
    }
    return true;
}
