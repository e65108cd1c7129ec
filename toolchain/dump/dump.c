/* SPDX-License-Identifier: Apache-2.0
 * Running objdump, and replacing its lines of Ztl words by our decoder's.
 */
#include "toolchain/dump/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/error.h"
#include "toolchain/dump/line.h"
#include "toolchain/dump/source.h"
#include "toolchain/note.h"

static const char *machine_name(unsigned machine)
{
    static const struct {
        unsigned number;
        const char *name;
    } known[] = {{EM_386, "i386"},
                 {EM_MIPS, "MIPS"},
                 {EM_PPC, "PowerPC"},
                 {EM_PPC64, "PowerPC64"},
                 {EM_ARM, "Arm"},
                 {EM_X86_64, "x86-64"},
                 {EM_AARCH64, "AArch64"},
                 {EM_S390, "S390"},
                 {EM_SPARC, "SPARC"},
                 {EM_BPF, "BPF"},
                 {EM_LOONGARCH, "LoongArch"},
                 {EM_SPARCV9, "SPARC V9"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == machine)
            return known[i].name;
    return NULL;
}

static bool wrong_machine(const char *path, unsigned machine, ztl_error *error)
{
    const char *name = machine_name(machine);
    if (name)
        return ztl_fail(error, "%s: an object of %s, not of RISC-V", path, name);
    return ztl_fail(error, "%s: an object of machine %u, not of RISC-V (%d)", path, machine,
                    EM_RISCV);
}

static bool check_kind(const char *path, Elf *elf, ztl_error *error)
{
    GElf_Ehdr header;
    Elf_Kind kind = elf ? elf_kind(elf) : ELF_K_NONE;
    if (kind == ELF_K_AR)
        return true;
    if (kind != ELF_K_ELF || !gelf_getehdr(elf, &header))
        return ztl_fail(error, "%s: neither an ELF file nor an archive", path);
    return header.e_machine == EM_RISCV || wrong_machine(path, header.e_machine, error);
}

/* A RISC-V ELF file by its header, or an archive, which objdump judges. */
static bool check_file(const char *path, ztl_error *error)
{
    char first;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && pread(file, &first, 1, 0) >= 0;
    if (!good) {
        ztl_fail(error, "%s: %s", path, strerror(errno));
    } else {
        elf_version(EV_CURRENT);
        Elf *elf = elf_begin(file, ELF_C_READ, NULL);
        good = check_kind(path, elf, error);
        elf_end(elf);
    }
    if (file >= 0)
        close(file);
    return good;
}

static void build_command(const ztl_dump *dump, const char *path, ztl_args *command)
{
    const char *chosen = getenv("ZTL_OBJDUMP");
    bool linux_only = !ztl_program_exists("riscv64-unknown-elf-objdump") &&
                      ztl_program_exists("riscv64-linux-gnu-objdump");
    if (chosen && *chosen)
        ztl_args_add(command, chosen);
    else
        ztl_args_add(command,
                     linux_only ? "riscv64-linux-gnu-objdump" : "riscv64-unknown-elf-objdump");
    ztl_args_add(command, "-d");
    if (dump->assembly) {
        ztl_args_add(command, "-z");
        ztl_args_add(command, "-Mno-aliases");
    } else if (dump->source) {
        ztl_args_add(command, "-S");
        ztl_args_add(command, "-l");
    }
    for (size_t i = 0; i < dump->option.count; i++)
        ztl_args_add(command, dump->option.item[i]);
    ztl_args_add(command, path);
}

static void print_listing(const ztl_dump *dump, const ztl_args *lines, ztl_buffer *out)
{
    for (size_t i = 0; i < lines->count; i++)
        ztl_line_print(dump->revision, lines->item[i], out);
}

/* False when memory ran out or the output could not be written. */
static bool filter(const ztl_dump *dump, FILE *in, FILE *out)
{
    char *line = NULL;
    size_t capacity = 0;
    ztl_args lines = {0};
    ztl_buffer text = {0};
    while (getline(&line, &capacity, in) >= 0)
        ztl_args_add(&lines, line);
    if (dump->assembly)
        ztl_dump_source(dump->revision, &lines, &text);
    else
        print_listing(dump, &lines, &text);
    bool ok = !text.failed && fwrite(ztl_buffer_text(&text), 1, text.length, out) == text.length;
    ztl_args_free(&lines);
    ztl_buffer_free(&text);
    free(line);
    return ok;
}

bool ztl_dump_file(const ztl_dump *dump, const char *path, FILE *out, ztl_error *error)
{
    ztl_args command = {0};
    pid_t child;
    error->text[0] = '\0';
    if (!check_file(path, error))
        return false;
    ztl_dump known = *dump; /* the options are still the caller's */
    if (!known.revision)
        known.revision = ztl_note_revision(path) == 1 ? 1 : 2;
    build_command(dump, path, &command);
    FILE *in = ztl_process_read(&command, &child);
    if (in) {
        bool printed = filter(&known, in, out);
        if (ztl_process_close(in, child) != 0)
            ztl_fail(error, "%s: objdump could not read it", path);
        else if (!printed)
            ztl_fail(error, "%s: the listing could not be written", path);
    } else {
        ztl_program_missing(command.item[0], error);
    }
    ztl_args_free(&command);
    return !*error->text;
}

void ztl_dump_free(ztl_dump *dump)
{
    ztl_args_free(&dump->option);
}
