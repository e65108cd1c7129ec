/* SPDX-License-Identifier: Apache-2.0
 *
 * Timelines of a run on a machine: what each engine, each port and the hart did when.
 *
 *     ztl_timeline_config config = {.machine = machine, .isa = *ztl_hart_isa_of(hart),
 *                                   .to = UINT64_MAX};
 *     ztl_timeline *timeline = ztl_timeline_create(&config);
 *     ztl_timing_sink sink = ztl_timeline_sink(timeline);
 *     ztl_timing_set_sink(timing, &sink);
 *     ztl_hart_run(hart, UINT64_MAX);
 *     ztl_timeline_write(timeline, ZTL_TIMELINE_SVG, file);
 */
#ifndef ZTL_TIMELINE_H
#define ZTL_TIMELINE_H

#include <ztl/timing.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ztl_timeline_format {
    ZTL_TIMELINE_CHROME, /* Chrome trace events, for Perfetto; a microsecond is a cycle */
    ZTL_TIMELINE_KANATA, /* for Konata */
    ZTL_TIMELINE_SVG,    /* a picture; hovering tells the details */
    ZTL_TIMELINE_HTML,   /* the same to zoom and move in, in one file */
    ZTL_TIMELINE_TEXT,   /* a chart of characters, 80 columns wide */
};

enum { ZTL_TIMELINE_MOST = 50000 }; /* Ztl instructions: more, and a browser struggles */

typedef struct ztl_timeline_config {
    ztl_timing_machine machine;
    ztl_hart_isa isa;
    uint64_t from, to; /* cycles: what lies before or behind is left out */
    void *context;
    /* The place of a pc in the program, as "main+0x10, prog.c:12"; may be NULL, or write nothing.
     */
    void (*place)(void *context, uint64_t pc, char *text, size_t size);
} ztl_timeline_config;

typedef struct ztl_timeline ztl_timeline;

/* NULL without memory. */
ZTL_API ztl_timeline *ztl_timeline_create(const ztl_timeline_config *config);
ZTL_API void ztl_timeline_destroy(ztl_timeline *timeline);
ZTL_API ztl_timing_sink ztl_timeline_sink(ztl_timeline *timeline);

/* Takes nothing in while it is paused. */
ZTL_API void ztl_timeline_pause(ztl_timeline *timeline, bool paused);

/* Whether instructions were left out because there were too many, or memory was short. */
ZTL_API bool ztl_timeline_is_cut(const ztl_timeline *timeline);

/* The format that a file's name asks for by its ending: .json, .kanata, .svg, .html, .txt. */
ZTL_API bool ztl_timeline_format_of(const char *path, enum ztl_timeline_format *format);

/* False when the file could not be written, or without memory. */
ZTL_API bool ztl_timeline_write(const ztl_timeline *timeline, enum ztl_timeline_format format,
                                FILE *out);

#ifdef __cplusplus
}
#endif
#endif
