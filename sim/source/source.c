/* SPDX-License-Identifier: Apache-2.0
 * A whole source: its passes, the places of its sections, what is asked of it afterwards.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/source/assembler.h"

enum { ERROR_TEXT = 400 };

bool ztl_asm_fail(ztl_source *s, const char *format, ...)
{
    char text[ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* Both passes come by the same mistakes. */
    for (size_t i = 0; i < s->error_count; i++)
        if (s->errors[i].line == s->line && !strcmp(s->errors[i].text, text))
            return false;
    if (s->error_count == SOURCE_MOST_ERRORS)
        return false;
    char *copy = ztl_asm_copy(s, text, strlen(text));
    ztl_source_error *more = ztl_asm_more(s, s->errors, s->error_count, sizeof *more);
    if (more)
        s->errors = more;
    if (more && copy)
        more[s->error_count++] = (ztl_source_error){s->line, copy};
    else
        free(copy);
    return false;
}

void *ztl_asm_more(ztl_source *s, void *array, size_t count, size_t size)
{
    if (count & (count - 1) || (count && count < 8))
        return array; /* room is there */
    size_t room = count < 8 ? 8 : 2 * count;
    void *more = realloc(array, room * size);
    s->failed |= !more;
    return more;
}

char *ztl_asm_copy(ztl_source *s, const char *start, size_t length)
{
    char *copy = malloc(length + 1);
    s->failed |= !copy;
    if (copy) {
        memcpy(copy, start, length);
        copy[length] = '\0';
    }
    return copy;
}

/* ---- Sections ---- */

uint64_t ztl_asm_offset(const ztl_source *s)
{
    return s->sections[s->section].size;
}

source_value ztl_asm_here(const ztl_source *s)
{
    return (source_value){(int64_t)ztl_asm_offset(s), s->section};
}

bool ztl_asm_emit(ztl_source *s, const void *bytes, size_t size)
{
    source_section *section = &s->sections[s->section];
    if (section->kind != SOURCE_LEFT_OUT && section->size + size > SOURCE_MOST_BYTES)
        return ztl_asm_fail(s, "the program is longer than %d bytes", SOURCE_MOST_BYTES);
    bool is_kept = s->pass == 2 && s->bytes && section->kind != SOURCE_LEFT_OUT;
    uint64_t at = section->address - s->base + section->size;
    if (is_kept && bytes && at + size <= s->size)
        memcpy(s->bytes + at, bytes, size);
    section->size += size;
    return true;
}

static bool begins(const char *name, size_t length, const char *with)
{
    size_t size = strlen(with);
    return length >= size && !strncmp(name, with, size) && (length == size || name[size] == '.');
}

static enum source_kind kind_of(const char *name, size_t length)
{
    if (begins(name, length, ".text"))
        return SOURCE_TEXT;
    if (begins(name, length, ".bss") || begins(name, length, ".sbss"))
        return SOURCE_ZEROS;
    if (begins(name, length, ".data") || begins(name, length, ".sdata"))
        return SOURCE_DATA;
    return SOURCE_CONSTANTS;
}

bool ztl_asm_enter(ztl_source *s, const char *name, size_t length, bool is_loaded)
{
    size_t i = 0;
    while (i < s->section_count && !ztl_exact_word(name, length, s->sections[i].name))
        i++;
    if (i == s->section_count) {
        char *copy = ztl_asm_copy(s, name, length);
        source_section *more = ztl_asm_more(s, s->sections, i, sizeof *more);
        if (!copy || !more) {
            free(copy);
            return false;
        }
        enum source_kind kind = is_loaded ? kind_of(name, length) : SOURCE_LEFT_OUT;
        unsigned code_alignment = s->isa.extensions & ZTL_EXT_C ? 2 : 4;
        s->sections = more;
        more[s->section_count++] =
            (source_section){copy, kind, 0, kind == SOURCE_TEXT ? code_alignment : 1, 0};
    }
    s->previous = s->section;
    s->section = (int)i;
    return true;
}

