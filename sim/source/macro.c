/* SPDX-License-Identifier: Apache-2.0
 * Macros and loops of text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/source/assembler.h"

enum { MOST_PARAMETERS = 16, MOST_TIMES = 1 << 20 };

/* Parameters with what stands for them. */
typedef struct bindings {
    size_t count;
    char *name[MOST_PARAMETERS], *text[MOST_PARAMETERS];
    bool takes_rest[MOST_PARAMETERS];
    unsigned call;
} bindings;

static void release(bindings *b)
{
    for (size_t i = 0; i < b->count; i++) {
        free(b->name[i]);
        free(b->text[i]);
    }
}

/* ---- Text that grows ---- */

typedef struct growing {
    char *text;
    size_t length, room;
    bool failed;
} growing;

static void put(growing *g, const char *text, size_t length)
{
    if (g->length + length + 1 > g->room) {
        size_t room = 2 * (g->length + length) + 64;
        char *more = g->length + length > SOURCE_MOST_BYTES ? NULL : realloc(g->text, room);
        if (!more) {
            g->failed = true;
            return;
        }
        g->text = more;
        g->room = room;
    }
    memcpy(g->text + g->length, text, length);
    g->length += length;
    g->text[g->length] = '\0';
}

static int bound(const bindings *b, const char *name, size_t length)
{
    for (size_t i = 0; i < b->count; i++)
        if (ztl_exact_word(name, length, b->name[i]))
            return (int)i;
    return -1;
}

/* After a backslash: a parameter, the number of the call, or nothing at all. */
static size_t put_escaped(growing *g, const bindings *b, const char *at)
{
    char number[16];
    if (*at == '@') {
        snprintf(number, sizeof number, "%u", b->call);
        put(g, number, strlen(number));
        return 1;
    }
    if (at[0] == '(' && at[1] == ')')
        return 2;
    size_t length = 0;
    while (ztl_is_digit(at[length]) || ztl_is_word(at[length]))
        if (at[length++] == '.')
            break;
    length -= length && at[length - 1] == '.';
    for (; length; length--) {
        int which = bound(b, at, length);
        if (which < 0)
            continue;
        put(g, b->text[which], strlen(b->text[which]));
        return length;
    }
    put(g, "\\", 1);
    return 0;
}

static bool substitute(ztl_source *s, growing *g, const bindings *b, const char *body,
                       size_t length)
{
    for (size_t i = 0; i < length;) {
        if (body[i] == '\\') {
            i++;
            i += put_escaped(g, b, body + i);
        } else {
            put(g, body + i++, 1);
        }
    }
    put(g, "\n", 1);
    s->failed |= g->failed;
    return !g->failed;
}

bool ztl_asm_push(ztl_source *s, char *text)
{
    source_input *in = calloc(1, sizeof *in);
    if (!in || s->depth == SOURCE_MOST_DEPTH) {
        s->failed = true;
        free(in);
        free(text);
        return in && ztl_asm_fail(s, "macros or loops are nested too deeply");
    }
    *in = (source_input){text, 0, 1, s->input != NULL, s->input};
    s->input = in;
    s->depth++;
    return true;
}

/* ---- Arguments ---- */

/* The length of an argument: up to a comma, or, in a list that spaces part, a space. */
static size_t argument_length(const char *at)
{
    unsigned depth = 0;
    size_t n = 0;
    for (bool quoted = false; at[n]; n++) {
        if (at[n] == '"')
            quoted = !quoted;
        else if (quoted)
            n += at[n] == '\\' && at[n + 1];
        else if (at[n] == '(')
            depth++;
        else if (at[n] == ')' && depth)
            depth--;
        else if (at[n] == ',' && !depth)
            break;
    }
    return n;
}

/* An argument as it stands for its parameter: quotes off, %value worked out. */
static char *argument(ztl_source *s, const char *at, size_t length)
{
    char number[32];
    int64_t value;
    while (length && ztl_is_space(*at))
        at++, length--;
    while (length && ztl_is_space(at[length - 1]))
        length--;
    if (length >= 2 && at[0] == '"' && at[length - 1] == '"')
        return ztl_asm_copy(s, at + 1, length - 2);
    if (!s->alternate || !length)
        return ztl_asm_copy(s, at, length);
    if (length >= 2 && at[0] == '<' && at[length - 1] == '>')
        return ztl_asm_copy(s, at + 1, length - 2);
    char *copy = ztl_asm_copy(s, at, length);
    if (!copy || *at != '%')
        return copy;
    bool known = ztl_asm_constant(s, copy + 1, "the argument", &value);
    free(copy);
    snprintf(number, sizeof number, "%lld", known ? (long long)value : 0);
    return ztl_asm_copy(s, number, strlen(number));
}

/* The parameters of a macro: names, with =default, :req or :vararg. */
static bool read_parameters(ztl_source *s, const char *at, bindings *b, bool *required)
{
    while (*(at = ztl_asm_skip(at))) {
        size_t length = ztl_asm_name_length(at);
        if (!length || b->count == MOST_PARAMETERS)
            return ztl_asm_fail(s, "'%.20s' is no parameter, or there are more than %d", at,
                                MOST_PARAMETERS);
        size_t n = b->count++;
        b->name[n] = ztl_asm_copy(s, at, length);
        b->text[n] = ztl_asm_copy(s, "", 0);
        b->takes_rest[n] = !strncmp(at + length, ":vararg", 7);
        required[n] = !strncmp(at + length, ":req", 4);
        at += length + (b->takes_rest[n] ? 7 : required[n] ? 4 : 0);
        if (*(at = ztl_asm_skip(at)) == '=') {
            size_t size = strcspn(++at, ", \t");
            free(b->text[n]);
            b->text[n] = argument(s, at, size);
            at += size;
        }
        at = ztl_asm_skip(at);
        at += *at == ',';
    }
    return !s->failed;
}

