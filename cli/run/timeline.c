/* SPDX-License-Identifier: Apache-2.0
 * ztl run --timeline: what ran when, as a file or on the terminal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "debug/lines.h"
#include "sim/program/program.h"
#include "timing/timeline/timeline.h"

struct run_timeline {
    const run *run;
    ztl_timeline *timeline;
    ztl_lines *lines;   /* of what is in it, when it is complete; may be NULL */
    const char *region; /* whose first visit is the window; NULL: none */
    bool visited;
};

/* FROM..TO in cycles; false: it is the name of a region. */
static bool parse_cycles(const char *text, uint64_t *from, uint64_t *to)
{
    int length = 0;
    return sscanf(text, "%" SCNu64 "..%" SCNu64 "%n", from, to, &length) == 2 && !text[length];
}

bool run_timeline_check(const run_options *options)
{
    enum ztl_timeline_format format;
    uint64_t from, to;
    if (options->timeline && !options->timing)
        run_complain("--timeline needs --timing");
    else if (options->window && !options->timeline)
        run_complain("--window needs --timeline");
    else if (options->timeline && strcmp(options->timeline, "-") != 0 &&
             !ztl_timeline_format_of(options->timeline, &format))
        run_complain("--timeline %s: the name must end in .json, .kanata, .svg, .html or .txt, "
                     "or be -",
                     options->timeline);
    else if (options->window && parse_cycles(options->window, &from, &to) && from >= to)
        run_complain("--window %s: there is nothing between the two", options->window);
    else
        return true;
    return false;
}

/* "main+0x10, prog.c:12" */
static void find_place(void *context, uint64_t pc, char *text, size_t size)
{
    const struct run_timeline *t = context;
    const char *line = ztl_lines_at(t->lines, pc);
    ztl_program_describe(t->run->program, pc, text, size);
    size_t length = strlen(text);
    if (*line && length < size)
        snprintf(text + length, size - length, "%s%s", length ? ", " : "", line);
}

struct run_timeline *run_timeline_create(const run *r, const ztl_timing_machine *machine,
                                         ztl_timing *timing)
{
    const char *window = r->options->window;
    struct run_timeline *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->run = r;
    ztl_timeline_config config = {.machine = *machine,
                                  .isa = *ztl_hart_isa_of(r->hart),
                                  .to = UINT64_MAX,
                                  .context = t,
                                  .place = find_place};
    if (window && !parse_cycles(window, &config.from, &config.to)) {
        t->region = window;
        config.from = 0;
        config.to = UINT64_MAX;
    }
    if (!(t->timeline = ztl_timeline_create(&config))) {
        free(t);
        return NULL;
    }
    ztl_timeline_pause(t->timeline, t->region != NULL);
    ztl_timing_sink sink = ztl_timeline_sink(t->timeline);
    ztl_timing_set_sink(timing, &sink);
    return t;
}

void run_timeline_region(struct run_timeline *t, const char *name, bool entered)
{
    if (!t->region || t->visited == entered || strcmp(name, t->region) != 0)
        return;
    ztl_timeline_pause(t->timeline, !entered);
    t->visited = true;
    if (!entered)
        t->region = NULL; /* later visits do not count */
}

bool run_timeline_complete(struct run_timeline *t)
{
    size_t count;
    if (t->region && !t->visited) {
        run_complain("--window: the program entered no region '%s'", t->region);
        return false;
    }
    if (ztl_timeline_is_cut(t->timeline))
        run_complain("--timeline %s: cut after %d instructions; --window chooses others",
                     t->run->options->timeline, ZTL_TIMELINE_MOST);
    uint64_t *address = ztl_timeline_addresses(t->timeline, &count);
    if (address)
        t->lines = ztl_lines_find(t->run->program->file, t->run->program->base, address, count);
    free(address);
    return true;
}

bool run_timeline_print(FILE *out, const void *context)
{
    const struct run_timeline *t = context;
    enum ztl_timeline_format format = ZTL_TIMELINE_TEXT; /* of standard output */
    ztl_timeline_format_of(t->run->options->timeline, &format);
    return ztl_timeline_write(t->timeline, format, out);
}

void run_timeline_destroy(struct run_timeline *t)
{
    if (!t)
        return;
    ztl_timeline_destroy(t->timeline);
    ztl_lines_free(t->lines);
    free(t);
}
