/* SPDX-License-Identifier: Apache-2.0
 * A timeline as one HTML file: timing/timeline/page.html with the data in it.
 */
#include "timing/timeline/timeline.h"

#include <inttypes.h>
#include <string.h>

/* ztl_timeline_page: the file, with a 0 behind it. */
__asm__(".pushsection .rodata\n"
        ".hidden ztl_timeline_page\n"
        ".globl ztl_timeline_page\n"
        "ztl_timeline_page: .incbin \"" ZTL_TIMELINE_PAGE "\"\n"
        ".byte 0\n"
        ".popsection");
extern const char ztl_timeline_page[] __attribute__((visibility("hidden")));

static void print_stretch(const ztl_timeline *timeline, const timeline_stretch *stretch, FILE *out)
{
    char place[TIMELINE_TEXT];
    ztl_timeline_place(timeline, stretch->pc, place);
    fprintf(out,
            "[0, %d, %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", \"%s\", \"0x%" PRIx64
            "\", \"%s\", %" PRIu64 ", 0, \"\"],\n",
            COLOURS + (int)stretch->what, stretch->from, stretch->to, stretch->to,
            ztl_timeline_doing(stretch->what), stretch->pc, place, stretch->from);
}

static void print_span(const ztl_timeline *timeline, const ztl_timing_span *span, size_t track,
                       bool is_engine, FILE *out)
{
    char insn[TIMELINE_TEXT], place[TIMELINE_TEXT], wait[TIMELINE_TEXT];
    ztl_timeline_insn(timeline, span, insn);
    ztl_timeline_place(timeline, span->pc, place);
    ztl_timeline_wait(timeline, span, wait);
    fprintf(out,
            "[%zu, %d, %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", \"%s\", \"0x%" PRIx64
            "\", \"%s\", %" PRIu64 ", %" PRIu32 ", \"%s\"],\n",
            track, (int)ztl_timeline_colour(timeline, span), span->start, span->end,
            is_engine ? span->done : span->end, insn, span->pc, place, span->issued, span->bytes,
            wait);
}

static void print_data(const ztl_timeline *timeline, FILE *out)
{
    timeline_track track[TIMELINE_TRACKS];
    size_t tracks = ztl_timeline_tracks(timeline, track);
    uint64_t from, to;
    ztl_timeline_range(timeline, &from, &to);
    fprintf(out, "{from: %" PRIu64 ", to: %" PRIu64 ", tracks: [", from, to);
    for (size_t k = 0; k < tracks; k++)
        fprintf(out, "\"%s\", ", track[k].name);
    fputs("],\nspans: [\n", out);
    for (size_t i = 0; i < timeline->stretch_count; i++)
        print_stretch(timeline, &timeline->stretch[i], out);
    for (size_t i = 0; i < timeline->span_count; i++)
        for (size_t k = 1; k < tracks; k++)
            if (timeline_is_on(&track[k], &timeline->span[i]))
                print_span(timeline, &timeline->span[i], k, track[k].engine >= 0, out);
    fputs("]}", out);
}

void ztl_timeline_html(const ztl_timeline *timeline, FILE *out)
{
    static const char mark[] = "/*DATA*/";
    const char *at = strstr(ztl_timeline_page, mark);
    fwrite(ztl_timeline_page, 1, (size_t)(at - ztl_timeline_page), out);
    print_data(timeline, out);
    fputs(at + strlen(mark), out);
}
