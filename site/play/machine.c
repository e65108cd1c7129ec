/* SPDX-License-Identifier: Apache-2.0
 * Assembling, running, stepping in both directions, and what there is to see afterwards.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "site/play/play.h"

play_machine play;

enum { RA = 1, SP = 2 };

static void stop_timing(void)
{
    ztl_timing_destroy(play.timing);
    ztl_timeline_destroy(play.timeline);
    play.timing = NULL;
    play.timeline = NULL;
}

/* A hart with the program in it, before its first instruction. */
static bool start(bool timed)
{
    ztl_error error;
    ztl_window ram = {PLAY_BASE, PLAY_RAM};
    ztl_hart_config config = ztl_hart_default_config();
    config.isa = play.isa;
    config.ram = &ram;
    config.ram_count = 1;
    ztl_hart_destroy(play.hart);
    stop_timing();
    play.before_word = 0;
    play.ended = false;
    play.stop = ZTL_STOP_LIMIT;
    play.hart = ztl_hart_create(&config, &error);
    if (!play.hart || !ztl_source_load(play.source, play.hart))
        return false;
    /* For what a compiler made: a stack, and an end that the return of main leads to. */
    ztl_hart_set_x(play.hart, SP, PLAY_BASE + PLAY_RAM);
    ztl_hart_set_x(play.hart, RA, PLAY_BASE + PLAY_RAM - 16);
    play_attach_console(play.hart, play.source);
    if (timed && (play.timing = ztl_timing_create(&play.engines))) {
        ztl_timeline_config drawn = {
            .machine = play.engines, .isa = *ztl_hart_isa_of(play.hart), .to = UINT64_MAX};
        play.timeline = ztl_timeline_create(&drawn);
        ztl_timing_sink sink = ztl_timeline_sink(play.timeline);
        ztl_timing_set_sink(play.timing, &sink);
        ztl_timing_attach(play.timing, play.hart);
    }
    return true;
}

/* Assembles the input for an ISA string, which comes first, in a line of its own. The answer lists
 * what is wrong, with lines. */
PLAY const char *play_assemble(void)
{
    ztl_error error;
    ztl_hart_isa isa;
    const char *text = play_input();
    size_t length = strcspn(text, "\n");
    snprintf(play.isa, sizeof play.isa, "%.*s", (int)length, text);
    FILE *out = play_open();
    fputs("[", out);
    if (!ztl_hart_isa_parse(play.isa, &isa, &error)) {
        fputs("[0,", out);
        play_json_text(out, error.text, strlen(error.text));
        fputs("]]", out);
        return play_close();
    }
    ztl_source_free(play.source);
    play.source = ztl_source_assemble(text + length + (text[length] == '\n'), &isa, PLAY_BASE);
    const ztl_source_error *wrong;
    for (size_t i = 0; play.source && (wrong = ztl_source_error_at(play.source, i)); i++) {
        fprintf(out, "%s[%u,", i ? "," : "", wrong->line);
        play_json_text(out, wrong->text, strlen(wrong->text));
        fputs("]", out);
    }
    if (!play.source || (!ztl_source_error_at(play.source, 0) && !start(false)))
        fputs("[0,\"the program is too large\"]", out);
    fputs("]", out);
    return play_close();
}

/* Back to the first instruction; with cycles counted on a machine (the input names it) or without.
 * False where there is no such machine. */
PLAY bool play_restart(bool timed)
{
    ztl_error error;
    if (timed && !ztl_timing_parse(play_input(), &play.engines, &error))
        return false;
    return start(timed);
}

/* Remembers what a Ztl instruction meets, for where its elements came from. */
static void note_before(void)
{
    uint32_t word = 0;
    if (ztl_hart_read_memory(play.hart, ztl_hart_pc(play.hart), &word, 4) != 4 ||
        (word & ZTL_OPCODE_MASK) != ZTL_OPCODE)
        return;
    play.before = *ztl_hart_ztl(play.hart);
    play.before.accelerator = NULL;
    play.before_word = word;
    play.before_count = ztl_hart_attempted(play.hart);
    for (unsigned i = 0; i < 32; i++)
        play.before_x[i] = ztl_hart_x(play.hart, i);
}

/* Runs at most so many instructions; what stopped it, as enum ztl_stop counts. */
PLAY int play_run(double limit)
{
    if (play.ended)
        return (int)play.stop;
    if (limit == 1)
        note_before();
    play.stop = ztl_hart_run(play.hart, (uint64_t)limit);
    /* main came back */
    bool returned =
        play.stop == ZTL_STOP_TRAP && ztl_hart_pc(play.hart) == PLAY_BASE + PLAY_RAM - 16;
    if (returned) {
        play.stop = ZTL_STOP_EXIT;
        ztl_hart_request_exit(play.hart, (int)ztl_hart_x(play.hart, 10));
    }
    play.ended = play.stop != ZTL_STOP_LIMIT && play.stop != ZTL_STOP_BREAKPOINT &&
                 play.stop != ZTL_STOP_HOST;
    return (int)play.stop;
}

/* The state of so many instructions before: the program runs once more until there. */
PLAY bool play_back(double instructions)
{
    uint64_t done = ztl_hart_attempted(play.hart), back = (uint64_t)instructions;
    uint64_t target = done > back ? done - back : 0;
    if (!start(play.timing != NULL))
        return false;
    if (target > 1)
        play_run((double)(target - 1));
    if (target)
        play_run(1);
    return true;
}

