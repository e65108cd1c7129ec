/* SPDX-License-Identifier: Apache-2.0
 * What Spike's own log has besides, and has otherwise than our trace in its form.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/observe/line.h"
#include "sim/observe/trace.h"

/* Five instructions of a ROM at 0x1000 start every program on Spike. */
char *ztl_trace_log_boot(const ztl_trace *trace, uint64_t entry, char *at)
{
    uint64_t id = 0;
    ztl_hart_debug_csr_read(trace->hart, ZTL_TRACE_MHARTID, &id);
    const bool is_32 = trace->isa.xlen == 32;
    const struct {
        uint32_t word;
        const char *text;
        unsigned rd;
        uint64_t value;
        const char *load;
    } boot[] = {
        {0x00000297, "auipc   t0, 0x0", 5, 0x1000, ""},
        {0x02028593, "addi    a1, t0, 32", 11, 0x1020, ""},
        {0xf1402573, "csrr    a0, mhartid", 10, id, ""},
        {is_32 ? 0x0182a283 : 0x0182b283, is_32 ? "lw      t0, 24(t0)" : "ld      t0, 24(t0)", 5,
         entry, is_32 ? " mem 0x00001018" : " mem 0x0000000000001018"},
        {0x00028067, "jr      t0", 0, 0, ""},
    };
    const int digits = (int)trace->digits;
    for (unsigned i = 0; i < sizeof boot / sizeof boot[0]; i++) {
        const unsigned pc = 0x1000 + 4 * i;
        if (trace->config.disassemble)
            at += sprintf(at, "%s0x%0*x (0x%08" PRIx32 ") %s\n", trace->prefix, digits, pc,
                          boot[i].word, boot[i].text);
        at += sprintf(at, "%s3 0x%0*x (0x%08" PRIx32 ")", trace->prefix, digits, pc, boot[i].word);
        if (boot[i].rd)
            at += sprintf(at, " x%-2u 0x%0*" PRIx64 "%s", boot[i].rd, digits, boot[i].value,
                          boot[i].load);
        *at++ = '\n';
    }
    return at;
}

static bool jumps_relative(const ztl_event *event)
{
    if (event->length == 4)
        return (event->word & 0x7f) == 0x63 || (event->word & 0x7f) == 0x6f;
    const unsigned form = (event->word >> 11 & 0x1c) | (event->word & 3);
    return form == 0x15 || form == 0x19 || form == 0x1d; /* c.j, c.beqz, c.bnez */
}

/* A text as Spike sets it: the mnemonic takes eight columns, and a target is a distance. */
char *ztl_trace_log_text(const ztl_event *event, const char *text, char *at)
{
    const char *space = strchr(text, ' '), *last = strrchr(text, ' ');
    if (!space)
        return ztl_put_text(at, text);
    at += sprintf(at, "%-7.*s ", (int)(space - text), text);
    if (!jumps_relative(event))
        return ztl_put_text(at, space + 1);
    if (last > space)
        at += sprintf(at, "%.*s", (int)(last - space), space + 1);
    const int64_t distance = (int64_t)(strtoull(last + 1, NULL, 16) - event->pc);
    const uint64_t size = (uint64_t)(distance < 0 ? -distance : distance);
    const bool is_jal = event->length == 4 && (event->word & 0x7f) == 0x6f;
    return at + sprintf(at, is_jal ? "pc %c 0x%" PRIx64 : "pc %c %" PRIu64,
                        distance < 0 ? '-' : '+', size);
}

/* Spike counts an instruction that runs again at once, and shows it only the first time. */
bool ztl_trace_log_starts(ztl_trace *trace, const ztl_event *event)
{
    if (trace->repetitions && trace->last_pc == event->pc && trace->last_word == event->word) {
        trace->repetitions++;
        return false;
    }
    trace->last_pc = event->pc;
    trace->last_word = event->word;
    return true;
}

char *ztl_trace_log_repetitions(ztl_trace *trace, char *at)
{
    if (trace->repetitions > 1)
        at += sprintf(at, "%sExecuted %" PRIu64 " times\n", trace->prefix, trace->repetitions);
    trace->repetitions = 1;
    return at;
}

/* The log has no value of more than 8 bytes: a slice is stored in parts. */
char *ztl_trace_log_parts(const ztl_trace *trace, ztl_hart *hart, const ztl_access *access,
                          char *at)
{
    for (uint64_t done = 0; done < access->size;) {
        unsigned size = 8;
        while (size > access->size - done)
            size /= 2;
        const uint64_t address = access->address + done;
        uint8_t bytes[8] = {0};
        uint64_t value = 0;
        ztl_hart_read_memory(hart, address, bytes, size);
        for (unsigned i = size; i-- > 0;)
            value = value << 8 | bytes[i];
        at += sprintf(at, " mem 0x%0*" PRIx64 " 0x%0*" PRIx64, (int)trace->digits, address,
                      (int)(2 * size), value);
        done += size;
    }
    return at;
}
