/* SPDX-License-Identifier: Apache-2.0
 * Finding a refused CSR in the assembler's messages, and suggesting one of ours.
 */
#include "toolchain/hint.h"

#include <stdlib.h>
#include <string.h>

#include "codec/suggest.h"
#include "codec/text.h"
#include "host/text.h"
#include "toolchain/rewrite/lexer.h"

static const char *find(ztl_span line, const char *text)
{
    return memmem(line.start, ztl_span_length(line), text, strlen(text));
}

static ztl_span line_at(const char *start)
{
    return (ztl_span){start, start + strcspn(start, "\n")};
}

static const char *name_end(const char *at, const char *end)
{
    while (at < end && (ztl_is_word(*at) || *at == '{' || *at == '}'))
        at++;
    return at;
}

/* "in.s:1: Error: unknown CSR `tshap'" */
static ztl_span gnu_name(ztl_span line)
{
    const char *message = find(line, "unknown CSR `");
    if (!message)
        return (ztl_span){NULL, NULL};
    const char *name = strchr(message, '`') + 1;
    return (ztl_span){name, name_end(name, line.end)};
}

/* "in.s:1:6: error: operand must be a valid system register name ...", then the source line: the
 * name is in its column 6. */
static ztl_span clang_name(ztl_span line)
{
    const char *column = find(line, ": error: operand must be a valid system register name");
    if (!column || *line.end == '\0')
        return (ztl_span){NULL, NULL};
    while (column > line.start && ztl_is_digit(column[-1]))
        column--;
    ztl_span source = line_at(line.end + 1);
    size_t skip = strtoul(column, NULL, 10) - 1;
    if (skip >= ztl_span_length(source))
        return (ztl_span){NULL, NULL};
    return (ztl_span){source.start + skip, name_end(source.start + skip, source.end)};
}

/* A line fit for a terminal: it names the user's files, and may have a line of their text. */
static void print_line(ztl_span line, FILE *out)
{
    enum { WIDEST = 4 }; /* a byte as text */
    char *text = strndup(line.start, ztl_span_length(line));
    char *safe = malloc(WIDEST * ztl_span_length(line) + 1);
    for (char *part = text, *tab; part && safe; part = tab) {
        tab = strchr(part, '\t');
        if (tab)
            *tab++ = '\0';
        ztl_safe_text(safe, WIDEST * ztl_span_length(line) + 1, part);
        fprintf(out, "%s%s", safe, tab ? "\t" : "");
    }
    free(safe);
    free(text);
}

void ztl_hint_print(const char *messages, unsigned revision, FILE *out)
{
    char name[64];
    for (ztl_span line = line_at(messages); *line.start; line = line_at(line.end + 1)) {
        ztl_span typed = gnu_name(line);
        if (!typed.start)
            typed = clang_name(line);
        print_line(line, out);
        if (typed.start &&
            ztl_suggest_csr(revision, typed.start, ztl_span_length(typed), name, sizeof name))
            fprintf(out, ", did you mean '%s'?", name);
        if (*line.end == '\0')
            break;
        fputc('\n', out);
    }
}
