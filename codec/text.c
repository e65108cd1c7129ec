/* SPDX-License-Identifier: Apache-2.0
 * Appending to a text of fixed size: characters, strings, numbers.
 */
#include "codec/text.h"

ztl_text ztl_text_error(ztl_error *error)
{
    return ztl_text_in(error ? error->text : NULL, error ? sizeof error->text : 0);
}

ztl_text ztl_text_in(char *buffer, size_t size)
{
    if (buffer && size)
        buffer[0] = '\0';
    return (ztl_text){buffer, buffer ? size : 0, 0};
}

void ztl_text_char(ztl_text *text, char c)
{
    if (text->length + 1 < text->size) {
        text->buffer[text->length] = c;
        text->buffer[text->length + 1] = '\0';
    }
    text->length++;
}

void ztl_text_add(ztl_text *text, const char *string)
{
    while (*string)
        ztl_text_char(text, *string++);
}

void ztl_text_part(ztl_text *text, const char *start, size_t length)
{
    for (size_t i = 0; i < length; i++)
        ztl_text_char(text, start[i]);
}

void ztl_text_unsigned(ztl_text *text, uint64_t value)
{
    if (value >= 10)
        ztl_text_unsigned(text, value / 10);
    ztl_text_char(text, (char)('0' + value % 10));
}

void ztl_text_decimal(ztl_text *text, int64_t value)
{
    if (value < 0)
        ztl_text_char(text, '-');
    ztl_text_unsigned(text, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void ztl_text_hex(ztl_text *text, uint64_t value, unsigned digits)
{
    while (digits < 16 && value >> (4 * digits))
        digits++;
    ztl_text_add(text, "0x");
    while (digits-- > 0)
        ztl_text_char(text, "0123456789abcdef"[value >> (4 * digits) & 0xf]);
}

bool ztl_same_word(const char *start, size_t length, const char *word)
{
    size_t i = 0;
    while (i < length && word[i] && ztl_lower(start[i]) == ztl_lower(word[i]))
        i++;
    return i == length && !word[i];
}

bool ztl_exact_word(const char *start, size_t length, const char *word)
{
    size_t i = 0;
    while (i < length && word[i] && start[i] == word[i])
        i++;
    return i == length && !word[i];
}

bool ztl_starts_with(const char *string, const char *start, size_t length)
{
    size_t i = 0;
    while (i < length && string[i] == start[i])
        i++;
    return i == length;
}

int ztl_register_index(const char *start, size_t length, const char *prefix)
{
    enum { LIMIT = 1000 };
    size_t i = 0;
    for (; prefix[i]; i++)
        if (i >= length || start[i] != prefix[i])
            return -1;
    if (i == length || (start[i] == '0' && i + 1 < length))
        return -1;
    int index = 0;
    for (; i < length; i++) {
        if (!ztl_is_digit(start[i]))
            return -1;
        index = index * 10 + (start[i] - '0');
        if (index > LIMIT)
            index = LIMIT;
    }
    return index;
}
