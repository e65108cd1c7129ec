/* SPDX-License-Identifier: Apache-2.0
 * A timeline from inside.
 */
#ifndef ZTL_TIMING_TIMELINE_H
#define ZTL_TIMING_TIMELINE_H

#include <ztl/timeline.h>

/* What the hart did for a while. */
typedef struct timeline_stretch {
    enum ztl_timing_doing what;
    uint64_t pc, from, to;
} timeline_stretch;

struct ztl_timeline {
    ztl_timeline_config config;
    ztl_timing_span *span;
    size_t span_count, span_size;
    timeline_stretch *stretch;
    size_t stretch_count, stretch_size;
    bool paused, cut;
};

enum { TIMELINE_TEXT = 200, TIMELINE_TRACKS = 1 + ZTL_TIMING_ENGINES + ZTL_TIMING_PORTS };

/* The tracks in the order of a picture: the hart, the engines, the ports. */
typedef struct timeline_track {
    const char *name;
    int engine, port; /* -1: not one; both: the hart */
} timeline_track;
size_t ztl_timeline_tracks(const ztl_timeline *timeline, timeline_track track[TIMELINE_TRACKS]);

/* Whether an instruction is on a track. */
static inline bool timeline_is_on(const timeline_track *track, const ztl_timing_span *span)
{
    return track->engine >= 0 ? span->engine == track->engine : span->port == track->port;
}

/* The cycles that there is anything in. */
void ztl_timeline_range(const ztl_timeline *timeline, uint64_t *from, uint64_t *to);

/* The addresses of all that is in it, ascending, each once; freed by the caller. NULL when there
 * are none, or without memory. */
uint64_t *ztl_timeline_addresses(const ztl_timeline *timeline, size_t *count);

/* Texts without quotes, backslashes, &, < and >: they may stand in JSON, XML and HTML. */
void ztl_timeline_insn(const ztl_timeline *timeline, const ztl_timing_span *span,
                       char text[TIMELINE_TEXT]);
void ztl_timeline_place(const ztl_timeline *timeline, uint64_t pc, char text[TIMELINE_TEXT]);
/* "tl1 (RAW) for 12 cycles", or nothing. */
void ztl_timeline_wait(const ztl_timeline *timeline, const ztl_timing_span *span,
                       char text[TIMELINE_TEXT]);
const char *ztl_timeline_doing(enum ztl_timing_doing what);

/* What a colour stands for: load, store, add, move; and the waiting of the hart. */
enum timeline_colour { COLOUR_LOAD, COLOUR_ADD, COLOUR_STORE, COLOUR_MOVE, COLOURS };
enum timeline_colour ztl_timeline_colour(const ztl_timeline *timeline, const ztl_timing_span *span);

void ztl_timeline_chrome(const ztl_timeline *timeline, FILE *out);
bool ztl_timeline_kanata(const ztl_timeline *timeline, FILE *out);
void ztl_timeline_svg(const ztl_timeline *timeline, FILE *out);
void ztl_timeline_html(const ztl_timeline *timeline, FILE *out);
void ztl_timeline_text(const ztl_timeline *timeline, FILE *out);

#endif
