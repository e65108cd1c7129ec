/* SPDX-License-Identifier: Apache-2.0
 * Operands of an instruction: which are names of registers, and the numbers that others stand for.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "codec/gpr.h"
#include "sim/hart.h"
#include "sim/source/assembler.h"

/* Parts text at commas that are in no parentheses and no quotes. */
bool ztl_asm_split(ztl_source *s, const char *rest, source_operands *operands)
{
    operands->count = 0;
    for (const char *at = ztl_asm_skip(rest); *at; at++) {
        size_t length = 0;
        int depth = 0;
        for (; at[length] && (at[length] != ',' || depth > 0); length++)
            depth += (at[length] == '(') - (at[length] == ')');
        const char *next = at + length;
        while (length && ztl_is_space(at[length - 1]))
            length--;
        if (operands->count == SOURCE_MOST_OPERANDS || length >= sizeof operands->text[0])
            return ztl_asm_fail(s, "too many or too long operands");
        char *text = operands->text[operands->count++];
        memcpy(text, at, length);
        text[length] = '\0';
        if (!*next)
            break;
        at = next;
        while (ztl_is_space(at[1]))
            at++;
    }
    return true;
}

static bool is_word_of(const char *list, const char *word, size_t length)
{
    while (*list) {
        size_t size = strcspn(list, " ");
        if (size == length && !strncmp(list, word, size))
            return true;
        list += size + (list[size] == ' ');
    }
    return false;
}

static bool is_jump(const char *mnemonic)
{
    return is_word_of("beq bne blt bge bltu bgeu beqz bnez blez bgez bltz bgtz bgt ble bgtu bleu "
                      "j jal c.j c.jal c.beqz c.bnez",
                      mnemonic, strlen(mnemonic));
}

/* A name that means something else than a label where it stands. */
static bool is_taken(const char *mnemonic, const char *name, size_t length)
{
    if (ztl_gpr_index(name, length) >= 0 || ztl_fpr_index(name, length) >= 0)
        return true;
    if (!strncmp(mnemonic, "tl.", 3))
        return is_word_of("load comp store reshape", name, length) ||
               ztl_register_index(name, length, "tl") >= 0 ||
               ztl_register_index(name, length, "tlr") >= 0 ||
               ztl_register_index(name, length, "t") >= 0;
    if (!strncmp(mnemonic, "fence", 5))
        return true;
    return *mnemonic == 'f' && is_word_of("rne rtz rdn rup rmm dyn", name, length);
}

static bool is_csr(const ztl_source *s, const char *mnemonic, const char *text, size_t length)
{
    char name[64];
    unsigned address;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    return !strncmp(mnemonic, "csr", 3) && ztl_sim_csr_address(&s->isa, name, &address);
}

/* Where "(reg)" begins that ends the operand, or the operand's end. */
static size_t base_start(const char *operand)
{
    size_t length = strlen(operand);
    const char *open = strrchr(operand, '(');
    if (!open || operand[length - 1] != ')')
        return length;
    const char *name = ztl_asm_skip(open + 1);
    size_t size = ztl_asm_name_length(name);
    bool is_register = size && *ztl_asm_skip(name + size) == ')' && ztl_gpr_index(name, size) >= 0;
    return is_register ? (size_t)(open - operand) : length;
}

static bool is_balanced(const char *text)
{
    int depth = 0;
    for (; *text && depth >= 0; text++)
        depth += (*text == '(') - (*text == ')');
    return depth == 0;
}

static bool is_plain_number(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t length = 0;
    while (ztl_is_word(text[length]))
        length++;
    char last = length ? text[length - 1] : '\0';
    bool numbered = strspn(text, "0123456789") == length - 1 && (last == 'b' || last == 'f');
    return ztl_is_digit(*text) && !*ztl_asm_skip(text + length) && !numbered;
}

bool ztl_asm_resolve(ztl_source *s, const char *mnemonic, char *operand, size_t index, size_t count)
{
    enum { ROOM = sizeof((source_operands *)0)->text[0] };
    char base[ROOM], text[ROOM];
    size_t end = base_start(operand), name = ztl_asm_name_length(operand);
    while (end && ztl_is_space(operand[end - 1]))
        end--;
    /* What is no expression is left: the assembler of instructions says what must be here. */
    if (!end || !is_balanced(operand) || is_plain_number(operand) ||
        is_csr(s, mnemonic, operand, end) || (name == end && is_taken(mnemonic, operand, name)))
        return true;
    snprintf(base, sizeof base, "%s", operand + end);
    snprintf(text, sizeof text, "%.*s", (int)end, operand);
    bool is_target = is_jump(mnemonic) && index + 1 == count;
    bool is_new = name == end && s->pass == 2 && !ztl_asm_find(s, operand, name) && *operand != '.';
    if (is_new && !is_target)
        return true; /* no label */
    source_value value;
    const char *at = text;
    if (!ztl_asm_value(s, &at, &value))
        return false;
    if (*ztl_asm_skip(at))
        return ztl_asm_fail(s, "unexpected '%s' in an operand", ztl_asm_skip(at));
    int64_t number = value.number;
    if (s->isa.xlen == 32)
        number = (int32_t)number;
    int64_t here = (int64_t)(s->sections[s->section].address + ztl_asm_offset(s));
    if (is_target)
        snprintf(operand, ROOM, ".%+" PRId64, number - here);
    else
        snprintf(operand, ROOM, "%" PRId64 "%.40s", number, base);
    return true;
}
