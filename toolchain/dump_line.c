/* SPDX-License-Identifier: Apache-2.0
 * The lines of objdump -d.
 */
#include "toolchain/dump.h"

#include <stdlib.h>
#include <string.h>

#include <ztl/ztl.h>

#include "codec/text.h"

enum { TEXT_SIZE = 128, SYSTEM = 0x73 };

/* "  8:\t06e7a0db  \ttext", taken apart. */
typedef struct insn_line {
    uint64_t address;
    uint64_t word;
    size_t bytes;
    const char *text;
    size_t length; /* of the text, without the end of the line */
} insn_line;

static bool is_hex(char c)
{
    return ztl_is_digit(c) || (ztl_lower(c) >= 'a' && ztl_lower(c) <= 'f');
}

static bool parse_line(const char *line, insn_line *insn)
{
    char *at;
    while (*line == ' ')
        line++;
    if (!is_hex(*line))
        return false;
    insn->address = strtoull(line, &at, 16);
    if (at[0] != ':' || at[1] != '\t' || !is_hex(at[2]))
        return false;
    const char *digits = at + 2;
    insn->word = strtoull(digits, &at, 16);
    insn->bytes = (size_t)(at - digits) / 2;
    while (*at == ' ')
        at++;
    if (*at != '\t' || insn->bytes > 8)
        return false;
    insn->text = at + 1;
    insn->length = strcspn(insn->text, "\n");
    return true;
}

static bool is_ztl_word(const insn_line *insn)
{
    return insn->bytes == 4 && (insn->word & ZTL_OPCODE_MASK) == ZTL_OPCODE;
}

/* The CSR of a CSR instruction by name; false for everything else. */
static bool csr_name(unsigned revision, const insn_line *insn, char *name, size_t size)
{
    bool is_csr = insn->bytes == 4 && (insn->word & 0x7f) == SYSTEM && (insn->word >> 12 & 3);
    return is_csr && ztl_csr_name(revision, (unsigned)(insn->word >> 20), name, size);
}

/* Replaces the CSR's number, which objdump prints in hex. */
static void print_csr(const insn_line *insn, const char *name, ztl_buffer *out)
{
    char number[16];
    ztl_text in = ztl_text_in(number, sizeof number);
    ztl_text_hex(&in, insn->word >> 20, 3);
    const char *found = strstr(insn->text, number);
    if (!found || found >= insn->text + insn->length) {
        ztl_buffer_part(out, insn->text, insn->length);
        return;
    }
    const char *rest = found + strlen(number);
    ztl_buffer_part(out, insn->text, (size_t)(found - insn->text));
    ztl_buffer_add(out, name);
    ztl_buffer_part(out, rest, (size_t)(insn->text + insn->length - rest));
}

void ztl_dump_line(unsigned revision, const char *line, ztl_buffer *out)
{
    char text[TEXT_SIZE];
    insn_line insn;
    if (!parse_line(line, &insn)) {
        ztl_buffer_add(out, line);
        return;
    }
    ztl_buffer_part(out, line, (size_t)(insn.text - line));
    if (is_ztl_word(&insn)) {
        ztl_disassemble(revision, (uint32_t)insn.word, text, sizeof text);
        ztl_buffer_add(out, text);
    } else if (csr_name(revision, &insn, text, sizeof text)) {
        print_csr(&insn, text, out);
    } else {
        ztl_buffer_part(out, insn.text, insn.length);
    }
    ztl_buffer_add(out, insn.text + insn.length);
}

/* An encoding that assemblers do not emit stays a word, with its meaning beside it. */
static void print_ztl_source(unsigned revision, uint32_t word, ztl_buffer *out)
{
    char text[TEXT_SIZE];
    uint32_t again;
    ztl_disassemble(revision, word, text, sizeof text);
    if (ztl_assemble(revision, text, &again, NULL, 0) && again == word)
        ztl_buffer_add(out, text);
    else
        ztl_buffer_format(out, ".4byte 0x%08x # %s", word, text);
}

/* The target of a branch, "1a4 <main+0x8>" at the end of the text, from here; false for other
 * instructions. */
static bool print_branch(const insn_line *insn, ztl_buffer *out)
{
    size_t angle = strcspn(insn->text, "<");
    size_t comment = strcspn(insn->text, "#");
    if (angle >= insn->length || comment < angle || angle == 0)
        return false;
    size_t start = angle - 1;
    while (start > 0 && is_hex(insn->text[start - 1]))
        start--;
    uint64_t target = strtoull(insn->text + start, NULL, 16);
    ztl_buffer_part(out, insn->text, start);
    ztl_buffer_format(out, ".%+lld # ", (long long)(int64_t)(target - insn->address));
    ztl_buffer_part(out, insn->text + start, insn->length - start);
    return true;
}

/* Whether objdump's own text is an instruction, and not what it prints for bytes it does not know.
 */
static bool is_instruction(const insn_line *insn)
{
    return insn->text[0] != '.' && strncmp(insn->text, "c.unimp", 7);
}

/* Bytes, whatever they are. */
static void print_raw(const insn_line *insn, ztl_buffer *out)
{
    ztl_buffer_add(out, ".byte ");
    for (size_t i = 0; i < insn->bytes; i++)
        ztl_buffer_format(out, "%s0x%02x", i ? ", " : "", (unsigned)(insn->word >> (8 * i) & 0xff));
    ztl_buffer_add(out, " # ");
    ztl_buffer_part(out, insn->text, insn->length);
}

static void print_source_insn(unsigned revision, const insn_line *insn, ztl_buffer *out)
{
    char name[TEXT_SIZE];
    if (is_ztl_word(insn))
        print_ztl_source(revision, (uint32_t)insn->word, out);
    else if (!is_instruction(insn))
        print_raw(insn, out);
    else if (csr_name(revision, insn, name, sizeof name))
        print_csr(insn, name, out);
    else if (!print_branch(insn, out))
        ztl_buffer_part(out, insn->text, insn->length);
}

/* "Disassembly of section .text:" and "0000 <main>:" as a directive and a comment. */
static void print_heading(const char *line, ztl_buffer *out)
{
    static const char section[] = "Disassembly of section ";
    size_t length = strcspn(line, "\n");
    if (!strncmp(line, section, sizeof section - 1) && length > sizeof section)
        ztl_buffer_format(out, "\t.section %.*s, \"ax\", @progbits\n\t.option norelax\n",
                          (int)(length - sizeof section), line + sizeof section - 1);
    else if (length)
        ztl_buffer_format(out, "# %.*s\n", (int)length, line);
}

void ztl_dump_assembly(unsigned revision, const char *line, size_t *size, ztl_buffer *out)
{
    insn_line insn;
    if (!parse_line(line, &insn)) {
        print_heading(line, out);
        return;
    }
    if ((*size == 2) != (insn.bytes == 2) || *size == 0)
        ztl_buffer_add(out, insn.bytes == 2 ? "\t.option rvc\n" : "\t.option norvc\n");
    *size = insn.bytes;
    ztl_buffer_char(out, '\t');
    print_source_insn(revision, &insn, out);
    ztl_buffer_char(out, '\n');
}
