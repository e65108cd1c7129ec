/* SPDX-License-Identifier: Apache-2.0
 * Replacing what a terminal would act on in a text from a file or a guest.
 */
#include "host/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Characters that a terminal or a reader takes for more than themselves: controls, marks that turn
 * the direction of writing, breaks of lines, and what UTF-8 does not encode. */
static bool is_printable(uint32_t c)
{
    return c >= 0x20 && (c < 0x7f || c > 0x9f) && (c < 0x200b || c > 0x200f) &&
           (c < 0x2028 || c > 0x202e) && (c < 0x2060 || c > 0x206f) && c != 0x061c && c != 0xfeff &&
           (c < 0xd800 || c > 0xdfff) && c <= 0x10ffff;
}

/* The bytes of the printable character that a text starts with; 0 when it starts with none. */
static size_t printable(const unsigned char *source)
{
    static const uint32_t least[] = {[2] = 0x80, 0x800, 0x10000};
    size_t size = *source < 0x80 ? 1 : *source >= 0xf0 ? 4 : *source >= 0xe0 ? 3 : 2;
    if (size == 1)
        return is_printable(*source);
    if (*source < 0xc0 || *source >= 0xf8)
        return 0;
    uint32_t c = *source & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((source[i] & 0xc0) != 0x80) /* also at the end of the text */
            return 0;
        c = c << 6 | (source[i] & 0x3f);
    }
    return c >= least[size] && is_printable(c) ? size : 0;
}

size_t ztl_safe_text(char *text, size_t size, const char *source)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = 0;
    for (const unsigned char *at = (const unsigned char *)source; *at;) {
        size_t taken = printable(at);
        size_t room = taken ? taken : sizeof "\\x1b" - 1;
        if (length + room >= size)
            break;
        if (taken)
            memcpy(text + length, at, taken);
        else
            memcpy(text + length, (char[]){'\\', 'x', digits[*at >> 4], digits[*at & 15]}, room);
        length += room;
        at += taken ? taken : 1;
    }
    if (size)
        text[length] = '\0';
    return length;
}
