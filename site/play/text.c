/* SPDX-License-Identifier: Apache-2.0
 * Texts between the page and the machine.
 */
#include <stdlib.h>

#include "site/play/play.h"

static char *input, *output;
static size_t output_size;
static FILE *writing;

/* Room for a text of so many bytes, which the page fills. */
PLAY char *play_room(size_t size)
{
    free(input);
    input = malloc(size + 1);
    if (input)
        input[size] = '\0';
    return input;
}

const char *play_input(void)
{
    return input ? input : "";
}

FILE *play_open(void)
{
    free(output);
    output = NULL;
    return writing = open_memstream(&output, &output_size);
}

const char *play_close(void)
{
    fclose(writing);
    return output ? output : "";
}

void play_json_text(FILE *out, const char *text, size_t length)
{
    putc('"', out);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c > 0x7e)
            fprintf(out, "\\u%04x", c); /* bytes as Latin-1 */
        else
            putc(c, out);
    }
    putc('"', out);
}
