/* SPDX-License-Identifier: Apache-2.0
 * The co-simulation protocol: a command is taken apart and checked before anything changes.
 */
#include "sim/cosim/cosim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/source.h>

#include "codec/suggest.h"
#include "host/line.h"

enum { LINE_LIMIT = 64 << 20, PEEK_LIMIT = 16 << 20, TEXT_SIZE = 256 };

/* A session, and the command being answered. */
typedef struct session {
    ztl_hart *hart;
    FILE *out;
    char *rest; /* of the line, after the command's name */
    bool done;
} session;

static void answer_error(session *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("error ", s->out);
    vfprintf(s->out, format, arguments);
    putc('\n', s->out);
    va_end(arguments);
}

static void answer_ok(session *s)
{
    fputs("ok\n", s->out);
}

static void answer_trap(session *s, uint64_t cause, uint64_t tval, unsigned reason)
{
    fprintf(s->out, "trap %" PRIu64 " 0x%" PRIx64 " %u\n", cause, tval, reason);
}

/* Up to `most` words of the rest of the line; -1 when there are more or fewer than `least`. */
static int take_words(session *s, char *words[], int least, int most, const char *usage)
{
    int count = 0;
    char *word;
    while ((word = ztl_line_word(&s->rest))) {
        if (count == most) {
            answer_error(s, "too many words, expected: %s", usage);
            return -1;
        }
        words[count++] = word;
    }
    if (count >= least)
        return count;
    answer_error(s, "a word is missing, expected: %s", usage);
    return -1;
}

static bool number(session *s, const char *what, const char *text, uint64_t *value)
{
    if (ztl_line_number(text, value))
        return true;
    answer_error(s, "%s: '%.40s' is not a number", what, text);
    return false;
}

/* A number that an XLEN-bit register or address can hold. */
static bool xlen_number(session *s, const char *what, const char *text, uint64_t *value)
{
    if (!number(s, what, text, value))
        return false;
    if (ztl_hart_isa_of(s->hart)->xlen == 64)
        return true;
    bool negative = *value >> 31 == UINT64_MAX >> 31;
    if (*value <= UINT32_MAX || negative) {
        *value = (uint32_t)*value;
        return true;
    }
    answer_error(s, "%s: %.40s does not fit 32 bits", what, text);
    return false;
}

static bool word_32(session *s, const char *text, uint32_t *word)
{
    uint64_t value;
    if (!number(s, "WORD", text, &value))
        return false;
    *word = (uint32_t)value;
    if (value <= UINT32_MAX)
        return true;
    answer_error(s, "WORD: %.40s does not fit 32 bits", text);
    return false;
}

static bool register_index(session *s, const char *text, unsigned *index)
{
    uint64_t value;
    if (!number(s, "N", text, &value))
        return false;
    *index = (unsigned)value;
    if (value < 32)
        return true;
    answer_error(s, "N: %.40s is not a register, must be 0 to 31", text);
    return false;
}

static void command_reset(session *s)
{
    if (take_words(s, NULL, 0, 0, "reset") < 0)
        return;
    ztl_hart_reset(s->hart);
    answer_ok(s);
}

static void command_x(session *s)
{
    char *words[2];
    unsigned index;
    uint64_t value;
    int count = take_words(s, words, 1, 2, "x N [VALUE]");
    if (count < 0 || !register_index(s, words[0], &index))
        return;
    if (count == 1) {
        fprintf(s->out, "x %s 0x%" PRIx64 "\n", words[0], ztl_hart_x(s->hart, index));
    } else if (xlen_number(s, "VALUE", words[1], &value)) {
        ztl_hart_set_x(s->hart, index, value);
        answer_ok(s);
    }
}

/* A number that a floating-point register can hold. */
static bool float_number(session *s, const char *text, uint64_t *value)
{
    if (!number(s, "VALUE", text, value))
        return false;
    if (ztl_hart_flen(s->hart) == 64 || *value <= UINT32_MAX)
        return true;
    answer_error(s, "VALUE: %.40s does not fit 32 bits", text);
    return false;
}

static void command_f(session *s)
{
    char *words[2];
    unsigned index;
    uint64_t value;
    int count = take_words(s, words, 1, 2, "f N [VALUE]");
    if (count < 0 || !register_index(s, words[0], &index))
        return;
    if (!ztl_hart_flen(s->hart)) {
        answer_error(s, "the hart has no floating point (F)");
    } else if (count == 1) {
        fprintf(s->out, "f %s 0x%" PRIx64 "\n", words[0], ztl_hart_f(s->hart, index));
    } else if (float_number(s, words[1], &value)) {
        ztl_hart_set_f(s->hart, index, value);
        answer_ok(s);
    }
}

