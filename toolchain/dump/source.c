/* SPDX-License-Identifier: Apache-2.0
 *
 * Two passes: the first collects where branches go, the second prints, with labels there. Each
 * instruction keeps its size by .option rvc and norvc, and its address by .option norelax.
 */
#include "toolchain/dump/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ztl.h>

#include "toolchain/dump/line.h"

/* An address in one of the sections, which may all start at 0. */
typedef struct place {
    size_t section;
    uint64_t address;
} place;

typedef struct places {
    place *item;
    size_t count;
    size_t capacity;
} places;

typedef struct pass {
    unsigned revision;
    size_t section;
    size_t insn_size; /* of the instruction before, in bytes; 0 at first */
    places targets;   /* of branches */
    places known;     /* where instructions are */
    ztl_buffer *out;
} pass;

static void add_place(pass *p, places *list, uint64_t address)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 256;
        place *item = realloc(list->item, capacity * sizeof *item);
        if (!item) {
            p->out->failed = true;
            return;
        }
        list->item = item;
        list->capacity = capacity;
    }
    list->item[list->count++] = (place){p->section, address};
}

static int compare(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    return a->address == b->address ? 0 : a->address < b->address ? -1 : 1;
}

static bool has_place(const places *list, size_t section, uint64_t address)
{
    place wanted = {section, address};
    return list->count && bsearch(&wanted, list->item, list->count, sizeof wanted, compare);
}

static bool is_section_heading(const char *line)
{
    return !strncmp(line, "Disassembly of section ", 23);
}

/* Where in the text the target of a branch starts, "1a4 <main+0x8>"; 0 for other instructions. */
static size_t target_start(const ztl_insn_line *insn)
{
    size_t angle = strcspn(insn->text, "<");
    size_t comment = strcspn(insn->text, "#");
    if (angle >= insn->length || comment < angle || angle == 0)
        return 0;
    size_t start = angle - 1;
    while (start > 0 && strchr("0123456789abcdef", insn->text[start - 1]))
        start--;
    return start;
}

static void collect(pass *p, const ztl_args *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        ztl_insn_line insn;
        p->section += is_section_heading(lines->item[i]);
        if (!ztl_line_parse(lines->item[i], &insn))
            continue;
        add_place(p, &p->known, insn.address);
        size_t target = target_start(&insn);
        if (target)
            add_place(p, &p->targets, strtoull(insn.text + target, NULL, 16));
    }
    p->section = 0;
    if (p->known.count)
        qsort(p->known.item, p->known.count, sizeof(place), compare);
    if (p->targets.count)
        qsort(p->targets.item, p->targets.count, sizeof(place), compare);
}

/* An encoding that assemblers do not emit stays a word, with its meaning beside it. */
static void print_ztl(pass *p, uint32_t word)
{
    char text[ZTL_LINE_TEXT];
    uint32_t again;
    ztl_disassemble(p->revision, word, text, sizeof text);
    if (ztl_assemble(p->revision, text, &again, NULL) && again == word)
        ztl_buffer_add(p->out, text);
    else
        ztl_buffer_format(p->out, ".4byte 0x%08x # %s", word, text);
}

/* A branch to a label, or to a distance where no instruction starts. */
static void print_branch(pass *p, const ztl_insn_line *insn, size_t start)
{
    uint64_t target = strtoull(insn->text + start, NULL, 16);
    ztl_buffer_part(p->out, insn->text, start);
    if (has_place(&p->known, p->section, target))
        ztl_buffer_format(p->out, ".L%zu_%" PRIx64, p->section, target);
    else
        ztl_buffer_format(p->out, ".%+" PRId64, (int64_t)(target - insn->address));
    ztl_buffer_add(p->out, " # ");
    ztl_buffer_part(p->out, insn->text + start, insn->length - start);
}

