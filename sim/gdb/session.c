/* SPDX-License-Identifier: Apache-2.0
 * One debugger's session: packets in, answers out. Unknown packets get the empty answer, malformed
 * ones an error; nothing that a client sends reaches more than the hart.
 */
#include "sim/gdb/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_general(ztl_gdb_state *s)
{
    uint8_t bytes[ZTL_REG_BYTES];
    for (size_t i = 0; i < ZTL_GDB_GENERAL; i++)
        ztl_gdb_say_hex(s, bytes, ztl_gdb_register_read(&s->registers, i, bytes));
}

static void write_general(ztl_gdb_state *s, const char *hex)
{
    uint8_t bytes[ZTL_GDB_GENERAL * 8];
    size_t size = ztl_hart_isa_of(s->hart)->xlen / 8;
    bool good = ztl_gdb_take_bytes(hex, bytes, sizeof bytes) == (int)(ZTL_GDB_GENERAL * size);
    for (size_t i = 0; i < ZTL_GDB_GENERAL && good; i++)
        good = ztl_gdb_register_write(&s->registers, i, bytes + i * size, size);
    ztl_gdb_say_ok(s, good);
}

static void read_register(ztl_gdb_state *s, const char *at)
{
    uint64_t number;
    uint8_t bytes[ZTL_REG_BYTES];
    size_t size = ztl_gdb_take_number(&at, &number) && !*at
                      ? ztl_gdb_register_read(&s->registers, number, bytes)
                      : 0;
    if (size)
        ztl_gdb_say_hex(s, bytes, size);
    else
        ztl_gdb_say(s, "E01");
}

static void write_register(ztl_gdb_state *s, const char *at)
{
    uint64_t number;
    uint8_t bytes[ZTL_REG_BYTES];
    bool good = ztl_gdb_take_number(&at, &number) && ztl_gdb_take_char(&at, '=');
    int size = good ? ztl_gdb_take_bytes(at, bytes, sizeof bytes) : -1;
    ztl_gdb_say_ok(s,
                   size > 0 && ztl_gdb_register_write(&s->registers, number, bytes, (size_t)size));
}

static void read_memory(ztl_gdb_state *s, const char *at)
{
    uint64_t address, size;
    uint8_t bytes[ZTL_PACKET_SIZE / 2];
    size_t there = 0;
    if (ztl_gdb_take_range(&at, &address, &size) && !*at) {
        size = size < sizeof bytes ? size : sizeof bytes;
        there = ztl_hart_read_memory(s->hart, address, bytes, size);
    }
    if (there)
        ztl_gdb_say_hex(s, bytes, there);
    else
        ztl_gdb_say(s, "E01");
}

static void write_checked(ztl_gdb_state *s, uint64_t address, const uint8_t *bytes, size_t size)
{
    uint8_t old[ZTL_PACKET_SIZE];
    bool there = ztl_hart_read_memory(s->hart, address, old, size) == size;
    ztl_gdb_say_ok(s, there && ztl_hart_write_memory(s->hart, address, bytes, size) == size);
}

static void write_memory(ztl_gdb_state *s, const char *at)
{
    uint64_t address, size;
    uint8_t bytes[ZTL_PACKET_SIZE / 2];
    bool good = ztl_gdb_take_range(&at, &address, &size) && ztl_gdb_take_char(&at, ':');
    int count = good ? ztl_gdb_take_bytes(at, bytes, sizeof bytes) : -1;
    if (count >= 0 && (uint64_t)count == size)
        write_checked(s, address, bytes, size);
    else
        ztl_gdb_say(s, "E01");
}

static void write_binary(ztl_gdb_state *s, const char *at)
{
    uint64_t address, size;
    bool good = ztl_gdb_take_range(&at, &address, &size) && ztl_gdb_take_char(&at, ':');
    if (good && size == s->in_length - (size_t)(at - s->in))
        write_checked(s, address, (const uint8_t *)at, size);
    else
        ztl_gdb_say(s, "E01");
}

