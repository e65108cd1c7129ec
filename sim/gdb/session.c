/* SPDX-License-Identifier: Apache-2.0
 * One debugger's session: packets in, answers out. Unknown packets get the empty answer, damaged
 * ones an error; nothing that a client sends reaches more than the hart.
 */
#include "sim/gdb/gdb.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/decode.h"
#include "sim/gdb/packet.h"
#include "sim/gdb/registers.h"

/* Between two looks at the connection for an interrupt. */
enum { CHUNK = 1 << 20 };

enum { SIGNAL_INT = 2, SIGNAL_ILL = 4, SIGNAL_TRAP = 5, SIGNAL_BUS = 10, SIGNAL_SEGV = 11 };

typedef struct session {
    ztl_hart *hart;
    ztl_packets packets;
    ztl_gdb_registers registers;
    char in[ZTL_PACKET_SIZE + 1];
    size_t in_length;
    char out[ZTL_PACKET_SIZE + 1];
    size_t out_length;
    char last_stop[64]; /* the answer to `?` */
    bool behind;        /* the instruction that gdb sees pc at was executed already ... */
    uint64_t behind_pc; /* ... and this is where the hart stands */
    bool over;
    enum ztl_gdb_end end;
} session;

/* ---- Building answers ---- */

static void say(session *s, const char *text)
{
    size_t length = strlen(text);
    if (s->out_length + length <= ZTL_PACKET_SIZE) {
        memcpy(s->out + s->out_length, text, length);
        s->out_length += length;
    }
}

static void say_hex(session *s, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size && s->out_length + 2 <= ZTL_PACKET_SIZE; i++) {
        s->out[s->out_length++] = digits[bytes[i] >> 4];
        s->out[s->out_length++] = digits[bytes[i] & 0xf];
    }
}

static void say_ok(session *s, bool good)
{
    say(s, good ? "OK" : "E01");
}

/* ---- Taking packets apart ---- */

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool take_number(const char **at, uint64_t *value)
{
    const char *start = *at;
    *value = 0;
    for (; digit(**at) >= 0; ++*at)
        *value = *value << 4 | (uint64_t)digit(**at);
    return *at > start && *at - start <= 16;
}

static bool take_char(const char **at, char wanted)
{
    if (**at != wanted)
        return false;
    ++*at;
    return true;
}

/* Pairs of digits up to the end of the packet; the number of bytes, or -1. */
static int take_bytes(const char *at, uint8_t *bytes, size_t size)
{
    size_t count = 0;
    for (; at[0]; at += 2) {
        if (count == size || digit(at[0]) < 0 || digit(at[1]) < 0)
            return -1;
        bytes[count++] = (uint8_t)(digit(at[0]) << 4 | digit(at[1]));
    }
    return (int)count;
}

/* ---- Running ---- */

static int signal_of_trap(const ztl_trap *trap)
{
    switch (trap->cause) {
    case 3:
        return SIGNAL_TRAP;
    case 0:
    case 4:
    case 6:
        return SIGNAL_BUS;
    case 1:
    case 5:
    case 7:
        return SIGNAL_SEGV;
    default:
        return SIGNAL_ILL;
    }
}

/* For RISC-V gdb expects a watchpoint to stop before the access, and steps over it by itself. The
 * hart stops behind it: gdb is shown the pc of the access, and its step only moves pc on. */
static void stopped_at_watchpoint(session *s)
{
    ztl_watch_hit hit = ztl_hart_watch_hit(s->hart);
    s->behind = true;
    s->behind_pc = ztl_hart_pc(s->hart);
    ztl_hart_set_pc(s->hart, hit.pc);
    const char *kind = hit.kind == ZTL_WATCH_STORE  ? "watch"
                       : hit.kind == ZTL_WATCH_LOAD ? "rwatch"
                                                    : "awatch";
    snprintf(s->last_stop, sizeof s->last_stop, "T%02x%s:%" PRIx64 ";", SIGNAL_TRAP, kind,
             hit.address);
}

static void stopped(session *s, enum ztl_stop why)
{
    int signal = SIGNAL_TRAP;
    switch (why) {
    case ZTL_STOP_EXIT:
        snprintf(s->last_stop, sizeof s->last_stop, "W%02x",
                 (unsigned)ztl_hart_exit_code(s->hart) & 0xff);
        s->over = true;
        s->end = ZTL_GDB_EXITED;
        return;
    case ZTL_STOP_WATCHPOINT:
        stopped_at_watchpoint(s);
        return;
    case ZTL_STOP_TRAP:
    case ZTL_STOP_TRAP_LOOP:
        signal = signal_of_trap(ztl_hart_last_trap(s->hart));
        break;
    case ZTL_STOP_HOST:
        signal = SIGNAL_INT;
        break;
    default:
        break;
    }
    snprintf(s->last_stop, sizeof s->last_stop, "S%02x", (unsigned)signal);
}

