/* SPDX-License-Identifier: Apache-2.0
 * The trace as comma-separated values. A field that can hold several items separates them by
 * semicolons.
 */
#include "sim/observe/line.h"
#include "sim/observe/trace.h"

const char ztl_trace_csv_header[] = "pc,word,privilege,x,f,csr,tl,loads,stores,trap,text,thread\n";

static char *put_csrs(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    for (unsigned i = 0; i < event->csr_count; i++) {
        char name[64] = "";
        ztl_hart_csr_name(hart, event->csr[i].address, name, sizeof name);
        if (i)
            *at++ = ';';
        at = ztl_put_text(at, name);
        *at++ = '=';
        at = ztl_put_hex(at, event->csr[i].value, trace->digits);
    }
    return at;
}

static char *put_registers(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    for (unsigned i = 0; i < event->tl_count; i++) {
        at = ztl_put_text(at, i ? ";tl" : "tl");
        at = ztl_put_decimal(at, event->tl[i]);
        *at++ = '=';
        at = ztl_trace_put_register(trace, hart, event->tl[i], at);
    }
    return at;
}

static char *put_accesses(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event,
                          bool stores, char *at)
{
    const char *start = at;
    for (unsigned i = 0; i < event->access_count; i++) {
        const ztl_access *access = &event->access[i];
        if (access->is_store != stores)
            continue;
        if (at != start)
            *at++ = ';';
        at = ztl_put_hex(at, access->address, trace->digits);
        *at++ = ':';
        at = ztl_put_decimal(at, access->size);
        if (stores) {
            *at++ = '=';
            at = ztl_trace_put_stored(trace, hart, access, at);
        }
    }
    return at;
}

static char *put_trap(const ztl_trace *trace, const ztl_trap *trap, char *at)
{
    at = ztl_put_text(at, ztl_hart_cause_name(trap->cause, trap->interrupt));
    *at++ = ':';
    return ztl_put_hex(at, trap->tval, trace->digits);
}

char *ztl_trace_csv(ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    at = ztl_put_hex(at, event->pc, trace->digits);
    *at++ = ',';
    if (event->length)
        at = ztl_put_hex(at, event->word, event->length == 2 ? 4 : 8);
    *at++ = ',';
    *at++ = (char)('0' + event->privilege);
    *at++ = ',';
    if (event->rd && !event->trapped) {
        *at++ = 'x';
        at = ztl_put_decimal(at, event->rd);
        *at++ = '=';
        at = ztl_put_hex(at, event->rd_new, trace->digits);
    }
    *at++ = ',';
    if (event->writes_f) {
        *at++ = 'f';
        at = ztl_put_decimal(at, event->fd);
        *at++ = '=';
        at = ztl_put_hex(at, event->fd_new, ztl_hart_flen(hart) / 4);
    }
    *at++ = ',';
    at = put_csrs(trace, hart, event, at);
    *at++ = ',';
    at = put_registers(trace, hart, event, at);
    *at++ = ',';
    at = put_accesses(trace, hart, event, false, at);
    *at++ = ',';
    at = put_accesses(trace, hart, event, true, at);
    *at++ = ',';
    if (event->trapped)
        at = put_trap(trace, &event->trap, at);
    *at++ = ',';
    if (trace->config.disassemble && event->length) {
        *at++ = '"';
        at = ztl_put_text(at, ztl_trace_disassemble(trace, event));
        *at++ = '"';
    }
    *at++ = ',';
    if (event->thread)
        at = ztl_put_decimal(at, event->thread);
    *at++ = '\n';
    return at;
}
