/* SPDX-License-Identifier: Apache-2.0
 * The symbols of a program: by name, and by address.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/demangle/demangle.h"
#include "host/text.h"
#include "sim/program/program.h"

/* Compilers and assemblers leave marks such as $x and .L4 that name nothing. */
static bool is_mark(const char *name)
{
    return !*name || *name == '$' || (name[0] == '.' && name[1] == 'L');
}

static bool is_wanted(const GElf_Sym *symbol)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF &&
           (type == STT_NOTYPE || type == STT_FUNC || type == STT_OBJECT);
}

/* Functions and objects before labels, global before local. */
static unsigned char rank_of(const GElf_Sym *symbol)
{
    bool is_typed = GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE;
    bool is_global = GELF_ST_BIND(symbol->st_info) != STB_LOCAL;
    return (unsigned char)(2 * is_typed + is_global);
}

/* Places before numbers. Names decide last, and only by their beginnings: long ones may be many. */
static int by_address(const void *first, const void *second)
{
    enum { BEGINNING = 64 };
    const ztl_symbol_entry *a = first, *b = second;
    if (a->is_absolute != b->is_absolute)
        return a->is_absolute - b->is_absolute;
    if (a->symbol.address != b->symbol.address)
        return a->symbol.address < b->symbol.address ? -1 : 1;
    return a->rank != b->rank ? (int)a->rank - b->rank
                              : strncmp(a->symbol.name, b->symbol.name, BEGINNING);
}

/* A symbol table under way. */
typedef struct ztl_table {
    Elf_Data *symbols;
    size_t count;
    const Elf_Data *names;
    size_t names_end; /* one past the last name that is terminated */
} ztl_table;

/* How many bytes of the names end in a NUL, so that a name that starts in them ends in them. */
static size_t end_of_names(const Elf_Data *names)
{
    size_t end = names->d_size;
    const char *bytes = names->d_buf;
    while (end && bytes[end - 1])
        end--;
    return end;
}

/* The symbols that are wanted; their names stay offsets until all are copied, once. */
static bool read_symbols(ztl_program *program, const ztl_table *table,
                         const ztl_complaint *complaint)
{
    for (size_t i = 0; i < table->count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(table->symbols, (int)i, &symbol))
            return ztl_complain(complaint, "symbol %zu is damaged", i);
        if (!is_wanted(&symbol))
            continue;
        if (symbol.st_name >= table->names_end)
            return ztl_complain(complaint, "symbol %zu is damaged", i);
        const char *name = program->names + symbol.st_name;
        if (is_mark(name))
            continue;
        bool is_absolute = symbol.st_shndx == SHN_ABS;
        program->place_count += !is_absolute;
        program->symbol[program->symbol_count++] = (ztl_symbol_entry){
            .symbol = {name, symbol.st_value + (is_absolute ? 0 : program->base), symbol.st_size},
            .is_absolute = is_absolute,
            .rank = rank_of(&symbol)};
    }
    return true;
}

/* Names share their bytes as in the file, however many symbols have the same. */
static bool read_table(ztl_program *program, const ztl_table *table, const ztl_complaint *complaint)
{
    program->symbol = calloc(table->count + 1, sizeof *program->symbol);
    program->names = malloc(table->names_end + 1);
    if (!program->symbol || !program->names)
        return ztl_complain(complaint, "no memory for %zu symbols", table->count);
    memcpy(program->names, table->names->d_buf, table->names_end);
    if (!read_symbols(program, table, complaint))
        return false;
    qsort(program->symbol, program->symbol_count, sizeof *program->symbol, by_address);
    return true;
}

