/* SPDX-License-Identifier: Apache-2.0
 * NumPy's names of element types.
 */
#include "cli/npy/header.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/error.h"

/* The sizes that each kind of number has; times have a unit behind it. */
static const struct {
    char kind;
    const char *sizes;
    bool has_unit;
} kinds[] = {{'b', " 1 ", false},        {'i', " 1 2 4 8 ", false}, {'u', " 1 2 4 8 ", false},
             {'f', " 2 4 8 16 ", false}, {'c', " 8 16 32 ", false}, {'V', " 1 2 4 8 16 32 ", false},
             {'m', " 8 ", true},         {'M', " 8 ", true}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* One letter, also behind an order, or a name; as C's types are on every host of ours. */
static const struct {
    const char *name, *meaning;
} names[] = {
    {"?", "b1"},           {"b", "i1"},         {"B", "u1"},           {"h", "i2"},
    {"H", "u2"},           {"i", "i4"},         {"I", "u4"},           {"l", "i8"},
    {"L", "u8"},           {"q", "i8"},         {"Q", "u8"},           {"p", "i8"},
    {"P", "u8"},           {"e", "f2"},         {"f", "f4"},           {"d", "f8"},
    {"g", "f16"},          {"F", "c8"},         {"D", "c16"},          {"G", "c32"},
    {"m", "m8"},           {"M", "M8"},         {"bool", "b1"},        {"int8", "i1"},
    {"uint8", "u1"},       {"int16", "i2"},     {"uint16", "u2"},      {"int32", "i4"},
    {"uint32", "u4"},      {"int64", "i8"},     {"uint64", "u8"},      {"int", "i8"},
    {"uint", "u8"},        {"float16", "f2"},   {"float32", "f4"},     {"float64", "f8"},
    {"float", "f8"},       {"half", "f2"},      {"single", "f4"},      {"double", "f8"},
    {"longdouble", "f16"}, {"complex64", "c8"}, {"complex128", "c16"}, {"complex", "c16"},
};

/* The unit of a time: [25us]. */
static bool is_unit(const char *text)
{
    static const char units[] = " Y M W D h m s ms us ns ps fs as ";
    char wanted[8];
    if (*text++ != '[')
        return false;
    text += strspn(text, "0123456789");
    size_t n = strcspn(text, "]");
    if (strcmp(text + n, "]") || n == 0 || n > 2)
        return false;
    snprintf(wanted, sizeof wanted, " %.*s ", (int)n, text);
    return strstr(units, wanted);
}

static const char *meaning_of(const char *text, bool has_order)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(names[i].name, text) && (!has_order || !text[1]))
            return names[i].meaning;
    return text;
}

static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~')
        text++;
    return !*text;
}

bool ztl_npy_dtype(const char *text, ztl_npy_header *header, ztl_error *error)
{
    char order = *text && strchr("<>|=", *text) ? *text : '\0', *end, wanted[24];
    const char *type = meaning_of(text + (order != '\0'), order);
    size_t k = 0;
    if (!*type || !is_plain(text))
        return ztl_fail(error, "the dtype is not understood");
    while (k < KINDS && kinds[k].kind != *type)
        k++;
    long bytes = strtol(type + 1, &end, 10);
    if (k == KINDS || !isdigit((unsigned char)type[1]) ||
        (*end && !(kinds[k].has_unit && is_unit(end))))
        return ztl_fail(error, "dtype '%s' is not numeric", text);
    snprintf(wanted, sizeof wanted, " %ld ", bytes);
    if (!strstr(kinds[k].sizes, wanted))
        return ztl_fail(error, "dtype '%s': elements of %ld bytes are not supported (only%.*s)",
                        text, bytes, (int)strlen(kinds[k].sizes) - 1, kinds[k].sizes);
    bool has_no_order = bytes == 1 || *type == 'V';
    if (order == '>' && !has_no_order)
        return ztl_fail(error, "dtype '%s': big-endian elements are not supported", text);
    header->kind = *type;
    header->bits = (unsigned)bytes * 8;
    snprintf(header->descr, sizeof header->descr, "%c%c%ld%s", has_no_order ? '|' : '<', *type,
             bytes, end);
    return true;
}