static void command_tl(session *s)
{
    char *words[2];
    unsigned index;
    uint8_t bytes[ZTL_REG_BYTES];
    int count = take_words(s, words, 1, 2, "tl N [HEX]");
    if (count < 0 || !register_index(s, words[0], &index))
        return;
    if (count == 1) {
        fprintf(s->out, "tl %s ", words[0]);
        ztl_line_print_bytes(s->out, ztl_get_register(ztl_hart_ztl(s->hart), index), ZTL_REG_BYTES);
        putc('\n', s->out);
    } else if (ztl_line_bytes(words[1], bytes, sizeof bytes)) {
        ztl_set_register(ztl_hart_ztl(s->hart), index, bytes);
        answer_ok(s);
    } else {
        answer_error(s, "HEX: must be %d hexadecimal digits", 2 * ZTL_REG_BYTES);
    }
}

static void unknown_csr(session *s, const char *text)
{
    char name[64];
    if (ztl_suggest_csr(ZTL_REVISIONS, text, strlen(text), name, sizeof name))
        answer_error(s, "C: '%.40s' is no CSR, did you mean '%s'?", text, name);
    else
        answer_error(s, "C: '%.40s' is no CSR", text);
}

/* A CSR by number or name. What is neither a number nor the name of a CSR that some hart has is an
 * error; a CSR that this hart lacks is a trap. */
static bool csr_number(session *s, const char *text, unsigned *address)
{
    uint64_t value;
    if (ztl_hart_csr_address(s->hart, text, address) ||
        ztl_csr_address(ZTL_REVISIONS, text, address))
        return true;
    if (!ztl_line_number(text, &value)) {
        unknown_csr(s, text);
        return false;
    }
    *address = (unsigned)value;
    if (value <= 0xfff)
        return true;
    answer_error(s, "C: %.40s is out of range, must be 0 to 0xfff", text);
    return false;
}

static void command_csr(session *s)
{
    char *words[2];
    unsigned address;
    uint64_t value;
    int count = take_words(s, words, 1, 2, "csr C [VALUE]");
    if (count < 0 || !csr_number(s, words[0], &address))
        return;
    if (count == 1) {
        if (ztl_hart_csr_read(s->hart, address, &value))
            fprintf(s->out, "csr %s 0x%" PRIx64 "\n", words[0], value);
        else
            answer_trap(s, ZTL_CAUSE_ILLEGAL, 0, 0);
    } else if (xlen_number(s, "VALUE", words[1], &value)) {
        if (ztl_hart_csr_write(s->hart, address, value))
            answer_ok(s);
        else
            answer_trap(s, ZTL_CAUSE_ILLEGAL, 0, 0);
    }
}

/* Reads the range, which also tells whether all of it is there. */
static bool read_range(session *s, uint64_t address, uint8_t *bytes, size_t size)
{
    size_t there = ztl_hart_read_memory(s->hart, address, bytes, size);
    if (there == size)
        return true;
    answer_error(s, "no memory at 0x%" PRIx64, address + there);
    return false;
}

static void command_peek(session *s)
{
    char *words[2];
    uint64_t address, size;
    if (take_words(s, words, 2, 2, "peek ADDR LEN") < 0 ||
        !xlen_number(s, "ADDR", words[0], &address) || !number(s, "LEN", words[1], &size))
        return;
    if (size < 1 || size > PEEK_LIMIT) {
        answer_error(s, "LEN: %.40s is out of range, must be 1 to %d", words[1], PEEK_LIMIT);
        return;
    }
    uint8_t *bytes = malloc(size);
    if (!bytes) {
        answer_error(s, "out of memory");
    } else if (read_range(s, address, bytes, size)) {
        fprintf(s->out, "peek %s ", words[0]);
        ztl_line_print_bytes(s->out, bytes, size);
        putc('\n', s->out);
    }
    free(bytes);
}

static void poke_bytes(session *s, uint64_t address, const char *hex, uint8_t *bytes, size_t size)
{
    if (!read_range(s, address, bytes, size))
        return;
    if (!ztl_line_bytes(hex, bytes, size)) {
        answer_error(s, "HEX: must be pairs of hexadecimal digits");
        return;
    }
    ztl_hart_write_memory(s->hart, address, bytes, size);
    answer_ok(s);
}