static void point(ztl_gdb_state *s, bool add, const char *at)
{
    uint64_t kind, address, size;
    if (!ztl_gdb_take_number(&at, &kind) || !ztl_gdb_take_char(&at, ',') ||
        !ztl_gdb_take_range(&at, &address, &size) || *at) {
        ztl_gdb_say(s, "E01");
        return;
    }
    static const enum ztl_watch watch[] = {[2] = ZTL_WATCH_STORE, ZTL_WATCH_LOAD, ZTL_WATCH_ACCESS};
    if (kind <= 1)
        ztl_gdb_say_ok(s, add ? ztl_hart_add_breakpoint(s->hart, address)
                              : ztl_hart_remove_breakpoint(s->hart, address));
    else if (kind <= 4)
        ztl_gdb_say_ok(s, add ? ztl_hart_add_watchpoint(s->hart, address, size, watch[kind])
                              : ztl_hart_remove_watchpoint(s->hart, address, size, watch[kind]));
}

/* qXfer:features:read:NAME:OFFSET,LENGTH */
static void read_document(ztl_gdb_state *s, char *name)
{
    uint64_t offset = 0, length = 0;
    char *colon = strchr(name, ':');
    const char *at = colon ? colon + 1 : "";
    if (!colon || !ztl_gdb_take_range(&at, &offset, &length) || *at) {
        ztl_gdb_say(s, "E01");
        return;
    }
    *colon = '\0';
    char *text = ztl_gdb_document(&s->registers, name);
    if (!text) {
        ztl_gdb_say(s, "E00");
        return;
    }
    size_t size = strlen(text);
    size_t left = offset < size ? size - offset : 0;
    size_t most = ZTL_PACKET_SIZE - 1;
    size_t part = length < left ? length : left;
    part = part < most ? part : most;
    ztl_gdb_say(s, part < left ? "m" : "l");
    memcpy(s->out + s->out_length, text + (left ? offset : 0), part);
    s->out_length += part;
    free(text);
}

/* All of them at once, as gdb counts them. */
static void list_threads(ztl_gdb_state *s)
{
    unsigned list[ZTL_GDB_THREADS];
    size_t count = ztl_gdb_threads(s, list, ZTL_GDB_THREADS);
    for (size_t i = 0; i < count && i < ZTL_GDB_THREADS; i++) {
        char number[16];
        snprintf(number, sizeof number, "%c%x", i ? ',' : 'm', list[i] + 1);
        ztl_gdb_say(s, number);
    }
}

static void say_current(ztl_gdb_state *s)
{
    char number[16];
    snprintf(number, sizeof number, "QC%x", s->running + 1);
    ztl_gdb_say(s, number);
}

static void query(ztl_gdb_state *s)
{
    char *text = s->in;
    if (!strcmp(text, "qSupported") || ztl_gdb_starts_with(text, "qSupported:")) {
        char supported[160];
        snprintf(supported, sizeof supported,
                 "PacketSize=%x;qXfer:features:read+;QStartNoAckMode+;vContSupported+;"
                 "swbreak-;hwbreak-",
                 ZTL_PACKET_SIZE);
        ztl_gdb_say(s, supported);
    } else if (ztl_gdb_starts_with(text, "qXfer:features:read:")) {
        read_document(s, text + strlen("qXfer:features:read:"));
    } else if (!strcmp(text, "qAttached") || ztl_gdb_starts_with(text, "qAttached:")) {
        ztl_gdb_say(s, "1");
    } else if (!strcmp(text, "qOffsets") && s->config->base) {
        char offset[40];
        snprintf(offset, sizeof offset, "TextSeg=%" PRIx64, s->config->base);
        ztl_gdb_say(s, offset);
    } else if (!strcmp(text, "qC")) {
        say_current(s);
    } else if (!strcmp(text, "qfThreadInfo")) {
        list_threads(s);
    } else if (!strcmp(text, "qsThreadInfo")) {
        ztl_gdb_say(s, "l");
    } else if (ztl_gdb_starts_with(text, "qRcmd,")) {
        ztl_gdb_monitor(s, text + strlen("qRcmd,"));
    }
}

static void finish(ztl_gdb_state *s, enum ztl_gdb_end end)
{
    s->over = true;
    s->end = end;
}

/* vKill;PROCESS, and all processes are ours. */
static void kill_process(ztl_gdb_state *s, const char *at)
{
    uint64_t process;
    bool good = ztl_gdb_take_number(&at, &process) && !*at;
    if (good)
        finish(s, ZTL_GDB_KILLED);
    ztl_gdb_say_ok(s, good);
}

static void v_packet(ztl_gdb_state *s)
{
    if (!strcmp(s->in, "vCont?"))
        ztl_gdb_say(s, "vCont;c;C;s;S");
    else if (!strcmp(s->in, "vCont") || ztl_gdb_starts_with(s->in, "vCont;"))
        ztl_gdb_resume_threads(s, s->in + strlen("vCont"));
    else if (ztl_gdb_starts_with(s->in, "vKill;"))
        kill_process(s, s->in + strlen("vKill;"));
}

