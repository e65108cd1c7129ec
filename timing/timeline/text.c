/* SPDX-License-Identifier: Apache-2.0
 * A timeline for the terminal: a line for each track, a character for each cycle.
 */
#include "timing/timeline/timeline.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 62, ROWS = 5, LETTERS = 26 };

/* The letters of instructions, in the order of issue, from a on and around. */
static char letter(size_t index)
{
    return (char)('a' + index % LETTERS);
}

static void fill(char line[COLUMNS], uint64_t base, uint64_t from, uint64_t to, char with)
{
    for (uint64_t c = from < base ? base : from; c < to && c - base < COLUMNS; c++)
        line[c - base] = with;
}

static void print_track(const ztl_timeline *timeline, const timeline_track *track, uint64_t base,
                        FILE *out)
{
    static const char doing[] = {'#', 'q', 'm', 'd'};
    char line[COLUMNS];
    memset(line, '.', sizeof line);
    if (track->engine < 0 && track->port < 0)
        for (size_t i = 0; i < timeline->stretch_count; i++)
            fill(line, base, timeline->stretch[i].from, timeline->stretch[i].to,
                 doing[timeline->stretch[i].what]);
    else
        for (size_t i = 0; i < timeline->span_count; i++) {
            const ztl_timing_span *span = &timeline->span[i];
            if (!timeline_is_on(track, span))
                continue;
            fill(line, base, span->start, span->end, letter(i));
            if (span->start >= base && span->start - base < COLUMNS)
                line[span->start - base] = (char)toupper(letter(i));
        }
    fprintf(out, "%-15s %.*s\n", track->name, COLUMNS, line);
}

/* The instructions that start in these cycles. */
static void print_legend(const ztl_timeline *timeline, uint64_t from, uint64_t to, FILE *out)
{
    for (size_t i = 0; i < timeline->span_count; i++) {
        const ztl_timing_span *span = &timeline->span[i];
        char insn[TIMELINE_TEXT], wait[TIMELINE_TEXT];
        if (span->start < from || span->start >= to)
            continue;
        ztl_timeline_insn(timeline, span, insn);
        ztl_timeline_wait(timeline, span, wait);
        fprintf(out, *wait ? "  %c %8" PRIu64 " %-34.34s %.32s\n" : "  %c %8" PRIu64 " %.60s%.0s\n",
                letter(i), span->start, insn, wait);
    }
}

void ztl_timeline_text(const ztl_timeline *timeline, FILE *out)
{
    timeline_track track[TIMELINE_TRACKS];
    size_t tracks = ztl_timeline_tracks(timeline, track);
    uint64_t from, to;
    ztl_timeline_range(timeline, &from, &to);
    uint64_t end = to - from > ROWS * COLUMNS ? from + ROWS * COLUMNS : to;
    for (uint64_t base = from; base < end; base += COLUMNS) {
        uint64_t next = base + COLUMNS < end ? base + COLUMNS : end;
        fprintf(out, "cycles %" PRIu64 " to %" PRIu64 "\n", base, next - 1);
        for (size_t k = 0; k < tracks; k++)
            print_track(timeline, &track[k], base, out);
        print_legend(timeline, base, next, out);
    }
    fprintf(out, "hart: # runs; q, m, d waits for a queue, memory, the drain\n");
    if (end < to)
        fprintf(out, "... to cycle %" PRIu64 "; --window FROM..TO shows others\n", to);
}
