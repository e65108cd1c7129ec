/* SPDX-License-Identifier: Apache-2.0
 * Directives: sections, numbers with names, alignment; what only a linker or debugger reads is
 * left.
 */
#include <string.h>

#include "sim/source/assembler.h"

static bool is_one_of(const char *word, size_t length, const char *const *names)
{
    for (; *names; names++)
        if (ztl_exact_word(word, length, *names))
            return true;
    return false;
}

/* .section name, "flags": loaded where it has no flags and a usual name, or the flag a. */
static bool enter_section(ztl_source *s, const char *rest)
{
    static const char *const usual[] = {".text",  ".data",    ".rodata", ".bss",
                                        ".sdata", ".srodata", ".sbss",   NULL};
    bool quoted = *rest == '"';
    const char *name = rest + quoted;
    size_t length = strcspn(name, quoted ? "\"" : ", \t");
    if (!length)
        return ztl_asm_fail(s, ".section needs a name");
    bool is_loaded = false;
    for (size_t i = 0; usual[i]; i++)
        is_loaded |= length >= strlen(usual[i]) && !strncmp(name, usual[i], strlen(usual[i]));
    const char *flags = strchr(name + length, '"');
    if (quoted && flags)
        flags = strchr(flags + 1, '"');
    if (flags)
        is_loaded = memchr(flags + 1, 'a', strcspn(flags + 1, "\"")) != NULL;
    return ztl_asm_enter(s, name, length, is_loaded);
}

/* .set name, expression; .equ, .equiv are the same. */
static bool set(ztl_source *s, const char *rest)
{
    source_value value;
    size_t length = ztl_asm_name_length(rest);
    const char *at = ztl_asm_skip(rest + length);
    if (!length || *at++ != ',')
        return ztl_asm_fail(s, "must be: .set name, value");
    if (!ztl_asm_value(s, &at, &value))
        return false;
    if (*ztl_asm_skip(at))
        return ztl_asm_fail(s, "unexpected '%.40s' after the value", ztl_asm_skip(at));
    return ztl_asm_define(s, rest, length, value, false);
}

/* ---- Alignment ---- */

/* Code is filled with instructions that do nothing. */
static bool fill_code(ztl_source *s, uint64_t bytes)
{
    static const uint8_t zero = 0, c_nop[] = {0x01, 0x00}, nop[] = {0x13, 0x00, 0x00, 0x00};
    if (bytes & 1 && !ztl_asm_emit(s, &zero, 1))
        return false;
    if (bytes & 2 && !ztl_asm_emit(s, c_nop, 2))
        return false;
    for (bytes &= ~UINT64_C(3); bytes; bytes -= 4)
        if (!ztl_asm_emit(s, nop, 4))
            return false;
    return true;
}

static bool align_to(ztl_source *s, uint64_t alignment, bool has_fill, uint8_t fill, uint64_t most)
{
    source_section *section = &s->sections[s->section];
    uint64_t bytes = -section->size & (alignment - 1);
    if (alignment > section->alignment)
        section->alignment = alignment;
    if (bytes > most)
        return true;
    if (section->kind == SOURCE_TEXT && !has_fill)
        return fill_code(s, bytes);
    for (; bytes; bytes--)
        if (!ztl_asm_emit(s, &fill, 1))
            return false;
    return true;
}

bool ztl_asm_align(ztl_source *s, uint64_t alignment)
{
    return align_to(s, alignment, false, 0, UINT64_MAX);
}