static void command_poke(session *s)
{
    char *words[2];
    uint64_t address;
    if (take_words(s, words, 2, 2, "poke ADDR HEX") < 0 ||
        !xlen_number(s, "ADDR", words[0], &address))
        return;
    size_t size = strlen(words[1]) / 2;
    uint8_t *bytes = malloc(size + 1);
    if (!bytes)
        answer_error(s, "out of memory");
    else if (size == 0)
        answer_error(s, "HEX: must be pairs of hexadecimal digits");
    else
        poke_bytes(s, address, words[1], bytes, size);
    free(bytes);
}

static void command_insn(session *s)
{
    char *words[1];
    uint32_t word;
    if (take_words(s, words, 1, 1, "insn WORD") < 0 || !word_32(s, words[0], &word))
        return;
    if (ztl_hart_execute(s->hart, word) != ZTL_STOP_TRAP) {
        answer_ok(s);
        return;
    }
    const ztl_trap *trap = ztl_hart_last_trap(s->hart);
    unsigned reason = trap->ztl.status == ZTL_TRAP ? trap->ztl.reason : 0;
    answer_trap(s, trap->cause, trap->tval, reason);
}

/* The words of an instruction, or of the several that a long li or a call is. */
static void command_asm(session *s)
{
    size_t size;
    ztl_source *source =
        ztl_source_assemble(s->rest, ztl_hart_isa_of(s->hart), ztl_hart_pc(s->hart));
    const ztl_source_error *wrong = source ? ztl_source_error_at(source, 0) : NULL;
    const uint8_t *bytes = source ? ztl_source_bytes(source, &size) : NULL;
    if (!source) {
        answer_error(s, "out of memory");
    } else if (wrong) {
        answer_error(s, "%s", wrong->text);
    } else if (size == 0 || size & 1) {
        answer_error(s, size ? "these are no instructions" : "nothing to assemble");
    } else {
        fputs("asm", s->out);
        for (size_t at = 0, length; at < size; at += length) {
            uint32_t word = bytes[at] | (uint32_t)bytes[at + 1] << 8;
            length = ztl_hart_insn_length(word);
            if (length == 4 && at + 2 < size)
                word |= (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
            fprintf(s->out, " 0x%0*" PRIx32, 2 * (int)length, word);
        }
        putc('\n', s->out);
    }
    ztl_source_free(source);
}

static void command_dis(session *s)
{
    char *words[1], text[TEXT_SIZE];
    uint32_t word;
    if (take_words(s, words, 1, 1, "dis WORD") < 0 || !word_32(s, words[0], &word))
        return;
    const ztl_hart_isa *isa = ztl_hart_isa_of(s->hart);
    if ((word & ZTL_OPCODE_MASK) == ZTL_OPCODE)
        ztl_disassemble(isa->ztl_revision, word, text, sizeof text);
    else
        ztl_hart_disassemble(isa, ztl_hart_pc(s->hart), word, text, sizeof text);
    fprintf(s->out, "dis %s\n", text);
}

static void command_quit(session *s)
{
    s->done = true;
}

static const struct {
    const char *name;
    void (*run)(session *);
} commands[] = {
    {"reset", command_reset}, {"x", command_x},       {"f", command_f},
    {"tl", command_tl},       {"csr", command_csr},   {"poke", command_poke},
    {"peek", command_peek},   {"insn", command_insn}, {"asm", command_asm},
    {"dis", command_dis},     {"quit", command_quit},
};

static void answer(session *s, char *line)
{
    line[strcspn(line, "#")] = '\0';
    s->rest = line;
    const char *name = ztl_line_word(&s->rest);
    if (!name)
        return; /* nothing was asked */
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(name, commands[i].name)) {
            commands[i].run(s);
            return;
        }
    answer_error(s, "unknown command '%.40s'", name);
}

bool ztl_cosim_serve(ztl_hart *hart, FILE *in, FILE *out)
{
    session s = {.hart = hart, .out = out};
    ztl_line line = {0};
    bool written = true;
    while (!s.done && written && ztl_line_read(&line, in, LINE_LIMIT)) {
        if (line.too_long)
            answer_error(&s, "the line is longer than %d characters", LINE_LIMIT);
        else if (strlen(line.text) != line.length)
            answer_error(&s, "the line has a zero byte in it");
        else
            answer(&s, line.text);
        written = fflush(out) == 0;
    }
    bool complete = s.done || !(ferror(in) || line.no_memory);
    int why = errno;
    ztl_line_free(&line);
    errno = why;
    return written && complete;
}
