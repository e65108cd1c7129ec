/* SPDX-License-Identifier: Apache-2.0
 * ISA strings: rv64gc_zba_ztl and the like.
 */
#include "sim/hart.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "codec/isa_part.h"
#include "host/error.h"

/* Extensions that the hart has, with the major version it takes; single letters in their order. One
 * that another brings along is not printed with that. */
static const struct extension {
    const char *name;
    unsigned bit;
    unsigned major;
    unsigned brought_by;
} extensions[] = {
    {"i", ZTL_EXT_I, 2, 0},
    {"m", ZTL_EXT_M, 2, 0},
    {"a", ZTL_EXT_A, 2, 0},
    {"f", ZTL_EXT_F, 2, 0},
    {"d", ZTL_EXT_D, 2, 0},
    {"c", ZTL_EXT_C, 2, 0},
    {"zicbom", ZTL_EXT_ZICBOM, 1, 0},
    {"zicboz", ZTL_EXT_ZICBOZ, 1, 0},
    {"zicond", ZTL_EXT_ZICOND, 1, 0},
    {"zicsr", ZTL_EXT_ZICSR, 2, 0},
    {"zifencei", ZTL_EXT_ZIFENCEI, 2, 0},
    {"zfa", ZTL_EXT_ZFA, 1, 0},
    {"zfh", ZTL_EXT_ZFH, 1, 0},
    {"zfhmin", ZTL_EXT_ZFHMIN, 1, ZTL_EXT_ZFH},
    {"zcb", ZTL_EXT_ZCB, 1, 0},
    {"zba", ZTL_EXT_ZBA, 1, 0},
    {"zbb", ZTL_EXT_ZBB, 1, 0},
    {"zbc", ZTL_EXT_ZBC, 1, 0},
    {"zbkb", ZTL_EXT_ZBKB, 1, 0},
    {"zbkc", ZTL_EXT_ZBKC, 1, 0},
    {"zbkx", ZTL_EXT_ZBKX, 1, 0},
    {"zbs", ZTL_EXT_ZBS, 1, 0},
};

/* Names of what the hart has anyway: parts of others, counters, hints, and what is said of memory
 * and of time. Each needs what it is a part of. */
static const struct implied {
    const char *name;
    unsigned needs; /* all of these bits */
    const char *needed;
} implied[] = {
    {"zicntr", ZTL_EXT_ZICSR, "zicsr"},
    {"zihpm", ZTL_EXT_ZICSR, "zicsr"},
    {"zmmul", ZTL_EXT_M, "m"},
    {"zaamo", ZTL_EXT_A, "a"},
    {"zalrsc", ZTL_EXT_A, "a"},
    {"zca", ZTL_EXT_C, "c"},
    {"zcd", ZTL_EXT_C | ZTL_EXT_D, "c and d"},
    {"zcf", ZTL_EXT_C | ZTL_EXT_F, "c and f"},
    {"ziccamoa", ZTL_EXT_A, "a"},
    {"ziccrse", ZTL_EXT_A, "a"},
    {"za64rs", ZTL_EXT_A, "a"},
    {"za128rs", ZTL_EXT_A, "a"},
    {"zicclsm", ZTL_EXT_I, "i"},
    {"ziccif", ZTL_EXT_I, "i"},
    {"zic64b", ZTL_EXT_I, "i"},
    {"zicbop", ZTL_EXT_I, "i"},
    {"zihintpause", ZTL_EXT_I, "i"},
    {"zihintntl", ZTL_EXT_I, "i"},
    {"zkt", ZTL_EXT_I, "i"},
    {"ztso", ZTL_EXT_I, "i"},
};

/* Profiles for programs in user mode: an ISA string, or what the hart lacks. */
static const struct profile {
    const char *name;
    const char *isa;
    const char *lacks;
} profiles[] = {
    {"rvi20u32", "rv32i", NULL},
    {"rvi20u64", "rv64i", NULL},
    {"rva20u64", "rv64imafdc_zicsr", NULL},
    {"rva22u64", "rv64imafdc_zicsr_zicbom_zicboz_zfhmin_zba_zbb_zbs", NULL},
    {"rva23u64", NULL, "v, zimop, zcmop, zawrs and others"},
    {"rvb23u64", NULL, "zimop, zcmop, zawrs and others"},
    {"rva20s64", NULL, "supervisor mode"},
    {"rva22s64", NULL, "supervisor mode"},
    {"rva23s64", NULL, "supervisor mode"},
    {"rvb23s64", NULL, "supervisor mode"},
};

