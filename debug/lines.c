/* SPDX-License-Identifier: Apache-2.0
 * The source lines of a list of addresses, kept as text.
 */
#include "debug/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/file/module.h"
#include "debug/file/name.h"
#include "debug/file/sandbox.h"
#include "debug/source.h"

enum { NAME = 64, LINE = NAME + 16 };

typedef struct entry {
    uint64_t address;
    const char *line;
} entry;

struct ztl_lines {
    size_t count;
    char *text; /* what the entries point into */
    entry entry[];
};

typedef struct job {
    int file;
    uint64_t base;
    const uint64_t *address;
    size_t count;
} job;

/* One line of text for each address, an empty one where nothing is known. */
static void print_lines(const void *context, FILE *out)
{
    const job *j = context;
    ztl_place place;
    Dwfl *dwfl;
    Dwfl_Module *module = ztl_module_open(j->file, j->base, &dwfl);
    for (size_t i = 0; module && i < j->count; i++) {
        if (ztl_source_line(module, j->address[i], &place)) {
            char name[NAME];
            const char *slash = strrchr(place.file, '/');
            ztl_name_clean(slash ? slash + 1 : place.file, name, sizeof name);
            fprintf(out, "%s:%d", name, place.line);
        }
        fputc('\n', out);
    }
}

static void split(ztl_lines *lines, const uint64_t *address)
{
    char *at = lines->text;
    for (size_t i = 0; i < lines->count; i++) {
        char *end = strchr(at, '\n');
        lines->entry[i] = (entry){address[i], at};
        if (end)
            *end++ = '\0';
        at = end ? end : at + strlen(at);
    }
}

ztl_lines *ztl_lines_find(int file, uint64_t base, const uint64_t *address, size_t count)
{
    size_t size = count * LINE + 1;
    ztl_lines *lines = malloc(sizeof *lines + count * sizeof lines->entry[0]);
    if (!lines || !(lines->text = malloc(size))) {
        free(lines);
        return NULL;
    }
    job j = {file, base, address, count};
    ztl_sandbox_run(print_lines, &j, lines->text, size);
    lines->count = count;
    split(lines, address);
    return lines;
}

void ztl_lines_free(ztl_lines *lines)
{
    if (lines)
        free(lines->text);
    free(lines);
}

static int compare(const void *key, const void *member)
{
    uint64_t address = *(const uint64_t *)key, other = ((const entry *)member)->address;
    return (address > other) - (address < other);
}

const char *ztl_lines_at(const ztl_lines *lines, uint64_t address)
{
    const entry *found =
        lines ? bsearch(&address, lines->entry, lines->count, sizeof *found, compare) : NULL;
    return found ? found->line : "";
}