PLAY bool play_break_at(unsigned line, bool on)
{
    uint64_t address = PLAY_BASE;
    size_t size;
    ztl_source_bytes(play.source, &size);
    for (size_t at = 0; at < size; at += 2)
        if (ztl_source_line_of(play.source, address + at) == line)
            return on ? ztl_hart_add_breakpoint(play.hart, address + at)
                      : ztl_hart_remove_breakpoint(play.hart, address + at);
    return false;
}

static void print_trap(FILE *out)
{
    char text[240] = "";
    const ztl_trap *trap = ztl_hart_last_trap(play.hart);
    if (!trap || play.stop != ZTL_STOP_TRAP)
        return;
    if (trap->ztl.status == ZTL_TRAP)
        ztl_explain(&trap->ztl, text, sizeof text);
    else if (trap->cause != 2 ||
             !ztl_hart_explain_illegal(play.hart, trap->word, text, sizeof text))
        snprintf(text, sizeof text, "%s, mtval 0x%" PRIx64,
                 ztl_hart_cause_name(trap->cause, trap->interrupt), trap->tval);
    fputs(",\"trap\":", out);
    play_json_text(out, text, strlen(text));
}

static void print_csrs(FILE *out)
{
    const ztl_csr_row *row;
    bool more = false;
    fputs(",\"csr\":{", out);
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++)
        for (unsigned k = 0; k < row->count; k++) {
            uint64_t value;
            char name[40];
            unsigned address = row->address + k;
            if (!ztl_hart_debug_csr_read(play.hart, address, &value) ||
                !ztl_hart_csr_name(play.hart, address, name, sizeof name) ||
                (row->count > 1 && value == k))
                continue; /* a stride as it is at reset */
            fprintf(out, "%s\"%s\":\"0x%" PRIx64 "\"", more ? "," : "", name, value);
            more = true;
        }
    fputs("}", out);
}

/* All but memory and tensor registers. */
PLAY const char *play_state(void)
{
    char text[120];
    uint32_t word = 0;
    uint64_t pc = ztl_hart_pc(play.hart);
    FILE *out = play_open();
    ztl_hart_read_memory(play.hart, pc, &word, 4);
    ztl_hart_disassemble(ztl_hart_isa_of(play.hart), pc, word, text, sizeof text);
    fprintf(out, "{\"pc\":\"0x%" PRIx64 "\",\"line\":%u,\"next\":", pc,
            ztl_source_line_of(play.source, pc));
    play_json_text(out, text, strlen(text));
    fprintf(out, ",\"count\":%" PRIu64 ",\"ztl\":%" PRIu64 ",\"stop\":%d,\"ended\":%s,\"exit\":%d",
            ztl_hart_attempted(play.hart), ztl_hart_ztl_retired(play.hart), (int)play.stop,
            play.ended ? "true" : "false", ztl_hart_exit_code(play.hart));
    fprintf(out, ",\"xlen\":%u,\"x\":[", ztl_hart_isa_of(play.hart)->xlen);
    for (unsigned i = 0; i < 32; i++)
        fprintf(out, "%s\"0x%" PRIx64 "\"", i ? "," : "", ztl_hart_x(play.hart, i));
    fputs("]", out);
    print_csrs(out);
    print_trap(out);
    if (play.timing)
        fprintf(out, ",\"cycles\":%" PRIu64, ztl_timing_result(play.timing).cycles);
    fputs(",\"console\":", out);
    play_json_text(out, play.console, play.console_length);
    fputs("}", out);
    return play_close();
}

/* The bytes of a tensor register, now or before the last Ztl instruction that was stepped over. */
PLAY const uint8_t *play_register(unsigned index, bool before)
{
    return ztl_get_register(before ? &play.before : ztl_hart_ztl(play.hart), index & 31);
}

/* Copies memory; how many bytes are there. The address is in two halves. */
PLAY size_t play_memory(uint32_t low, uint32_t high, uint8_t *bytes, size_t size)
{
    return ztl_hart_read_memory(play.hart, (uint64_t)high << 32 | low, bytes, size);
}

/* Addresses of labels, and what the page needs of the element types. */
PLAY const char *play_labels(void)
{
    FILE *out = play_open();
    ztl_source_label label;
    fputs("{", out);
    for (size_t i = 0; (label = ztl_source_label_at(play.source, i)).name; i++) {
        fputs(i ? "," : "", out);
        play_json_text(out, label.name, strlen(label.name));
        fprintf(out, ":\"0x%" PRIx64 "\"", label.address);
    }
    fputs("}", out);
    return play_close();
}

PLAY const char *play_types(void)
{
    FILE *out = play_open();
    static const char *const kinds[] = {"unsigned", "signed", "float"};
    static const char *const specials[] = {"none", "nan", "ieee"};
    const ztl_type_row *row;
    fputs("[", out);
    for (size_t i = 0; (row = ztl_isa_type(i)); i++)
        fprintf(out,
                "%s{\"name\":\"%s\",\"bits\":%u,\"kind\":\"%s\",\"exponent\":%u,\"fraction\":%u,"
                "\"special\":\"%s\"}",
                i ? "," : "", row->name, (unsigned)row->bits, kinds[row->kind],
                (unsigned)row->exponent_bits, (unsigned)row->fraction_bits, specials[row->special]);
    fputs("]", out);
    return play_close();
}
