/* SPDX-License-Identifier: Apache-2.0
 * Other ways to write an instruction, such as `li a0, 5`: the instruction that each is.
 */
#include "sim/text/pseudo.h"

#include <stdio.h>
#include <string.h>

#include "codec/text.h"

static size_t split(const char *text, char piece[MOST_OPERANDS][TEXT_LIMIT])
{
    size_t count = 0;
    while (ztl_is_space(*text))
        text++;
    while (*text) {
        size_t length = strcspn(text, ","), used = length;
        while (used && ztl_is_space(text[used - 1]))
            used--;
        if (count < MOST_OPERANDS)
            snprintf(piece[count], TEXT_LIMIT, "%.*s", (int)used, text);
        count++;
        text += length + (text[length] == ',');
        while (ztl_is_space(*text))
            text++;
    }
    return count;
}

static void substitute(const char *form, char piece[MOST_OPERANDS][TEXT_LIMIT], char *text,
                       size_t size)
{
    ztl_text out = ztl_text_in(text, size);
    for (; *form; form++) {
        if (*form == '$')
            ztl_text_add(&out, piece[*++form - '1']);
        else
            ztl_text_char(&out, *form);
    }
}

/* A number whose low bits are 0 and that addi cannot hold is lui's. */
static bool is_upper(const char *number, uint32_t *upper)
{
    int64_t value;
    if (!ztl_assembly_number(number, strlen(number), &value) || value & 0xfff || !value ||
        value < INT32_MIN || value > INT32_MAX)
        return false;
    *upper = (uint32_t)value >> 12;
    return true;
}

/* csrw and the others with a number for a register: the form whose name has an i more. */
static bool is_immediate_csr(const char *name, char piece[MOST_OPERANDS][TEXT_LIMIT], size_t count)
{
    int64_t value;
    size_t length = strlen(name);
    bool is_csr = !strncmp(name, "csr", 3) && strchr("wsc", name[length - 1]);
    return is_csr && count >= 2 && count <= MOST_OPERANDS &&
           ztl_assembly_number(piece[count - 1], strlen(piece[count - 1]), &value);
}

static const struct {
    const char *name;
    size_t operands;
    const char *form;
} pseudo[] = {
#define PSEUDO(mnemonic, operands, text) {mnemonic, operands, text},
#include "sim/text/pseudo.def"
};

bool ztl_pseudo_is(const char *name, size_t *operands)
{
    for (size_t i = 0; i < sizeof pseudo / sizeof pseudo[0]; i++)
        if (!strcmp(pseudo[i].name, name)) {
            *operands = pseudo[i].operands;
            return true;
        }
    return false;
}

bool ztl_pseudo_expand(const char *name, const char *operands, char *text, size_t size)
{
    char piece[MOST_OPERANDS][TEXT_LIMIT];
    size_t count = split(operands, piece);
    char immediate[TEXT_LIMIT];
    uint32_t upper;
    if (is_immediate_csr(name, piece, count)) {
        snprintf(immediate, sizeof immediate, "%si", name);
        if (!ztl_pseudo_expand(immediate, operands, text, size))
            snprintf(text, size, "%s %s, %s, %s", immediate, piece[0], piece[1], piece[2]);
        return true;
    }
    for (size_t i = 0; i < sizeof pseudo / sizeof pseudo[0]; i++) {
        if (pseudo[i].operands != count || strcmp(pseudo[i].name, name) != 0)
            continue;
        if (!strcmp(name, "li") && is_upper(piece[1], &upper))
            snprintf(text, size, "lui %s, 0x%x", piece[0], upper);
        else
            substitute(pseudo[i].form, piece, text, size);
        return true;
    }
    return false;
}
