/* SPDX-License-Identifier: Apache-2.0
 * Directives that make bytes: numbers, text, zeros.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/source/assembler.h"

static bool put_number(ztl_source *s, uint64_t value, unsigned size)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    return ztl_asm_emit(s, bytes, size);
}

/* Comma-separated expressions of so many bytes each. */
static bool numbers(ztl_source *s, const char *at, unsigned size)
{
    while (*(at = ztl_asm_skip(at))) {
        source_value value;
        if (!ztl_asm_value(s, &at, &value))
            return false;
        int64_t n = value.number;
        bool fits =
            size == 8 || (n >= -(INT64_C(1) << (8 * size - 1)) && n < INT64_C(1) << 8 * size);
        if (!fits && value.section == SOURCE_ABSOLUTE)
            return ztl_asm_fail(s, "%lld does not fit %u bytes", (long long)n, size);
        if (!put_number(s, (uint64_t)n, size))
            return false;
        at = ztl_asm_skip(at);
        if (*at && *at != ',')
            return ztl_asm_fail(s, "unexpected '%.40s' after a number", at);
        at += *at == ',';
    }
    return true;
}

/* Comma-separated strings, each with a zero behind it or not. */
static bool strings(ztl_source *s, const char *at, bool ends)
{
    while (*(at = ztl_asm_skip(at))) {
        if (*at++ != '"')
            return ztl_asm_fail(s, "a text in double quotes must be here");
        while (*at && *at != '"') {
            uint8_t c = (uint8_t)ztl_asm_character(&at);
            if (!ztl_asm_emit(s, &c, 1))
                return false;
        }
        if (*at != '"')
            return ztl_asm_fail(s, "the text has no end");
        at = ztl_asm_skip(at + 1);
        if (ends && !put_number(s, 0, 1))
            return false;
        if (*at && *at != ',' && *at != '"')
            return ztl_asm_fail(s, "unexpected '%.40s' after a text", at);
        at += *at == ',';
    }
    return true;
}

/* .zero size, value */
static bool space(ztl_source *s, const char *rest)
{
    source_operands o;
    int64_t size, value = 0;
    if (!ztl_asm_split(s, rest, &o))
        return false;
    if (o.count < 1)
        return ztl_asm_fail(s, "the size is missing");
    if (!ztl_asm_constant(s, o.text[0], "the size", &size) ||
        (o.count > 1 && !ztl_asm_constant(s, o.text[1], "the value", &value)))
        return false;
    if (size < 0 || size > SOURCE_MOST_BYTES)
        return ztl_asm_fail(s, "%lld bytes is out of range, must be 0 to %d", (long long)size,
                            SOURCE_MOST_BYTES);
    if (value == 0)
        return ztl_asm_emit(s, NULL, (size_t)size);
    for (int64_t i = 0; i < size; i++)
        if (!put_number(s, (uint64_t)value, 1))
            return false;
    return true;
}

/* .fill times, size, value */
static bool fill(ztl_source *s, const char *rest)
{
    source_operands o;
    int64_t number[3] = {0, 1, 0};
    if (!ztl_asm_split(s, rest, &o))
        return false;
    if (o.count < 1 || o.count > 3)
        return ztl_asm_fail(s, "must be: .fill times, size, value");
    for (size_t i = 0; i < o.count; i++)
        if (!ztl_asm_constant(s, o.text[i], "the number", &number[i]))
            return false;
    if (number[0] < 0 || number[0] > SOURCE_MOST_BYTES || number[1] < 0 || number[1] > 8)
        return ztl_asm_fail(s, "the times or the size is out of range");
    for (int64_t i = 0; i < number[0]; i++)
        if (!put_number(s, (uint64_t)number[2] & UINT32_MAX, (unsigned)number[1]))
            return false;
    return true;
}

static bool floats(ztl_source *s, const char *at, bool is_double)
{
    while (*(at = ztl_asm_skip(at))) {
        char *end;
        double wide = strtod(at, &end);
        float narrow = is_double ? 0 : strtof(at, &end);
        uint64_t bits = 0;
        if (end == at)
            return ztl_asm_fail(s, "'%.40s' is not a number", at);
        memcpy(&bits, is_double ? (void *)&wide : (void *)&narrow, is_double ? 8 : 4);
        if (!put_number(s, bits, is_double ? 8 : 4))
            return false;
        at = ztl_asm_skip(end);
        if (*at && *at != ',')
            return ztl_asm_fail(s, "unexpected '%.40s' after a number", at);
        at += *at == ',';
    }
    return true;
}

bool ztl_asm_data(ztl_source *s, const char *name, size_t length, const char *rest, bool *is_data)
{
    enum { TEXT = 10, TEXT_ZERO, SPACE, FILL, FLOAT, DOUBLE };
    static const struct {
        const char *name;
        unsigned how; /* bytes of a number, or one of the above */
    } directives[] = {
        {".byte", 1},       {".half", 2},          {".short", 2},          {".hword", 2},
        {".2byte", 2},      {".word", 4},          {".long", 4},           {".int", 4},
        {".4byte", 4},      {".dword", 8},         {".quad", 8},           {".8byte", 8},
        {".ascii", TEXT},   {".asciz", TEXT_ZERO}, {".string", TEXT_ZERO}, {".zero", SPACE},
        {".space", SPACE},  {".skip", SPACE},      {".fill", FILL},        {".float", FLOAT},
        {".single", FLOAT}, {".double", DOUBLE},
    };
    *is_data = true;
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        if (!ztl_exact_word(name, length, directives[i].name))
            continue;
        switch (directives[i].how) {
        case TEXT:
        case TEXT_ZERO:
            return strings(s, rest, directives[i].how == TEXT_ZERO);
        case SPACE:
            return space(s, rest);
        case FILL:
            return fill(s, rest);
        case FLOAT:
        case DOUBLE:
            return floats(s, rest, directives[i].how == DOUBLE);
        default:
            return numbers(s, rest, directives[i].how);
        }
    }
    *is_data = false;
    return false;
}
