/* SPDX-License-Identifier: Apache-2.0
 * Types in mangled names.
 */
#include <stdio.h>
#include <string.h>

#include "host/demangle/inside.h"

static const char *builtin(char letter)
{
    static const char *const names[26] = {
        ['v' - 'a'] = "void",        ['w' - 'a'] = "wchar_t",
        ['b' - 'a'] = "bool",        ['c' - 'a'] = "char",
        ['a' - 'a'] = "signed char", ['h' - 'a'] = "unsigned char",
        ['s' - 'a'] = "short",       ['t' - 'a'] = "unsigned short",
        ['i' - 'a'] = "int",         ['j' - 'a'] = "unsigned int",
        ['l' - 'a'] = "long",        ['m' - 'a'] = "unsigned long",
        ['x' - 'a'] = "long long",   ['y' - 'a'] = "unsigned long long",
        ['n' - 'a'] = "__int128",    ['o' - 'a'] = "unsigned __int128",
        ['f' - 'a'] = "float",       ['d' - 'a'] = "double",
        ['e' - 'a'] = "long double", ['g' - 'a'] = "__float128",
        ['z' - 'a'] = "..."};
    return letter >= 'a' && letter <= 'z' ? names[letter - 'a'] : NULL;
}

static const char *two_letters(demangling *d)
{
    static const struct {
        const char *code, *name;
    } names[] = {{"Dn", "decltype(nullptr)"},
                 {"Di", "char32_t"},
                 {"Ds", "char16_t"},
                 {"Du", "char8_t"},
                 {"Da", "auto"},
                 {"Dc", "decltype(auto)"},
                 {"Dh", "half"},
                 {"Df", "decimal32"},
                 {"Dd", "decimal64"},
                 {"De", "decimal128"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (ztl_dm_take(d, names[i].code))
            return names[i].name;
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

/* A mark behind a type: *, & or &&; of references to references the shorter one stays. */
static part mark(demangling *d, part type, const char *sign)
{
    if (*sign == '&' && ends_with(type.left, "&") && !type.is_function && !type.is_array) {
        bool is_double = ends_with(type.left, "&&");
        if (is_double && !strcmp(sign, "&")) {
            char *text = (char *)JOIN(d, type.left, "");
            if (*text)
                text[strlen(text) - 1] = '\0';
            type.left = text;
        }
        return type;
    }
    bool wraps = type.is_function || type.is_array;
    const char *right = wraps ? JOIN(d, type.is_array ? ") " : ")", type.right) : type.right;
    return (part){JOIN(d, type.left, wraps ? "(" : "", sign), right, false, false};
}

static part qualify(demangling *d, part type, const char *qualifiers)
{
    if (type.is_function)
        return (part){type.left, JOIN(d, type.right, qualifiers), true, false};
    if (type.is_array) { /* of what it holds */
        size_t length = strlen(type.left);
        char *held = (char *)JOIN(d, type.left, "");
        if (length)
            held[length - 1] = '\0';
        return (part){JOIN(d, held, qualifiers, " "), type.right, false, true};
    }
    return (part){JOIN(d, type.left, qualifiers), type.right, false, false};
}

const char *ztl_dm_qualifiers(demangling *d, const char *letters, size_t count)
{
    const char *text = "";
    for (size_t i = count; i-- > 0;)
        text = JOIN(d, text,
                    letters[i] == 'K'   ? " const"
                    : letters[i] == 'V' ? " volatile"
                                        : " restrict");
    return text;
}

static part function_type(demangling *d, const char *behind)
{
    ztl_dm_take(d, "Y");
    const char *result = ztl_dm_whole(d, ztl_dm_type(d));
    const char *list = "", *reference = "";
    for (size_t i = 0; !d->failed && *d->at && *d->at != 'E'; i++) {
        if (d->at[0] == 'R' && d->at[1] == 'E')
            reference = " &", d->at++;
        else if (d->at[0] == 'O' && d->at[1] == 'E')
            reference = " &&", d->at++;
        else {
            const char *one = ztl_dm_whole(d, ztl_dm_type(d));
            list = i && *list && *one ? JOIN(d, list, ", ", one) : JOIN(d, list, one);
        }
    }
    if (!ztl_dm_take(d, "E"))
        ztl_dm_fail(d);
    list = strcmp(list, "void") ? list : "";
    return (part){JOIN(d, result, " "), JOIN(d, "(", list, ")", reference, behind), true, false};
}

static part array_type(demangling *d)
{
    const char *start = d->at;
    while (*d->at >= '0' && *d->at <= '9')
        d->at++;
    char number[32];
    snprintf(number, sizeof number, "[%.*s]", (int)(d->at - start), start);
    if (!ztl_dm_take(d, "_"))
        ztl_dm_fail(d);
    part held = ztl_dm_type(d);
    if (held.is_array)
        return (part){held.left, JOIN(d, number, held.right), false, true};
    return (part){JOIN(d, held.left, " "), JOIN(d, number, held.right), false, true};
}

static part member_type(demangling *d)
{
    const char *owner = ztl_dm_whole(d, ztl_dm_type(d));
    part member = ztl_dm_type(d);
    if (member.is_function || member.is_array)
        return (part){JOIN(d, member.left, "(", owner, "::*"), JOIN(d, ")", member.right), false,
                      false};
    return (part){JOIN(d, member.left, " ", owner, "::*"), member.right, false, false};
}

/* Dp: the type for each element of the packs in it. */
static part expansion(demangling *d)
{
    if (d->in_lambda) { /* of auto parameters */
        part any = {JOIN(d, "(", ztl_dm_whole(d, ztl_dm_type(d)), ")..."), "", false, false};
        ztl_dm_remember(d, any);
        return any;
    }
    const char *start = d->at, *list = "";
    size_t outer = d->pack, outer_longest = d->longest, count = 1, known = d->substitutions;
    for (size_t i = 0; i < count && !d->failed; i++) {
        d->at = start;
        d->substitutions = known;
        d->pack = i + 1;
        d->longest = 0;
        const char *one = ztl_dm_whole(d, ztl_dm_type(d));
        count = d->longest;
        if (count)
            list = i ? JOIN(d, list, ", ", one) : one;
    }
    d->pack = outer;
    d->longest = outer_longest;
    part all = {list, "", false, false};
    ztl_dm_remember(d, all);
    return all;
}

/* A class or enumeration, with the arguments of a template. */
static part named_type(demangling *d)
{
    const char *name;
    if (*d->at == 'S' && d->at[1] != 't') {
        part known = ztl_dm_substitution(d);
        if (*d->at != 'I')
            return known;
        name = ztl_dm_whole(d, known);
        name = ztl_dm_template_arguments(d, name);
    } else {
        name = ztl_dm_name(d);
    }
    part type = {name, "", false, false};
    ztl_dm_remember(d, type);
    return type;
}

static part parameter_type(demangling *d)
{
    part type = ztl_dm_template_parameter(d);
    ztl_dm_remember(d, type);
    if (*d->at != 'I')
        return type;
    const char *name = ztl_dm_whole(d, type);
    type = (part){ztl_dm_template_arguments(d, name), "", false, false};
    ztl_dm_remember(d, type);
    return type;
}

static part marked_type(demangling *d)
{
    char letter = *d->at++;
    part type = mark(d, ztl_dm_type(d), letter == 'P' ? "*" : letter == 'R' ? "&" : "&&");
    ztl_dm_remember(d, type);
    return type;
}

static part qualified_type(demangling *d)
{
    const char *start = d->at;
    d->at += strspn(d->at, "rVK");
    size_t count = (size_t)(d->at - start);
    bool is_function = *d->at == 'F';
    part type = ztl_dm_take(d, "F") ? function_type(d, "") : ztl_dm_type(d);
    type = qualify(d, type, ztl_dm_qualifiers(d, start, count));
    type.is_function |= is_function;
    ztl_dm_remember(d, type);
    return type;
}

static part kept(demangling *d, part type)
{
    ztl_dm_remember(d, type);
    return type;
}

static part any_type(demangling *d)
{
    const char *name = builtin(*d->at);
    if (name) {
        d->at++;
        return (part){name, "", false, false};
    }
    if ((name = two_letters(d)))
        return (part){name, "", false, false};
    if (ztl_dm_take(d, "Dp"))
        return expansion(d);
    if (ztl_dm_take(d, "DoF"))
        return kept(d, function_type(d, " noexcept"));
    if (ztl_dm_take(d, "F"))
        return kept(d, function_type(d, ""));
    if (ztl_dm_take(d, "A"))
        return kept(d, array_type(d));
    if (ztl_dm_take(d, "M"))
        return kept(d, member_type(d));
    if (*d->at && strchr("PRO", *d->at))
        return marked_type(d);
    if (*d->at && strchr("rVK", *d->at))
        return qualified_type(d);
    if (*d->at == 'T')
        return parameter_type(d);
    if (*d->at && strchr("0123456789NSZ", *d->at))
        return named_type(d);
    ztl_dm_fail(d);
    return NOTHING;
}

part ztl_dm_type(demangling *d)
{
    if (d->failed || ++d->depth > DEEPEST) {
        ztl_dm_fail(d);
        return NOTHING;
    }
    arguments *given = d->given; /* those of a template in the type are not the function's */
    part type = any_type(d);
    d->given = given;
    d->depth--;
    return type;
}

const char *ztl_dm_types(demangling *d, const char *end)
{
    const char *list = "";
    for (size_t i = 0; !d->failed && *d->at && !strchr(end, *d->at); i++) {
        const char *one = ztl_dm_whole(d, ztl_dm_type(d));
        list = *list && *one ? JOIN(d, list, ", ", one) : JOIN(d, list, one);
    }
    return strcmp(list, "void") ? list : "";
}
