/* SPDX-License-Identifier: Apache-2.0
 * Writing the note of Ztl 1 as assembly, and reading it from an object.
 */
#include "toolchain/note.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#define SECTION ".note.ztl"
#define OWNER   "Ztl"
enum { TYPE_REVISION = 1, DESCRIPTION_SIZE = 4 };

void ztl_note_print(unsigned revision, ztl_buffer *out)
{
    ztl_buffer_format(out,
                      ".pushsection " SECTION ",\"\",%%note; .balign 4; .4byte %zu, %d, %d; "
                      ".asciz \"" OWNER "\"; .4byte %u; .popsection\n",
                      sizeof OWNER, DESCRIPTION_SIZE, TYPE_REVISION, revision);
}

static unsigned revision_in(Elf_Data *data)
{
    GElf_Nhdr note;
    size_t name, description, next;
    for (size_t at = 0; (next = gelf_getnote(data, at, &note, &name, &description)); at = next) {
        const uint8_t *bytes = data->d_buf;
        if (note.n_type == TYPE_REVISION && note.n_namesz == sizeof OWNER &&
            note.n_descsz == DESCRIPTION_SIZE && !memcmp(bytes + name, OWNER, sizeof OWNER))
            return bytes[description]; /* RISC-V is little-endian */
    }
    return 0;
}

static unsigned revision_of(Elf *elf)
{
    size_t names;
    Elf_Scn *section = NULL;
    if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names))
        return 0;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        Elf_Data *data = name && !strcmp(name, SECTION) ? elf_getdata(section, NULL) : NULL;
        if (data && data->d_buf)
            return revision_in(data);
    }
    return 0;
}

unsigned ztl_note_revision(const char *path)
{
    unsigned revision = 0;
    elf_version(EV_CURRENT);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *all = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL), *member;
    bool archive = all && elf_kind(all) == ELF_K_AR;
    if (all && !archive)
        revision = revision_of(all);
    for (Elf_Cmd command = ELF_C_READ;
         archive && !revision && (member = elf_begin(file, command, all));) {
        revision = revision_of(member);
        command = elf_next(member);
        elf_end(member);
    }
    elf_end(all);
    if (file >= 0)
        close(file);
    return revision == 1 || revision == 2 ? revision : 0;
}