static void go_on(session *s)
{
    enum ztl_stop why;
    bool closed = false;
    while ((why = ztl_hart_run(s->hart, CHUNK)) == ZTL_STOP_LIMIT) {
        if (ztl_packet_interrupted(&s->packets, &closed))
            why = ZTL_STOP_HOST;
        if (why != ZTL_STOP_LIMIT || closed)
            break;
    }
    s->over = closed;
    if (closed)
        s->end = ZTL_GDB_LOST;
    else
        stopped(s, why);
    say(s, s->last_stop);
}

static void step(session *s)
{
    stopped(s, ztl_hart_step(s->hart));
    say(s, s->last_stop);
}

/* Whether gdb has a breakpoint there: one that can be removed is there. */
static bool has_breakpoint(session *s, uint64_t pc)
{
    bool there = ztl_hart_remove_breakpoint(s->hart, pc);
    if (there)
        ztl_hart_add_breakpoint(s->hart, pc);
    return there;
}

/* Moves pc behind an access that a watchpoint stopped at, unless gdb put pc elsewhere. True when
 * that is all there is to do: a step, or a breakpoint there. */
static bool catch_up(session *s, bool is_step)
{
    bool moved = s->behind && ztl_hart_pc(s->hart) == ztl_hart_watch_hit(s->hart).pc;
    s->behind = false;
    if (!moved)
        return false;
    ztl_hart_set_pc(s->hart, s->behind_pc);
    return is_step || has_breakpoint(s, s->behind_pc);
}

/* c, s, C sig, S sig, each with an address to go on from, and vCont. */
static void resume(session *s, char how, const char *address)
{
    uint64_t pc;
    bool is_step = how == 's' || how == 'S';
    if (*address && take_number(&address, &pc))
        ztl_hart_set_pc(s->hart, pc);
    if (catch_up(s, is_step)) {
        stopped(s, ZTL_STOP_BREAKPOINT);
        say(s, s->last_stop);
    } else if (is_step)
        step(s);
    else
        go_on(s);
}

/* ---- Registers and memory ---- */

static void read_general(session *s)
{
    uint8_t bytes[ZTL_REG_BYTES];
    for (size_t i = 0; i < ZTL_GDB_GENERAL; i++)
        say_hex(s, bytes, ztl_gdb_register_read(&s->registers, i, bytes));
}

static void write_general(session *s, const char *hex)
{
    uint8_t bytes[ZTL_GDB_GENERAL * 8];
    size_t size = ztl_hart_isa_of(s->hart)->xlen / 8;
    bool good = take_bytes(hex, bytes, sizeof bytes) == (int)(ZTL_GDB_GENERAL * size);
    for (size_t i = 0; i < ZTL_GDB_GENERAL && good; i++)
        good = ztl_gdb_register_write(&s->registers, i, bytes + i * size, size);
    say_ok(s, good);
}

static void read_register(session *s, const char *at)
{
    uint64_t number;
    uint8_t bytes[ZTL_REG_BYTES];
    size_t size =
        take_number(&at, &number) && !*at ? ztl_gdb_register_read(&s->registers, number, bytes) : 0;
    if (size)
        say_hex(s, bytes, size);
    else
        say(s, "E01");
}

static void write_register(session *s, const char *at)
{
    uint64_t number;
    uint8_t bytes[ZTL_REG_BYTES];
    bool good = take_number(&at, &number) && take_char(&at, '=');
    int size = good ? take_bytes(at, bytes, sizeof bytes) : -1;
    say_ok(s, size > 0 && ztl_gdb_register_write(&s->registers, number, bytes, (size_t)size));
}

static bool take_range(const char **at, uint64_t *address, uint64_t *size)
{
    return take_number(at, address) && take_char(at, ',') && take_number(at, size);
}

static void read_memory(session *s, const char *at)
{
    uint64_t address, size;
    uint8_t bytes[ZTL_PACKET_SIZE / 2];
    size_t there = 0;
    if (take_range(&at, &address, &size) && !*at) {
        size = size < sizeof bytes ? size : sizeof bytes;
        there = ztl_hart_read_memory(s->hart, address, bytes, size);
    }
    if (there)
        say_hex(s, bytes, there);
    else
        say(s, "E01");
}

