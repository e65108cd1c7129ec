/* SPDX-License-Identifier: Apache-2.0
 * Breaking long lines at the width of the terminal.
 */
#define _DEFAULT_SOURCE
#include "cli/fold.h"

#include <stdlib.h>
#include <string.h>

#include "host/command/terminal.h"

/* Of UTF-8: the bytes that start a character. */
static size_t columns_of(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += (text[i] & 0xc0) != 0x80;
    return count;
}

static void print_folded(FILE *out, size_t at, size_t indent, const char *text)
{
    size_t width = ztl_terminal_columns(out), start = at;
    if (!width)
        width = ZTL_FOLD_COLUMNS;
    while (*text) {
        size_t spaces = strspn(text, " ");
        size_t length = spaces + strcspn(text + spaces, " "); /* a word, and what is before it */
        size_t columns = columns_of(text, length);
        if (at + columns > width && at > start) {
            fprintf(out, "\n%*s", (int)indent, "");
            text += spaces;
            length -= spaces;
            columns -= spaces;
            at = start = indent;
        }
        fwrite(text, 1, length, out);
        at += columns;
        text += length;
    }
    fputc('\n', out);
}

void ztl_fold_print(FILE *out, size_t at, size_t indent, const char *text)
{
    char *shown = strdup(text);
    if (shown)
        ztl_terminal_signs(shown);
    print_folded(out, at, indent, shown ? shown : text);
    free(shown);
}
