/* SPDX-License-Identifier: Apache-2.0
 * gdb's monitor commands.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/observe.h>

#include "sim/decode/decode.h"
#include "sim/gdb/session.h"

enum { COMMAND = 256, WIDTH = 80 };

static const char usage[] =
    "monitor commands:\n"
    "  explain          the reason of the last trap, in words\n"
    "  grid VIEW [WIDTH]  a tensor register, as tl3:4x16x16:int8 or tl1+tl2:32x64\n"
    "  reset            the hart as after power-on; memory stays\n"
    "  dis WORD         the instruction that a hexadecimal word is\n"
    "  ztl WORD         the same, and \"no\" where it is not of Ztl\n";

/* dis WORD: what the hart being debugged calls an instruction. ztl WORD: the same after "ztl ",
 * and "no" for an instruction that a debugger knows by itself. */
static void print_instruction(ztl_gdb_state *s, const char *argument, bool only_ztl, FILE *out)
{
    char text[160];
    uint64_t word;
    const ztl_hart_isa *isa = ztl_hart_isa_of(s->hart);
    argument += strspn(argument, " ");
    argument += argument[0] == '0' && argument[1] == 'x' ? 2 : 0;
    if (!ztl_gdb_take_number(&argument, &word) || *argument || word > UINT32_MAX) {
        fputs("usage: monitor dis|ztl HEXADECIMAL_WORD\n", out);
        return;
    }
    if (only_ztl && !ztl_decode_is_ztl(isa, (uint32_t)word)) {
        fputs("no\n", out);
        return;
    }
    ztl_hart_disassemble(isa, ztl_hart_pc(s->hart), (uint32_t)word, text, sizeof text);
    fprintf(out, "%s%s\n", only_ztl ? "ztl " : "", text);
}

static void print_grid(ztl_gdb_state *s, char *argument, FILE *out)
{
    ztl_error error;
    char *rest;
    ztl_view view;
    const char *what = strtok_r(argument, " ", &rest);
    const char *number = strtok_r(NULL, " ", &rest);
    long width = number ? strtol(number, NULL, 10) : WIDTH;
    if (!what)
        fputs("usage: monitor grid REGISTER[:SHAPE[:TYPE]] [WIDTH]\n", out);
    else if (ztl_view_parse(what, &view, &error))
        ztl_view_print(&view, ztl_hart_ztl(s->hart), false, width > 0 ? (unsigned)width : 0, out);
    else
        fprintf(out, "%s\n", error.text);
}

static void print_reason(ztl_gdb_state *s, FILE *out)
{
    if (!ztl_hart_last_trap(s->hart))
        fputs("no trap so far\n", out);
    else if (s->config->explain)
        s->config->explain(s->config->context, out);
}

static void perform(ztl_gdb_state *s, char *command, FILE *out)
{
    if (!strcmp(command, "reset"))
        ztl_hart_reset(s->hart);
    else if (!strcmp(command, "explain"))
        print_reason(s, out);
    else if (ztl_gdb_starts_with(command, "grid "))
        print_grid(s, command + strlen("grid "), out);
    else if (ztl_gdb_starts_with(command, "dis "))
        print_instruction(s, command + strlen("dis "), false, out);
    else if (ztl_gdb_starts_with(command, "ztl "))
        print_instruction(s, command + strlen("ztl "), true, out);
    else
        fputs(usage, out);
}

/* Long answers come in pieces, each a packet O of its own; the last word is OK. */
static void say_text(ztl_gdb_state *s, const char *text, size_t size)
{
    enum { PIECE = ZTL_PACKET_SIZE / 2 - 1 };
    while (size > PIECE) {
        ztl_gdb_say(s, "O");
        ztl_gdb_say_hex(s, (const uint8_t *)text, PIECE);
        ztl_packet_send(&s->packets, s->out, s->out_length);
        s->out_length = 0;
        text += PIECE;
        size -= PIECE;
    }
    ztl_gdb_say_hex(s, (const uint8_t *)text, size);
    if (!size)
        ztl_gdb_say(s, "OK");
}

void ztl_gdb_monitor(ztl_gdb_state *s, const char *hex)
{
    char command[COMMAND] = {0}, *text = NULL;
    size_t size = 0;
    FILE *out;
    if (ztl_gdb_take_bytes(hex, (uint8_t *)command, sizeof command - 1) < 0 ||
        !(out = open_memstream(&text, &size))) {
        ztl_gdb_say_ok(s, false);
        return;
    }
    perform(s, command, out);
    fclose(out);
    say_text(s, text, size);
    free(text);
}
