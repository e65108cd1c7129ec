/* SPDX-License-Identifier: Apache-2.0
 * Expressions of numbers and labels, with the operators of GNU as and their ranks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/source/assembler.h"

enum { MOST_NESTING = 64 };

typedef struct reader {
    ztl_source *s;
    const char *at;
    unsigned nesting;
} reader;

const char *ztl_asm_skip(const char *at)
{
    while (ztl_is_space(*at))
        at++;
    return at;
}

unsigned ztl_asm_character(const char **at)
{
    static const char letters[] = "bfnrt", values[] = "\b\f\n\r\t";
    const char *start = *at;
    if (*start != '\\' || !start[1]) {
        *at += *start != '\0';
        return (uint8_t)*start;
    }
    char c = start[1];
    *at += 2;
    if (c == 'x' || c == 'X') {
        char *end;
        unsigned long value = strtoul(*at, &end, 16);
        *at = end;
        return value & 0xff;
    }
    if (c >= '0' && c <= '7') {
        unsigned value = (unsigned)(c - '0');
        for (int i = 0; i < 2 && **at >= '0' && **at <= '7'; i++)
            value = value * 8 + (unsigned)(*(*at)++ - '0');
        return value & 0xff;
    }
    const char *found = strchr(letters, c);
    return (uint8_t)(found ? values[found - letters] : c);
}

static bool read_rank(reader *r, int rank, source_value *value);

/* 1b, 1f: labels that are numbers. */
static bool is_numbered(const char *at, size_t digits)
{
    char mark = at[digits];
    bool ends = !ztl_is_word(mark ? at[digits + 1] : '\0');
    return digits && (mark == 'b' || mark == 'f') && ends;
}

static bool read_number(reader *r, source_value *value)
{
    size_t digits = strspn(r->at, "0123456789");
    char *end;
    if (is_numbered(r->at, digits)) {
        unsigned number = (unsigned)strtoul(r->at, NULL, 10);
        bool forward = r->at[digits] == 'f';
        r->at += digits + 1;
        return ztl_asm_numbered(r->s, number, forward, value);
    }
    bool binary = r->at[0] == '0' && ztl_lower(r->at[1]) == 'b';
    errno = 0;
    uint64_t number = strtoull(r->at + (binary ? 2 : 0), &end, binary ? 2 : 0);
    if (errno || end == r->at + (binary ? 2 : 0) || ztl_is_word(*end)) {
        size_t length = 0;
        while (ztl_is_word(r->at[length]))
            length++;
        return ztl_asm_fail(r->s, "'%.*s' is not a number", (int)length, r->at);
    }
    r->at = end;
    *value = (source_value){(int64_t)number, SOURCE_ABSOLUTE};
    return true;
}

/* The value of a symbol; in the second pass places are addresses. */
static source_value known(const ztl_source *s, source_value value)
{
    if (s->pass == 1 || value.section < 0)
        return value;
    uint64_t address = s->sections[value.section].address + (uint64_t)value.number;
    return (source_value){(int64_t)address, SOURCE_ABSOLUTE};
}

static bool read_name(reader *r, source_value *value)
{
    size_t length = ztl_asm_name_length(r->at);
    if (length == 0)
        return ztl_asm_fail(
            r->s, *r->at ? "unexpected '%.20s' in an expression" : "an expression is missing%s",
            r->at);
    const char *name = r->at;
    r->at += length;
    if (ztl_exact_word(name, length, ".")) {
        *value = ztl_asm_here(r->s);
        return true;
    }
    const source_symbol *symbol = ztl_asm_find(r->s, name, length);
    if (symbol && symbol->pass) {
        *value = symbol->value;
        return true;
    }
    *value = (source_value){0, SOURCE_UNKNOWN};
    return r->s->pass == 1 ||
           ztl_asm_fail(r->s, "there is no label or number '%.*s'", (int)length, name);
}

/* %hi and the others: how much of a place. */
static bool read_part(reader *r, source_value *value);

