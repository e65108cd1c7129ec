/* SPDX-License-Identifier: Apache-2.0
 * A text that is built up in a buffer of fixed size: cut, never overrun, always terminated.
 */
#ifndef ZTL_TEXT_H
#define ZTL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ztl/error.h>

typedef struct ztl_text {
    char *buffer; /* may be NULL */
    size_t size;
    size_t length; /* that the whole text has, also where it was cut */
} ztl_text;

/* An empty text in a buffer. */
ztl_text ztl_text_in(char *buffer, size_t size);
ztl_text ztl_text_error(ztl_error *error);

void ztl_text_char(ztl_text *text, char c);
void ztl_text_add(ztl_text *text, const char *string);
void ztl_text_part(ztl_text *text, const char *start, size_t length);
void ztl_text_decimal(ztl_text *text, int64_t value);
void ztl_text_unsigned(ztl_text *text, uint64_t value);

/* 0x and at least `digits` digits. */
void ztl_text_hex(ztl_text *text, uint64_t value, unsigned digits);

/* Characters of assembly, the same in every locale. */
static inline char ztl_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool ztl_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline bool ztl_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ztl_is_word(char c)
{
    char lower = ztl_lower(c);
    return ztl_is_digit(c) || (lower >= 'a' && lower <= 'z') || c == '_' || c == '.';
}

/* Whether start[0 … length-1] is `word`, without regard to case. */
bool ztl_same_word(const char *start, size_t length, const char *word);

/* Whether start[0 … length-1] is `word`. */
bool ztl_exact_word(const char *start, size_t length, const char *word);

/* Whether a string starts with start[0 … length-1]. */
bool ztl_starts_with(const char *string, const char *start, size_t length);

/* The number after a prefix, as in tl5, without leading zeros; -1 where that is not all there is,
 * 1000 where it is larger than 999. */
int ztl_register_index(const char *start, size_t length, const char *prefix);

#endif