/* Hg chooses the thread of later packets, Hc one to go on, T asks for one. */
static void choose_thread(ztl_gdb_state *s, const char *at, bool shows)
{
    bool ours;
    unsigned thread;
    bool good = ztl_gdb_take_thread(s, &at, &ours, &thread) && ours && !*at;
    if (good && shows)
        ztl_gdb_show(s, thread);
    ztl_gdb_say_ok(s, good);
}

/* Packets of a letter alone. */
static void handle_letter(ztl_gdb_state *s, char letter)
{
    switch (letter) {
    case '?':
        ztl_gdb_say(s, s->last_stop);
        break;
    case 'g':
        read_general(s);
        break;
    case 'D':
        ztl_gdb_say_ok(s, true);
        finish(s, ZTL_GDB_DETACHED);
        break;
    case 'k':
        finish(s, ZTL_GDB_KILLED);
        break;
    default:
        break;
    }
}

static void handle(ztl_gdb_state *s)
{
    const char *rest = s->in + 1;
    switch (s->in[0]) {
    case '?':
    case 'g':
    case 'D':
    case 'k':
        if (*rest)
            ztl_gdb_say_ok(s, false);
        else
            handle_letter(s, s->in[0]);
        break;
    case 'G':
        write_general(s, rest);
        break;
    case 'p':
        read_register(s, rest);
        break;
    case 'P':
        write_register(s, rest);
        break;
    case 'm':
        read_memory(s, rest);
        break;
    case 'M':
        write_memory(s, rest);
        break;
    case 'X':
        write_binary(s, rest);
        break;
    case 'Z':
    case 'z':
        point(s, s->in[0] == 'Z', rest);
        break;
    case 'c':
    case 's':
    case 'C':
    case 'S':
        ztl_gdb_resume(s, s->in);
        break;
    case 'H':
        if (*rest == 'c' || *rest == 'g')
            choose_thread(s, rest + 1, *rest == 'g');
        else
            ztl_gdb_say_ok(s, false);
        break;
    case 'T':
        choose_thread(s, rest, false);
        break;
    case 'q':
        query(s);
        break;
    case 'v':
        v_packet(s);
        break;
    default:
        break;
    }
}

/* QStartNoAckMode is answered in the old mode. Only X has bytes that are no text. */
static bool answer(ztl_gdb_state *s)
{
    s->out_length = 0;
    bool no_ack = !strcmp(s->in, "QStartNoAckMode");
    if (s->in[0] != 'X' && strlen(s->in) != s->in_length)
        ztl_gdb_say_ok(s, false);
    else if (no_ack)
        ztl_gdb_say(s, "OK");
    else
        handle(s);
    if (s->over && (!strcmp(s->in, "k") || s->end == ZTL_GDB_LOST))
        return true; /* nobody waits for an answer */
    bool sent = ztl_packet_send(&s->packets, s->out, s->out_length);
    s->packets.no_ack |= no_ack;
    return sent;
}

static void serve(ztl_gdb_state *s)
{
    while (!s->over) {
        switch (ztl_packet_receive(&s->packets, s->in, &s->in_length)) {
        case ZTL_PACKET_CLOSED:
            if (!ztl_gdb_cut(s))
                finish(s, ZTL_GDB_LOST);
            break;
        case ZTL_PACKET_INTERRUPT:
            break; /* nothing is running */
        case ZTL_PACKET_DATA:
            if (!answer(s) && !s->over && !ztl_gdb_cut(s))
                finish(s, ZTL_GDB_LOST);
            break;
        }
    }
}

enum ztl_gdb_end ztl_gdb_session(ztl_hart *hart, int connection, const ztl_gdb_config *config)
{
    ztl_gdb_state *s = calloc(1, sizeof *s);
    if (!s)
        return ZTL_GDB_LOST;
    s->hart = hart;
    s->config = s->packets.config = config;
    s->packets.connection = connection;
    s->running = ztl_hart_thread(hart);
    ztl_gdb_stopped_first(s);
    ztl_gdb_registers_of(&s->registers, hart);
    serve(s);
    ztl_gdb_show(s, s->running);
    ztl_hart_clear_points(hart);
    enum ztl_gdb_end end = s->end;
    free(s);
    return end;
}