static bool read_primary(reader *r, source_value *value)
{
    r->at = ztl_asm_skip(r->at);
    char c = *r->at;
    if (++r->nesting > MOST_NESTING)
        return ztl_asm_fail(r->s, "an expression is nested too deeply");
    bool done = false;
    if (c == '(') {
        r->at++;
        done = read_rank(r, 0, value);
        r->at = ztl_asm_skip(r->at);
        if (done && *r->at++ != ')')
            done = ztl_asm_fail(r->s, "a ')' is missing");
    } else if (c == '-' || c == '~' || c == '!' || c == '+') {
        r->at++;
        done = read_primary(r, value);
        int64_t n = value->number;
        value->number = c == '-' ? (int64_t) - (uint64_t)n : c == '~' ? ~n : c == '!' ? !n : n;
        if (value->section >= 0 && c != '+')
            value->section = SOURCE_UNKNOWN;
    } else if (c == '\'' && r->at[1]) {
        r->at++;
        *value = (source_value){ztl_asm_character(&r->at), SOURCE_ABSOLUTE};
        r->at += *r->at == '\'';
        done = true;
    } else if (c == '%') {
        done = read_part(r, value);
    } else {
        done = ztl_is_digit(c) ? read_number(r, value) : read_name(r, value);
        if (done)
            *value = known(r->s, *value);
    }
    r->nesting--;
    return done;
}

/* Operators by rank, those that bind least first; longer ones before their beginnings. */
static const struct {
    const char *text;
    int rank;
} operators[] = {
    {"||", 0}, {"&&", 1}, {"==", 2}, {"!=", 2}, {"<>", 2}, {"<=", 2}, {">=", 2},
    {"<<", 5}, {">>", 5}, {"<", 2},  {">", 2},  {"+", 3},  {"-", 3},  {"|", 4},
    {"&", 4},  {"^", 4},  {"*", 5},  {"/", 5},  {"%", 5},
};
enum { OPERATORS = sizeof operators / sizeof operators[0], RANKS = 6 };

static bool divide(reader *r, char c, int64_t left, int64_t right, int64_t *result)
{
    if (right == 0)
        return ztl_asm_fail(r->s, "division by zero");
    *result = right == -1 ? (c == '/' ? (int64_t) - (uint64_t)left : 0)
              : c == '/'  ? left / right
                          : left % right;
    return true;
}

static int64_t compare(const char *text, int64_t left, int64_t right)
{
    bool is = text[0] == '='                                         ? left == right
              : text[0] == '!' || (text[0] == '<' && text[1] == '>') ? left != right
              : text[0] == '<' ? (text[1] ? left <= right : left < right)
                               : (text[1] ? left >= right : left > right);
    return is ? -1 : 0;
}

static bool apply(reader *r, size_t which, int64_t left, int64_t right, int64_t *result)
{
    const char *text = operators[which].text;
    uint64_t a = (uint64_t)left, b = (uint64_t)right;
    switch (operators[which].rank) {
    case 0:
        *result = left || right;
        return true;
    case 1:
        *result = left && right;
        return true;
    case 2:
        *result = compare(text, left, right);
        return true;
    case 3:
        *result = (int64_t)(*text == '+' ? a + b : a - b);
        return true;
    case 4:
        *result = (int64_t)(*text == '|' ? a | b : *text == '&' ? a & b : a ^ b);
        return true;
    default:
        break;
    }
    if (*text == '/' || *text == '%')
        return divide(r, *text, left, right, result);
    if (*text == '*')
        *result = (int64_t)(a * b);
    else
        *result = (int64_t)(b > 63 ? 0 : *text == '<' ? a << b : a >> b);
    return true;
}

/* Places can be moved and subtracted; anything else needs numbers. */
static int section_of(size_t which, source_value left, source_value right)
{
    char c = operators[which].text[0];
    bool adds = operators[which].rank == 3;
    if (left.section == SOURCE_ABSOLUTE && right.section == SOURCE_ABSOLUTE)
        return SOURCE_ABSOLUTE;
    if (left.section == SOURCE_UNKNOWN || right.section == SOURCE_UNKNOWN)
        return SOURCE_UNKNOWN;
    if (left.section == right.section)
        return c == '-' || operators[which].rank == 2 ? SOURCE_ABSOLUTE : SOURCE_UNKNOWN;
    if (adds && right.section == SOURCE_ABSOLUTE)
        return left.section;
    return c == '+' && left.section == SOURCE_ABSOLUTE ? right.section : SOURCE_UNKNOWN;
}

static size_t operator_at(const char *at)
{
    for (size_t i = 0; i < OPERATORS; i++)
        if (!strncmp(at, operators[i].text, strlen(operators[i].text)))
            return i;
    return OPERATORS;
}

