/* SPDX-License-Identifier: Apache-2.0
 * Names in mangled names: of scopes, templates, operators, lambdas.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

#include "host/demangle/inside.h"

/* ---- One component ------------------------------------------------------------------------- */

static const struct {
    const char *code, *name;
} operators[] = {
    {"nw", " new"}, {"na", " new[]"}, {"dl", " delete"},   {"da", " delete[]"}, {"ps", "+"},
    {"ng", "-"},    {"ad", "&"},      {"de", "*"},         {"co", "~"},         {"pl", "+"},
    {"mi", "-"},    {"ml", "*"},      {"dv", "/"},         {"rm", "%"},         {"an", "&"},
    {"or", "|"},    {"eo", "^"},      {"aS", "="},         {"pL", "+="},        {"mI", "-="},
    {"mL", "*="},   {"dV", "/="},     {"rM", "%="},        {"aN", "&="},        {"oR", "|="},
    {"eO", "^="},   {"ls", "<<"},     {"rs", ">>"},        {"lS", "<<="},       {"rS", ">>="},
    {"eq", "=="},   {"ne", "!="},     {"lt", "<"},         {"gt", ">"},         {"le", "<="},
    {"ge", ">="},   {"ss", "<=>"},    {"nt", "!"},         {"aa", "&&"},        {"oo", "||"},
    {"pp", "++"},   {"mm", "--"},     {"cm", ","},         {"pm", "->*"},       {"pt", "->"},
    {"cl", "()"},   {"ix", "[]"},     {"aw", " co_await"},
};

static const char *source_name(demangling *d)
{
    size_t length = 0;
    while (*d->at >= '0' && *d->at <= '9' && length < ARENA)
        length = 10 * length + (size_t)(*d->at++ - '0');
    if (!length || strnlen(d->at, length) < length)
        return ztl_dm_fail(d);
    const char *start = d->at;
    d->at += length;
    if (length >= 10 && !strncmp(start, "_GLOBAL_", 8) && start[9] == 'N')
        return "(anonymous namespace)";
    if (length + d->used + 1 > sizeof d->arena)
        return ztl_dm_fail(d);
    memcpy(d->arena + d->used, start, length);
    d->arena[d->used + length] = '\0';
    const char *text = d->arena + d->used;
    d->used += length + 1;
    return text;
}

static const char *operator_name(demangling *d)
{
    if (ztl_dm_take(d, "cv")) {
        d->is_special = true;
        return JOIN(d, "operator ", ztl_dm_whole(d, ztl_dm_type(d)));
    }
    if (ztl_dm_take(d, "li"))
        return JOIN(d, "operator\"\" ", source_name(d));
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (ztl_dm_take(d, operators[i].code))
            return JOIN(d, "operator", operators[i].name);
    return ztl_dm_fail(d);
}

static const char *lambda(demangling *d)
{
    char number[32];
    bool outer = d->in_lambda;
    d->in_lambda = true;
    const char *list = ztl_dm_types(d, "E");
    d->in_lambda = outer;
    if (!ztl_dm_take(d, "E"))
        return ztl_dm_fail(d);
    snprintf(number, sizeof number, ")#%zu}", ztl_dm_sequence(d, 10) + 1);
    return JOIN(d, "{lambda(", list, number);
}

static const char *unnamed(demangling *d)
{
    char text[40];
    snprintf(text, sizeof text, "{unnamed type#%zu}", ztl_dm_sequence(d, 10) + 1);
    return JOIN(d, text, "");
}

/* The name of a class without its scope and arguments, which its constructors have. */
static const char *last_of(demangling *d, const char *scope)
{
    const char *last = scope, *end = NULL;
    int depth = 0;
    for (const char *at = scope; *at; at++) {
        depth +=
            (*at == '<' || *at == '(' || *at == '{') - (*at == '>' || *at == ')' || *at == '}');
        if (*at == '<' && depth == 1)
            end = at;
        if (!depth && at[0] == ':' && at[1] == ':')
            last = at + 2, end = NULL;
    }
    char *text = (char *)JOIN(d, last, "");
    if (end && *text)
        text[end - last] = '\0';
    char *tag = strstr(text, "[abi:");
    if (tag)
        *tag = '\0';
    return text;
}

