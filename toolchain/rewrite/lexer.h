/* SPDX-License-Identifier: Apache-2.0
 *
 * GNU assembly as characters: where a statement ends, what is a comment, a string, a word, an
 * operand. Nothing here knows an instruction.
 */
#ifndef ZTL_TOOLCHAIN_LEXER_H
#define ZTL_TOOLCHAIN_LEXER_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of the source. */
typedef struct ztl_span {
    const char *start;
    const char *end;
} ztl_span;

enum { ZTL_SPLIT_MAX = 8 };

static inline size_t ztl_span_length(ztl_span span)
{
    return (size_t)(span.end - span.start);
}

/* Past spaces, tabs and block comments, never past the end. */
const char *ztl_skip_blank(const char *at, const char *end);

/* Past a string, a character constant or a block comment that starts here; one character when none
 * does. */
const char *ztl_skip_token(const char *at, const char *end);

/* The end of the statement that starts here: a separator, a line comment, the end of the line or
 * of the text. */
const char *ztl_statement_end(const char *at, const char *end, bool slashes);

/* Whether a comment up to the end of the line starts here: #, and // where slashes make one. */
bool ztl_at_line_comment(const char *at, const char *end, bool slashes);

/* The end of a word: letters, digits, `_ . $ @`, and macro arguments as in \reg, \@, x\(). Empty
 * when no word starts here. */
const char *ztl_word_end(const char *at, const char *end);

/* Past the labels at the start of a statement, and the blanks around them. */
const char *ztl_skip_labels(const char *at, const char *end);

/* Whether it is the word as it stands; the word, or starts with the prefix, without regard to case;
 * whether the character is in it. */
bool ztl_span_is(ztl_span span, const char *word);
bool ztl_span_same(ztl_span span, const char *word);
bool ztl_span_starts(ztl_span span, const char *prefix);
bool ztl_span_has(ztl_span span, char c);

/* Without the blanks at both ends. */
ztl_span ztl_span_trim(ztl_span span);

/* Splits at the commas outside parentheses, braces and strings; pieces are trimmed. Returns how
 * many there are, also when that is more than ZTL_SPLIT_MAX; 0 for a blank text. */
size_t ztl_split_operands(ztl_span text, ztl_span piece[ZTL_SPLIT_MAX]);

#endif