/* Letters that stand for several. */
static const struct group {
    char letter;
    unsigned bits;
} groups[] = {
    {'g',
     ZTL_EXT_I | ZTL_EXT_M | ZTL_EXT_A | ZTL_EXT_F | ZTL_EXT_D | ZTL_EXT_ZICSR | ZTL_EXT_ZIFENCEI},
    {'b', ZTL_EXT_ZBA | ZTL_EXT_ZBB | ZTL_EXT_ZBS},
    {'u', 0}, /* user mode, which every hart has */
};

enum {
    EXTENSIONS = sizeof extensions / sizeof extensions[0],
    GROUPS = sizeof groups / sizeof groups[0],
    IMPLIED = sizeof implied / sizeof implied[0],
    PROFILES = sizeof profiles / sizeof profiles[0],
    NAME_SIZE = 32
};

/* The order that single letters must have. */
static const char letter_order[] = "iemafdqlcbjtpvhu";

typedef struct parser {
    const char *text; /* the whole string */
    const char *at;
    ztl_hart_isa isa;
    char last_letter;
    bool has_version;
    unsigned major, minor;
    char name[NAME_SIZE]; /* the part being looked at, in lower case, without its version */
    unsigned named;       /* extensions that stand there by their own name */
    unsigned also;        /* bit i: implied[i] stands there */
    ztl_isa_part ztl;
    ztl_error *error;
} parser;

#define FAIL(p, ...) ztl_fail((p)->error, __VA_ARGS__)

/* Whether a text starts so, in any case of its letters. */
static bool starts_with(const char *text, const char *start)
{
    for (; *start; start++, text++)
        if (tolower((unsigned char)*text) != *start)
            return false;
    return true;
}

static bool parse_number(parser *p, unsigned *number)
{
    *number = 0;
    while (isdigit((unsigned char)*p->at)) {
        *number = *number * 10 + (unsigned)(*p->at++ - '0');
        if (*number > 999)
            return FAIL(p, "ISA string '%s': the version of '%s' is too large", p->text, p->name);
    }
    return true;
}

/* An optional version: 2, or 2p1. A p that no digit follows is not part of it. */
static bool parse_version(parser *p)
{
    p->minor = 0;
    p->has_version = isdigit((unsigned char)*p->at);
    if (!p->has_version)
        return true;
    if (!parse_number(p, &p->major))
        return false;
    if (tolower((unsigned char)p->at[0]) != 'p' || !isdigit((unsigned char)p->at[1]))
        return true;
    p->at++;
    return parse_number(p, &p->minor);
}

static bool check_version(const parser *p, unsigned major)
{
    return !p->has_version || p->major == major ||
           FAIL(p, "ISA string '%s': '%s' exists here in version %u, not %up%u", p->text, p->name,
                major, p->major, p->minor);
}

static bool add_extension(parser *p, const struct extension *extension)
{
    if (p->named & extension->bit)
        return FAIL(p, "ISA string '%s': '%s' stands there twice", p->text, p->name);
    p->named |= extension->bit;
    p->isa.extensions |= extension->bit;
    return check_version(p, extension->major);
}

/* What comes with an extension, each line after those that bring its own first: registers of a
 * wider format hold a narrower one, and flags are in a CSR. */
