/* SPDX-License-Identifier: Apache-2.0
 * A timeline as a picture that any browser shows.
 */
#include "timing/timeline/timeline.h"

#include <inttypes.h>
#include <string.h>

enum { LEFT = 104, TOP = 46, HEIGHT = 24, STEP = 32, LETTER = 6, BOTTOM = 18 };

typedef struct picture {
    const ztl_timeline *timeline;
    FILE *out;
    uint64_t from, to;
    double scale; /* pixels a cycle */
} picture;

static const char *const colours[COLOURS] = {
    [COLOUR_LOAD] = "#4e79a7",
    [COLOUR_ADD] = "#edc948",
    [COLOUR_STORE] = "#e15759",
    [COLOUR_MOVE] = "#59a14f",
};
static const char *const doings[] = {"#bab0ac", "#f28e2b", "#b07aa1", "#9c755f"};

static double across(const picture *p, uint64_t cycle)
{
    uint64_t shown = cycle < p->from ? p->from : cycle > p->to ? p->to : cycle;
    return LEFT + (double)(shown - p->from) * p->scale;
}

static void draw_box(const picture *p, uint64_t from, uint64_t to, size_t track, const char *colour,
                     double height)
{
    double x = across(p, from), width = across(p, to) - x;
    double y = TOP + (double)track * STEP + (HEIGHT - height);
    fprintf(p->out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\"/>", x,
            y, width, height, colour);
}

/* The text in the box, as much as there is room for. */
static void draw_text(const picture *p, uint64_t from, uint64_t to, size_t track, const char *text)
{
    double x = across(p, from), width = across(p, to) - x;
    int room = (int)((width - 4) / LETTER);
    if (room > 2)
        fprintf(p->out, "<text x=\"%.2f\" y=\"%zu\">%.*s</text>", x + 3, TOP + track * STEP + 16,
                room, text);
}

/* "tl.load tl1, 0(a0)" without what every instruction has. */
static const char *short_text(const char *insn)
{
    return strncmp(insn, "tl.", 3) ? insn : insn + 3;
}

static void draw_span(const picture *p, const ztl_timing_span *span, size_t track, bool is_engine)
{
    const ztl_timeline *timeline = p->timeline;
    char insn[TIMELINE_TEXT], place[TIMELINE_TEXT], wait[TIMELINE_TEXT];
    const char *colour = colours[ztl_timeline_colour(timeline, span)];
    ztl_timeline_insn(timeline, span, insn);
    ztl_timeline_place(timeline, span->pc, place);
    ztl_timeline_wait(timeline, span, wait);
    fprintf(p->out,
            "<g><title>%s&#10;pc 0x%" PRIx64 " %s&#10;issued %" PRIu64 ", starts %" PRIu64
            ", ends %" PRIu64 ", there %" PRIu64 "&#10;%" PRIu32
            " bytes&#10;waited for: %s</title>",
            insn, span->pc, place, span->issued, span->start, span->end, span->done, span->bytes,
            *wait ? wait : "nothing");
    if (is_engine && span->done > span->end) /* the latency, a line below */
        draw_box(p, span->end, span->done, track, colour, 3);
    draw_box(p, span->start, span->end, track, colour, HEIGHT);
    draw_text(p, span->start, span->end, track, short_text(insn));
    fputs("</g>\n", p->out);
}

static void draw_stretch(const picture *p, const timeline_stretch *stretch)
{
    char place[TIMELINE_TEXT];
    const char *what = ztl_timeline_doing(stretch->what);
    ztl_timeline_place(p->timeline, stretch->pc, place);
    fprintf(p->out,
            "<g><title>%s, cycles %" PRIu64 " to %" PRIu64 "&#10;pc 0x%" PRIx64 " %s</title>", what,
            stretch->from, stretch->to, stretch->pc, place);
    draw_box(p, stretch->from, stretch->to, 0, doings[stretch->what], HEIGHT);
    draw_text(p, stretch->from, stretch->to, 0, what);
    fputs("</g>\n", p->out);
}

/* A round number of cycles between two marks, about a hundred pixels. */
static uint64_t mark_distance(const picture *p)
{
    static const unsigned steps[] = {1, 2, 5};
    for (uint64_t power = 1;; power *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
            if ((double)(power * steps[i]) * p->scale >= 80)
                return power * steps[i];
}

static void draw_axis(const picture *p, size_t tracks)
{
    uint64_t distance = mark_distance(p);
    for (uint64_t at = (p->from + distance - 1) / distance * distance; at <= p->to; at += distance)
        fprintf(p->out,
                "<line x1=\"%.2f\" x2=\"%.2f\" y1=\"%d\" y2=\"%zu\" stroke=\"#ddd\"/>"
                "<text x=\"%.2f\" y=\"%d\" fill=\"#555\">%" PRIu64 "</text>\n",
                across(p, at), across(p, at), TOP - 6, TOP + tracks * STEP, across(p, at) + 2,
                TOP - 8, at);
}

static void draw_legend(const picture *p)
{
    static const char *const names[COLOURS] = {"load", "add", "store", "move"};
    static const char *const waits[] = {"hart runs", "waits: queue", "memory", "drain"};
    int x = LEFT;
    for (size_t i = 0; i < COLOURS + sizeof waits / sizeof waits[0]; i++) {
        const char *name = i < COLOURS ? names[i] : waits[i - COLOURS];
        fprintf(p->out,
                "<rect x=\"%d\" y=\"6\" width=\"11\" height=\"11\" fill=\"%s\"/>"
                "<text x=\"%d\" y=\"16\">%s</text>\n",
                x, i < COLOURS ? colours[i] : doings[i - COLOURS], x + 15, name);
        x += 32 + (int)strlen(name) * LETTER;
    }
}

static double choose_scale(uint64_t cycles)
{
    enum { NARROW = 1000, WIDE = 30000 };
    const double usual = 2;
    double scale = (double)NARROW / (double)cycles;
    if (scale < usual)
        scale = (double)cycles * usual > WIDE ? (double)WIDE / (double)cycles : usual;
    return scale;
}

void ztl_timeline_svg(const ztl_timeline *timeline, FILE *out)
{
    timeline_track track[TIMELINE_TRACKS];
    size_t tracks = ztl_timeline_tracks(timeline, track);
    picture p = {.timeline = timeline, .out = out};
    ztl_timeline_range(timeline, &p.from, &p.to);
    p.scale = choose_scale(p.to - p.from);
    int margin = 8 + LETTER * snprintf(NULL, 0, "%" PRIu64, p.to); /* of a mark at the very end */
    int width = (int)across(&p, p.to) + margin, height = (int)(TOP + tracks * STEP + BOTTOM);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"10\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, width, height);
    draw_legend(&p);
    draw_axis(&p, tracks);
    for (size_t k = 0; k < tracks; k++)
        fprintf(out, "<text x=\"6\" y=\"%zu\" font-size=\"11\">%s</text>\n", TOP + k * STEP + 16,
                track[k].name);
    for (size_t i = 0; i < timeline->stretch_count; i++)
        draw_stretch(&p, &timeline->stretch[i]);
    for (size_t i = 0; i < timeline->span_count; i++)
        for (size_t k = 1; k < tracks; k++)
            if (timeline_is_on(&track[k], &timeline->span[i]))
                draw_span(&p, &timeline->span[i], k, track[k].engine >= 0);
    fputs("</svg>\n", out);
}
