/* SPDX-License-Identifier: Apache-2.0
 * The trace as JSON, one object a line. What an instruction did not do is left out; numbers that
 * can exceed 53 bits are strings of hexadecimal digits.
 */
#include "sim/observe/line.h"
#include "sim/observe/trace.h"

static char *put_quoted_hex(char *at, uint64_t value, unsigned digits)
{
    *at++ = '"';
    at = ztl_put_hex(at, value, digits);
    *at++ = '"';
    return at;
}

static char *put_csrs(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    at = ztl_put_literal(at, ",\"csr\":{");
    for (unsigned i = 0; i < event->csr_count; i++) {
        char name[64] = "";
        ztl_hart_csr_name(hart, event->csr[i].address, name, sizeof name);
        at = ztl_put_text(at, i ? ",\"" : "\"");
        at = ztl_put_text(at, name);
        at = ztl_put_literal(at, "\":");
        at = put_quoted_hex(at, event->csr[i].value, trace->digits);
    }
    *at++ = '}';
    return at;
}

static char *put_registers(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    at = ztl_put_literal(at, ",\"tl\":[");
    for (unsigned i = 0; i < event->tl_count; i++) {
        at = ztl_put_text(at, i ? ",{\"register\":" : "{\"register\":");
        at = ztl_put_decimal(at, event->tl[i]);
        at = ztl_put_literal(at, ",\"value\":\"");
        at = ztl_trace_put_register(trace, hart, event->tl[i], at);
        at = ztl_put_literal(at, "\"}");
    }
    *at++ = ']';
    return at;
}

static char *put_accesses(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event,
                          bool stores, char *at)
{
    bool any = false;
    for (unsigned i = 0; i < event->access_count; i++) {
        const ztl_access *access = &event->access[i];
        if (access->is_store != stores)
            continue;
        at = ztl_put_text(at, any ? "," : stores ? ",\"stores\":[" : ",\"loads\":[");
        any = true;
        at = ztl_put_literal(at, "{\"address\":");
        at = put_quoted_hex(at, access->address, trace->digits);
        at = ztl_put_literal(at, ",\"size\":");
        at = ztl_put_decimal(at, access->size);
        if (stores) {
            at = ztl_put_literal(at, ",\"value\":\"");
            at = ztl_trace_put_stored(trace, hart, access, at);
            *at++ = '"';
        }
        *at++ = '}';
    }
    if (any)
        *at++ = ']';
    return at;
}

static char *put_trap(const ztl_trace *trace, const ztl_trap *trap, char *at)
{
    at = ztl_put_literal(at, ",\"trap\":{\"cause\":");
    at = ztl_put_decimal(at, trap->cause);
    at = ztl_put_literal(at, ",\"interrupt\":");
    at = ztl_put_text(at, trap->interrupt ? "true" : "false");
    at = ztl_put_literal(at, ",\"name\":\"");
    at = ztl_put_text(at, ztl_hart_cause_name(trap->cause, trap->interrupt));
    at = ztl_put_literal(at, "\",\"tval\":");
    at = put_quoted_hex(at, trap->tval, trace->digits);
    *at++ = '}';
    return at;
}

static char *put_written(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    if (event->rd && !event->trapped) {
        at = ztl_put_literal(at, ",\"x\":{\"register\":");
        at = ztl_put_decimal(at, event->rd);
        at = ztl_put_literal(at, ",\"value\":");
        at = put_quoted_hex(at, event->rd_new, trace->digits);
        *at++ = '}';
    }
    if (event->writes_f) {
        at = ztl_put_literal(at, ",\"f\":{\"register\":");
        at = ztl_put_decimal(at, event->fd);
        at = ztl_put_literal(at, ",\"value\":");
        at = put_quoted_hex(at, event->fd_new, ztl_hart_flen(hart) / 4);
        *at++ = '}';
    }
    if (event->csr_count)
        at = put_csrs(trace, hart, event, at);
    if (event->tl_count)
        at = put_registers(trace, hart, event, at);
    at = put_accesses(trace, hart, event, false, at);
    return put_accesses(trace, hart, event, true, at);
}

char *ztl_trace_json(ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    at = ztl_put_literal(at, "{\"pc\":");
    at = put_quoted_hex(at, event->pc, trace->digits);
    if (event->length) {
        at = ztl_put_literal(at, ",\"word\":");
        at = put_quoted_hex(at, event->word, event->length == 2 ? 4 : 8);
    }
    at = ztl_put_literal(at, ",\"privilege\":");
    *at++ = (char)('0' + event->privilege);
    at = put_written(trace, hart, event, at);
    if (event->trapped)
        at = put_trap(trace, &event->trap, at);
    if (trace->config.disassemble && event->length) {
        at = ztl_put_literal(at, ",\"text\":\"");
        at = ztl_put_text(at, ztl_trace_disassemble(trace, event));
        *at++ = '"';
    }
    if (event->thread) {
        at = ztl_put_literal(at, ",\"thread\":");
        at = ztl_put_decimal(at, event->thread);
    }
    return ztl_put_literal(at, "}\n");
}
