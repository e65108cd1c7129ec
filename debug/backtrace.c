/* SPDX-License-Identifier: Apache-2.0
 * Printing the call stack of a stopped program, a line for each frame.
 */
#define _POSIX_C_SOURCE 200809L
#include "debug/backtrace.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug/file/module.h"
#include "debug/file/name.h"
#include "debug/file/sandbox.h"
#include "debug/frames.h"
#include "debug/source.h"
#include "host/demangle/demangle.h"

enum { COLUMNS = 80, MAX_LINES = 40, NAME = 1024, LINE = 2 * NAME + 64, TEXT = 1 << 17 };

typedef struct job {
    int file;
    uint64_t base;
    const ztl_stopped *stopped;
} job;

/* What is printed; lines that repeat the one before are counted instead. */
typedef struct listing {
    FILE *out;
    size_t number; /* of the next frame */
    size_t lines;
    char last[LINE];
    size_t repeats;
    char folder[PATH_MAX + 1]; /* the current one, with a slash at its end */
} listing;

/* As the user would write it from here. */
static const char *from_here(const listing *l, const char *path)
{
    size_t length = strlen(l->folder);
    return length > 1 && !strncmp(path, l->folder, length) ? path + length : path;
}

static void end_repeats(listing *l)
{
    if (l->repeats)
        fprintf(l->out, "     ... and %zu more of it\n", l->repeats);
    l->repeats = 0;
}

static void print_line(listing *l, const char *name, const char *where, bool inlined)
{
    char line[LINE], number[24];
    const char *mark = inlined ? ", inlined" : "";
    snprintf(line, sizeof line, "%s%s", name, where);
    snprintf(number, sizeof number, "  #%zu ", l->number++);
    if (!strcmp(line, l->last)) { /* recursion */
        l->repeats++;
        return;
    }
    end_repeats(l);
    if (l->lines++ >= MAX_LINES)
        return;
    bool fits = !*where || strlen(number) + strlen(line) + strlen(mark) <= COLUMNS;
    fprintf(l->out, "%s%s%s%s%s\n", number, name, fits ? "" : "\n    ", where, mark);
    memcpy(l->last, line, sizeof line);
}

/* Without a line, a caller is shown at the address that it goes on from. */
static void print_place(listing *l, uint64_t address, bool is_caller, const ztl_place *place)
{
    char name[NAME], written[NAME], file[NAME], where[NAME + 24] = "", symbol[NAME + 24];
    if (place->function) {
        ztl_demangle(place->function, written, sizeof written);
        ztl_name_clean(written, name, sizeof name);
    } else {
        snprintf(name, sizeof name, "0x%" PRIx64, address + is_caller);
    }
    if (place->file) {
        ztl_name_clean(from_here(l, place->file), file, sizeof file);
        snprintf(where, sizeof where, " at %s:%d", file, place->line);
    }
    uint64_t offset = place->offset + is_caller;
    bool inside = place->function && offset && !place->file;
    snprintf(symbol, sizeof symbol, inside ? "%s+0x%" PRIx64 : "%s", name, offset);
    print_line(l, symbol, where, place->inlined);
}

static void print_frames(listing *l, Dwfl_Module *module, const ztl_frames *frames)
{
    ztl_place place[ZTL_MAX_INLINED];
    for (size_t i = 0; i < frames->count && l->lines <= MAX_LINES; i++) {
        size_t count = ztl_source_find(module, frames->at[i], place);
        if (frames->count == 1 && count == 1 && !place[0].file)
            return; /* a symbol, which the caller has named */
        for (size_t k = 0; k < count; k++)
            print_place(l, frames->at[i], i > 0, &place[k]);
    }
    end_repeats(l);
    if (frames->cut || l->lines > MAX_LINES)
        fputs("     ... and more\n", l->out);
}

static void print_stack(const void *context, FILE *out)
{
    const job *j = context;
    ztl_frames frames;
    listing l = {.out = out};
    char here[PATH_MAX];
    if (getcwd(here, sizeof here))
        snprintf(l.folder, sizeof l.folder, "%s/", here);
    Dwfl *dwfl;
    Dwfl_Module *module = ztl_module_open(j->file, j->base, &dwfl);
    if (!module)
        return;
    ztl_frames_find(dwfl, module, j->stopped, &frames);
    print_frames(&l, module, &frames);
}

void ztl_backtrace_print(int file, uint64_t base, const ztl_stopped *stopped, FILE *out)
{
    char *text = malloc(TEXT);
    job j = {file, base, stopped};
    if (!text)
        return;
    ztl_sandbox_run(print_stack, &j, text, TEXT);
    fputs(text, out);
    free(text);
}
