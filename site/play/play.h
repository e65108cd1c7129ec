/* SPDX-License-Identifier: Apache-2.0
 * The playground's machine: one program on one hart, for a page that calls it in WebAssembly. Texts
 * go through one buffer in either direction; what is structured is JSON.
 */
#ifndef ZTL_PLAY_H
#define ZTL_PLAY_H

#include <stdio.h>

#include <ztl/source.h>
#include <ztl/timeline.h>

/* A function that the page calls. */
#define PLAY __attribute__((visibility("default"), used))

enum { PLAY_BASE = 0x80000000, PLAY_RAM = 16 << 20 };

typedef struct play_machine {
    ztl_source *source;
    ztl_hart *hart;
    ztl_timing *timing; /* NULL: cycles are not counted */
    ztl_timing_machine engines;
    ztl_timeline *timeline;
    char isa[64];
    enum ztl_stop stop;
    bool ended;    /* by itself, or by a trap */
    char *console; /* what the program wrote */
    size_t console_length, console_room;
    ztl_state before; /* of the last Ztl instruction that was stepped over */
    uint64_t before_x[32];
    uint32_t before_word;  /* 0: none */
    uint64_t before_count; /* instructions until then */
} play_machine;

extern play_machine play;

/* text.c: what the page wrote; and a text for it, which stays until the next. */
const char *play_input(void);
FILE *play_open(void);
const char *play_close(void);
void play_json_text(FILE *out, const char *text, size_t length);

/* console.c: what a program asks of its host. */
void play_attach_console(ztl_hart *hart, const ztl_source *source);

#endif
