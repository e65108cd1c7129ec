/* SPDX-License-Identifier: Apache-2.0
 * ISA strings: rv64gc_zba_ztl and the like.
 */
#include "sim/hart.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "codec/isa_part.h"
#include "host/error.h"

/* Extensions that the hart has, with the major version it takes; single letters in their order. */
static const struct extension {
    const char *name;
    unsigned bit;
    unsigned major;
} extensions[] = {
    {"i", ZTL_EXT_I, 2},         {"m", ZTL_EXT_M, 2},
    {"a", ZTL_EXT_A, 2},         {"f", ZTL_EXT_F, 2},
    {"d", ZTL_EXT_D, 2},         {"c", ZTL_EXT_C, 2},
    {"zicsr", ZTL_EXT_ZICSR, 2}, {"zifencei", ZTL_EXT_ZIFENCEI, 2},
    {"zfh", ZTL_EXT_ZFH, 1},     {"zba", ZTL_EXT_ZBA, 1},
    {"zbb", ZTL_EXT_ZBB, 1},     {"zbs", ZTL_EXT_ZBS, 1},
};

/* Names of what the hart has anyway: parts of others, counters, and accesses that are not aligned.
 * Each needs what it is a part of. */
static const struct implied {
    const char *name;
    unsigned needs; /* all of these bits */
    const char *needed;
} implied[] = {
    {"zicntr", ZTL_EXT_ZICSR, "zicsr"},
    {"zihpm", ZTL_EXT_ZICSR, "zicsr"},
    {"zicclsm", ZTL_EXT_I, "i"},
    {"zmmul", ZTL_EXT_M, "m"},
    {"zaamo", ZTL_EXT_A, "a"},
    {"zalrsc", ZTL_EXT_A, "a"},
    {"zca", ZTL_EXT_C, "c"},
    {"zcd", ZTL_EXT_C | ZTL_EXT_D, "c and d"},
    {"zcf", ZTL_EXT_C | ZTL_EXT_F, "c and f"},
    {"zfhmin", ZTL_EXT_ZFH, "zfh"},
};

/* Letters that stand for several. */
static const struct group {
    char letter;
    unsigned bits;
} groups[] = {
    {'g',
     ZTL_EXT_I | ZTL_EXT_M | ZTL_EXT_A | ZTL_EXT_F | ZTL_EXT_D | ZTL_EXT_ZICSR | ZTL_EXT_ZIFENCEI},
    {'b', ZTL_EXT_ZBA | ZTL_EXT_ZBB | ZTL_EXT_ZBS},
};

enum {
    EXTENSIONS = sizeof extensions / sizeof extensions[0],
    GROUPS = sizeof groups / sizeof groups[0],
    IMPLIED = sizeof implied / sizeof implied[0],
    NAME_SIZE = 32
};

/* The order that single letters must have. */
static const char letter_order[] = "iemafdqlcbjtpvh";

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

/* False when the name is none of those; a wrong one is found in the end. */
static bool add_implied(parser *p)
{
    for (size_t i = 0; i < IMPLIED; i++)
        if (!strcmp(implied[i].name, p->name)) {
            p->also |= 1u << i;
            return true;
        }
    return false;
}

/* What comes with an extension: registers of a wider format hold a narrower one, and flags are in a
 * CSR. */
static void add_needed(ztl_hart_isa *isa)
{
    if (isa->extensions & (ZTL_EXT_D | ZTL_EXT_ZFH))
        isa->extensions |= ZTL_EXT_F;
    if (isa->extensions & ZTL_EXT_F)
        isa->extensions |= ZTL_EXT_ZICSR;
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

static bool parse_name(parser *p)
{
    const char *start = p->at;
    size_t length = strcspn(start, "_");
    if (ztl_isa_part_is_ours(start, length))
        return parse_ztl(p, length);
    const int whole = (int)length;
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
        return add_implied(p) ||
               FAIL(p, "ISA string '%s': unknown extension '%.*s'", p->text, whole, start);
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

bool ztl_hart_isa_parse(const char *text, ztl_hart_isa *isa, ztl_error *error)
{
    parser p = {.text = text, .error = error};
    bool is_64 = strncmp(text, "rv64", 4) == 0 || strncmp(text, "RV64", 4) == 0;
    bool is_32 = strncmp(text, "rv32", 4) == 0 || strncmp(text, "RV32", 4) == 0;
    if (!is_64 && !is_32)
        return FAIL(&p, "ISA string '%s': it must start with rv32 or rv64", text);
    p.isa.xlen = is_64 ? 64 : 32;
    p.at = text + 4;
    if (!parse_extensions(&p))
        return false;
    if (!(p.isa.extensions & ZTL_EXT_I))
        return FAIL(&p, "ISA string '%s': the base 'i' is missing", text);
    add_needed(&p.isa);
    if (!check_implied(&p))
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
        if (!(isa->extensions & extensions[i].bit))
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
