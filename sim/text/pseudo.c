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

bool ztl_pseudo_expand(const char *name, const char *operands, char *text, size_t size)
{
    static const struct {
        const char *name;
        size_t operands;
        const char *form;
    } pseudo[] = {
#define PSEUDO(mnemonic, operands, text) {mnemonic, operands, text},
#include "sim/text/pseudo.def"
    };
    char piece[MOST_OPERANDS][TEXT_LIMIT];
    size_t count = split(operands, piece);
    uint32_t upper;
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
