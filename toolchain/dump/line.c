/* SPDX-License-Identifier: Apache-2.0
 * The lines of objdump -d.
 */
#include "toolchain/dump/line.h"

#include <stdlib.h>
#include <string.h>

#include <ztl/ztl.h>

#include "codec/text.h"

enum { SYSTEM = 0x73 };

static bool is_hex(char c)
{
    return ztl_is_digit(c) || (ztl_lower(c) >= 'a' && ztl_lower(c) <= 'f');
}

bool ztl_line_parse(const char *line, ztl_insn_line *insn)
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

bool ztl_line_is_ztl(const ztl_insn_line *insn)
{
    return insn->bytes == 4 && (insn->word & ZTL_OPCODE_MASK) == ZTL_OPCODE;
}

/* The CSR of a CSR instruction by name; false for everything else. */
bool ztl_line_csr(unsigned revision, const ztl_insn_line *insn, char name[ZTL_LINE_TEXT])
{
    bool is_csr = insn->bytes == 4 && (insn->word & 0x7f) == SYSTEM && (insn->word >> 12 & 3);
    return is_csr && ztl_csr_name(revision, (unsigned)(insn->word >> 20), name, ZTL_LINE_TEXT);
}

/* Replaces the CSR's number, which objdump prints in hex. */
void ztl_line_print_csr(const ztl_insn_line *insn, const char *name, ztl_buffer *out)
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

void ztl_line_print(unsigned revision, const char *line, ztl_buffer *out)
{
    char text[ZTL_LINE_TEXT];
    ztl_insn_line insn;
    if (!ztl_line_parse(line, &insn)) {
        ztl_buffer_add(out, line);
        return;
    }
    ztl_buffer_part(out, line, (size_t)(insn.text - line));
    if (ztl_line_is_ztl(&insn)) {
        ztl_disassemble(revision, (uint32_t)insn.word, text, sizeof text);
        ztl_buffer_add(out, text);
    } else if (ztl_line_csr(revision, &insn, text)) {
        ztl_line_print_csr(&insn, text, out);
    } else {
        ztl_buffer_part(out, insn.text, insn.length);
    }
    ztl_buffer_add(out, insn.text + insn.length);
}
