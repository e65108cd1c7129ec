/* SPDX-License-Identifier: Apache-2.0
 * The symbols of a program: by name, and by address.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int by_address(const void *first, const void *second)
{
    const ztl_symbol_entry *a = first, *b = second;
    if (a->symbol.address != b->symbol.address)
        return a->symbol.address < b->symbol.address ? -1 : 1;
    return a->rank != b->rank ? (int)a->rank - b->rank : strcmp(a->symbol.name, b->symbol.name);
}

/* A symbol table under way: counted first, then copied. */
typedef struct ztl_table {
    Elf *elf;
    Elf_Data *data;
    size_t strings; /* the section of the names */
    size_t count;
} ztl_table;

/* The index-th symbol and its name; NULL when it cannot be read or is not wanted. */
static const char *symbol_at(const ztl_table *table, size_t index, GElf_Sym *symbol, bool *damaged)
{
    *damaged = !gelf_getsym(table->data, (int)index, symbol);
    if (*damaged || !is_wanted(symbol))
        return NULL;
    const char *name = elf_strptr(table->elf, table->strings, symbol->st_name);
    *damaged = !name;
    return name && !is_mark(name) ? name : NULL;
}

static bool measure(const ztl_table *table, size_t *symbols, size_t *bytes,
                    const ztl_complaint *complaint)
{
    for (size_t i = 0; i < table->count; i++) {
        GElf_Sym symbol;
        bool damaged;
        const char *name = symbol_at(table, i, &symbol, &damaged);
        if (damaged)
            return ztl_complain(complaint, "symbol %zu is damaged", i);
        if (name) {
            *symbols += 1;
            *bytes += strlen(name) + 1;
            if (*bytes > UINT32_MAX) /* names may share their bytes in the file */
                return ztl_complain(complaint, "has symbol names of more than 4 GiB");
        }
    }
    return true;
}

static void copy(ztl_program *program, const ztl_table *table, char *names)
{
    for (size_t i = 0; i < table->count; i++) {
        GElf_Sym symbol;
        bool damaged;
        const char *name = symbol_at(table, i, &symbol, &damaged);
        if (!name)
            continue;
        size_t size = strlen(name) + 1;
        memcpy(names, name, size);
        program->symbol[program->symbol_count++] =
            (ztl_symbol_entry){.symbol = {names, symbol.st_value, symbol.st_size},
                               .is_absolute = symbol.st_shndx == SHN_ABS,
                               .rank = rank_of(&symbol)};
        names += size;
    }
}

static bool read_table(ztl_program *program, const ztl_table *table, const ztl_complaint *complaint)
{
    size_t symbols = 0, bytes = 0;
    if (!measure(table, &symbols, &bytes, complaint))
        return false;
    program->symbol = calloc(symbols + 1, sizeof *program->symbol);
    program->names = malloc(bytes + 1);
    if (!program->symbol || !program->names)
        return ztl_complain(complaint, "no memory for %zu symbols", symbols);
    copy(program, table, program->names);
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

/* Nothing is read that would take more memory than this. */
static bool check_size(Elf *elf, const GElf_Shdr *symbols, const ztl_complaint *complaint)
{
    enum { MOST = 256 << 20 };
    GElf_Shdr names;
    Elf_Scn *section = elf_getscn(elf, symbols->sh_link);
    if (!section || !gelf_getshdr(section, &names))
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
        if (!check_size(elf, &header, complaint))
            return false;
        Elf_Data *data = elf_getdata(section, NULL);
        size_t entry = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
        if (!data || !data->d_buf || header.sh_entsize != entry)
            return ztl_complain(complaint, "the symbol table is damaged");
        ztl_table table = {elf, data, header.sh_link, data->d_size / entry};
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

/* How many symbols have an address at or before this one. */
static size_t count_up_to(const ztl_program *program, uint64_t address)
{
    size_t low = 0, high = program->symbol_count;
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
    if (!segment)
        return false;
    for (size_t i = count_up_to(program, address); i-- > 0;) {
        const ztl_symbol_entry *entry = &program->symbol[i];
        if (ztl_program_segment_at(program, entry->symbol.address) != segment)
            return false;
        if (!entry->is_absolute) {
            *symbol = entry->symbol;
            return true;
        }
    }
    return false;
}

size_t ztl_program_describe(const ztl_program *program, uint64_t address, char *text, size_t size)
{
    ztl_symbol symbol;
    if (size)
        *text = '\0';
    if (!program || !ztl_program_locate(program, address, &symbol))
        return 0;
    uint64_t offset = address - symbol.address;
    int length = offset ? snprintf(text, size, "%s+0x%" PRIx64, symbol.name, offset)
                        : snprintf(text, size, "%s", symbol.name);
    return length > 0 ? (size_t)length : 0;
}
