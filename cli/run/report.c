/* SPDX-License-Identifier: Apache-2.0
 * What ztl run says about a run: why it ended, where, registers.
 */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/fold.h"
#include "cli/run/run.h"
#include "codec/gpr.h"
#include "debug/backtrace.h"
#include "sim/host/host.h"
#include "sim/program/program.h"

enum { TEXT = 256 };

/* A line, with what does not fit it below it. */
__attribute__((format(printf, 2, 3))) static void print_headline(FILE *out, const char *format, ...)
{
    char text[2 * TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ztl_fold_print(out, 0, 2, text);
}

static void print_indented(FILE *out, const char *text)
{
    fputs("  ", out);
    ztl_fold_print(out, 2, 4, text);
}

/* "0x80000010 (main+0x10)" */
static const char *place(const run *r, uint64_t address, char text[TEXT])
{
    char symbol[TEXT - 32];
    ztl_program_describe(r->program, address, symbol, sizeof symbol);
    snprintf(text, TEXT, *symbol ? "0x%" PRIx64 " (%s)" : "0x%" PRIx64, address, symbol);
    return text;
}

static void print_instruction(const run *r, uint64_t pc, uint32_t word, unsigned length, FILE *out)
{
    char text[TEXT];
    ztl_hart_disassemble(ztl_hart_isa_of(r->hart), pc, word, text, sizeof text);
    fprintf(out, "  %s    # 0x%0*" PRIx32 "\n", text, (int)(2 * length), word);
}

/* The instruction at pc, if there is one to read. */
static void print_next(const run *r)
{
    uint8_t bytes[4];
    uint64_t pc = ztl_hart_pc(r->hart);
    size_t got = ztl_hart_read_memory(r->hart, pc, bytes, sizeof bytes);
    uint32_t word = 0;
    for (size_t i = got; i-- > 0;)
        word = word << 8 | bytes[i];
    unsigned length = ztl_hart_insn_length(word);
    if (got >= length)
        print_instruction(r, pc, length == 2 ? word & 0xffff : word, length, stderr);
}

static size_t read_guest(void *context, uint64_t address, void *bytes, size_t size)
{
    return ztl_hart_read_memory(context, address, bytes, size);
}

static void print_stack(const run *r, uint64_t pc, FILE *out)
{
    ztl_stopped stopped = {.pc = pc, .read = read_guest, .context = r->hart};
    for (unsigned i = 1; i < 32; i++)
        stopped.x[i] = ztl_hart_x(r->hart, i);
    ztl_backtrace_print(r->program->file, r->program->base, &stopped, out);
}

static bool has_address(uint64_t cause)
{
    return cause <= 1 || (cause >= 4 && cause <= 7);
}

/* What as and ld make of a file without a section for the stack is the same for Linux and for bare
 * metal. */
static bool is_unmarked_call(const run *r, const ztl_trap *trap)
{
    return trap->cause == ZTL_CAUSE_ECALL_MACHINE && !trap->interrupt &&
           ztl_program_may_be_linux(r->program);
}

void run_explain_trap(const run *r, const char *what, FILE *out)
{
    enum { RA = 1 };
    char text[TEXT];
    const ztl_trap *trap = ztl_hart_last_trap(r->hart);
    char signal[TEXT] = "";
    if (r->process)
        snprintf(signal, sizeof signal, " (%s)", ztl_linux_signal_name(ztl_linux_signal_of(trap)));
    print_headline(out, "%s%s%s at %s", what, ztl_hart_cause_name(trap->cause, trap->interrupt),
                   signal, place(r, trap->pc, text));
    if (trap->length)
        print_instruction(r, trap->pc, trap->word, trap->length, out);
    else if (!trap->interrupt)
        fprintf(out, "  nothing to fetch there; ra is %s\n",
                place(r, ztl_hart_x(r->hart, RA), text));
    if (trap->ztl.status == ZTL_TRAP) {
        ztl_explain(&trap->ztl, text, sizeof text);
        print_indented(out, text);
    } else if (trap->cause == ZTL_CAUSE_ILLEGAL && !trap->interrupt &&
               ztl_hart_explain_illegal(r->hart, trap->word, text, sizeof text)) {
        print_indented(out, text);
    } else if (has_address(trap->cause) && !trap->interrupt) {
        fprintf(out, "  address 0x%" PRIx64 "\n", trap->tval);
    } else if (is_unmarked_call(r, trap)) {
        print_indented(out, "a call of Linux? nothing marks the file: link it with -z noexecstack");
    }
    print_stack(r, trap->pc, out);
}

static void print_stop(const run *r, const char *what)
{
    char text[TEXT];
    if (r->pc_is_unknown) {
        run_complain("%s", what);
        return;
    }
    print_headline(stderr, "ztl run: %s at %s", what, place(r, ztl_hart_pc(r->hart), text));
    print_next(r);
    print_stack(r, ztl_hart_pc(r->hart), stderr);
}

static void print_ended(const run *r, int signal)
{
    char what[TEXT];
    snprintf(what, sizeof what, "ended by %s", ztl_linux_signal_name(signal));
    print_stop(r, what);
}

void run_report_end(const run *r, const run_end *end)
{
    switch (end->stop) {
    case ZTL_STOP_EXIT:
        if (r->process && ztl_linux_signal(r->process))
            print_ended(r, ztl_linux_signal(r->process));
        if (end->code && r->host && r->host->end_value)
            run_complain("failed: tohost is 0x%" PRIx64 ", exit code %d", r->host->end_value,
                         end->code);
        if (end->code && !(end->code & 0xff))
            run_complain("exit code %d does not fit an exit status: 255", end->code);
        break;
    case ZTL_STOP_TRAP:
        run_explain_trap(r, "ztl run: trap: ", stderr);
        break;
    case ZTL_STOP_TRAP_LOOP:
        run_explain_trap(r, "ztl run: trap in the first instruction of the trap handler: ", stderr);
        break;
    case ZTL_STOP_WFI:
        print_stop(r, r->process ? "asleep for ever"
                                 : "asleep for ever, wfi with no interrupt to come,");
        break;
    case ZTL_STOP_LIMIT:
        print_stop(r, "stopped by --max-insns");
        break;
    default:
        if (end->status == RUN_TIMEOUT)
            print_stop(r, "stopped by --timeout");
        else if (end->status == RUN_INTERRUPTED)
            print_stop(r, "interrupted");
        else if (end->status == RUN_TERMINATED || end->status == RUN_HUNG_UP)
            print_stop(r, end->status == RUN_HUNG_UP ? "hung up" : "terminated");
        break;
    }
    if (r->options->registers)
        run_print_registers(r);
}

void run_show_views(const run *r, bool at_end)
{
    bool any = false;
    uint64_t pc = ztl_hart_pc(r->hart);
    char text[TEXT];
    for (size_t i = 0; i < r->options->view_count; i++) {
        const run_view *view = &r->options->view[i];
        if (at_end ? view->place != NULL : !view->place || view->address != pc)
            continue;
        if (!any && r->trace)
            ztl_trace_flush(r->trace);
        if (!any && view->place)
            printf("at %s\n", place(r, pc, text));
        run_show_view(r, view);
        any = true;
    }
    fflush(stdout);
}

/* Statuses of a process have eight bits; a failure must not come out as success. */
int run_exit_status(const run_end *end)
{
    if (end->stop != ZTL_STOP_EXIT)
        return (int)end->status;
    int status = end->code & 0xff;
    return end->code && !status ? 255 : status;
}
