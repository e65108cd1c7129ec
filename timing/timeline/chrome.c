/* SPDX-License-Identifier: Apache-2.0
 * Chrome trace events: https://ui.perfetto.dev opens them. A cycle is a microsecond.
 */
#include "timing/timeline/timeline.h"

#include <inttypes.h>

static void print_track(const char *name, size_t number, FILE *out)
{
    fprintf(out,
            "{\"ph\": \"M\", \"pid\": 1, \"tid\": %zu, \"name\": \"thread_name\", "
            "\"args\": {\"name\": \"%s\"}},\n"
            "{\"ph\": \"M\", \"pid\": 1, \"tid\": %zu, \"name\": \"thread_sort_index\", "
            "\"args\": {\"sort_index\": %zu}},\n",
            number, name, number, number);
}

static void print_stretch(const ztl_timeline *timeline, const timeline_stretch *stretch, FILE *out)
{
    char place[TIMELINE_TEXT];
    ztl_timeline_place(timeline, stretch->pc, place);
    fprintf(out,
            ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": 0, \"cat\": \"hart\", \"name\": \"%s\", "
            "\"ts\": %" PRIu64 ", \"dur\": %" PRIu64 ", \"args\": {\"pc\": \"0x%" PRIx64
            "\", \"place\": \"%s\"}}",
            ztl_timeline_doing(stretch->what), stretch->from, stretch->to - stretch->from,
            stretch->pc, place);
}

static void print_span(const ztl_timeline *timeline, const ztl_timing_span *span, size_t track,
                       FILE *out)
{
    char insn[TIMELINE_TEXT], place[TIMELINE_TEXT], wait[TIMELINE_TEXT];
    ztl_timeline_insn(timeline, span, insn);
    ztl_timeline_place(timeline, span->pc, place);
    ztl_timeline_wait(timeline, span, wait);
    fprintf(out,
            ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": %zu, \"cat\": \"ztl\", \"name\": \"%s\", "
            "\"ts\": %" PRIu64 ", \"dur\": %" PRIu64 ", \"args\": {\"number\": %" PRIu64
            ", \"pc\": \"0x%" PRIx64 "\", \"place\": \"%s\", \"bytes\": %" PRIu32
            ", \"slices\": %" PRIu32 ", \"issued\": %" PRIu64 ", \"queue\": %" PRIu64
            ", \"waited\": \"%s\", \"done\": %" PRIu64 "}}",
            track, insn, span->start, span->end - span->start, span->number, span->pc, place,
            span->bytes, span->slices, span->issued, span->issued - span->arrived, wait,
            span->done);
}

void ztl_timeline_chrome(const ztl_timeline *timeline, FILE *out)
{
    timeline_track track[TIMELINE_TRACKS];
    size_t count = ztl_timeline_tracks(timeline, track);
    fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n", out);
    for (size_t k = 0; k < count; k++)
        print_track(track[k].name, k, out);
    fputs("{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": "
          "\"cycles (1 us each)\"}}",
          out);
    for (size_t i = 0; i < timeline->stretch_count; i++)
        print_stretch(timeline, &timeline->stretch[i], out);
    for (size_t i = 0; i < timeline->span_count; i++)
        for (size_t k = 1; k < count; k++)
            if (timeline_is_on(&track[k], &timeline->span[i]))
                print_span(timeline, &timeline->span[i], k, out);
    fputs("\n]}\n", out);
}
