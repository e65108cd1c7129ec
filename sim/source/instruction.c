/* SPDX-License-Identifier: Apache-2.0
 * Instructions: one by one with their numbers put in, and those that stand for several.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "codec/gpr.h"
#include "sim/hart.h"
#include "sim/source/assembler.h"
#include "sim/text/assemble.h"

enum { NAME_ROOM = 32, LINE_ROOM = 400 };

/* The first instruction of a statement is its line's place. */
static bool note_line(ztl_source *s)
{
    if (s->pass == 1)
        return true;
    ztl_source_line *more = ztl_asm_more(s, s->lines, s->line_count, sizeof *more);
    if (!more)
        return false;
    uint64_t address = s->sections[s->section].address + ztl_asm_offset(s);
    s->lines = more;
    more[s->line_count++] = (ztl_source_line){address, s->line};
    return true;
}

/* One instruction, its numbers in place. */
static bool put(ztl_source *s, const char *text)
{
    static const uint8_t nothing[4];
    ztl_error error;
    uint32_t word;
    uint64_t pc = s->sections[s->section].address + ztl_asm_offset(s);
    size_t length = strncmp(text, "c.", 2) ? 4 : 2;
    if (s->pass == 1)
        return ztl_asm_emit(s, nothing, length);
    if (!ztl_hart_assemble(&s->isa, pc, text, &word, &error)) {
        ztl_asm_fail(s, "%s", error.text);
        return ztl_asm_emit(s, nothing, length);
    }
    uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                       (uint8_t)(word >> 24)};
    return ztl_asm_emit(s, bytes, length);
}

