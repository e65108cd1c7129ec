/* SPDX-License-Identifier: Apache-2.0
 * ISA strings: rv64imac_zicsr_ztl and the like.
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
    {"i", ZTL_EXT_I, 2},     {"m", ZTL_EXT_M, 2},         {"a", ZTL_EXT_A, 2},
    {"c", ZTL_EXT_C, 2},     {"zicsr", ZTL_EXT_ZICSR, 2}, {"zifencei", ZTL_EXT_ZIFENCEI, 2},
    {"zba", ZTL_EXT_ZBA, 1}, {"zbb", ZTL_EXT_ZBB, 1},
};

enum { EXTENSIONS = sizeof extensions / sizeof extensions[0], NAME_SIZE = 32 };

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

static bool add_extension(parser *p, const struct extension *extension)
{
    if (p->isa.extensions & extension->bit)
        return FAIL(p, "ISA string '%s': '%s' stands there twice", p->text, p->name);
    if (p->has_version && p->major != extension->major)
        return FAIL(p, "ISA string '%s': '%s' exists here in version %u, not %up%u", p->text,
                    p->name, extension->major, p->major, p->minor);
    p->isa.extensions |= extension->bit;
    return true;
}

static const struct extension *known_extension(const char *name)
{
    for (size_t i = 0; i < EXTENSIONS; i++)
        if (!strcmp(extensions[i].name, name))
            return &extensions[i];
    return NULL;
}

/* What to say about single letters that exist but that this hart lacks. */
static bool refuse_letter(parser *p, char letter)
{
    switch (letter) {
    case 'g':
        return FAIL(p,
                    "ISA string '%s': 'g' means imafd_zicsr_zifencei, and this hart has no "
                    "floating point (f, d); write ima_zicsr_zifencei",
                    p->text);
    case 'f':
    case 'd':
    case 'q':
        return FAIL(p, "ISA string '%s': the hart has no '%c' (floating point)", p->text, letter);
    case 'b':
        return FAIL(p, "ISA string '%s': the hart has no 'b' as a whole; write zba_zbb", p->text);
    default:
        return FAIL(p, "ISA string '%s': the hart has no extension '%c'", p->text, letter);
    }
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
    if (!extension)
        return refuse_letter(p, letter);
    if (!p->last_letter && letter != 'i')
        return FAIL(p, "ISA string '%s': the base 'i' must come first, not '%c'", p->text, letter);
    if (p->last_letter && p->last_letter != letter &&
        strchr(letter_order, letter) < strchr(letter_order, p->last_letter))
        return FAIL(p, "ISA string '%s': '%c' must stand before '%c'", p->text, letter,
                    p->last_letter);
    p->last_letter = letter;
    return add_extension(p, extension);
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
    size_t length = strcspn(p->at, "_");
    if (ztl_isa_part_is_ours(p->at, length))
        return parse_ztl(p, length);
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
        return FAIL(p, "ISA string '%s': unknown extension '%s'", p->text, p->name);
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
