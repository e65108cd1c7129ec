/* SPDX-License-Identifier: Apache-2.0
 * Macros and symbols that a source defines, so that these are left alone.
 */
#include "toolchain/rewrite/names.h"

#include <stdlib.h>
#include <string.h>

#include "codec/text.h"

static void add(ztl_args *list, ztl_span name)
{
    ztl_args_format(list, "%.*s", (int)ztl_span_length(name), name.start);
}

static ztl_span first_word(ztl_span text)
{
    text = ztl_span_trim(text);
    return (ztl_span){text.start, ztl_word_end(text.start, text.end)};
}

bool ztl_names_is_macro(const ztl_names *names, ztl_span name)
{
    for (size_t i = 0; i < names->macros.count && name.start < name.end; i++)
        if (ztl_span_same(name, names->macros.item[i]))
            return true;
    return false;
}

static void purge_macro(ztl_names *names, ztl_span name)
{
    for (size_t i = 0; i < names->macros.count; i++)
        if (ztl_span_same(name, names->macros.item[i]))
            names->macros.item[i][0] = '\0';
}

bool ztl_names_is_symbol(const ztl_names *names, const char *name)
{
    for (size_t i = 0; i < names->symbols.count; i++)
        if (!strcmp(name, names->symbols.item[i]))
            return true;
    return false;
}

void ztl_names_symbol(ztl_names *names, ztl_span name)
{
    names->any_symbol |= ztl_span_has(name, '\\');
    add(&names->symbols, name);
}

/* Past `:req` and `=value`. */
static const char *skip_qualifiers(const char *at, const char *end)
{
    at = ztl_skip_blank(at, end);
    if (at < end && *at == ':')
        at = ztl_skip_blank(ztl_word_end(ztl_skip_blank(at + 1, end), end), end);
    if (at == end || *at != '=')
        return at;
    for (at = ztl_skip_blank(at + 1, end); at < end && *at != ',' && !ztl_is_space(*at);)
        at = ztl_skip_token(at, end);
    return at;
}

/* The parameters that follow, at most so many. */
static void add_parameters(ztl_names *names, ztl_span text, size_t most)
{
    const char *at = text.start;
    while (most-- > 0) {
        while (at < text.end && (ztl_is_space(*at) || *at == ','))
            at++;
        ztl_span name = {at, ztl_word_end(at, text.end)};
        if (name.start == name.end)
            return;
        add(&names->parameters, name);
        at = skip_qualifiers(name.end, text.end);
    }
}

static void define_macro(ztl_names *names, ztl_span rest)
{
    ztl_span name = first_word(rest);
    names->any_macro |= ztl_span_has(name, '\\');
    if (!ztl_names_is_macro(names, name))
        add(&names->macros, name);
    if (names->alternate)
        add_parameters(names, (ztl_span){name.end, rest.end}, SIZE_MAX);
}

void ztl_names_directive(ztl_names *names, ztl_span word, ztl_span rest)
{
    static const char *const assignments[] = {".set", ".equ", ".equiv", ".eqv"};
    for (size_t i = 0; i < sizeof assignments / sizeof assignments[0]; i++)
        if (ztl_span_same(word, assignments[i]))
            ztl_names_symbol(names, first_word(rest));
    if (ztl_span_same(word, ".macro"))
        define_macro(names, rest);
    if (names->alternate && (ztl_span_same(word, ".irp") || ztl_span_same(word, ".irpc")))
        add_parameters(names, rest, 1);
    if (ztl_span_same(word, ".purgem"))
        purge_macro(names, first_word(rest));
    if (ztl_span_same(word, ".altmacro"))
        names->alternate = true;
    if (ztl_span_same(word, ".noaltmacro"))
        names->alternate = false;
}

static bool is_parameter(const ztl_names *names, ztl_span word)
{
    for (size_t i = 0; i < names->parameters.count; i++)
        if (ztl_span_is(word, names->parameters.item[i]))
            return true;
    return false;
}

/* `x&p&y` is x, what p stands for, and y. */
void ztl_names_mark(const ztl_names *names, ztl_span text, ztl_buffer *out)
{
    for (const char *at = text.start; at < text.end;) {
        const char *start = at + (*at == '&');
        ztl_span word = {start, ztl_word_end(start, text.end)};
        if (word.start < word.end && is_parameter(names, word)) {
            bool joined = word.end < text.end && *word.end == '&';
            ztl_buffer_format(out, "\\%.*s%s", (int)ztl_span_length(word), word.start,
                              joined ? "\\()" : "");
            at = word.end + joined;
            continue;
        }
        const char *next =
            *at != '&' && word.start < word.end ? word.end : ztl_skip_token(at, text.end);
        ztl_buffer_part(out, at, (size_t)(next - at));
        at = next;
    }
}

void ztl_names_free(ztl_names *names)
{
    ztl_args_free(&names->macros);
    ztl_args_free(&names->symbols);
    ztl_args_free(&names->parameters);
}