static bool read_rank(reader *r, int rank, source_value *value)
{
    if (rank == RANKS)
        return read_primary(r, value);
    if (!read_rank(r, rank + 1, value))
        return false;
    for (;;) {
        r->at = ztl_asm_skip(r->at);
        size_t which = operator_at(r->at);
        if (which == OPERATORS || operators[which].rank != rank)
            return true;
        source_value right;
        r->at += strlen(operators[which].text);
        if (!read_rank(r, rank + 1, &right))
            return false;
        int section = section_of(which, *value, right);
        bool is_known = section != SOURCE_UNKNOWN;
        if (is_known && !apply(r, which, value->number, right.number, &value->number))
            return false;
        value->section = section;
    }
}

/* What the label of an %pcrel_lo leads to: the %pcrel_hi there, with its place. */
static bool find_pair(reader *r, int64_t place, source_value *value)
{
    ztl_source *s = r->s;
    for (size_t i = 0; i < s->pair_count; i++) {
        if (known(s, s->pairs[i].place).number != place)
            continue;
        const char *at = s->pairs[i].target;
        if (!ztl_asm_value(s, &at, value))
            return false;
        value->number -= place;
        return true;
    }
    return ztl_asm_fail(s, "there is no %%pcrel_hi at the label of this %%pcrel_lo");
}

static bool note_pair(ztl_source *s, const char *target, size_t length)
{
    source_pair *more = ztl_asm_more(s, s->pairs, s->pair_count, sizeof *more);
    char *copy = ztl_asm_copy(s, target, length);
    if (more)
        s->pairs = more;
    if (more && copy)
        more[s->pair_count++] = (source_pair){ztl_asm_here(s), copy};
    else
        free(copy);
    return more && copy;
}

static bool upper(reader *r, source_value *value)
{
    int64_t rounded = (int64_t)((uint64_t)value->number + 0x800);
    if (r->s->isa.xlen == 64 && rounded != (int32_t)rounded && value->section == SOURCE_ABSOLUTE)
        return ztl_asm_fail(r->s, "0x%llx does not fit 32 bits and a sign, as %%hi needs",
                            (unsigned long long)value->number);
    value->number = rounded >> 12 & 0xfffff;
    return true;
}

static bool read_part(reader *r, source_value *value)
{
    static const char *const names[] = {"hi", "lo", "pcrel_hi", "pcrel_lo"};
    const char *name = r->at + 1;
    size_t length = ztl_asm_name_length(name), which = 0;
    while (which < 4 && !ztl_exact_word(name, length, names[which]))
        which++;
    const char *inside = ztl_asm_skip(name + length);
    if (which == 4 || *inside != '(')
        return ztl_asm_fail(r->s, "'%.20s' is none of %%hi( %%lo( %%pcrel_hi( %%pcrel_lo(", r->at);
    r->at = inside + 1;
    if (!read_rank(r, 0, value))
        return false;
    r->at = ztl_asm_skip(r->at);
    if (*r->at != ')')
        return ztl_asm_fail(r->s, "a ')' is missing");
    r->at++;
    bool first = r->s->pass == 1;
    if (which == 2) {
        if (first && !note_pair(r->s, inside + 1, (size_t)(r->at - 1 - (inside + 1))))
            return false;
        value->number -= known(r->s, ztl_asm_here(r->s)).number;
    }
    if (first && (value->section != SOURCE_ABSOLUTE || which >= 2)) {
        value->section = SOURCE_UNKNOWN;
        return true;
    }
    if (which == 3 && !find_pair(r, value->number, value))
        return false;
    if (which == 0 || which == 2)
        return upper(r, value);
    value->number = ((value->number & 0xfff) ^ 0x800) - 0x800;
    return true;
}

bool ztl_asm_value(ztl_source *s, const char **at, source_value *value)
{
    reader r = {.s = s, .at = *at};
    bool done = read_rank(&r, 0, value);
    *at = r.at;
    return done;
}

bool ztl_asm_constant(ztl_source *s, const char *text, const char *what, int64_t *number)
{
    source_value value;
    const char *at = text;
    if (!ztl_asm_value(s, &at, &value))
        return false;
    if (*ztl_asm_skip(at))
        return ztl_asm_fail(s, "unexpected '%.40s' after %s", ztl_asm_skip(at), what);
    if (value.section != SOURCE_ABSOLUTE)
        return ztl_asm_fail(s, "%s must be a number that is known here", what);
    *number = value.number;
    return true;
}