__attribute__((format(printf, 2, 3))) static bool put_format(ztl_source *s, const char *format, ...)
{
    char text[LINE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return put(s, text);
}

static int64_t low_part(int64_t value)
{
    return ((value & 0xfff) ^ 0x800) - 0x800;
}

/* li: lui and addi for 32 bits; a longer number is a shorter one shifted, and its low bits. */
static bool load_number(ztl_source *s, const char *rd, int64_t value)
{
    bool wide = s->isa.xlen == 64;
    int64_t low = low_part(value);
    uint64_t rest = (uint64_t)value - (uint64_t)low;
    if (value == low)
        return put_format(s, "addi %s, zero, %" PRId64, rd, low);
    if (!wide || value == (int32_t)value) {
        if (!put_format(s, "lui %s, 0x%x", rd, (unsigned)(rest >> 12 & 0xfffff)))
            return false;
        return low == 0 ||
               put_format(s, "%s %s, %s, %" PRId64, wide ? "addiw" : "addi", rd, rd, low);
    }
    unsigned shift = 12;
    while (!(rest >> shift & 1))
        shift++;
    return load_number(s, rd, (int64_t)rest >> shift) &&
           put_format(s, "slli %s, %s, 0x%x", rd, rd, shift) &&
           (low == 0 || put_format(s, "addi %s, %s, %" PRId64, rd, rd, low));
}

static bool load_immediate(ztl_source *s, source_operands *o)
{
    int64_t value;
    const char *name = o->text[0];
    if (o->count != 2)
        return ztl_asm_fail(s, "the operands must be: li rd, number");
    int index = ztl_gpr_index(name, strlen(name));
    if (index < 0 || index > 31)
        return ztl_asm_fail(s, "'%s' is not an integer register, x0 to x31 or an ABI name", name);
    if (!ztl_asm_constant(s, o->text[1], "the number", &value))
        return false;
    if (s->isa.xlen == 32) {
        if (value < INT32_MIN || value > UINT32_MAX)
            return ztl_asm_fail(s, "'%s' does not fit 32 bits", o->text[1]);
        value = (int32_t)value;
    }
    return load_number(s, o->text[0], value);
}

/* auipc with the upper part of the distance to a place; *low is what is left. */
static bool put_upper(ztl_source *s, const char *rd, const char *target, int64_t *low)
{
    source_value value;
    const char *at = target;
    size_t length = strlen(target);
    char name[LINE_ROOM];
    snprintf(name, sizeof name, "%s", target);
    if (length > 4 && !strcmp(target + length - 4, "@plt"))
        name[length - 4] = '\0';
    at = name;
    if (!ztl_asm_value(s, &at, &value))
        return false;
    if (*ztl_asm_skip(at))
        return ztl_asm_fail(s, "unexpected '%s' after the address", ztl_asm_skip(at));
    uint64_t here = s->sections[s->section].address + ztl_asm_offset(s);
    int64_t away = (int64_t)((uint64_t)value.number - here);
    away = s->pass == 1 ? 0 : s->isa.xlen == 32 ? (int32_t)away : away;
    int64_t upper = (int64_t)((uint64_t)away + 0x800);
    if (s->isa.xlen == 64 && upper != (int32_t)upper)
        return ztl_asm_fail(s, "'%s' is more than 2 GiB away", target);
    *low = low_part(away);
    return put_format(s, "auipc %s, 0x%x", rd, (unsigned)(upper >> 12 & 0xfffff));
}

static bool load_address(ztl_source *s, source_operands *o)
{
    int64_t low;
    if (o->count != 2)
        return ztl_asm_fail(s, "the operands must be: la rd, label");
    return put_upper(s, o->text[0], o->text[1], &low) &&
           put_format(s, "addi %s, %s, %" PRId64, o->text[0], o->text[0], low);
}

/* call and tail: a jump to anywhere, through a register. */
static bool jump_far(ztl_source *s, source_operands *o, const char *link, const char *by)
{
    int64_t low;
    if (o->count < 1 || o->count > 2)
        return ztl_asm_fail(s, "the operands must be: %s label", *by == 'r' ? "call" : "tail");
    bool named = o->count == 2 && *by == 'r'; /* call rd, label */
    const char *through = o->count == 2 ? o->text[!named] : by;
    return put_upper(s, through, o->text[named], &low) &&
           put_format(s, "jalr %s, %" PRId64 "(%s)", named ? through : link, low, through);
}

/* lw rd, label and sw rs, label, temporary. */
static bool access_label(ztl_source *s, const char *mnemonic, source_operands *o)
{
    int64_t low;
    bool is_load = mnemonic[0] == 'l';
    const char *through = o->text[o->count == 3 ? 2 : 0];
    (void)is_load;
    return put_upper(s, through, o->text[1], &low) &&
           put_format(s, "%s %s, %" PRId64 "(%s)", mnemonic, o->text[0], low, through);
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return true;
    return false;
}

/* Whether a load or store names its place without a base register. */
static bool is_access_by_label(const char *mnemonic, const source_operands *o)
{
    static const char *const loads[] = {"lb", "lh", "lw", "ld", "lbu", "lhu", "lwu", NULL};
    static const char *const others[] = {"sb",  "sh",  "sw",  "sd",  "flh", "flw",
                                         "fld", "fsh", "fsw", "fsd", NULL};
    const char *place = o->count > 1 ? o->text[1] : "";
    bool is_name = ztl_asm_name_length(place) && !strchr(place, '(');
    return is_name && ((o->count == 2 && is_one_of(mnemonic, loads)) ||
                       (o->count == 3 && is_one_of(mnemonic, others)));
}

/* One instruction as it is written, with numbers for labels and expressions. */
static bool put_written(ztl_source *s, const char *mnemonic, source_operands *o)
{
    char text[LINE_ROOM];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", mnemonic);
    bool good = true;
    for (size_t i = 0; i < o->count; i++) {
        good &= ztl_asm_resolve(s, mnemonic, o->text[i], i, o->count);
        if (length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s %s", i ? "," : "",
                                       o->text[i]);
    }
    if (length >= sizeof text)
        return ztl_asm_fail(s, "the operands are too long");
    if (good)
        return put(s, text);
    return ztl_asm_emit(s, "\0\0\0", strncmp(mnemonic, "c.", 2) ? 4 : 2);
}

bool ztl_asm_instruction(ztl_source *s, const char *name, size_t length, const char *rest)
{
    char mnemonic[NAME_ROOM];
    source_operands o;
    if (length >= sizeof mnemonic)
        return ztl_asm_fail(s, "unknown mnemonic '%.*s'", (int)length, name);
    for (size_t i = 0; i < length; i++)
        mnemonic[i] = ztl_lower(name[i]);
    mnemonic[length] = '\0';
    if (!note_line(s) || !ztl_asm_split(s, rest, &o))
        return false;
    if (!strcmp(mnemonic, "li"))
        return load_immediate(s, &o);
    if (!strcmp(mnemonic, "la") || !strcmp(mnemonic, "lla"))
        return load_address(s, &o);
    if (!strcmp(mnemonic, "call"))
        return jump_far(s, &o, "ra", "ra");
    if (!strcmp(mnemonic, "tail") || !strcmp(mnemonic, "jump"))
        return jump_far(s, &o, "zero", "t1");
    if (is_access_by_label(mnemonic, &o))
        return access_label(s, mnemonic, &o);
    return put_written(s, mnemonic, &o);
}