static void write_checked(session *s, uint64_t address, const uint8_t *bytes, size_t size)
{
    uint8_t old[ZTL_PACKET_SIZE];
    bool there = ztl_hart_read_memory(s->hart, address, old, size) == size;
    say_ok(s, there && ztl_hart_write_memory(s->hart, address, bytes, size) == size);
}

static void write_memory(session *s, const char *at)
{
    uint64_t address, size;
    uint8_t bytes[ZTL_PACKET_SIZE / 2];
    bool good = take_range(&at, &address, &size) && take_char(&at, ':');
    int count = good ? take_bytes(at, bytes, sizeof bytes) : -1;
    if (count >= 0 && (uint64_t)count == size)
        write_checked(s, address, bytes, size);
    else
        say(s, "E01");
}

static void write_binary(session *s, const char *at)
{
    uint64_t address, size;
    bool good = take_range(&at, &address, &size) && take_char(&at, ':');
    if (good && size == s->in_length - (size_t)(at - s->in))
        write_checked(s, address, (const uint8_t *)at, size);
    else
        say(s, "E01");
}

/* ---- Breakpoints ---- */

static void point(session *s, bool add, const char *at)
{
    uint64_t kind, address, size;
    if (!take_number(&at, &kind) || !take_char(&at, ',') || !take_range(&at, &address, &size)) {
        say(s, "E01");
        return;
    }
    static const enum ztl_watch watch[] = {[2] = ZTL_WATCH_STORE, ZTL_WATCH_LOAD, ZTL_WATCH_ACCESS};
    if (kind <= 1)
        say_ok(s, add ? ztl_hart_add_breakpoint(s->hart, address)
                      : ztl_hart_remove_breakpoint(s->hart, address));
    else if (kind <= 4)
        say_ok(s, add ? ztl_hart_add_watchpoint(s->hart, address, size, watch[kind])
                      : ztl_hart_remove_watchpoint(s->hart, address, size, watch[kind]));
}

/* ---- Queries ---- */

static bool starts_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

/* qXfer:features:read:NAME:OFFSET,LENGTH */
static void read_document(session *s, char *name)
{
    uint64_t offset = 0, length = 0;
    char *colon = strchr(name, ':');
    const char *at = colon ? colon + 1 : "";
    if (!colon || !take_range(&at, &offset, &length)) {
        say(s, "E01");
        return;
    }
    *colon = '\0';
    char *text = ztl_gdb_document(&s->registers, name);
    if (!text) {
        say(s, "E00");
        return;
    }
    size_t size = strlen(text);
    size_t left = offset < size ? size - offset : 0;
    size_t most = ZTL_PACKET_SIZE - 1;
    size_t part = length < left ? length : left;
    part = part < most ? part : most;
    say(s, part < left ? "m" : "l");
    memcpy(s->out + s->out_length, text + (left ? offset : 0), part);
    s->out_length += part;
    free(text);
}

static void say_text(session *s, const char *text)
{
    say_hex(s, (const uint8_t *)text, strlen(text));
}

/* monitor dis WORD: what the hart being debugged calls an instruction. monitor ztl WORD: the same
 * behind "ztl ", and "no" for an instruction that a debugger knows by itself. */
static void monitor_dis(session *s, const char *argument, bool only_ztl)
{
    char text[160];
    uint64_t word;
    const ztl_hart_isa *isa = ztl_hart_isa_of(s->hart);
    argument += strspn(argument, " ");
    argument += argument[0] == '0' && argument[1] == 'x' ? 2 : 0;
    if (!take_number(&argument, &word) || *argument || word > UINT32_MAX) {
        say_text(s, "usage: monitor dis|ztl HEXADECIMAL_WORD\n");
        return;
    }
    if (only_ztl && !ztl_decode_is_ztl(isa, (uint32_t)word)) {
        say_text(s, "no\n");
        return;
    }
    size_t start = (size_t)snprintf(text, sizeof text, only_ztl ? "ztl " : "");
    ztl_hart_disassemble(isa, ztl_hart_pc(s->hart), (uint32_t)word, text + start,
                         sizeof text - 1 - start);
    text[strlen(text) + 1] = '\0';
    text[strlen(text)] = '\n';
    say_text(s, text);
}

