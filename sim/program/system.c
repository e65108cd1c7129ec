/* SPDX-License-Identifier: Apache-2.0
 * Which system a program was linked for: Linux, or none. No single mark is in every program of
 * Linux, and so any of several will do.
 */
#include <string.h>

#include "sim/program/program.h"

/* GNU's note that names the system a program was linked for, wherever it is among others. */
static bool has_system_note(Elf *elf, int64_t offset, uint64_t size, uint64_t alignment)
{
    Elf_Data *notes =
        elf_getdata_rawchunk(elf, offset, size, alignment == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
    GElf_Nhdr note;
    size_t name, description;
    for (size_t at = 0; notes && (at = gelf_getnote(notes, at, &note, &name, &description));)
        if (note.n_type == NT_GNU_ABI_TAG && note.n_namesz == sizeof ELF_NOTE_GNU &&
            !memcmp((const char *)notes->d_buf + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU))
            return true;
    return false;
}

static bool has_noted_section(Elf *elf)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE &&
            has_system_note(elf, (int64_t)header.sh_offset, header.sh_size, header.sh_addralign))
            return true;
    }
    return false;
}

/* What the dynamic section says: a program, and no library that it needs. */
static bool is_static_pie(Elf *elf, const GElf_Phdr *segment)
{
    Elf_Data *data =
        elf_getdata_rawchunk(elf, (int64_t)segment->p_offset, segment->p_filesz, ELF_T_DYN);
    GElf_Dyn entry;
    bool is_program = false;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
        if (entry.d_tag == DT_NEEDED)
            return false;
        is_program |= entry.d_tag == DT_FLAGS_1 && entry.d_un.d_val & DF_1_PIE;
    }
    return is_program;
}

bool ztl_program_moves_itself(Elf *elf)
{
    GElf_Ehdr header;
    GElf_Phdr segment;
    bool moves = false;
    if (!gelf_getehdr(elf, &header))
        return false;
    for (int i = 0; i < header.e_phnum && gelf_getphdr(elf, i, &segment); i++) {
        if (segment.p_type == PT_INTERP)
            return false;
        moves |= segment.p_type == PT_DYNAMIC && is_static_pie(elf, &segment);
    }
    return moves;
}

/* The default of Linux's linkers: the file from its header on is at PLACE, or at the start of a
 * position-independent program. A header for the stack or for notes makes it one of Linux:
 * bare-metal linkers lay out the same, and write neither. */
enum { PLACE = 0x10000 };

static bool is_laid_out(const ztl_program *program, uint64_t base)
{
    const ztl_segment *first = &program->segment[0];
    ztl_symbol tohost;
    return first->virtual == base && first->offset == 0 &&
           !ztl_program_find(program, "tohost", &tohost);
}

bool ztl_program_may_be_linux(const ztl_program *program)
{
    return is_laid_out(program, PLACE);
}

bool ztl_program_read_system(ztl_program *program, Elf *elf)
{
    GElf_Ehdr header;
    GElf_Phdr segment;
    ztl_symbol start;
    bool has_header = false;
    if (!gelf_getehdr(elf, &header))
        return false;
    if (header.e_ident[EI_OSABI] == ELFOSABI_GNU)
        return true;
    for (int i = 0; i < header.e_phnum && gelf_getphdr(elf, i, &segment); i++) {
        has_header |= segment.p_type == PT_GNU_STACK || segment.p_type == PT_NOTE;
        if (segment.p_type == PT_INTERP ||
            (segment.p_type == PT_NOTE &&
             has_system_note(elf, (int64_t)segment.p_offset, segment.p_filesz, segment.p_align)))
            return true;
    }
    return ztl_program_find(program, "__libc_start_main", &start) || has_noted_section(elf) ||
           (has_header && is_laid_out(program, header.e_type == ET_DYN ? program->base : PLACE));
}
