/* SPDX-License-Identifier: Apache-2.0
 * Parameters by name: setting, showing, and whole machines from text.
 */
#include "timing/parameters.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/suggest.h"

enum kind { NUMBER, ENGINES, BY, CHOICE };

static const struct row {
    const char *name, *meaning;
    size_t offset;
    enum kind kind;
    uint32_t four, least, most;
} rows[] = {
#define ROW(field, name, kind, four, least, most, meaning)                                         \
    {name, meaning, offsetof(ztl_timing_machine, field), kind, four, least, most},
    ZTL_TIMING_PARAMETERS(ROW)
#undef ROW
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const char *const words[][2] = {[BY] = {"id", "kind"}, [CHOICE] = {"no", "yes"}};
static const char *const presets[] = {"four", "kinds", "one", "wide"};

enum { PRESETS = sizeof presets / sizeof presets[0] };

static uint32_t *field(ztl_timing_machine *machine, const struct row *row)
{
    return (uint32_t *)(void *)((char *)machine + row->offset);
}

static uint32_t value_of(const ztl_timing_machine *machine, const struct row *row)
{
    return *(const uint32_t *)(const void *)((const char *)machine + row->offset);
}

static void list_allowed(const struct row *row, char *text, size_t size)
{
    if (row->kind == NUMBER)
        snprintf(text, size, "%" PRIu32 " … %" PRIu32, row->least, row->most);
    else if (row->kind == ENGINES)
        snprintf(text, size, "1, 4");
    else
        snprintf(text, size, "%s, %s", words[row->kind][0], words[row->kind][1]);
}

ztl_timing_parameter ztl_timing_parameter_of(size_t index)
{
    ztl_timing_parameter parameter = {0};
    if (index >= ROWS)
        return parameter;
    parameter.name = rows[index].name;
    parameter.meaning = rows[index].meaning;
    list_allowed(&rows[index], parameter.allowed, sizeof parameter.allowed);
    return parameter;
}

void ztl_timing_value(const ztl_timing_machine *machine, size_t index, char text[16])
{
    *text = '\0';
    if (index >= ROWS)
        return;
    uint32_t value = value_of(machine, &rows[index]);
    if (rows[index].kind == BY || rows[index].kind == CHOICE)
        snprintf(text, 16, "%s", words[rows[index].kind][value & 1]);
    else
        snprintf(text, 16, "%" PRIu32, value);
}

const char *ztl_timing_preset_name(size_t index)
{
    return index < PRESETS ? presets[index] : NULL;
}

/* "The preset kinds is four with engines.by = kind, one is four with engines.count = 1; wide is
 * four with 128 bytes and 4 slices a cycle everywhere and queues of 16." */
bool ztl_timing_preset(const char *name, ztl_timing_machine *machine)
{
    for (size_t i = 0; i < ROWS; i++)
        *field(machine, &rows[i]) = rows[i].four;
    if (!strcmp(name, "kinds")) {
        machine->engines_by = 1;
    } else if (!strcmp(name, "one")) {
        machine->engines_count = 1;
    } else if (!strcmp(name, "wide")) {
        machine->l1m_bytes = machine->l0m_bytes = machine->move_bytes = machine->add_bytes = 128;
        machine->l1m_slices = machine->l0m_slices = 4;
        machine->engines_queue = 16;
    } else {
        return !strcmp(name, "four");
    }
    return true;
}

void ztl_timing_near_preset(const char *name, char text[64])
{
    ztl_suggestion best = {NULL, 0};
    for (size_t i = 0; i < PRESETS; i++)
        ztl_suggest(&best, name, strlen(name), presets[i]);
    *text = '\0';
    if (best.word && 2 * best.distance <= strlen(name))
        snprintf(text, 64, " (did you mean '%s'?)", best.word);
}

static const struct row *find_row(const char *name, ztl_error *error)
{
    ztl_suggestion best = {NULL, 0};
    for (size_t i = 0; i < ROWS; i++) {
        if (!strcmp(name, rows[i].name))
            return &rows[i];
        ztl_suggest(&best, name, strlen(name), rows[i].name);
    }
    if (best.word)
        ztl_fail(error, "no parameter '%s'; did you mean '%s'?", name, best.word);
    else
        ztl_fail(error, "no parameter '%s'; 'ztl timing --list' has them all", name);
    return NULL;
}

static bool parse_number(const struct row *row, const char *text, uint32_t *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || number < row->least || number > row->most)
        return false;
    *value = (uint32_t)number;
    return row->kind != ENGINES || number == 1 || number == 4;
}

static bool parse_word(const struct row *row, const char *text, uint32_t *value)
{
    for (*value = 0; *value < 2; ++*value)
        if (!strcmp(text, words[row->kind][*value]))
            return true;
    return false;
}

bool ztl_timing_set(ztl_timing_machine *machine, const char *name, const char *value,
                    ztl_error *error)
{
    char allowed[32];
    uint32_t parsed;
    const struct row *row = find_row(name, error);
    if (!row)
        return false;
    bool is_number = row->kind == NUMBER || row->kind == ENGINES;
    if (is_number ? parse_number(row, value, &parsed) : parse_word(row, value, &parsed)) {
        *field(machine, row) = parsed;
        return true;
    }
    list_allowed(row, allowed, sizeof allowed);
    return ztl_fail(error, "%s: '%s' is not one of: %s", name, value, allowed);
}

/* The preset or file that a text starts with. */
static bool parse_start(const char *name, ztl_timing_machine *machine, ztl_error *error)
{
    char near[64];
    if (ztl_timing_preset(name, machine))
        return true;
    bool is_file = access(name, F_OK) == 0 || strchr(name, '/') || strchr(name, '.');
    if (is_file)
        return ztl_timing_read_file(name, machine, error);
    ztl_timing_near_preset(name, near);
    return ztl_fail(error, "'%s' is no preset (four, kinds, one, wide) and no file%s", name, near);
}

bool ztl_timing_parse(const char *text, ztl_timing_machine *machine, ztl_error *error)
{
    ztl_timing_machine parsed;
    char *copy = strdup(text), *rest = copy, *item = copy ? strsep(&rest, ",") : NULL;
    bool good = item && parse_start(item, &parsed, error);
    while (good && (item = strsep(&rest, ","))) {
        char *value = strchr(item, '=');
        if (value)
            *value++ = '\0';
        good = value ? ztl_timing_set(&parsed, item, value, error)
                     : ztl_fail(error, "'%s' is not NAME=VALUE", item);
    }
    if (!copy)
        ztl_fail(error, "no memory");
    free(copy);
    if (good)
        *machine = parsed;
    return good;
}

static size_t describe_from(const char *preset, const ztl_timing_machine *machine, char *text,
                            size_t size)
{
    ztl_timing_machine start;
    char value[16];
    ztl_timing_preset(preset, &start);
    size_t length = (size_t)snprintf(text, size, "%s", preset);
    for (size_t i = 0; i < ROWS; i++) {
        if (value_of(machine, &rows[i]) == value_of(&start, &rows[i]))
            continue;
        ztl_timing_value(machine, i, value);
        length +=
            (size_t)snprintf(length < size ? text + length : NULL,
                             length < size ? size - length : 0, ",%s=%s", rows[i].name, value);
    }
    return length;
}

size_t ztl_timing_describe(const ztl_timing_machine *machine, char *text, size_t size)
{
    size_t best = 0;
    for (size_t i = 1; i < PRESETS; i++)
        if (describe_from(presets[i], machine, NULL, 0) <
            describe_from(presets[best], machine, NULL, 0))
            best = i;
    return describe_from(presets[best], machine, text, size);
}