/* libelf reads a file whose section headers are cut off as one that has none. */
static bool check_sections(Elf *elf, uint64_t file_size, const ztl_complaint *complaint)
{
    GElf_Ehdr header;
    size_t count, entry = gelf_fsize(elf, ELF_T_SHDR, 1, EV_CURRENT);
    if (!gelf_getehdr(elf, &header) || elf_getshdrnum(elf, &count))
        return ztl_complain(complaint, "section headers cannot be read: %s", elf_errmsg(-1));
    if (!header.e_shoff)
        return true;
    if (header.e_shoff > file_size || header.e_shnum > (file_size - header.e_shoff) / entry ||
        count < header.e_shnum)
        return ztl_complain(complaint, "%u section headers leave the file; is it cut short?",
                            header.e_shnum);
    return true;
}

/* The section of the names. Nothing is read that would take more memory than this. */
static bool find_names(Elf *elf, const GElf_Shdr *symbols, Elf_Scn **section,
                       const ztl_complaint *complaint)
{
    enum { MOST = 256 << 20 };
    GElf_Shdr names;
    *section = elf_getscn(elf, symbols->sh_link);
    if (!*section || !gelf_getshdr(*section, &names) || names.sh_type != SHT_STRTAB)
        return ztl_complain(complaint, "the symbol table is damaged");
    if (symbols->sh_size > MOST || names.sh_size > MOST)
        return ztl_complain(complaint,
                            "the symbol table has %" PRIu64 " bytes and %" PRIu64
                            " of names, must be at most %d each",
                            symbols->sh_size, names.sh_size, MOST);
    return true;
}

bool ztl_program_read_symbols(ztl_program *program, Elf *elf, uint64_t file_size,
                              const ztl_complaint *complaint)
{
    if (!check_sections(elf, file_size, complaint))
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            return ztl_complain(complaint, "section %zu is damaged: %s", elf_ndxscn(section),
                                elf_errmsg(-1));
        if (header.sh_type != SHT_SYMTAB || !header.sh_size)
            continue;
        Elf_Scn *names_section;
        if (!find_names(elf, &header, &names_section, complaint))
            return false;
        Elf_Data *data = elf_getdata(section, NULL), *names = elf_getdata(names_section, NULL);
        size_t entry = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
        if (!data || !data->d_buf || !names || !names->d_buf || header.sh_entsize != entry)
            return ztl_complain(complaint, "the symbol table is damaged");
        ztl_table table = {data, data->d_size / entry, names, end_of_names(names)};
        return read_table(program, &table, complaint); /* a file has one at most */
    }
    return true;
}

bool ztl_program_find(const ztl_program *program, const char *name, ztl_symbol *symbol)
{
    const ztl_symbol_entry *best = NULL;
    for (size_t i = 0; i < program->symbol_count; i++) {
        const ztl_symbol_entry *entry = &program->symbol[i];
        if (!strcmp(entry->symbol.name, name) && (!best || entry->rank > best->rank))
            best = entry;
    }
    if (best)
        *symbol = best->symbol;
    return best != NULL;
}

/* How many places have an address at or before this one. */
static size_t count_up_to(const ztl_program *program, uint64_t address)
{
    size_t low = 0, high = program->place_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (program->symbol[middle].symbol.address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ztl_program_locate(const ztl_program *program, uint64_t address, ztl_symbol *symbol)
{
    const ztl_segment *segment = ztl_program_segment_at(program, address);
    size_t count = count_up_to(program, address);
    if (!segment || !count)
        return false;
    *symbol = program->symbol[count - 1].symbol;
    return ztl_program_segment_at(program, symbol->address) == segment;
}

size_t ztl_program_describe(const ztl_program *program, uint64_t address, char *text, size_t size)
{
    enum { LONGEST = 1024 };
    ztl_symbol symbol;
    if (size)
        *text = '\0';
    if (!program || !ztl_program_locate(program, address, &symbol))
        return 0;
    char name[LONGEST], written[LONGEST];
    ztl_demangle(symbol.name, written, sizeof written);
    ztl_safe_text(name, sizeof name, written);
    uint64_t offset = address - symbol.address;
    int length = offset ? snprintf(text, size, "%s+0x%" PRIx64, name, offset)
                        : snprintf(text, size, "%s", name);
    return length > 0 ? (size_t)length : 0;
}
