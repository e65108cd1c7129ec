/* SPDX-License-Identifier: Apache-2.0
 * .insn: an instruction by its fields, or as a word.
 */
#include <string.h>

#include "codec/gpr.h"
#include "sim/source/assembler.h"

/* The operands of each form: o opcode, 3 funct3, 7 funct7, 2 funct2, d s t R registers, i an
 * immediate of 12 bits, m one with its base, v the same for stores, u 20 bits, b j targets. */
static const struct {
    const char *name, *operands;
} forms[] = {
    {"r", "o37dst"}, {"r", "o32dstR"}, {"r4", "o32dstR"}, {"i", "o3dsi"},
    {"i", "o3dm"},   {"s", "o3tv"},    {"b", "o3stb"},    {"sb", "o3stb"},
    {"u", "odu"},    {"j", "odj"},     {"uj", "odj"},
};

static const char *const opcodes[32] = {
    "LOAD",   "LOAD_FP",  "CUSTOM_0", "MISC_MEM", "OP_IMM", "AUIPC", "OP_IMM_32", NULL,
    "STORE",  "STORE_FP", "CUSTOM_1", "AMO",      "OP",     "LUI",   "OP_32",     NULL,
    "MADD",   "MSUB",     "NMSUB",    "NMADD",    "OP_FP",  NULL,    "CUSTOM_2",  NULL,
    "BRANCH", "JALR",     NULL,       "JAL",      "SYSTEM", NULL,    "CUSTOM_3",  NULL,
};

static bool opcode(ztl_source *s, const char *text, uint32_t *word)
{
    int64_t number;
    for (uint32_t i = 0; i < 32; i++)
        if (opcodes[i] && !strcmp(text, opcodes[i])) {
            *word |= i << 2 | 3;
            return true;
        }
    if (!ztl_asm_constant(s, text, "the opcode", &number))
        return false;
    *word |= (uint32_t)number & 0x7f;
    return (number >= 0 && number <= 0x7f && (number & 3) == 3) ||
           ztl_asm_fail(s, "'%s' is no opcode of 7 bits that ends in 11", text);
}

static bool field(ztl_source *s, const char *text, int64_t low, int64_t high, unsigned shift,
                  uint32_t *word)
{
    int64_t number;
    if (!ztl_asm_constant(s, text, "the field", &number))
        return false;
    if (number < low || number > high)
        return ztl_asm_fail(s, "'%s' is out of range, must be %lld to %lld", text, (long long)low,
                            (long long)high);
    *word |= (uint32_t)number << shift;
    return true;
}

static bool register_field(ztl_source *s, const char *text, unsigned shift, uint32_t *word)
{
    int index = ztl_gpr_index(text, strlen(text));
    if (index < 0)
        index = ztl_fpr_index(text, strlen(text));
    if (index < 0 || index > 31)
        return ztl_asm_fail(s, "'%s' is not a register", text);
    *word |= (uint32_t)index << shift;
    return true;
}

/* offset(base): the base, and the offset's text cut off. */
static bool with_base(ztl_source *s, char *text, uint32_t *word)
{
    char *open = strrchr(text, '('), *close = strrchr(text, ')');
    if (!open || !close || close < open)
        return ztl_asm_fail(s, "'%s' must be: offset(register)", text);
    *close = *open = '\0';
    if (!register_field(s, ztl_asm_skip(open + 1), 15, word))
        return false;
    if (!*ztl_asm_skip(text))
        strcpy(text, "0");
    return true;
}

static bool distance(ztl_source *s, const char *text, unsigned bits, uint32_t *away)
{
    source_value value;
    const char *at = text;
    if (!ztl_asm_value(s, &at, &value))
        return false;
    if (s->pass == 1)
        return true;
    uint64_t here = s->sections[s->section].address + ztl_asm_offset(s);
    int64_t number = (int64_t)((uint64_t)value.number - here);
    int64_t most = INT64_C(1) << (bits - 1);
    *away = (uint32_t)number;
    return (number >= -most && number < most && !(number & 1)) ||
           ztl_asm_fail(s, "'%s' is too far away, or odd", text);
}

