/* SPDX-License-Identifier: Apache-2.0
 * Collecting a timeline, and the words in it.
 */
#include "timing/timeline/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

ztl_timeline *ztl_timeline_create(const ztl_timeline_config *config)
{
    ztl_timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline)
        timeline->config = *config;
    return timeline;
}

void ztl_timeline_destroy(ztl_timeline *timeline)
{
    if (!timeline)
        return;
    free(timeline->span);
    free(timeline->stretch);
    free(timeline);
}

void ztl_timeline_pause(ztl_timeline *timeline, bool paused)
{
    timeline->paused = paused;
}

bool ztl_timeline_is_cut(const ztl_timeline *timeline)
{
    return timeline->cut;
}

/* Makes room for one more of a growing array, up to the most. */
static bool grow(void **array, size_t count, size_t *size, size_t one)
{
    if (count == ZTL_TIMELINE_MOST)
        return false;
    if (count < *size)
        return true;
    size_t larger = *size ? 2 * *size : 256;
    void *moved = realloc(*array, larger * one);
    if (!moved)
        return false;
    *array = moved;
    *size = larger;
    return true;
}

static void take_span(void *context, const ztl_timing_span *span)
{
    ztl_timeline *timeline = context;
    if (timeline->paused || span->done <= timeline->config.from ||
        span->start >= timeline->config.to)
        return;
    void *array = timeline->span;
    if (timeline->cut || !grow(&array, timeline->span_count, &timeline->span_size, sizeof *span)) {
        timeline->cut = true;
        return;
    }
    timeline->span = array;
    timeline->span[timeline->span_count++] = *span;
}

static void take_stretch(void *context, enum ztl_timing_doing what, uint64_t pc, uint64_t from,
                         uint64_t to)
{
    ztl_timeline *timeline = context;
    const ztl_timeline_config *config = &timeline->config;
    if (timeline->paused || timeline->cut || to <= config->from || from >= config->to)
        return;
    timeline_stretch *last =
        timeline->stretch_count ? &timeline->stretch[timeline->stretch_count - 1] : NULL;
    if (last && last->what == what && last->to == from && what == ZTL_TIMING_RUNS) {
        last->to = to;
        return;
    }
    void *array = timeline->stretch;
    if (!grow(&array, timeline->stretch_count, &timeline->stretch_size, sizeof *last)) {
        timeline->cut = true;
        return;
    }
    timeline->stretch = array;
    timeline->stretch[timeline->stretch_count++] = (timeline_stretch){what, pc, from, to};
}

ztl_timing_sink ztl_timeline_sink(ztl_timeline *timeline)
{
    return (ztl_timing_sink){timeline, take_span, take_stretch};
}

size_t ztl_timeline_tracks(const ztl_timeline *timeline, timeline_track track[TIMELINE_TRACKS])
{
    const ztl_timing_machine *machine = &timeline->config.machine;
    const char *name;
    size_t count = 0;
    track[count++] = (timeline_track){"hart", -1, -1};
    for (int e = 0; (name = ztl_timing_engine_name(machine, (size_t)e)); e++)
        track[count++] = (timeline_track){name, e, -1};
    for (int p = 0; (name = ztl_timing_port_name(machine, (size_t)p)); p++)
        track[count++] = (timeline_track){name, -1, p};
    return count;
}

/* Without a window, from the first Ztl instruction to the last result, if there is one. */
void ztl_timeline_range(const ztl_timeline *timeline, uint64_t *from, uint64_t *to)
{
    const ztl_timeline_config *config = &timeline->config;
    *from = *to = 0;
    if (timeline->span_count) {
        *from = timeline->span[0].arrived;
    } else if (timeline->stretch_count) {
        *from = timeline->stretch[0].from;
        *to = timeline->stretch[timeline->stretch_count - 1].to;
    }
    for (size_t i = 0; i < timeline->span_count; i++)
        *to = timeline->span[i].done > *to ? timeline->span[i].done : *to;
    if (config->from > 0 || *from < config->from)
        *from = config->from;
    *to = *to > config->to ? config->to : *to;
    if (*from >= *to)
        *to = *from + 1;
}

