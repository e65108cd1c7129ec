/* SPDX-License-Identifier: Apache-2.0
 * What the forms of the trace share.
 */
#ifndef ZTL_SIM_TRACE_H
#define ZTL_SIM_TRACE_H

#include <zlib.h>

#include <ztl/observe.h>

enum {
    ZTL_TRACE_BUFFER = 1 << 19,
    /* What the longest line can take: two registers and 64 slices, each written out in full. */
    ZTL_TRACE_LINE = 66 * (2 * ZTL_REG_BYTES + 128),
    ZTL_TRACE_TEXTS = 1024, /* instructions whose disassembly is kept */
    ZTL_TRACE_TEXT = 80,
    ZTL_TRACE_MHARTID = 0xf14,
};

typedef struct ztl_trace_text {
    uint64_t pc;
    uint32_t word;
    bool is_valid;
    char text[ZTL_TRACE_TEXT];
} ztl_trace_text;

/* Writes the line of an event. */
typedef char *ztl_trace_form(ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at);

struct ztl_trace {
    ztl_trace_config config;
    ztl_trace_form *form;
    ztl_hart *hart; /* a stop requested of it ends waiting to write */
    ztl_hart_isa isa;
    unsigned digits;       /* of an address */
    unsigned core, thread; /* of the hart, and of the event that was written last */
    char prefix[16];       /* "core   0: " */
    size_t prefix_length;
    ztl_trace_text *text;
    bool started;         /* Spike's log has its boot lines */
    uint64_t last_pc;     /* of the text shown last, as Spike's log needs it */
    uint32_t last_word;   /* its instruction */
    uint64_t repetitions; /* how often in a row that was executed */
    char *path;
    int file; /* -1 while compressing */
    gzFile gz;
    int error; /* errno of the first write that failed */
    size_t used;
    char *buffer;
};

ztl_trace_form ztl_trace_spike, ztl_trace_csv, ztl_trace_json, ztl_trace_rvvi;

extern const char ztl_trace_csv_header[];
char *ztl_trace_rvvi_header(const ztl_trace *trace, char *at);

/* The text of the event's instruction. */
const char *ztl_trace_disassemble(ztl_trace *trace, const ztl_event *event);

/* crc32:…, or all bytes as bare digits, of a register or of a stretch of memory. */
char *ztl_trace_put_block(const ztl_trace *trace, const uint8_t *bytes, size_t size, char *at);
char *ztl_trace_put_register(const ztl_trace *trace, ztl_hart *hart, unsigned index, char *at);

/* The bytes that a store left, up to those of a register; returns how many. */
size_t ztl_trace_stored(ztl_hart *hart, const ztl_access *access, uint8_t *bytes);

/* The value that a store left: a number of up to 8 bytes, else a block. */
char *ztl_trace_put_stored(const ztl_trace *trace, ztl_hart *hart, const ztl_access *access,
                           char *at);

/* Spike's own log: the lines before the first instruction; whether the text of an instruction is
 * shown, and a line for the last one's repetitions; a text; what a Ztl store has stored. */
char *ztl_trace_log_boot(const ztl_trace *trace, uint64_t entry, char *at);
bool ztl_trace_log_starts(ztl_trace *trace, const ztl_event *event);
char *ztl_trace_log_repetitions(ztl_trace *trace, char *at);
char *ztl_trace_log_text(const ztl_event *event, const char *text, char *at);
char *ztl_trace_log_parts(const ztl_trace *trace, ztl_hart *hart, const ztl_access *access,
                          char *at);

#endif
