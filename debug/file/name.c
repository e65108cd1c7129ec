/* SPDX-License-Identifier: Apache-2.0
 * Leaving out of a name what would drive a terminal, and what is not UTF-8.
 */
#include "debug/file/name.h"

#include <stdio.h>
#include <string.h>

/* How many bytes the first character of a text has in UTF-8; 0 for one that would drive a terminal,
 * and for what is not UTF-8. */
static size_t character_size(const unsigned char *text)
{
    if (text[0] < 0x80)
        return text[0] >= 0x20 && text[0] != 0x7f;
    size_t size = text[0] < 0xc2   ? 0
                  : text[0] < 0xe0 ? 2
                  : text[0] < 0xf0 ? 3
                  : text[0] < 0xf5 ? 4
                                   : 0;
    for (size_t i = 1; i < size; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return text[0] == 0xc2 && text[1] < 0xa0 ? 0 : size; /* controls with the high bit */
}

void ztl_name_clean(const char *name, char *text, size_t size)
{
    size_t used = 0;
    while (*name && used + 8 < size) {
        size_t one = character_size((const unsigned char *)name);
        if (one)
            memcpy(text + used, name, one);
        else
            text[used] = '?';
        used += one ? one : 1;
        name += one ? one : 1;
    }
    snprintf(text + used, size - used, "%s", *name ? "..." : "");
}
