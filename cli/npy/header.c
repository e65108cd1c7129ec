/* SPDX-License-Identifier: Apache-2.0
 * Reading the dictionary of a .npy header as Python and NumPy read it.
 */
#include "cli/npy/header.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "host/error.h"

/* A value: what descr, fortran_order and shape may be, and parts of these. */
typedef struct literal {
    enum { LITERAL_TEXT, LITERAL_TRUTH, LITERAL_NUMBER, LITERAL_TUPLE, LITERAL_LIST } kind;
    char text[32]; /* "" for one that is longer than any that has a meaning */
    int64_t number;
    unsigned count;
    int64_t item[ZTL_OPS_RANK]; /* of a tuple; only the first few are kept */
    bool whole;                 /* all its items are numbers */
} literal;

typedef struct parser {
    const char *at, *end;
    unsigned version, depth;
} parser;

static char peek(const parser *p)
{
    return p->at < p->end ? *p->at : '\0';
}

static bool take(parser *p, char c)
{
    bool is_there = peek(p) == c;
    p->at += is_there;
    return is_there;
}

static bool take_line_end(parser *p)
{
    bool carriage = take(p, '\r');
    return take(p, '\n') || carriage;
}

static void skip_comment(parser *p)
{
    while (peek(p) && !strchr("\r\n", *p->at))
        p->at++;
}

/* Between tokens: within brackets lines end anywhere, outside only behind a backslash. */
static void skip(parser *p, bool in_brackets)
{
    for (;;) {
        parser ahead = *p;
        char c = peek(p);
        if (c && strchr(" \t\f", c))
            p->at++;
        else if (c == '#')
            skip_comment(p);
        else if (take(&ahead, '\\') && take_line_end(&ahead))
            p->at = ahead.at;
        else if (!in_brackets || !take_line_end(p))
            return;
    }
}

/* 'text', "text", also in threes; an r or u in front changes nothing. What has a backslash in it is
 * neither a key nor a dtype. */
static bool read_string(parser *p, char *text, size_t size)
{
    size_t length = strlen(text);
    if (peek(p) && strchr("rRuU", *p->at))
        p->at++;
    char quote = peek(p);
    if (quote != '\'' && quote != '"')
        return false;
    size_t quotes = p->end - p->at >= 3 && p->at[1] == quote && p->at[2] == quote ? 3 : 1;
    const char close[] = {quote, quote, quote};
    for (p->at += quotes;
         peek(p) && ((size_t)(p->end - p->at) < quotes || memcmp(p->at, close, quotes));) {
        if (*p->at == '\\' || (quotes == 1 && strchr("\r\n", *p->at)))
            return false;
        if (length + 1 < size)
            text[length++] = *p->at;
        else
            return false;
        p->at++;
    }
    text[length] = '\0';
    bool is_closed = peek(p);
    p->at += is_closed ? quotes : 0;
    return is_closed;
}

/* Texts side by side are one. */
static bool read_text(parser *p, literal *value)
{
    value->kind = LITERAL_TEXT;
    do {
        if (!read_string(p, value->text, sizeof value->text))
            return false;
        skip(p, true);
    } while (peek(p) && strchr("rRuU'\"", *p->at));
    return true;
}

static int digit_of(char c)
{
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10
                                        : 99;
}

/* Digits, with single underscores between them. */
static bool read_digits(parser *p, int base, int64_t *value)
{
    bool any = false;
    for (*value = 0; digit_of(peek(p)) < base || (any && peek(p) == '_'); p->at++) {
        if (*p->at == '_' && (++p->at == p->end || digit_of(*p->at) >= base))
            return false;
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, digit_of(*p->at), value))
            return false;
        any = true;
    }
    return any;
}

static bool read_number(parser *p, literal *value)
{
    static const char letters[] = "xob";
    static const int bases[] = {16, 8, 2};
    value->kind = LITERAL_NUMBER;
    bool negative = peek(p) == '-';
    if (take(p, '-') || take(p, '+'))
        skip(p, true);
    const char *start = p->at;
    int base = 10;
    for (unsigned i = 0; p->end - p->at > 1 && *p->at == '0' && i < 3; i++)
        if ((p->at[1] | 32) == letters[i])
            base = bases[i];
    if (base != 10) {
        p->at += 2;
        take(p, '_');
    }
    if (!read_digits(p, base, &value->number))
        return false;
    if (base == 10 && *start == '0' && value->number) /* 010 was octal once */
        return false;
    if (p->version <= 2)
        take(p, 'L');
    value->number = negative ? -value->number : value->number;
    return true;
}

static bool read_name(parser *p, literal *value)
{
    size_t length = 0;
    while (p->at + length < p->end &&
           (isalnum((unsigned char)p->at[length]) || p->at[length] == '_'))
        length++;
    bool is_true = length == 4 && !memcmp(p->at, "True", length);
    if (!is_true && (length != 5 || memcmp(p->at, "False", length)))
        return false;
    *value = (literal){.kind = LITERAL_TRUTH, .number = is_true};
    p->at += length;
    return true;
}

static bool read_literal(parser *p, literal *value);

/* A tuple, or a value in parentheses. */
static bool read_tuple(parser *p, literal *value)
{
    enum { MOST_DEPTH = 20 };
    literal item;
    bool comma = false;
    literal tuple = {.kind = LITERAL_TUPLE, .whole = true};
    if (++p->depth > MOST_DEPTH)
        return false;
    for (skip(p, true); peek(p) != ')'; skip(p, true)) {
        if (tuple.count && !comma)
            return false;
        if (!read_literal(p, &item))
            return false;
        if (tuple.count < ZTL_OPS_RANK)
            tuple.item[tuple.count] = item.number;
        tuple.count++;
        tuple.whole &= item.kind == LITERAL_NUMBER;
        skip(p, true);
        comma = take(p, ',');
    }
    p->depth--;
    *value = tuple.count == 1 && !comma ? item : tuple;
    return take(p, ')');
}

