/* SPDX-License-Identifier: Apache-2.0
 * Reading a line and its words; numbers and hexadecimal bytes of a protocol.
 */
#include "host/line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more character and the terminator. */
static bool grow(ztl_line *line, size_t length)
{
    if (length + 2 <= line->size)
        return true;
    size_t size = line->size ? 2 * line->size : 256;
    char *text = realloc(line->text, size);
    line->no_memory = !text;
    if (!text)
        return false;
    line->text = text;
    line->size = size;
    return true;
}

bool ztl_line_read(ztl_line *line, FILE *in, size_t limit)
{
    size_t length = 0;
    int c = getc(in);
    line->too_long = false;
    if (c == EOF)
        return false;
    for (; c != EOF && c != '\n'; c = getc(in)) {
        if (length >= limit) {
            line->too_long = true;
            continue;
        }
        if (!grow(line, length))
            return false;
        line->text[length++] = (char)c;
    }
    if (ferror(in) || !grow(line, length)) /* half a line is none */
        return false;
    line->text[length] = '\0';
    line->length = length;
    return true;
}

void ztl_line_free(ztl_line *line)
{
    free(line->text);
    *line = (ztl_line){0};
}

char *ztl_line_word(char **rest)
{
    char *word = *rest + strspn(*rest, " \t\r");
    if (!*word)
        return NULL;
    char *end = word + strcspn(word, " \t\r");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

bool ztl_line_number(const char *text, uint64_t *value)
{
    bool negative = *text == '-';
    const char *digits = text + negative;
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    const char *allowed = hex ? "0123456789abcdefABCDEF" : "0123456789";
    digits += hex ? 2 : 0;
    if (!*digits || digits[strspn(digits, allowed)] || (negative && hex))
        return false;
    errno = 0;
    unsigned long long number = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno)
        return false;
    *value = negative ? -(uint64_t)number : number;
    return true;
}

static int nibble(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool ztl_line_bytes(const char *hex, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        int high = nibble(hex[2 * i]);
        int low = high < 0 ? -1 : nibble(hex[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return !hex[2 * size];
}

void ztl_line_print_bytes(FILE *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        putc(digits[bytes[i] >> 4], out);
        putc(digits[bytes[i] & 0xf], out);
    }
}
