/* SPDX-License-Identifier: Apache-2.0
 * Skipping tokens, blanks, labels and comments of GNU assembly.
 */
#include "toolchain/rewrite/lexer.h"

#include <string.h>

#include "codec/text.h"

static bool next_is(const char *at, const char *end, char c)
{
    return at + 1 < end && at[1] == c;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static const char *skip_block_comment(const char *at, const char *end)
{
    for (at += 2; at < end; at++)
        if (*at == '*' && next_is(at, end, '/'))
            return at + 2;
    return end;
}

/* A string may go on for lines. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '"')
            return at + 1;
        if (*at == '\\' && at + 1 < end)
            at++;
    }
    return at;
}

/* 'a and 'a' are the same character. */
static const char *skip_character(const char *at, const char *end)
{
    at++;
    if (at < end && *at == '\\')
        at++;
    if (at < end)
        at++;
    return at < end && *at == '\'' ? at + 1 : at;
}

const char *ztl_skip_token(const char *at, const char *end)
{
    if (*at == '"')
        return skip_string(at, end);
    if (*at == '\'')
        return skip_character(at, end);
    if (*at == '/' && next_is(at, end, '*'))
        return skip_block_comment(at, end);
    return at + 1;
}

const char *ztl_skip_blank(const char *at, const char *end)
{
    while (at < end) {
        if (*at == '/' && next_is(at, end, '*'))
            at = skip_block_comment(at, end);
        else if (is_blank(*at))
            at++;
        else
            break;
    }
    return at;
}

bool ztl_at_line_comment(const char *at, const char *end, bool slashes)
{
    return at < end && (*at == '#' || (slashes && *at == '/' && next_is(at, end, '/')));
}

const char *ztl_statement_end(const char *at, const char *end, bool slashes)
{
    while (at < end && *at != ';' && *at != '\n' && !ztl_at_line_comment(at, end, slashes))
        at = ztl_skip_token(at, end);
    return at;
}

const char *ztl_word_end(const char *at, const char *end)
{
    while (at < end) {
        if (*at == '\\' && next_is(at, end, '(') && at + 2 < end && at[2] == ')')
            at += 3;
        else if (ztl_is_word(*at) || *at == '$' || *at == '@' || *at == '\\' || (*at & 0x80))
            at++;
        else
            break;
    }
    return at;
}

const char *ztl_skip_labels(const char *at, const char *end)
{
    for (;;) {
        at = ztl_skip_blank(at, end);
        const char *name_end = ztl_word_end(at, end);
        if (at < end && *at == '"')
            name_end = skip_string(at, end);
        const char *colon = ztl_skip_blank(name_end, end);
        if (name_end == at || colon >= end || *colon != ':')
            return at;
        at = colon + 1;
    }
}

bool ztl_span_is(ztl_span span, const char *word)
{
    return ztl_exact_word(span.start, ztl_span_length(span), word);
}

bool ztl_span_same(ztl_span span, const char *word)
{
    return ztl_span_length(span) == strlen(word) && ztl_span_starts(span, word);
}

bool ztl_span_starts(ztl_span span, const char *prefix)
{
    size_t i = 0;
    while (prefix[i] && i < ztl_span_length(span) &&
           ztl_lower(span.start[i]) == ztl_lower(prefix[i]))
        i++;
    return !prefix[i];
}

bool ztl_span_has(ztl_span span, char c)
{
    return span.start < span.end && memchr(span.start, c, ztl_span_length(span)) != NULL;
}

ztl_span ztl_span_trim(ztl_span span)
{
    while (span.start < span.end && ztl_is_space(*span.start))
        span.start++;
    while (span.end > span.start && ztl_is_space(span.end[-1]))
        span.end--;
    return span;
}

size_t ztl_split_operands(ztl_span text, ztl_span piece[ZTL_SPLIT_MAX])
{
    size_t count = 0;
    int depth = 0;
    const char *start = text.start;
    if (ztl_span_length(ztl_span_trim(text)) == 0)
        return 0;
    for (const char *at = text.start;; at = ztl_skip_token(at, text.end)) {
        bool done = at >= text.end;
        if (done || (*at == ',' && depth == 0)) {
            if (count < ZTL_SPLIT_MAX)
                piece[count] = ztl_span_trim((ztl_span){start, done ? text.end : at});
            count++;
            start = at + 1;
        }
        if (done)
            return count;
        depth += *at == '(' || *at == '{';
        depth -= *at == ')' || *at == '}';
    }
}