static int compare_addresses(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

uint64_t *ztl_timeline_addresses(const ztl_timeline *timeline, size_t *count)
{
    size_t all = timeline->span_count + timeline->stretch_count;
    uint64_t *address = all ? malloc(all * sizeof *address) : NULL;
    *count = 0;
    if (!address)
        return NULL;
    for (size_t i = 0; i < timeline->span_count; i++)
        address[i] = timeline->span[i].pc;
    for (size_t i = 0; i < timeline->stretch_count; i++)
        address[timeline->span_count + i] = timeline->stretch[i].pc;
    qsort(address, all, sizeof *address, compare_addresses);
    for (size_t i = 0; i < all; i++)
        if (!i || address[i] != address[i - 1])
            address[(*count)++] = address[i];
    return address;
}

static void make_plain(char *text)
{
    for (; *text; text++)
        if (strchr("\"\\&<>", *text) || *text < ' ' || *text > '~')
            *text = '_';
}

void ztl_timeline_insn(const ztl_timeline *timeline, const ztl_timing_span *span,
                       char text[TIMELINE_TEXT])
{
    ztl_hart_disassemble(&timeline->config.isa, span->pc, span->word, text, TIMELINE_TEXT);
    make_plain(text);
}

void ztl_timeline_place(const ztl_timeline *timeline, uint64_t pc, char text[TIMELINE_TEXT])
{
    *text = '\0';
    if (timeline->config.place)
        timeline->config.place(timeline->config.context, pc, text, TIMELINE_TEXT);
    make_plain(text);
}

void ztl_timeline_wait(const ztl_timeline *timeline, const ztl_timing_span *span,
                       char text[TIMELINE_TEXT])
{
    static const char *const words[] = {
#define CAUSE(ID, key, words) words,
        ZTL_TIMING_CAUSES(CAUSE)
#undef CAUSE
    };
    bool by_register = span->cause == ZTL_TIMING_RAW || span->cause == ZTL_TIMING_WAR;
    (void)timeline;
    *text = '\0';
    if (span->start > span->ready && by_register)
        snprintf(text, TIMELINE_TEXT, "tl%u (%s), %" PRIu64 " cycles", span->reg,
                 words[span->cause], span->start - span->ready);
    else if (span->start > span->ready)
        snprintf(text, TIMELINE_TEXT, "%s, %" PRIu64 " cycles", words[span->cause],
                 span->start - span->ready);
}

const char *ztl_timeline_doing(enum ztl_timing_doing what)
{
    static const char *const words[] = {"runs", "waits for a queue", "waits for memory",
                                        "waits for the drain"};
    return words[what];
}

enum timeline_colour ztl_timeline_colour(const ztl_timeline *timeline, const ztl_timing_span *span)
{
    const ztl_insn_row *row = ztl_isa_lookup(timeline->config.isa.ztl_revision, span->word);
    switch (row ? row->op : ZTL_OP_XPOSE) {
    case ZTL_OP_LOAD:
    case ZTL_OP_MLOAD:
        return COLOUR_LOAD;
    case ZTL_OP_STORE:
    case ZTL_OP_MSTORE:
        return COLOUR_STORE;
    case ZTL_OP_ADDI:
        return COLOUR_ADD;
    default:
        return COLOUR_MOVE;
    }
}

bool ztl_timeline_format_of(const char *path, enum ztl_timeline_format *format)
{
    static const char *const endings[] = {
        [ZTL_TIMELINE_CHROME] = ".json", [ZTL_TIMELINE_KANATA] = ".kanata",
        [ZTL_TIMELINE_SVG] = ".svg",     [ZTL_TIMELINE_HTML] = ".html",
        [ZTL_TIMELINE_TEXT] = ".txt",
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (!strcmp(dot, endings[i])) {
            *format = (enum ztl_timeline_format)i;
            return true;
        }
    return false;
}

bool ztl_timeline_write(const ztl_timeline *timeline, enum ztl_timeline_format format, FILE *out)
{
    switch (format) {
    case ZTL_TIMELINE_CHROME:
        ztl_timeline_chrome(timeline, out);
        break;
    case ZTL_TIMELINE_KANATA:
        return ztl_timeline_kanata(timeline, out) && !ferror(out);
    case ZTL_TIMELINE_SVG:
        ztl_timeline_svg(timeline, out);
        break;
    case ZTL_TIMELINE_HTML:
        ztl_timeline_html(timeline, out);
        break;
    case ZTL_TIMELINE_TEXT:
        ztl_timeline_text(timeline, out);
        break;
    }
    return !ferror(out);
}