/* Where each section goes, by kind, after the first pass. */
static bool place_sections(ztl_source *s)
{
    uint64_t at = s->base;
    for (int kind = SOURCE_TEXT; kind <= SOURCE_ZEROS; kind++)
        for (size_t i = 0; i < s->section_count; i++) {
            source_section *section = &s->sections[i];
            if ((int)section->kind != kind)
                continue;
            at = (at + section->alignment - 1) & -section->alignment;
            section->address = at;
            at += section->size;
        }
    s->size = at - s->base;
    for (size_t i = 0; i < s->section_count; i++) {
        if (s->sections[i].kind == SOURCE_LEFT_OUT)
            s->sections[i].address = 0;
        s->sections[i].size = 0;
    }
    if (s->size > SOURCE_MOST_BYTES)
        return ztl_asm_fail(s, "the program is longer than %d bytes", SOURCE_MOST_BYTES);
    s->bytes = calloc(1, s->size + 1);
    s->failed |= !s->bytes;
    return s->bytes != NULL;
}

/* ---- Statements ---- */

static bool define_label(ztl_source *s, const char *name, size_t length)
{
    if (strspn(name, "0123456789") == length)
        return ztl_asm_define_numbered(s, (unsigned)strtoul(name, NULL, 10));
    if (ztl_is_digit(*name))
        return ztl_asm_fail(s, "'%.*s' is no name of a label", (int)length, name);
    return ztl_asm_define(s, name, length, ztl_asm_here(s), true);
}

/* name = expression */
static bool is_assignment(const char *rest)
{
    return rest[0] == '=' && rest[1] != '=';
}

static bool assign(ztl_source *s, const char *name, size_t length, const char *text)
{
    source_value value;
    const char *at = text;
    if (!ztl_asm_value(s, &at, &value))
        return false;
    if (*ztl_asm_skip(at))
        return ztl_asm_fail(s, "unexpected '%.40s' after the value", ztl_asm_skip(at));
    return ztl_asm_define(s, name, length, value, false);
}

static bool run_labels(ztl_source *s, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, ":");
        define_label(s, text, length);
        text = ztl_asm_skip(text + length + 1);
    }
    return true;
}

static bool run_statement(ztl_source *s, const char *text)
{
    size_t length = 0;
    if (text[strlen(text) - 1] == ':')
        return run_labels(s, text);
    while (ztl_is_word(text[length]) || text[length] == '$')
        length++;
    const char *rest = ztl_asm_skip(text + length);
    if (length == 0)
        return ztl_asm_fail(s, "unexpected '%.40s'", text);
    if (is_assignment(rest))
        return assign(s, text, length, rest + 1);
    if (*text == '.')
        return ztl_asm_directive(s, text, length, rest);
    return ztl_asm_instruction(s, text, length, rest);
}

/* Code is as long as its alignment asks for, as GNU as makes it. */
static void fill_sections(ztl_source *s)
{
    for (size_t i = 0; i < s->section_count; i++) {
        s->section = (int)i;
        if (s->sections[i].kind == SOURCE_TEXT)
            ztl_asm_align(s, s->sections[i].alignment);
    }
}

static void first_pass(ztl_source *s)
{
    char *text;
    s->pass = 1;
    ztl_asm_enter(s, ".text", 5, true);
    while ((text = ztl_asm_next(s))) {
        source_statement *more = ztl_asm_more(s, s->statements, s->statement_count, sizeof *more);
        if (!more || s->statement_count == SOURCE_MOST_STATEMENTS) {
            if (more)
                ztl_asm_fail(s, "more than %d statements", SOURCE_MOST_STATEMENTS);
            free(text);
            return;
        }
        s->statements = more;
        more[s->statement_count++] =
            (source_statement){text, s->line, ztl_asm_offset(s), s->section};
        run_statement(s, text);
    }
    fill_sections(s);
}

static void second_pass(ztl_source *s)
{
    s->pass = 2;
    s->section = s->previous = 0;
    for (size_t i = 0; i < s->statement_count; i++) {
        const source_statement *statement = &s->statements[i];
        s->line = statement->line;
        if (statement->offset != ztl_asm_offset(s) || statement->section != s->section) {
            ztl_asm_fail(s, "lengths before this line depend on what follows it");
            return;
        }
        run_statement(s, statement->text);
    }
    fill_sections(s);
}

/* ---- The result ---- */

static int by_line(const void *a, const void *b)
{
    const ztl_source_error *left = a, *right = b;
    return left->line < right->line ? -1 : left->line > right->line;
}

static int by_address(const void *a, const void *b)
{
    const ztl_source_line *left = a, *right = b;
    return left->address < right->address ? -1 : left->address > right->address;
}