/* The parameter that `name=value` is for, else the next. */
static size_t which_parameter(const bindings *b, const char **at, size_t next)
{
    size_t length = ztl_asm_name_length(*at);
    if (length && (*at)[length] == '=' && (*at)[length + 1] != '=') {
        int which = bound(b, *at, length);
        if (which >= 0) {
            *at += length + 1;
            return (size_t)which;
        }
    }
    return next;
}

static bool read_arguments(ztl_source *s, const char *at, bindings *b, bool *required)
{
    size_t next = 0;
    while (*(at = ztl_asm_skip(at))) {
        size_t which = which_parameter(b, &at, next);
        if (which >= b->count)
            return ztl_asm_fail(s, "the macro has only %zu parameters", b->count);
        size_t length = b->takes_rest[which] ? strlen(at) : argument_length(at);
        if (length || *at != ',') {
            free(b->text[which]);
            b->text[which] = argument(s, at, length);
            required[which] = false;
        }
        at += length;
        at += *at == ',';
        next = which + 1;
    }
    for (size_t i = 0; i < b->count; i++)
        if (required[i])
            return ztl_asm_fail(s, "the macro needs '%s'", b->name[i]);
    return !s->failed;
}

bool ztl_asm_define_macro(ztl_source *s, const char *head, const char *body, size_t length)
{
    size_t name = ztl_asm_name_length(head);
    if (!name)
        return ztl_asm_fail(s, ".macro needs a name");
    source_macro *more = ztl_asm_more(s, s->macros, s->macro_count, sizeof *more);
    if (!more)
        return false;
    s->macros = more;
    const char *parameters = ztl_asm_skip(head + name);
    parameters += *parameters == ',';
    source_macro macro = {ztl_asm_copy(s, head, name),
                          ztl_asm_copy(s, parameters, strlen(parameters)),
                          ztl_asm_copy(s, body, length)};
    for (size_t i = 0; macro.name && i < s->macro_count; i++)
        if (!strcmp(s->macros[i].name, macro.name))
            ztl_asm_fail(s, "macro '%s' is defined twice", macro.name);
    s->macros[s->macro_count++] = macro;
    return !s->failed;
}

static const source_macro *find_macro(const ztl_source *s, const char *name, size_t length)
{
    for (size_t i = 0; i < s->macro_count; i++)
        if (ztl_exact_word(name, length, s->macros[i].name))
            return &s->macros[i];
    return NULL;
}

bool ztl_asm_call(ztl_source *s, const char *name, size_t length, const char *arguments,
                  bool *is_macro)
{
    const source_macro *macro = find_macro(s, name, length);
    *is_macro = macro != NULL;
    if (!macro)
        return true;
    bindings b = {.call = s->macro_calls++};
    bool required[MOST_PARAMETERS] = {false};
    growing g = {0};
    bool done = read_parameters(s, macro->parameters, &b, required) &&
                read_arguments(s, arguments, &b, required) &&
                substitute(s, &g, &b, macro->body, strlen(macro->body));
    release(&b);
    if (done)
        return ztl_asm_push(s, g.text);
    free(g.text);
    return false;
}

/* ---- Loops ---- */

bool ztl_asm_repeat(ztl_source *s, const char *head, const char *body, size_t length)
{
    int64_t times;
    if (!ztl_asm_constant(s, head, "the number of times", &times))
        return false;
    if (times < 0 || times > MOST_TIMES)
        return ztl_asm_fail(s, "%lld times is out of range, must be 0 to %d", (long long)times,
                            MOST_TIMES);
    growing g = {0};
    put(&g, "", 0);
    for (int64_t i = 0; i < times && !g.failed; i++)
        put(&g, body, length);
    if (g.failed)
        return ztl_asm_fail(s, "what .rept makes is too long");
    return ztl_asm_push(s, g.text);
}

bool ztl_asm_repeat_for(ztl_source *s, const char *head, const char *body, size_t length,
                        bool characters)
{
    size_t name = ztl_asm_name_length(head);
    if (!name)
        return ztl_asm_fail(s, "the loop needs a name");
    const char *at = ztl_asm_skip(head + name);
    at = ztl_asm_skip(at + (*at == ','));
    bindings b = {.count = 1, .call = s->macro_calls, .name = {ztl_asm_copy(s, head, name)}};
    growing g = {0};
    put(&g, "", 0);
    do {
        size_t size = characters ? *at != '\0' : argument_length(at);
        b.text[0] = argument(s, at, size);
        if (!b.name[0] || !b.text[0] || !substitute(s, &g, &b, body, length))
            break;
        free(b.text[0]);
        b.text[0] = NULL;
        at += size;
        at += !characters && *at == ',';
    } while (*(at = ztl_asm_skip(at)));
    release(&b);
    return s->failed ? (free(g.text), false) : ztl_asm_push(s, g.text);
}
