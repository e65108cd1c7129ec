/* SPDX-License-Identifier: Apache-2.0
 * Asking the system and the environment what a terminal can show.
 */
#include "host/command/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool ztl_terminal_rewrites(FILE *out)
{
    const char *kind = getenv("TERM");
    return isatty(fileno(out)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

bool ztl_terminal_colours(FILE *out)
{
    return ztl_terminal_rewrites(out) && !getenv("NO_COLOR");
}

size_t ztl_terminal_columns(FILE *out)
{
    enum { WIDEST = 1000 };
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long given = columns ? strtol(columns, NULL, 10) : 0;
    if (!isatty(fileno(out)))
        return 0;
    if (given > 0 && given <= WIDEST)
        return (size_t)given;
    return ioctl(fileno(out), TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

/* The first of the variables that is set counts. A locale need not be installed here: its name is
 * what the terminal's side said. */
static bool has_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *name = getenv(variables[i]);
        if (name && *name)
            return strcasestr(name, "UTF-8") || strcasestr(name, "UTF8");
    }
    return false;
}

void ztl_terminal_signs(char *text)
{
    static const struct {
        const char *sign, *ascii; /* no longer than the sign */
    } signs[] = {{"·", "*"}, {"…", "..."}, {"–", "-"}};
    if (has_utf8())
        return;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        for (char *at = text; (at = strstr(at, signs[i].sign));) {
            size_t length = strlen(signs[i].ascii), rest = strlen(signs[i].sign);
            memcpy(at, signs[i].ascii, length);
            memmove(at + length, at + rest, strlen(at + rest) + 1);
        }
}
