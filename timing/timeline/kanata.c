/* SPDX-License-Identifier: Apache-2.0
 * A Kanata log, for Konata: of each Ztl instruction the waiting for a place in the queue (W), the
 * queue (Q), the engine (X) and the latency (L).
 */
#include "timing/timeline/timeline.h"

#include <inttypes.h>
#include <stdlib.h>

/* A line of the log; those of one cycle stay in their order. */
typedef struct line {
    uint64_t cycle;
    size_t span;
    char stage; /* 0: retires */
    bool first;
} line;

static int in_order(const void *a, const void *b)
{
    const line *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->span != y->span)
        return x->span < y->span ? -1 : 1;
    return 0;
}

/* Stages that take no cycle do not appear; so of one instruction no two lines have one cycle. */
static size_t add_lines(const ztl_timing_span *span, size_t index, line *lines)
{
    const struct {
        uint64_t from, to;
        char stage;
    } stages[] = {{span->arrived, span->issued, 'W'},
                  {span->issued, span->start, 'Q'},
                  {span->start, span->end, 'X'},
                  {span->end, span->done, 'L'}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (stages[i].to > stages[i].from) {
            lines[count] = (line){stages[i].from, index, stages[i].stage, count == 0};
            count++;
        }
    lines[count++] = (line){span->done, index, '\0', false};
    return count;
}

static void print_line(const ztl_timeline *timeline, const line *l, size_t *retired, FILE *out)
{
    const ztl_timing_span *span = &timeline->span[l->span];
    char insn[TIMELINE_TEXT], place[TIMELINE_TEXT], wait[TIMELINE_TEXT];
    if (l->first) {
        ztl_timeline_insn(timeline, span, insn);
        ztl_timeline_place(timeline, span->pc, place);
        ztl_timeline_wait(timeline, span, wait);
        fprintf(out, "I\t%zu\t%" PRIu64 "\t0\n", l->span, span->number);
        fprintf(out, "L\t%zu\t0\t%" PRIx64 ": %s\n", l->span, span->pc, insn);
        fprintf(out, "L\t%zu\t1\t%s; %s; %" PRIu32 " bytes; waited for: %s\n", l->span, place,
                ztl_timing_engine_name(&timeline->config.machine, span->engine), span->bytes,
                *wait ? wait : "nothing");
    }
    if (l->stage)
        fprintf(out, "S\t%zu\t0\t%c\n", l->span, l->stage);
    else
        fprintf(out, "R\t%zu\t%zu\t0\n", l->span, (*retired)++);
}

bool ztl_timeline_kanata(const ztl_timeline *timeline, FILE *out)
{
    enum { MOST_LINES = 5 };
    size_t count = 0, retired = 0;
    line *lines = calloc(timeline->span_count * MOST_LINES + 1, sizeof *lines);
    fputs("Kanata\t0004\n", out);
    if (!lines)
        return false;
    for (size_t i = 0; i < timeline->span_count; i++)
        count += add_lines(&timeline->span[i], i, lines + count);
    qsort(lines, count, sizeof *lines, in_order);
    uint64_t now = count ? lines[0].cycle : 0;
    fprintf(out, "C=\t%" PRIu64 "\n", now);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].cycle > now)
            fprintf(out, "C\t%" PRIu64 "\n", lines[i].cycle - now);
        now = lines[i].cycle;
        print_line(timeline, &lines[i], &retired, out);
    }
    free(lines);
    return true;
}