/* .balign bytes, fill, most; .p2align and .align give the power of two. */
static bool align(ztl_source *s, const char *rest, bool is_power)
{
    source_operands o;
    int64_t number = 0, fill = 0, most = INT64_MAX;
    if (!ztl_asm_split(s, rest, &o))
        return false;
    if (o.count < 1 || !ztl_asm_constant(s, o.text[0], "the alignment", &number))
        return o.count ? false : ztl_asm_fail(s, "the alignment is missing");
    bool has_fill = o.count > 1 && *o.text[1];
    if ((has_fill && !ztl_asm_constant(s, o.text[1], "the fill", &fill)) ||
        (o.count > 2 && !ztl_asm_constant(s, o.text[2], "the limit", &most)))
        return false;
    if (is_power && (number < 0 || number > 16))
        return ztl_asm_fail(s, "alignment 2^%lld is out of range, must be 2^0 to 2^16",
                            (long long)number);
    uint64_t bytes = is_power ? UINT64_C(1) << number : number ? (uint64_t)number : 1;
    if (bytes & (bytes - 1) || bytes > 65536)
        return ztl_asm_fail(s, "alignment %lld is no power of two up to 65536", (long long)number);
    return align_to(s, bytes, has_fill, (uint8_t)fill, (uint64_t)most);
}

/* .comm name, size, alignment: zeros with a name. */
static bool common(ztl_source *s, const char *rest)
{
    source_operands o;
    int64_t size, alignment = 8;
    int section = s->section, previous = s->previous;
    if (!ztl_asm_split(s, rest, &o))
        return false;
    if (o.count < 2 || !ztl_asm_name_length(o.text[0]))
        return ztl_asm_fail(s, "must be: .comm name, size, alignment");
    if (!ztl_asm_constant(s, o.text[1], "the size", &size) ||
        (o.count > 2 && !ztl_asm_constant(s, o.text[2], "the alignment", &alignment)) ||
        !ztl_asm_enter(s, ".bss", 4, true))
        return false;
    if (size < 0 || size > SOURCE_MOST_BYTES || alignment < 1 || alignment > 65536 ||
        alignment & (alignment - 1))
        return ztl_asm_fail(s, "the size or the alignment is out of range");
    bool done = align_to(s, (uint64_t)alignment, true, 0, UINT64_MAX) &&
                ztl_asm_define(s, o.text[0], strlen(o.text[0]), ztl_asm_here(s), true) &&
                ztl_asm_emit(s, NULL, (size_t)size);
    s->section = section;
    s->previous = previous;
    return done;
}

bool ztl_asm_directive(ztl_source *s, const char *name, size_t length, const char *rest)
{
    static const char *const sections[] = {".text", ".data", ".bss", ".rodata", NULL};
    static const char *const left[] = {
        ".globl",    ".global", ".local", ".weak",      ".type",        ".size",    ".file",
        ".ident",    ".option", ".loc",   ".attribute", ".hidden",      ".addrsig", ".protected",
        ".internal", ".nopic",  ".title", ".end",       ".addrsig_sym", NULL};
    bool is_data;
    if (is_one_of(name, length, left) || !strncmp(name, ".cfi_", 5))
        return true;
    if (is_one_of(name, length, sections))
        return ztl_asm_enter(s, name, length, true);
    if (ztl_exact_word(name, length, ".section"))
        return enter_section(s, rest);
    if (ztl_exact_word(name, length, ".previous")) {
        int section = s->section;
        s->section = s->previous;
        s->previous = section;
        return true;
    }
    if (ztl_exact_word(name, length, ".set") || ztl_exact_word(name, length, ".equ") ||
        ztl_exact_word(name, length, ".equiv"))
        return set(s, rest);
    if (ztl_exact_word(name, length, ".balign"))
        return align(s, rest, false);
    if (ztl_exact_word(name, length, ".p2align") || ztl_exact_word(name, length, ".align"))
        return align(s, rest, true);
    if (ztl_exact_word(name, length, ".comm") || ztl_exact_word(name, length, ".lcomm"))
        return common(s, rest);
    if (ztl_exact_word(name, length, ".insn"))
        return ztl_asm_insn(s, rest);
    if (ztl_exact_word(name, length, ".altmacro") || ztl_exact_word(name, length, ".noaltmacro")) {
        s->alternate = length == 9;
        return true;
    }
    bool done = ztl_asm_data(s, name, length, rest, &is_data);
    return is_data ? done : ztl_asm_fail(s, "unknown directive '%.*s'", (int)length, name);
}