static bool read_literal(parser *p, literal *value)
{
    char c = peek(p);
    *value = (literal){.kind = LITERAL_LIST};
    if (c == '[')
        return false; /* a structured dtype, which is told apart by this kind */
    if (take(p, '('))
        return read_tuple(p, value);
    if (c && strchr("rRuU'\"", c))
        return read_text(p, value);
    if (isdigit((unsigned char)c) || c == '-' || c == '+')
        return read_number(p, value);
    return read_name(p, value);
}

/* The three entries. */
enum { DESCR, FORTRAN_ORDER, SHAPE, ENTRIES };
static const char *const keys[] = {"descr", "fortran_order", "shape"};

typedef struct entries {
    literal value[ENTRIES];
    bool given[ENTRIES];
} entries;

static const char *not_understood(unsigned key, const literal *value)
{
    if (key == DESCR)
        return value->kind == LITERAL_LIST ? "structured dtypes are not supported"
                                           : "the dtype is not understood";
    return key == SHAPE ? "the shape is not understood"
                        : "'fortran_order' is neither True nor False";
}

static bool read_entry(parser *p, entries *e, ztl_error *error)
{
    literal name;
    unsigned key = 0;
    if (!read_literal(p, &name) || name.kind != LITERAL_TEXT)
        return ztl_fail(error, "the header is no dictionary of descr, fortran_order and shape");
    while (key < ENTRIES && strcmp(keys[key], name.text))
        key++;
    if (key == ENTRIES)
        return ztl_fail(error, "the header has another key than descr, fortran_order and shape");
    if (e->given[key])
        return ztl_fail(error, "the header has the key '%s' twice", keys[key]);
    e->given[key] = true;
    skip(p, true);
    if (!take(p, ':'))
        return ztl_fail(error, "the header is no dictionary: a key has no value");
    skip(p, true);
    if (!read_literal(p, &e->value[key]))
        return ztl_fail(error, "%s", not_understood(key, &e->value[key]));
    skip(p, true);
    return peek(p) == ',' || peek(p) == '}' ||
           ztl_fail(error, "%s", not_understood(key, &(literal){.kind = LITERAL_TEXT}));
}

static bool read_entries(parser *p, entries *e, ztl_error *error)
{
    for (skip(p, true); peek(p) != '}'; skip(p, true)) {
        if (!read_entry(p, e, error))
            return false;
        take(p, ',');
    }
    p->at++;
    return true;
}

/* Empty lines may stand before the first that is none; that one then begins with no space. */
static bool start_dictionary(parser *p, unsigned *parentheses)
{
    while (peek(p) == ' ' || peek(p) == '\t')
        p->at++;
    for (parser ahead = *p;; *p = ahead) {
        skip(&ahead, false);
        if (take_line_end(&ahead))
            continue;
        if (peek(p) == '\\') /* the line goes on */
            *p = ahead;
        break;
    }
    for (*parentheses = 0; take(p, '('); ++*parentheses)
        skip(p, true);
    return take(p, '{');
}

/* Nothing else follows, on this line or another. */
static bool end_dictionary(parser *p, unsigned parentheses)
{
    for (; parentheses; parentheses--) {
        skip(p, true);
        if (!take(p, ')'))
            return false;
    }
    do
        skip(p, false);
    while (take_line_end(p));
    return p->at == p->end;
}

static bool take_shape(const literal *shape, ztl_npy_header *header, ztl_error *error)
{
    if (shape->kind != LITERAL_TUPLE || !shape->whole)
        return ztl_fail(error, "the shape is not understood");
    if (shape->count > ZTL_OPS_RANK)
        return ztl_fail(error, "the rank is above 8");
    header->rank = shape->count;
    for (unsigned d = 0; d < shape->count; d++) {
        header->extent[d] = shape->item[d];
        if (shape->item[d] < 0)
            return ztl_fail(error, "the shape is not understood: an extent is below 0");
    }
    return true;
}

bool ztl_npy_header_read(const char *text, size_t length, unsigned version, ztl_npy_header *header,
                         ztl_error *error)
{
    parser p = {.at = text, .end = text + length, .version = version};
    entries e = {0};
    unsigned parentheses;
    *header = (ztl_npy_header){0};
    if (memchr(text, 0, length) || !start_dictionary(&p, &parentheses))
        return ztl_fail(error, "the header is no dictionary");
    if (!read_entries(&p, &e, error))
        return false;
    if (!end_dictionary(&p, parentheses))
        return ztl_fail(error, "the header is no dictionary: something follows it");
    for (unsigned key = 0; key < ENTRIES; key++)
        if (!e.given[key])
            return ztl_fail(error, "the header lacks '%s'", keys[key]);
    if (e.value[DESCR].kind == LITERAL_TUPLE)
        return ztl_fail(error, "structured dtypes are not supported");
    if (e.value[DESCR].kind != LITERAL_TEXT)
        return ztl_fail(error, "%s", not_understood(DESCR, &e.value[DESCR]));
    if (e.value[FORTRAN_ORDER].kind != LITERAL_TRUTH)
        return ztl_fail(error, "%s", not_understood(FORTRAN_ORDER, &e.value[FORTRAN_ORDER]));
    header->fortran = e.value[FORTRAN_ORDER].number;
    return ztl_npy_dtype(e.value[DESCR].text, header, error) &&
           take_shape(&e.value[SHAPE], header, error);
}