static void finish(ztl_source *s)
{
    s->entry = s->base;
    if (!ztl_source_find_label(s, "_start", &s->entry))
        ztl_source_find_label(s, "main", &s->entry);
    if (s->error_count) {
        qsort(s->errors, s->error_count, sizeof *s->errors, by_line);
        s->size = 0;
    }
    if (s->line_count)
        qsort(s->lines, s->line_count, sizeof *s->lines, by_address);
}

ztl_source *ztl_source_assemble(const char *text, const ztl_hart_isa *isa, uint64_t base)
{
    ztl_source *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->isa = *isa;
    s->base = base;
    for (size_t i = 0; i < SOURCE_BUCKETS; i++)
        s->bucket[i] = -1;
    char *copy = ztl_asm_copy(s, text, strlen(text));
    if (copy) {
        ztl_asm_blank_comments(copy);
        if (ztl_asm_push(s, copy))
            first_pass(s);
    }
    if (!s->failed && place_sections(s))
        second_pass(s);
    if (s->failed && !s->error_count) {
        ztl_source_free(s);
        return NULL;
    }
    finish(s);
    return s;
}

void ztl_source_free(ztl_source *s)
{
    if (!s)
        return;
    for (source_input *in = s->input, *below; in; in = below) {
        below = in->below;
        free(in->text);
        free(in);
    }
    for (size_t i = 0; i < s->section_count; i++)
        free(s->sections[i].name);
    for (size_t i = 0; i < s->symbol_count; i++)
        free(s->symbols[i].name);
    for (size_t i = 0; i < s->statement_count; i++)
        free(s->statements[i].text);
    for (size_t i = 0; i < s->macro_count; i++) {
        free(s->macros[i].name);
        free(s->macros[i].parameters);
        free(s->macros[i].body);
    }
    for (size_t i = 0; i < s->pair_count; i++)
        free(s->pairs[i].target);
    for (size_t i = 0; i < s->error_count; i++)
        free(s->errors[i].text);
    void *arrays[] = {s->sections, s->symbols, s->statements, s->macros,
                      s->pairs,    s->lines,   s->errors,     s->bytes};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    free(s);
}

const ztl_source_error *ztl_source_error_at(const ztl_source *s, size_t index)
{
    return index < s->error_count ? &s->errors[index] : NULL;
}

const uint8_t *ztl_source_bytes(const ztl_source *s, size_t *size)
{
    *size = (size_t)s->size;
    return s->bytes;
}

uint64_t ztl_source_entry(const ztl_source *s)
{
    return s->entry;
}

static uint64_t address_of(const ztl_source *s, const source_symbol *symbol)
{
    int section = symbol->value.section;
    uint64_t start = section < 0 ? 0 : s->sections[section].address;
    return start + (uint64_t)symbol->value.number;
}

ztl_source_label ztl_source_label_at(const ztl_source *s, size_t index)
{
    for (size_t i = 0; i < s->symbol_count; i++) {
        const source_symbol *symbol = &s->symbols[i];
        bool is_named = symbol->is_label && !strchr(symbol->name, ':');
        if (is_named && index-- == 0)
            return (ztl_source_label){symbol->name, address_of(s, symbol)};
    }
    return (ztl_source_label){0};
}

bool ztl_source_find_label(const ztl_source *s, const char *name, uint64_t *address)
{
    const source_symbol *symbol = ztl_asm_find(s, name, strlen(name));
    if (!symbol || !symbol->is_label)
        return false;
    *address = address_of(s, symbol);
    return true;
}

unsigned ztl_source_line_of(const ztl_source *s, uint64_t address)
{
    size_t low = 0, high = s->line_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->lines[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && s->lines[low - 1].address == address ? s->lines[low - 1].line : 0;
}

bool ztl_source_load(const ztl_source *s, ztl_hart *hart)
{
    uint8_t none;
    if (s->error_count ||
        (s->size && (ztl_hart_read_memory(hart, s->base, &none, 1) != 1 ||
                     ztl_hart_read_memory(hart, s->base + s->size - 1, &none, 1) != 1)))
        return false;
    ztl_hart_write_memory(hart, s->base, s->bytes, s->size);
    ztl_hart_set_pc(hart, s->entry);
    return true;
}
