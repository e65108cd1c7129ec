/* SPDX-License-Identifier: Apache-2.0
 * Opens an ELF file with libelf and refuses what the hart cannot run.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/error.h"
#include "sim/program/program.h"

bool ztl_complain(const ztl_complaint *complaint, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return ztl_fail(complaint->error, "%s: %s", complaint->path, message);
}

static const char *machine_name(unsigned machine)
{
    switch (machine) {
    case EM_386:
        return "x86";
    case EM_X86_64:
        return "x86-64";
    case EM_ARM:
        return "Arm";
    case EM_AARCH64:
        return "AArch64";
    case EM_MIPS:
        return "MIPS";
    case EM_PPC64:
        return "PowerPC";
    default:
        return "another architecture";
    }
}

static bool check_machine(const GElf_Ehdr *header, const ztl_complaint *complaint)
{
    if (header->e_machine != EM_RISCV)
        return ztl_complain(complaint, "is for %s (machine %u), not for RISC-V",
                            machine_name(header->e_machine), header->e_machine);
    if (header->e_ident[EI_DATA] != ELFDATA2LSB)
        return ztl_complain(complaint, "is big-endian; the hart is little-endian");
    if (header->e_flags & EF_RISCV_RVE)
        return ztl_complain(complaint, "is built for RV32E, of 16 registers; build it for RV32I");
    return true;
}

static bool refuse_shared(const ztl_complaint *complaint)
{
    return ztl_complain(complaint, "is a shared object or a position-independent program; "
                                   "link it with -static -no-pie");
}

static bool check_kind(const ztl_program *program, const GElf_Ehdr *header,
                       const ztl_complaint *complaint)
{
    if (header->e_type == ET_DYN && !header->e_entry)
        return ztl_complain(complaint, "is a shared library; programs are run");
    if (header->e_type == ET_DYN && (program->is_open_to_all || program->base))
        return true;
    switch (header->e_type) {
    case ET_EXEC:
        return true;
    case ET_REL:
        return ztl_complain(complaint, "is an object file; link it first");
    case ET_DYN:
        return refuse_shared(complaint);
    default:
        return ztl_complain(complaint, "is no executable (ELF type %u)", header->e_type);
    }
}

/* Not even the beginning of an ELF file. */
static bool is_foreign(const ztl_program *program)
{
    char start[SELFMAG];
    return pread(program->file, start, SELFMAG, 0) != SELFMAG || memcmp(start, ELFMAG, SELFMAG);
}

/* libelf makes room for everything that a header counts, so absurd counts end here: those of 16
 * bits that refer to a larger one elsewhere. */
static bool check_counts(const ztl_program *program, const ztl_complaint *complaint)
{
    union {
        unsigned char ident[EI_NIDENT];
        Elf32_Ehdr small;
        Elf64_Ehdr large;
    } header = {0};
    if (pread(program->file, &header, sizeof header, 0) < 0)
        return ztl_complain(complaint, "%s", strerror(errno));
    bool is_large = header.ident[EI_CLASS] == ELFCLASS64;
    unsigned segments = is_large ? header.large.e_phnum : header.small.e_phnum;
    unsigned sections = is_large ? header.large.e_shnum : header.small.e_shnum;
    bool has_sections = is_large ? header.large.e_shoff != 0 : header.small.e_shoff != 0;
    if (segments == PN_XNUM || (has_sections && !sections))
        return ztl_complain(complaint, "has more segments or sections than can be");
    return true;
}

/* Where position-independent programs are put: about where Linux puts the first, and in the lower
 * half of the address space. */
static const uint64_t BASE_64 = UINT64_C(0x2aaaa00000), BASE_32 = 0x10000;

static bool read_header(ztl_program *program, Elf *elf, uint64_t size,
                        const ztl_complaint *complaint)
{
    GElf_Ehdr header;
    if (elf_kind(elf) == ELF_K_AR)
        return ztl_complain(complaint, "is an archive, not a program");
    if (is_foreign(program))
        return ztl_complain(complaint, "is not an ELF file");
    if (!gelf_getehdr(elf, &header))
        return ztl_complain(complaint, "has no ELF header in its %llu bytes; is it cut short?",
                            (unsigned long long)size);
    program->xlen = gelf_getclass(elf) == ELFCLASS32 ? 32 : 64;
    if (header.e_type == ET_DYN && !program->is_open_to_all && ztl_program_moves_itself(elf))
        program->base = program->xlen == 64 ? BASE_64 : BASE_32;
    program->entry = header.e_entry + program->base;
    program->headers = header.e_phoff;
    program->header_count = header.e_phnum;
    return check_machine(&header, complaint) && check_kind(program, &header, complaint);
}

static bool read_elf(ztl_program *program, Elf *elf, uint64_t size, const ztl_complaint *complaint)
{
    if (!read_header(program, elf, size, complaint) ||
        !ztl_program_read_segments(program, elf, size, complaint) ||
        !ztl_program_read_symbols(program, elf, size, complaint))
        return false;
    program->is_linux = ztl_program_read_system(program, elf);
    return program->is_linux || !program->base || refuse_shared(complaint);
}

static bool open_file(ztl_program *program, uint64_t *size, const ztl_complaint *complaint)
{
    /* Without O_NONBLOCK the open of a pipe would wait for its writer. */
    program->file = open(program->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (program->file < 0 || fstat(program->file, &status))
        return ztl_complain(complaint, "%s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return ztl_complain(complaint, "is not a regular file");
    *size = (uint64_t)status.st_size;
    return true;
}

static bool read_program(ztl_program *program, const ztl_complaint *complaint)
{
    uint64_t size = 0;
    if (!open_file(program, &size, complaint))
        return false;
    if (!is_foreign(program) && !check_counts(program, complaint))
        return false;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(program->file, ELF_C_READ, NULL);
    if (!elf)
        return ztl_complain(complaint, "%s", elf_errmsg(-1));
    bool ok = read_elf(program, elf, size, complaint);
    elf_end(elf);
    return ok;
}

static ztl_program *open_program(const char *path, bool is_open_to_all, ztl_error *error)
{
    ztl_complaint complaint = {path, error};
    ztl_program *program = calloc(1, sizeof *program);
    if (program) {
        program->file = -1;
        program->is_open_to_all = is_open_to_all;
    }
    if (!program || !(program->path = strdup(path))) {
        ztl_complain(&complaint, "no memory");
        ztl_program_close(program);
        return NULL;
    }
    if (!read_program(program, &complaint)) {
        ztl_program_close(program);
        return NULL;
    }
    return program;
}

ztl_program *ztl_program_open(const char *path, ztl_error *error)
{
    return open_program(path, false, error);
}

ztl_program *ztl_program_open_any(const char *path, ztl_error *error)
{
    return open_program(path, true, error);
}

bool ztl_program_is_linux(const ztl_program *program)
{
    return program->is_linux;
}

void ztl_program_close(ztl_program *program)
{
    if (!program)
        return;
    if (program->file >= 0)
        close(program->file);
    free(program->path);
    free(program->segment);
    free(program->symbol);
    free(program->names);
    free(program);
}

unsigned ztl_program_xlen(const ztl_program *program)
{
    return program->xlen;
}

uint64_t ztl_program_entry(const ztl_program *program)
{
    return program->entry;
}