/* Bytes, whatever they are. */
static void print_raw(pass *p, const ztl_insn_line *insn)
{
    ztl_buffer_add(p->out, ".byte ");
    for (size_t i = 0; i < insn->bytes; i++)
        ztl_buffer_format(p->out, "%s0x%02x", i ? ", " : "",
                          (unsigned)(insn->word >> (8 * i) & 0xff));
    ztl_buffer_add(p->out, " # ");
    ztl_buffer_part(p->out, insn->text, insn->length);
}

/* What objdump prints as a directive, or as c.unimp for 0, is no instruction for an assembler. */
static bool is_raw(const ztl_insn_line *insn)
{
    return insn->text[0] == '.' || !strncmp(insn->text, "c.unimp", 7);
}

static void print_text(pass *p, const ztl_insn_line *insn)
{
    char name[ZTL_LINE_TEXT];
    size_t target = target_start(insn);
    if (ztl_line_is_ztl(insn))
        print_ztl(p, (uint32_t)insn->word);
    else if (is_raw(insn))
        print_raw(p, insn);
    else if (ztl_line_csr(p->revision, insn, name))
        ztl_line_print_csr(insn, name, p->out);
    else if (target)
        print_branch(p, insn, target);
    else
        ztl_buffer_part(p->out, insn->text, insn->length);
}

static void print_insn(pass *p, const ztl_insn_line *insn)
{
    bool is_short = insn->bytes == 2;
    if (has_place(&p->targets, p->section, insn->address))
        ztl_buffer_format(p->out, ".L%zu_%" PRIx64 ":\n", p->section, insn->address);
    if (p->insn_size == 0 || (p->insn_size == 2) != is_short)
        ztl_buffer_add(p->out, is_short ? "\t.option rvc\n" : "\t.option norvc\n");
    p->insn_size = insn->bytes;
    ztl_buffer_char(p->out, '\t');
    print_text(p, insn);
    ztl_buffer_char(p->out, '\n');
}

/* "  10:\t0000 8400 12     ....", how objdump shows data with a symbol of its own: in halves, the
 * low byte last. False for other lines. */
static bool print_data(pass *p, const char *line)
{
    static const char hex[] = "0123456789abcdef";
    const char *at = line + strspn(line, " ");
    size_t address = strspn(at, hex);
    if (address == 0 || strncmp(at + address, ":\t", 2) || !strspn(at + address + 2, hex))
        return false;
    const char *separator = "\t.byte ";
    at += address + 2;
    for (size_t digits; (digits = strspn(at, hex)) == 2 || digits == 4;) {
        unsigned half = (unsigned)strtoul(at, NULL, 16);
        ztl_buffer_format(p->out, "%s0x%02x", separator, half & 0xff);
        separator = ", ";
        if (digits == 4)
            ztl_buffer_format(p->out, ", 0x%02x", half >> 8);
        at += digits + (at[digits] == ' ');
    }
    ztl_buffer_char(p->out, '\n');
    return true;
}

/* "Disassembly of section .text:" as a directive, "0000 <main>:" and the rest as comments. */
static void print_heading(pass *p, const char *line)
{
    size_t length = strcspn(line, "\n");
    if (is_section_heading(line)) {
        p->section++;
        ztl_buffer_format(p->out, "\t.section %.*s, \"ax\", @progbits\n\t.option norelax\n",
                          (int)(length - 24), line + 23);
    } else if (length) {
        ztl_buffer_format(p->out, "# %.*s\n", (int)length, line);
    }
}

void ztl_dump_source(unsigned revision, const ztl_args *lines, ztl_buffer *out)
{
    pass p = {.revision = revision, .out = out};
    collect(&p, lines);
    for (size_t i = 0; i < lines->count; i++) {
        ztl_insn_line insn;
        if (ztl_line_parse(lines->item[i], &insn))
            print_insn(&p, &insn);
        else if (!print_data(&p, lines->item[i]))
            print_heading(&p, lines->item[i]);
    }
    free(p.targets.item);
    free(p.known.item);
}