static void monitor(session *s, const char *hex)
{
    char command[64] = {0};
    if (take_bytes(hex, (uint8_t *)command, sizeof command - 1) < 0) {
        say(s, "E01");
    } else if (!strcmp(command, "reset")) {
        ztl_hart_reset(s->hart);
        say(s, "OK");
    } else if (starts_with(command, "dis ")) {
        monitor_dis(s, command + strlen("dis "), false);
    } else if (starts_with(command, "ztl ")) {
        monitor_dis(s, command + strlen("ztl "), true);
    } else {
        say_text(s, "monitor commands: reset, dis WORD, ztl WORD\n");
    }
}

static void query(session *s)
{
    char *text = s->in;
    if (starts_with(text, "qSupported")) {
        char supported[160];
        snprintf(supported, sizeof supported,
                 "PacketSize=%x;qXfer:features:read+;QStartNoAckMode+;vContSupported+;"
                 "swbreak-;hwbreak-",
                 ZTL_PACKET_SIZE);
        say(s, supported);
    } else if (starts_with(text, "qXfer:features:read:")) {
        read_document(s, text + strlen("qXfer:features:read:"));
    } else if (starts_with(text, "qAttached")) {
        say(s, "1");
    } else if (!strcmp(text, "qC")) {
        say(s, "QC1");
    } else if (!strcmp(text, "qfThreadInfo")) {
        say(s, "m1");
    } else if (!strcmp(text, "qsThreadInfo")) {
        say(s, "l");
    } else if (starts_with(text, "qRcmd,")) {
        monitor(s, text + strlen("qRcmd,"));
    }
}

static void v_packet(session *s)
{
    if (!strcmp(s->in, "vCont?")) {
        say(s, "vCont;c;C;s;S");
    } else if (starts_with(s->in, "vCont;")) {
        resume(s, s->in[strlen("vCont;")], "");
    } else if (starts_with(s->in, "vKill")) {
        say(s, "OK");
        s->over = true;
        s->end = ZTL_GDB_KILLED;
    }
}

static void handle(session *s)
{
    const char *rest = s->in + 1;
    switch (s->in[0]) {
    case '?':
        say(s, s->last_stop);
        break;
    case 'g':
        read_general(s);
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
        resume(s, s->in[0], rest);
        break;
    case 'C':
    case 'S':
        resume(s, s->in[0], strchr(rest, ';') ? strchr(rest, ';') + 1 : "");
        break;
    case 'H':
    case 'T':
        say(s, "OK");
        break;
    case 'q':
        query(s);
        break;
    case 'v':
        v_packet(s);
        break;
    case 'D':
        say(s, "OK");
        s->over = true;
        s->end = ZTL_GDB_DETACHED;
        break;
    case 'k':
        s->over = true;
        s->end = ZTL_GDB_KILLED;
        break;
    default:
        break;
    }
}

/* QStartNoAckMode is answered in the old mode. */
static bool answer(session *s)
{
    s->out_length = 0;
    bool no_ack = !strcmp(s->in, "QStartNoAckMode");
    if (no_ack)
        say(s, "OK");
    else
        handle(s);
    if (s->in[0] == 'k' || s->end == ZTL_GDB_LOST)
        return true; /* nobody waits for an answer */
    bool sent = ztl_packet_send(&s->packets, s->out, s->out_length);
    s->packets.no_ack |= no_ack;
    return sent;
}

static void serve(session *s)
{
    while (!s->over) {
        switch (ztl_packet_receive(&s->packets, s->in, &s->in_length)) {
        case ZTL_PACKET_CLOSED:
            s->over = true;
            s->end = ZTL_GDB_LOST;
            break;
        case ZTL_PACKET_INTERRUPT:
            break; /* nothing is running */
        case ZTL_PACKET_DATA:
            s->over |= !answer(s);
            break;
        }
    }
}

enum ztl_gdb_end ztl_gdb_session(ztl_hart *hart, int connection)
{
    session *s = calloc(1, sizeof *s);
    if (!s)
        return ZTL_GDB_LOST;
    s->hart = hart;
    s->packets.connection = connection;
    s->end = ZTL_GDB_KILLED;
    snprintf(s->last_stop, sizeof s->last_stop, "S%02x", SIGNAL_TRAP);
    ztl_gdb_registers_of(&s->registers, hart);
    serve(s);
    ztl_hart_clear_points(hart);
    enum ztl_gdb_end end = s->end;
    free(s);
    return end;
}