static void add_needed(ztl_hart_isa *isa)
{
    static const struct {
        unsigned any_of, bring;
    } rules[] = {
        {ZTL_EXT_ZFH, ZTL_EXT_ZFHMIN},
        {ZTL_EXT_D | ZTL_EXT_ZFHMIN | ZTL_EXT_ZFA, ZTL_EXT_F},
        {ZTL_EXT_F, ZTL_EXT_ZICSR},
        {ZTL_EXT_ZCB, ZTL_EXT_C},
        {ZTL_EXT_ZBB | ZTL_EXT_ZBKB, ZTL_EXT_ZBB_ZBKB},
        {ZTL_EXT_ZBC | ZTL_EXT_ZBKC, ZTL_EXT_ZBC_ZBKC},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (isa->extensions & rules[i].any_of)
            isa->extensions |= rules[i].bring;
}

static bool stands_there(const parser *p, const char *name)
{
    for (size_t i = 0; i < IMPLIED; i++)
        if (p->also >> i & 1 && !strcmp(implied[i].name, name))
            return true;
    return false;
}

/* C by its parts: zca, with what it has for floating point. */
static bool add_parts_of_c(parser *p)
{
    bool lacks_zcd = p->isa.extensions & ZTL_EXT_D && !stands_there(p, "zcd");
    bool lacks_zcf = p->isa.xlen == 32 && p->isa.extensions & ZTL_EXT_F && !stands_there(p, "zcf");
    if (p->isa.extensions & ZTL_EXT_C || !stands_there(p, "zca"))
        return true;
    p->isa.extensions |= ZTL_EXT_C;
    return !(lacks_zcd || lacks_zcf) ||
           FAIL(p, "ISA string '%s': 'zca' needs c here, or %s%s%s beside it", p->text,
                lacks_zcd ? "zcd" : "", lacks_zcd && lacks_zcf ? " and " : "",
                lacks_zcf ? "zcf" : "");
}

static bool check_implied(const parser *p)
{
    for (size_t i = 0; i < IMPLIED; i++) {
        if (!(p->also >> i & 1))
            continue;
        if (implied[i].needs & ~p->isa.extensions)
            return FAIL(p, "ISA string '%s': '%s' needs %s here", p->text, implied[i].name,
                        implied[i].needed);
        if (!strcmp(implied[i].name, "zcf") && p->isa.xlen != 32)
            return FAIL(p, "ISA string '%s': only RV32 has 'zcf'", p->text);
    }
    return true;
}

static const struct extension *known_extension(const char *name)
{
    for (size_t i = 0; i < EXTENSIONS; i++)
        if (!strcmp(extensions[i].name, name))
            return &extensions[i];
    return NULL;
}

static const struct group *known_group(char letter)
{
    for (size_t i = 0; i < GROUPS; i++)
        if (groups[i].letter == letter)
            return &groups[i];
    return NULL;
}

/* g stands where i to d do. */
static bool check_order(parser *p, char letter)
{
    char first = letter, last = letter;
    if (letter == 'g')
        first = 'i', last = 'd';
    if (!p->last_letter && first != 'i')
        return FAIL(p, "ISA string '%s': the base 'i' must come first, not '%c'", p->text, letter);
    if (p->last_letter && p->last_letter != first &&
        strchr(letter_order, first) < strchr(letter_order, p->last_letter))
        return FAIL(p, "ISA string '%s': '%c' must stand before '%c'", p->text, letter,
                    p->last_letter);
    p->last_letter = last;
    return true;
}

static bool parse_letter(parser *p)
{
    char letter = (char)tolower((unsigned char)*p->at++);
    p->name[0] = letter;
    p->name[1] = '\0';
    if (!isalpha((unsigned char)letter))
        return FAIL(p, "ISA string '%s': '%c' cannot stand there", p->text, letter);
    if (!parse_version(p))
        return false;
    const struct extension *extension = known_extension(p->name);
    const struct group *group = known_group(letter);
    if (!extension && !group)
        return FAIL(p, "ISA string '%s': the hart has no extension '%c'", p->text, letter);
    if (!check_order(p, letter))
        return false;
    if (extension)
        return add_extension(p, extension);
    p->isa.extensions |= group->bits;
    return true;
}

/* A name of Ztl goes to the next underscore. */
static bool parse_ztl(parser *p, size_t length)
{
    char text[200];
    ztl_text problem = ztl_text_in(text, sizeof text);
    if (!ztl_isa_part_add(&p->ztl, p->at, length, &problem))
        return FAIL(p, "ISA string '%s': %s", p->text, text);
    p->at += length;
    return true;
}

/* Whether a text is a version: 1p0, or 1, or nothing. */
static bool is_version(const char *text, const char *end)
{
    bool has_point = false;
    for (const char *at = text; at < end; at++) {
        bool point = tolower((unsigned char)*at) == 'p' && at > text && at + 1 < end && !has_point;
        if (!isdigit((unsigned char)*at) && !point)
            return false;
        has_point |= point;
    }
    return true;
}

/* The name at p->at, of some length with its version, if it asks for nothing. Digits may be part of
 * it. */
static bool parse_implied(parser *p, size_t length)
{
    for (size_t i = 0; i < IMPLIED; i++) {
        size_t own = strlen(implied[i].name);
        if (own > length || !starts_with(p->at, implied[i].name) ||
            !is_version(p->at + own, p->at + length))
            continue;
        p->also |= 1u << i;
        p->at += length;
        return true;
    }
    return false;
}

static bool parse_name(parser *p)
{
    const char *start = p->at;
    size_t length = strcspn(start, "_");
    if (ztl_isa_part_is_ours(start, length))
        return parse_ztl(p, length);
    const int whole = (int)length;
    if (parse_implied(p, length))
        return true;
    length = 0;
    while (isalpha((unsigned char)*p->at)) {
        if (length + 1 < NAME_SIZE)
            p->name[length++] = (char)tolower((unsigned char)*p->at);
        p->at++;
    }
    p->name[length] = '\0';
    if (!parse_version(p))
        return false;
    const struct extension *extension = known_extension(p->name);
    if (!extension)
        return FAIL(p, "ISA string '%s': unknown extension '%.*s'", p->text, whole, start);
    return add_extension(p, extension);
}

/* A long name is followed by something that does not start like one. */
static bool refuse_after_names(const parser *p)
{
    int length = (int)strcspn(p->at, "_");
    if (length == 1)
        return FAIL(p, "ISA string '%s': '%c' must stand before the long names", p->text, *p->at);
    return FAIL(p, "ISA string '%s': unknown extension '%.*s'", p->text, length, p->at);
}

static bool parse_extensions(parser *p)
{
    bool long_names = false, separated = false;
    while (*p->at) {
        if (*p->at == '_') {
            p->at++;
            separated = true;
            if (*p->at == '_' || *p->at == '\0')
                return FAIL(p, "ISA string '%s': nothing follows an underscore", p->text);
            continue;
        }
        bool is_long = strchr("zsxZSX", *p->at) != NULL;
        if (long_names && !is_long)
            return refuse_after_names(p);
        if (long_names && !separated)
            return FAIL(p, "ISA string '%s': an underscore is missing before '%s'", p->text, p->at);
        long_names |= is_long;
        separated = false;
        if (!(is_long ? parse_name(p) : parse_letter(p)))
            return false;
    }
    return true;
}

/* The profile that a string starts with; NULL: none. */
static const struct profile *known_profile(const char *text)
{
    for (size_t i = 0; i < PROFILES; i++) {
        size_t length = strlen(profiles[i].name);
        if (starts_with(text, profiles[i].name) && (!text[length] || text[length] == '_'))
            return &profiles[i];
    }
    return NULL;
}

/* What a string starts with: the width, or a profile, whose names may then stand there again. */
static bool parse_start(parser *p)
{
    const struct profile *profile = known_profile(p->text);
    if (profile && !profile->isa)
        return FAIL(p, "ISA string '%s': the hart lacks what '%s' asks for: %s", p->text,
                    profile->name, profile->lacks);
    const char *start = profile ? profile->isa : p->text;
    bool is_64 = starts_with(start, "rv64");
    if (!is_64 && !starts_with(start, "rv32"))
        return FAIL(
            p,
            "ISA string '%s': it must start with rv32 or rv64, or with a profile such as rva22u64",
            p->text);
    p->isa.xlen = is_64 ? 64 : 32;
    p->at = start + 4;
    if (!profile)
        return true;
    if (!parse_extensions(p))
        return false;
    p->named = 0;
    p->at = p->text + strlen(profile->name);
    return true;
}

bool ztl_hart_isa_parse(const char *text, ztl_hart_isa *isa, ztl_error *error)
{
    parser p = {.text = text, .error = error};
    if (!parse_start(&p) || !parse_extensions(&p))
        return false;
    if (!(p.isa.extensions & ZTL_EXT_I))
        return FAIL(&p, "ISA string '%s': the base 'i' is missing", text);
    add_needed(&p.isa);
    if (!add_parts_of_c(&p) || !check_implied(&p))
        return false;
    p.isa.ztl_subsets = p.ztl.subsets;
    p.isa.ztl_revision = p.ztl.revision ? p.ztl.revision : ZTL_REVISIONS;
    if (p.isa.ztl_subsets && !(p.isa.extensions & ZTL_EXT_ZICSR))
        return FAIL(&p, "ISA string '%s': Ztl needs zicsr", text);
    *isa = p.isa;
    return true;
}

static void append(char *text, size_t size, size_t *length, const char *part)
{
    for (; *part; part++, ++*length)
        if (*length + 1 < size)
            text[*length] = *part;
    if (size)
        text[*length < size ? *length : size - 1] = '\0';
}

size_t ztl_hart_isa_print(const ztl_hart_isa *isa, char *text, size_t size)
{
    size_t length = 0;
    append(text, size, &length, isa->xlen == 64 ? "rv64" : "rv32");
    for (size_t i = 0; i < EXTENSIONS; i++) {
        if (!(isa->extensions & extensions[i].bit) || isa->extensions & extensions[i].brought_by)
            continue;
        if (extensions[i].name[1])
            append(text, size, &length, "_");
        append(text, size, &length, extensions[i].name);
    }
    const char *version = isa->ztl_revision == 1 ? "1p0" : "";
    bool all = isa->ztl_subsets && isa->ztl_subsets == ztl_subsets_of(isa->ztl_revision);
    if (all) {
        append(text, size, &length, "_ztl");
        append(text, size, &length, version);
    }
    for (size_t i = 0; i < ZTL_SUBSETS && !all; i++) {
        char name[] = {'_', 'z', 't', 'l', ztl_subset_letter(i), '\0'};
        if (!(isa->ztl_subsets >> i & 1))
            continue;
        append(text, size, &length, name);
        append(text, size, &length, version);
    }
    return length;
}
