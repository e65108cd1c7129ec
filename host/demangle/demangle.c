/* SPDX-License-Identifier: Apache-2.0
 * A symbol as a whole, and what names and types share: substitutions, template parameters, texts.
 */
#include "host/demangle/demangle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/demangle/inside.h"

const char *ztl_dm_fail(demangling *d)
{
    d->failed = true;
    return "";
}

bool ztl_dm_take(demangling *d, const char *text)
{
    size_t length = strlen(text);
    if (d->failed || strncmp(d->at, text, length) != 0)
        return false;
    d->at += length;
    return true;
}

const char *ztl_dm_join(demangling *d, const char *first, ...)
{
    char *text = d->arena + d->used;
    size_t length = 0, room = sizeof d->arena - d->used;
    va_list rest;
    va_start(rest, first);
    for (const char *piece = first; piece; piece = va_arg(rest, const char *)) {
        size_t more = strlen(piece);
        if (length + more + 1 > room) {
            va_end(rest);
            return ztl_dm_fail(d);
        }
        memcpy(text + length, piece, more);
        length += more;
    }
    va_end(rest);
    if (!room)
        return ztl_dm_fail(d);
    text[length] = '\0';
    d->used += length + 1;
    return text;
}

const char *ztl_dm_whole(demangling *d, part type)
{
    return *type.right ? JOIN(d, type.left, type.right) : type.left;
}

void ztl_dm_remember(demangling *d, part type)
{
    if (d->substitutions == MOST_SUBSTITUTIONS)
        ztl_dm_fail(d);
    else
        d->substitution[d->substitutions++] = type;
}

size_t ztl_dm_sequence(demangling *d, int base)
{
    size_t number = 0;
    bool any = false;
    for (; *d->at && *d->at != '_'; d->at++, any = true) {
        int digit = *d->at >= '0' && *d->at <= '9'   ? *d->at - '0'
                    : *d->at >= 'A' && *d->at <= 'Z' ? *d->at - 'A' + 10
                                                     : base;
        if (digit >= base || number > 100000) {
            ztl_dm_fail(d);
            return 0;
        }
        number = number * (size_t)base + (size_t)digit;
    }
    if (!ztl_dm_take(d, "_"))
        ztl_dm_fail(d);
    return any ? number + 1 : 0;
}

part ztl_dm_substitution(demangling *d)
{
    static const struct {
        char letter;
        const char *name, *whole; /* whole: where a constructor follows */
    } known[] = {
        {'a', "std::allocator", NULL},
        {'b', "std::basic_string", NULL},
        {'s', "std::string",
         "std::basic_string<char, std::char_traits<char>, std::allocator<char> >"},
        {'i', "std::istream", "std::basic_istream<char, std::char_traits<char> >"},
        {'o', "std::ostream", "std::basic_ostream<char, std::char_traits<char> >"},
        {'d', "std::iostream", "std::basic_iostream<char, std::char_traits<char> >"},
    };
    d->at++; /* S */
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (*d->at != known[i].letter)
            continue;
        d->at++;
        bool is_whole = known[i].whole && (*d->at == 'C' || *d->at == 'D');
        return (part){is_whole ? known[i].whole : known[i].name, "", false, false};
    }
    size_t index = ztl_dm_sequence(d, 36);
    if (index < d->substitutions && !d->failed)
        return d->substitution[index];
    ztl_dm_fail(d);
    return NOTHING;
}

part ztl_dm_template_parameter(demangling *d)
{
    d->at++; /* T */
    size_t index = ztl_dm_sequence(d, 10);
    if (d->in_lambda) {
        char text[32];
        snprintf(text, sizeof text, "auto:%zu", index + 1);
        return (part){JOIN(d, text, ""), "", false, false};
    }
    if (d->failed || !d->given || index >= d->given->count) {
        ztl_dm_fail(d);
        return NOTHING;
    }
    const argument *given = &d->given->at[index];
    if (!given->is_pack || !d->pack)
        return given->type;
    d->longest = given->count > d->longest ? given->count : d->longest;
    return d->pack <= given->count ? given->pack[d->pack - 1] : NOTHING;
}

/* Tables and the like that belong to a class or an object. */
static const char *special(demangling *d)
{
    static const struct {
        const char *code, *what;
        bool is_type;
    } kinds[] = {{"TV", "vtable for ", true},
                 {"TT", "VTT for ", true},
                 {"TI", "typeinfo for ", true},
                 {"TS", "typeinfo name for ", true},
                 {"GV", "guard variable for ", false},
                 {"TH", "TLS init function for ", false},
                 {"TW", "TLS wrapper function for ", false}};
    if (ztl_dm_take(d, "GTt"))
        return JOIN(d, "transaction clone for ", ztl_dm_encoding(d, true));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (ztl_dm_take(d, kinds[i].code))
            return JOIN(d, kinds[i].what,
                        kinds[i].is_type ? ztl_dm_whole(d, ztl_dm_type(d)) : ztl_dm_name(d));
    bool is_virtual = ztl_dm_take(d, "Tv");
    if (!is_virtual && !ztl_dm_take(d, "Th"))
        return ztl_dm_fail(d);
    for (unsigned i = 0; i < (is_virtual ? 2u : 1u); i++) {
        d->at += strspn(d->at, "n0123456789");
        if (!ztl_dm_take(d, "_"))
            return ztl_dm_fail(d);
    }
    return JOIN(d, is_virtual ? "virtual thunk to " : "non-virtual thunk to ",
                ztl_dm_encoding(d, true));
}

const char *ztl_dm_encoding(demangling *d, bool has_parameters)
{
    if (++d->depth > DEEPEST)
        return ztl_dm_fail(d);
    if ((d->at[0] == 'T' && d->at[1] && strchr("VTISHWhv", d->at[1])) ||
        (d->at[0] == 'G' && d->at[1] && strchr("VT", d->at[1]))) {
        d->depth--;
        return special(d);
    }
    const char *name = ztl_dm_name(d), *qualifiers = d->qualifiers;
    bool has_result = d->is_template && !d->is_special;
    d->depth--;
    if (!has_parameters || d->failed || !*d->at || *d->at == 'E' || *d->at == '.')
        return name;
    if (has_result)
        ztl_dm_type(d); /* is not shown */
    return JOIN(d, name, "(", ztl_dm_types(d, "E."), ")", qualifiers);
}

bool ztl_demangle(const char *symbol, char *text, size_t size)
{
    demangling *d = NULL;
    bool good = false;
    if (!strncmp(symbol, "_Z", 2) && strlen(symbol) < ARENA / 8 && (d = calloc(1, sizeof *d))) {
        d->at = symbol + 2;
        d->qualifiers = "";
        const char *name = ztl_dm_encoding(d, false);
        good = !d->failed && *name; /* parameters follow, and what compilers add: .constprop.0 */
        if (good)
            snprintf(text, size, "%s", name);
    }
    free(d);
    if (!good)
        snprintf(text, size, "%s", symbol);
    return good;
}