static const char *special_member(demangling *d, const char *scope)
{
    bool destroys = *d->at++ == 'D';
    if (*d->at == 'I' && !destroys) { /* inherited */
        d->at++;
        d->at++;
        d->is_special = true;
        return last_of(d, ztl_dm_whole(d, ztl_dm_type(d)));
    }
    if (!*d->at || !strchr("012345", *d->at))
        return ztl_dm_fail(d);
    d->at++;
    d->is_special = true;
    return JOIN(d, destroys ? "~" : "", last_of(d, scope));
}

const char *ztl_dm_unqualified(demangling *d, const char *scope)
{
    const char *name;
    d->is_special = false;
    ztl_dm_take(d, "L");
    if (*d->at >= '0' && *d->at <= '9')
        name = source_name(d);
    else if (ztl_dm_take(d, "Ul"))
        name = lambda(d);
    else if (ztl_dm_take(d, "Ut"))
        name = unnamed(d);
    else if (*d->at == 'C' || (*d->at == 'D' && d->at[1] >= '0' && d->at[1] <= '9'))
        name = special_member(d, scope);
    else
        name = operator_name(d);
    while (ztl_dm_take(d, "B"))
        name = JOIN(d, name, "[abi:", source_name(d), "]");
    return name;
}

/* ---- Names --------------------------------------------------------------------------------- */

static bool has_end(const char *text, char end)
{
    return *text && text[strlen(text) - 1] == end;
}

static const char *add(demangling *d, const char *scope, const char *name)
{
    return *scope ? JOIN(d, scope, "::", name) : name;
}

/* Takes a name one component on; all but the last and those known before are remembered. */
static const char *component(demangling *d, const char *name)
{
    bool is_known = *d->at == 'S', is_template = *d->at == 'I', is_special = d->is_special;
    if (ztl_dm_take(d, "M")) /* of a member whose initialiser has a lambda */
        return name;
    if (ztl_dm_take(d, "St"))
        name = "std";
    else if (is_known)
        name = ztl_dm_whole(d, ztl_dm_substitution(d));
    else if (*d->at == 'T')
        name = ztl_dm_whole(d, ztl_dm_template_parameter(d));
    else if (is_template)
        name = ztl_dm_template_arguments(d, name);
    else
        name = add(d, name, ztl_dm_unqualified(d, name));
    d->is_template = is_template;
    d->is_special = is_template ? is_special : d->is_special;
    if (!is_known && *d->at != 'E')
        ztl_dm_remember(d, (part){name, "", false, false});
    return name;
}

static const char *nested(demangling *d)
{
    const char *name = "", *start = d->at;
    d->at += strspn(d->at, "rVK");
    const char *qualifiers = ztl_dm_qualifiers(d, start, (size_t)(d->at - start));
    const char *reference = ztl_dm_take(d, "R") ? " &" : ztl_dm_take(d, "O") ? " &&" : "";
    d->is_template = false;
    while (!d->failed && !ztl_dm_take(d, "E"))
        name = component(d, name);
    d->qualifiers = JOIN(d, qualifiers, reference);
    return name;
}

static void skip_discriminator(demangling *d)
{
    if (*d->at != '_')
        return;
    d->at++;
    ztl_dm_take(d, "_");
    while (*d->at >= '0' && *d->at <= '9')
        d->at++;
    ztl_dm_take(d, "_");
}

static const char *local(demangling *d)
{
    const char *function = ztl_dm_encoding(d, true);
    if (!ztl_dm_take(d, "E"))
        return ztl_dm_fail(d);
    d->is_template = d->is_special = false;
    d->qualifiers = "";
    if (ztl_dm_take(d, "s")) {
        skip_discriminator(d);
        return JOIN(d, function, "::string literal");
    }
    if (ztl_dm_take(d, "d")) {
        char text[40];
        snprintf(text, sizeof text, "::{default arg#%zu}", ztl_dm_sequence(d, 10) + 1);
        function = JOIN(d, function, text);
    }
    const char *entity = ztl_dm_name(d);
    skip_discriminator(d);
    return JOIN(d, function, "::", entity);
}

const char *ztl_dm_name(demangling *d)
{
    const char *name;
    d->qualifiers = "";
    d->is_template = false;
    if (++d->depth > DEEPEST)
        return ztl_dm_fail(d);
    if (ztl_dm_take(d, "N")) {
        name = nested(d);
    } else if (ztl_dm_take(d, "Z")) {
        name = local(d);
    } else {
        bool is_known = *d->at == 'S' && d->at[1] != 't';
        if (is_known)
            name = ztl_dm_whole(d, ztl_dm_substitution(d));
        else if (ztl_dm_take(d, "St"))
            name = JOIN(d, "std::", ztl_dm_unqualified(d, ""));
        else
            name = ztl_dm_unqualified(d, "");
        if (*d->at == 'I') {
            if (!is_known)
                ztl_dm_remember(d, (part){name, "", false, false});
            bool is_special = d->is_special;
            name = ztl_dm_template_arguments(d, name);
            d->is_special = is_special;
            d->is_template = true;
        }
    }
    d->depth--;
    return name;
}

