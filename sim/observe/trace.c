/* SPDX-License-Identifier: Apache-2.0
 * A trace: collects lines in a buffer and writes them out, compressed or not.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/output.h"
#include "host/error.h"
#include "sim/observe/line.h"
#include "sim/observe/trace.h"

static ztl_trace_form *form_of(enum ztl_trace_format format)
{
    switch (format) {
    case ZTL_TRACE_CSV:
        return ztl_trace_csv;
    case ZTL_TRACE_JSON:
        return ztl_trace_json;
    case ZTL_TRACE_RVVI:
        return ztl_trace_rvvi;
    default:
        return ztl_trace_spike;
    }
}

static bool is_compressed(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && !strcmp(path + length - 3, ".gz");
}

static bool open_output(ztl_trace *trace, ztl_error *error)
{
    bool is_standard = !strcmp(trace->path, "-");
    int file = is_standard ? dup(STDOUT_FILENO) : ztl_output_stream(trace->path);
    if (file < 0)
        return ztl_fail(error, "%s: %s", trace->path, strerror(errno));
    if (is_standard || !is_compressed(trace->path)) {
        trace->file = file;
        return true;
    }
    trace->gz = gzdopen(file, "wb1"); /* fast: a trace shrinks well at any level */
    if (!trace->gz) {
        close(file);
        return ztl_fail(error, "%s: no memory", trace->path);
    }
    return true;
}

static void destroy(ztl_trace *trace)
{
    free(trace->path);
    free(trace->text);
    free(trace->buffer);
    free(trace);
}

/* Threads that take turns on the hart are like harts of their own. */
static void set_prefix(ztl_trace *trace, unsigned thread)
{
    trace->thread = thread;
    trace->prefix_length =
        (size_t)snprintf(trace->prefix, sizeof trace->prefix, "core%4u: ", trace->core + thread);
}

static ztl_trace *create(const char *path, const ztl_trace_config *config, ztl_hart *hart)
{
    ztl_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    uint64_t id = 0;
    ztl_hart_debug_csr_read(hart, ZTL_TRACE_MHARTID, &id);
    trace->config = *config;
    trace->hart = hart;
    trace->form = form_of(config->format);
    trace->isa = *ztl_hart_isa_of(hart);
    trace->digits = trace->isa.xlen / 4;
    trace->file = -1;
    trace->core = (unsigned)(id % 1000000);
    set_prefix(trace, 0);
    trace->path = strdup(path);
    trace->buffer = malloc(ZTL_TRACE_BUFFER + ZTL_TRACE_LINE);
    if (config->disassemble)
        trace->text = calloc(ZTL_TRACE_TEXTS, sizeof *trace->text);
    if (!trace->path || !trace->buffer || (config->disassemble && !trace->text)) {
        destroy(trace);
        return NULL;
    }
    return trace;
}

ztl_trace *ztl_trace_open(const char *path, const ztl_trace_config *config, ztl_hart *hart,
                          ztl_error *error)
{
    ztl_trace *trace = create(path, config, hart);
    if (!trace) {
        ztl_fail(error, "%s: no memory", path);
        return NULL;
    }
    if (!open_output(trace, error)) {
        destroy(trace);
        return NULL;
    }
    char *end = trace->buffer;
    if (config->format == ZTL_TRACE_CSV)
        end = ztl_put_text(end, ztl_trace_csv_header);
    else if (config->format == ZTL_TRACE_RVVI)
        end = ztl_trace_rvvi_header(trace, end);
    trace->used = (size_t)(end - trace->buffer);
    return trace;
}

static void write_plain(ztl_trace *trace)
{
    for (size_t done = 0; done < trace->used;) {
        ssize_t now = write(trace->file, trace->buffer + done, trace->used - done);
        if (now < 0 && errno == EINTR && !ztl_hart_stop_requested(trace->hart))
            continue;
        if (now < 0) {
            trace->error = errno;
            return;
        }
        done += (size_t)now;
    }
}

static void write_gz(ztl_trace *trace)
{
    if (trace->used && gzwrite(trace->gz, trace->buffer, (unsigned)trace->used) <= 0)
        trace->error = errno ? errno : EIO;
}

void ztl_trace_flush(ztl_trace *trace)
{
    if (!trace->error) {
        if (trace->gz)
            write_gz(trace);
        else
            write_plain(trace);
    }
    trace->used = 0;
}

bool ztl_trace_close(ztl_trace *trace, ztl_error *error)
{
    ztl_trace_flush(trace);
    int failed = trace->gz ? gzclose(trace->gz) != Z_OK : close(trace->file);
    if (failed && !trace->error)
        trace->error = errno ? errno : EIO;
    bool ok = !trace->error;
    if (!ok)
        ztl_fail(error, "%s: the trace is not complete: %s", trace->path, strerror(trace->error));
    destroy(trace);
    return ok;
}

static void happened(void *context, ztl_hart *hart, const ztl_event *event)
{
    ztl_trace *trace = context;
    if (event->thread != trace->thread)
        set_prefix(trace, event->thread);
    char *end = trace->form(trace, hart, event, trace->buffer + trace->used);
    trace->used = (size_t)(end - trace->buffer);
    if (trace->used < ZTL_TRACE_BUFFER)
        return;
    ztl_trace_flush(trace);
    if (trace->error)
        ztl_hart_request_stop(hart);
}

ztl_observer ztl_trace_observer(ztl_trace *trace)
{
    return (ztl_observer){trace, happened};
}

const char *ztl_trace_disassemble(ztl_trace *trace, const ztl_event *event)
{
    ztl_trace_text *kept = &trace->text[event->pc / 2 % ZTL_TRACE_TEXTS];
    if (!kept->is_valid || kept->pc != event->pc || kept->word != event->word) {
        *kept = (ztl_trace_text){.pc = event->pc, .word = event->word, .is_valid = true};
        ztl_hart_disassemble(&trace->isa, event->pc, event->word, kept->text, sizeof kept->text);
    }
    return kept->text;
}

char *ztl_trace_put_block(const ztl_trace *trace, const uint8_t *bytes, size_t size, char *at)
{
    if (trace->config.full)
        return ztl_put_bytes(at, bytes, size);
    at = ztl_put_literal(at, "crc32:");
    return ztl_put_digits8(at, (uint32_t)crc32(0, bytes, (uInt)size));
}

char *ztl_trace_put_register(const ztl_trace *trace, ztl_hart *hart, unsigned index, char *at)
{
    return ztl_trace_put_block(trace, ztl_get_register(ztl_hart_ztl(hart), index), ZTL_REG_BYTES,
                               at);
}

size_t ztl_trace_stored(ztl_hart *hart, const ztl_access *access, uint8_t *bytes)
{
    size_t size = access->size < ZTL_REG_BYTES ? access->size : ZTL_REG_BYTES;
    size_t got = ztl_hart_read_memory(hart, access->address, bytes, size);
    if (got < size) /* around the end of the address space */
        ztl_hart_read_memory(hart, 0, bytes + got, size - got);
    return size;
}

char *ztl_trace_put_stored(const ztl_trace *trace, ztl_hart *hart, const ztl_access *access,
                           char *at)
{
    uint8_t bytes[ZTL_REG_BYTES] = {0};
    switch (access->size) {
    case 1:
    case 2:
    case 4:
    case 8:
        return ztl_put_hex(at, access->value, 2 * access->size);
    default:
        break;
    }
    return ztl_trace_put_block(trace, bytes, ztl_trace_stored(hart, access, bytes), at);
}
