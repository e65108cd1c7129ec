/* SPDX-License-Identifier: Apache-2.0
 * A mangled name while it is taken apart: what names and types share.
 */
#ifndef ZTL_HOST_DEMANGLE_INSIDE_H
#define ZTL_HOST_DEMANGLE_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_SUBSTITUTIONS = 512, MOST_ARGUMENTS = 64, DEEPEST = 120, ARENA = 1 << 18 };

/* A type around what is declared: int (* and )(char). A function's or an array's own right side is
 * in parentheses when something points to it. */
typedef struct part {
    const char *left, *right;
    bool is_function, is_array;
} part;

typedef struct argument {
    part type;
    bool is_pack;
    size_t count; /* of a pack */
    part *pack;
} argument;

typedef struct arguments {
    size_t count;
    argument at[MOST_ARGUMENTS];
} arguments;

typedef struct demangling {
    const char *at;
    bool failed;
    unsigned depth;
    part substitution[MOST_SUBSTITUTIONS];
    size_t substitutions;
    arguments *given;       /* what T_ refers to */
    bool in_lambda;         /* T_ is an auto parameter */
    size_t pack;            /* 1 + which one of packs is meant; 0: all */
    size_t longest;         /* pack that was met */
    bool is_template;       /* the name just read ended in template arguments, */
    bool is_special;        /* is a constructor, destructor or conversion, */
    const char *qualifiers; /* and is of a function with these: " const" */
    size_t used;
    char arena[ARENA];
} demangling;

#define NOTHING ((part){"", "", false, false})

/* Joins texts; the last one is followed by NULL. */
const char *ztl_dm_join(demangling *d, const char *first, ...) __attribute__((sentinel));
#define JOIN(d, ...) ztl_dm_join(d, __VA_ARGS__, (const char *)NULL)

const char *ztl_dm_fail(demangling *d); /* "" */
bool ztl_dm_take(demangling *d, const char *text);
const char *ztl_dm_whole(demangling *d, part type); /* left and right */
void ztl_dm_remember(demangling *d, part type);
size_t ztl_dm_sequence(demangling *d, int base); /* [number] _, as 1 + the number, or 0 */

part ztl_dm_type(demangling *d);
const char *ztl_dm_types(demangling *d, const char *end); /* a list; "" of void alone */
const char *ztl_dm_name(demangling *d);
/* The template arguments that follow a name, with it. */
const char *ztl_dm_template_arguments(demangling *d, const char *name);
/* Letters r, V and K in words: " const volatile". */
const char *ztl_dm_qualifiers(demangling *d, const char *letters, size_t count);
/* S…: a part of the name that was there before, or a short one of std. */
part ztl_dm_substitution(demangling *d);
part ztl_dm_template_parameter(demangling *d);
const char *ztl_dm_encoding(demangling *d, bool has_parameters);
const char *ztl_dm_unqualified(demangling *d, const char *scope);

#endif