static bool target(ztl_source *s, const char *text, bool is_branch, uint32_t *word)
{
    uint32_t d = 0;
    if (!distance(s, text, is_branch ? 13 : 21, &d))
        return false;
    if (is_branch)
        *word |=
            (d >> 12 & 1) << 31 | (d >> 5 & 63) << 25 | (d >> 1 & 15) << 8 | (d >> 11 & 1) << 7;
    else
        *word |= (d >> 20 & 1) << 31 | (d >> 1 & 0x3ff) << 21 | (d >> 11 & 1) << 20 |
                 (d >> 12 & 0xff) << 12;
    return true;
}

static bool operand(ztl_source *s, char kind, char *text, uint32_t *word)
{
    uint32_t split = 0;
    switch (kind) {
    case 'o':
        return opcode(s, text, word);
    case '3':
        return field(s, text, 0, 7, 12, word);
    case '7':
        return field(s, text, 0, 127, 25, word);
    case '2':
        return field(s, text, 0, 3, 25, word);
    case 'd':
        return register_field(s, text, 7, word);
    case 's':
        return register_field(s, text, 15, word);
    case 't':
        return register_field(s, text, 20, word);
    case 'R':
        return register_field(s, text, 27, word);
    case 'm':
        return with_base(s, text, word) && field(s, text, -2048, 2047, 20, word);
    case 'i':
        return field(s, text, -2048, 2047, 20, word);
    case 'v':
        if (!with_base(s, text, word) || !field(s, text, -2048, 2047, 0, &split))
            return false;
        *word |= (split >> 5 & 0x7f) << 25 | (split & 31) << 7;
        return true;
    case 'u':
        return field(s, text, 0, 0xfffff, 12, word);
    default:
        return target(s, text, kind == 'b', word);
    }
}

static bool put_word(ztl_source *s, uint64_t word, size_t size)
{
    uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                       (uint8_t)(word >> 24)};
    return ztl_asm_emit(s, bytes, size);
}

/* .insn word, or .insn length, word. */
static bool whole(ztl_source *s, source_operands *o)
{
    int64_t length = 0, word;
    if (o->count == 2 && !ztl_asm_constant(s, o->text[0], "the length", &length))
        return false;
    if (!ztl_asm_constant(s, o->text[o->count - 1], "the instruction", &word))
        return false;
    int64_t needed = (word & 3) == 3 ? 4 : 2;
    if (word < 0 || word > (needed == 4 ? UINT32_MAX : UINT16_MAX) || (length && length != needed))
        return ztl_asm_fail(s, "'%s' is no instruction of 2 or 4 bytes, or not of this length",
                            o->text[o->count - 1]);
    return put_word(s, (uint64_t)word, (size_t)needed);
}

bool ztl_asm_insn(ztl_source *s, const char *rest)
{
    source_operands o;
    size_t length = ztl_asm_name_length(rest), named = 0;
    bool is_form = length && !ztl_is_digit(*rest) && ztl_is_space(rest[length]);
    if (!ztl_asm_split(s, is_form ? rest + length : rest, &o))
        return false;
    if (!is_form && o.count >= 1 && o.count <= 2)
        return whole(s, &o);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const char *wanted = forms[i].operands;
        if (!ztl_exact_word(rest, length, forms[i].name))
            continue;
        named++;
        if (strlen(wanted) != o.count)
            continue;
        uint32_t word = 0;
        for (size_t k = 0; k < o.count; k++)
            if (!operand(s, wanted[k], o.text[k], &word))
                return put_word(s, 0, 4), false;
        return put_word(s, word, 4);
    }
    if (named)
        return ztl_asm_fail(s, ".insn %.*s has not %zu operands", (int)length, rest, o.count);
    return ztl_asm_fail(s, ".insn needs a form, r r4 i s b u j, or a word");
}