/* ---- Template arguments --------------------------------------------------------------------- */

/* A value: 5, 5u, true, (type)5. */
static const char *literal(demangling *d)
{
    char type = *d->at;
    if (ztl_dm_take(d, "_Z")) {
        const char *name = ztl_dm_encoding(d, true);
        return ztl_dm_take(d, "E") ? name : ztl_dm_fail(d);
    }
    const char *name = ztl_dm_whole(d, ztl_dm_type(d)), *sign = ztl_dm_take(d, "n") ? "-" : "";
    const char *start = d->at;
    d->at += strcspn(d->at, "E");
    char number[40];
    snprintf(number, sizeof number, "%.*s", (int)(d->at - start), start);
    if (!ztl_dm_take(d, "E") || strlen(number) > 30)
        return ztl_dm_fail(d);
    if (type == 'b' && (!strcmp(number, "0") || !strcmp(number, "1")))
        return *number == '1' ? "true" : "false";
    static const char plain[] = "ijlmxy";
    static const char *const suffix[] = {"", "u", "l", "ul", "ll", "ull"};
    const char *known = type ? strchr(plain, type) : NULL;
    if (known)
        return JOIN(d, sign, number, suffix[known - plain]);
    return JOIN(d, "(", name, ")", sign, number);
}

static part one_argument(demangling *d)
{
    if (ztl_dm_take(d, "L"))
        return (part){literal(d), "", false, false};
    bool is_expression = ztl_dm_take(d, "X");
    if (is_expression && *d->at != 'T') /* of expressions, a parameter alone */
        ztl_dm_fail(d);
    part type = ztl_dm_type(d);
    if (is_expression && !ztl_dm_take(d, "E"))
        ztl_dm_fail(d);
    return type;
}

static void pack_argument(demangling *d, argument *made)
{
    part list[MOST_ARGUMENTS];
    size_t count = 0;
    const char *text = "";
    while (!d->failed && !ztl_dm_take(d, "E")) {
        if (count == MOST_ARGUMENTS || !*d->at) {
            ztl_dm_fail(d);
            return;
        }
        list[count] = one_argument(d);
        const char *one = ztl_dm_whole(d, list[count]);
        text = count++ ? JOIN(d, text, ", ", one) : one;
    }
    size_t bytes = count * sizeof(part), start = (d->used + 15) & ~(size_t)15;
    if (start + bytes > sizeof d->arena) {
        ztl_dm_fail(d);
        return;
    }
    made->pack = (part *)(void *)(d->arena + start);
    memcpy(made->pack, list, bytes);
    d->used = start + bytes;
    made->is_pack = true;
    made->count = count;
    made->type = (part){text, "", false, false};
}

/* The arguments behind a name; operator< and << are kept apart from them. */
const char *ztl_dm_template_arguments(demangling *d, const char *name)
{
    arguments made = {0};
    const char *list = "";
    if (!ztl_dm_take(d, "I"))
        return ztl_dm_fail(d);
    while (!d->failed && !ztl_dm_take(d, "E")) {
        if (made.count == MOST_ARGUMENTS || !*d->at)
            return ztl_dm_fail(d);
        argument *next = &made.at[made.count++];
        next->type = NOTHING;
        if (ztl_dm_take(d, "J") || ztl_dm_take(d, "I")) /* I: of older compilers */
            pack_argument(d, next);
        else
            next->type = one_argument(d);
        const char *one = ztl_dm_whole(d, next->type);
        list = *list && *one ? JOIN(d, list, ", ", one) : JOIN(d, list, one);
    }
    size_t start = (d->used + 15) & ~(size_t)15;
    if (start + sizeof made > sizeof d->arena)
        return ztl_dm_fail(d);
    d->given = (arguments *)(void *)(d->arena + start);
    *d->given = made;
    d->used = start + sizeof made;
    return JOIN(d, name, has_end(name, '<') ? " <" : "<", list, has_end(list, '>') ? " >" : ">");
}
