/* SPDX-License-Identifier: Apache-2.0
 * The trace in the form of Spike's commit log: privilege, pc, word, what was written, and memory.
 * Exceptions, and with disassembly symbols and texts, have the lines that Spike's -l gives them.
 * ZTL_TRACE_SPIKE_LOG is what Spike with Ztl writes itself: doc/spike.md lists what differs still.
 */
#define _POSIX_C_SOURCE 200809L
#include "host/text.h"
#include "sim/observe/line.h"
#include "sim/observe/trace.h"

static const char *const cause_names[] = {
    [0] = "trap_instruction_address_misaligned",
    [1] = "trap_instruction_access_fault",
    [2] = "trap_illegal_instruction",
    [3] = "trap_breakpoint",
    [4] = "trap_load_address_misaligned",
    [5] = "trap_load_access_fault",
    [6] = "trap_store_address_misaligned",
    [7] = "trap_store_access_fault",
    [8] = "trap_user_ecall",
    [11] = "trap_machine_ecall",
};

enum { CAUSES = sizeof cause_names / sizeof cause_names[0] };

/* Spike's traps of these causes have no tval. */
static bool is_ecall(const ztl_trap *trap)
{
    return trap->cause >= 8 && trap->cause <= 11;
}

static bool is_log(const ztl_trace *trace)
{
    return trace->config.format == ZTL_TRACE_SPIKE_LOG;
}

static char *put_prefix(const ztl_trace *trace, char *at)
{
    memcpy(at, trace->prefix, sizeof trace->prefix);
    return at + trace->prefix_length;
}

static char *put_cause(char *at, const ztl_trap *trap)
{
    if (!trap->interrupt && trap->cause < CAUSES && cause_names[trap->cause])
        return ztl_put_text(at, cause_names[trap->cause]);
    at = ztl_put_text(at, trap->interrupt ? "interrupt #" : "trap #");
    return ztl_put_decimal(at, trap->cause);
}

static char *put_exception(const ztl_trace *trace, const ztl_event *event, char *at)
{
    at = put_prefix(trace, at);
    at = ztl_put_literal(at, "exception ");
    at = put_cause(at, &event->trap);
    at = ztl_put_literal(at, ", epc ");
    at = ztl_put_hex(at, event->trap.pc, trace->digits);
    *at++ = '\n';
    if (event->trap.interrupt || is_ecall(&event->trap))
        return at;
    at = put_prefix(trace, at);
    at = ztl_put_literal(at, "          tval ");
    at = ztl_put_hex(at, event->trap.tval, trace->digits);
    *at++ = '\n';
    return at;
}

static char *put_text_lines(ztl_trace *trace, const ztl_event *event, char *at)
{
    ztl_symbol symbol;
    if (is_log(trace) && !ztl_trace_log_starts(trace, event))
        return at;
    if (trace->config.program && ztl_program_locate(trace->config.program, event->pc, &symbol) &&
        symbol.address == event->pc) {
        at = put_prefix(trace, at);
        at = ztl_put_literal(at, ">>>>  ");
        at += ztl_safe_text(at, ZTL_REG_BYTES, symbol.name);
        *at++ = '\n';
    }
    if (is_log(trace))
        at = ztl_trace_log_repetitions(trace, at);
    at = put_prefix(trace, at);
    at = ztl_put_hex(at, event->pc, trace->digits);
    at = ztl_put_literal(at, " (");
    at = ztl_put_hex(at, event->word, 8);
    at = ztl_put_literal(at, ") ");
    const char *text = ztl_trace_disassemble(trace, event);
    at = is_log(trace) ? ztl_trace_log_text(event, text, at) : ztl_put_text(at, text);
    *at++ = '\n';
    return at;
}

/* A register's number takes two places, as in "x5  0x…" and "tl12 …". */
static char *put_number(char *at, unsigned index)
{
    if (index >= 10) {
        *at++ = (char)('0' + index / 10);
        *at++ = (char)('0' + index % 10);
    } else {
        *at++ = (char)('0' + index);
        *at++ = ' ';
    }
    *at++ = ' ';
    return at;
}

static char *put_csr(const ztl_trace *trace, ztl_hart *hart, const ztl_csr_change *change, char *at)
{
    char name[64];
    if (is_log(trace) && ztl_isa_csr_at(ZTL_REVISIONS, change->address, NULL))
        strcpy(name, "unknown-csr"); /* Spike's table of names cannot be extended */
    else if (!ztl_hart_csr_name(hart, change->address, name, sizeof name))
        strcpy(name, "unknown");
    at = ztl_put_literal(at, " c");
    at = ztl_put_decimal(at, change->address);
    *at++ = '_';
    at = ztl_put_text(at, name);
    *at++ = ' ';
    return ztl_put_hex(at, change->value, trace->digits);
}

static char *put_accesses(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event,
                          bool stores, char *at)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        const ztl_access *access = &event->access[i];
        if (access->is_store != stores)
            continue;
        if (stores && is_log(trace) && event->ztl) {
            at = ztl_trace_log_parts(trace, hart, access, at);
            continue;
        }
        at = ztl_put_literal(at, " mem ");
        at = ztl_put_hex(at, access->address, trace->digits);
        if (stores) {
            *at++ = ' ';
            at = ztl_trace_put_stored(trace, hart, access, at);
        }
    }
    return at;
}

/* What was written stands by number, a register before a CSR of the same one. */
static char *put_commit(const ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    at = put_prefix(trace, at);
    *at++ = (char)('0' + event->privilege);
    *at++ = ' ';
    at = ztl_put_hex(at, event->pc, trace->digits);
    *at++ = ' ';
    *at++ = '(';
    at = ztl_put_hex(at, event->word, event->length == 2 ? 4 : 8);
    *at++ = ')';
    unsigned csr = 0, written = event->writes_f ? event->fd : event->rd;
    for (; csr < event->csr_count && event->csr[csr].address < written; csr++)
        at = put_csr(trace, hart, &event->csr[csr], at);
    if (event->rd) {
        at = put_number(ztl_put_literal(at, " x"), event->rd);
        at = ztl_put_hex(at, event->rd_new, trace->digits);
    }
    if (event->writes_f) {
        at = put_number(ztl_put_literal(at, " f"), event->fd);
        at = ztl_put_hex(at, event->fd_new, ztl_hart_flen(hart) / 4);
    }
    for (; csr < event->csr_count; csr++)
        at = put_csr(trace, hart, &event->csr[csr], at);
    for (unsigned i = 0; i < event->tl_count && !is_log(trace); i++) {
        at = put_number(ztl_put_literal(at, " tl"), event->tl[i]);
        at = ztl_trace_put_register(trace, hart, event->tl[i], at);
    }
    if (event->access_count) {
        at = put_accesses(trace, hart, event, false, at);
        at = put_accesses(trace, hart, event, true, at);
    }
    *at++ = '\n';
    return at;
}

char *ztl_trace_spike(ztl_trace *trace, ztl_hart *hart, const ztl_event *event, char *at)
{
    if (is_log(trace) && !trace->started)
        at = ztl_trace_log_boot(trace, event->pc, at);
    trace->started = true;
    if (trace->config.disassemble && event->length)
        at = put_text_lines(trace, event, at);
    if (!event->trapped)
        return put_commit(trace, hart, event, at);
    return is_log(trace) && !trace->config.disassemble ? at : put_exception(trace, event, at);
}
