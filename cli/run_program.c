/* SPDX-License-Identifier: Apache-2.0
 * From the file of ztl run to a program.
 */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/run.h"
#include "codec/isa_part.h"
#include "sim/line.h"
#include "toolchain/build.h"
#include "toolchain/job.h"
#include "toolchain/temporary.h"

bool run_is_source(const char *file)
{
    return ztl_is_source(file);
}

bool run_is_part(const char *file)
{
    return ztl_is_source(file) || ztl_ends_with(file, ".o") || ztl_ends_with(file, ".a");
}

enum run_word run_compiler_option(const char *option)
{
    static const char *const refused[] = {"-march=", "-mabi=", "-mcpu="};
    static const char *const prefixes[] = {
        "-O",       "-D",       "-U",       "-I",         "-l",         "-L",    "-f",
        "-m",       "-W",       "-g",       "-std=",      "-w",         "-ansi", "-pedantic",
        "-include", "-imacros", "-isystem", "-iquote",    "-idirafter", "-T",    "-u",
        "-Xlinker", "-nostd",   "-nostart", "-nodefault", "-static",    "-x",    "-pipe"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (!strncmp(option, refused[i], strlen(refused[i])))
            return RUN_WORD_REFUSED;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (!strncmp(option, prefixes[i], strlen(prefixes[i])))
            return ztl_takes_value(option) ? RUN_WORD_WITH_VALUE : RUN_WORD_TAKEN;
    return RUN_WORD_UNKNOWN;
}

bool run_build_source(const run_options *options, char *path, size_t size)
{
    char error[RUN_ERROR] = "";
    const ztl_machine *machine = &options->machine;
    ztl_build_options build = {.isa = machine->config.isa,
                               .arguments = (const char *const *)options->build};
    if (machine->ram_count) {
        build.base = machine->ram[0].base;
        build.size = machine->ram[0].size;
    }
    if (!ztl_temporary_file(path, size, "")) {
        run_complain("temporary file: %s", strerror(errno));
        return false;
    }
    if (ztl_build_program(&build, path, error, sizeof error))
        return true;
    ztl_temporary_remove(path);
    run_complain("%s", error);
    return false;
}

/* The built file has no name any more when this returns. */
static ztl_program *open_source(const run_options *options)
{
    char path[4096], error[RUN_ERROR] = "";
    if (!run_build_source(options, path, sizeof path))
        return NULL;
    ztl_program *program = ztl_program_open(path, error, sizeof error);
    ztl_temporary_remove(path);
    if (!program)
        run_complain("%s", error);
    return program;
}

/* Whether what the simulator refuses runs under QEMU: a dynamic Linux program, or one with floats
 * in registers for the RAM of QEMU's machine. */
static bool is_for_qemu(const char *path)
{
    const uint64_t ram = 0x80000000;
    Elf64_Ehdr wide = {0};
    Elf32_Ehdr narrow;
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(&wide, 1, sizeof wide, file) : 0;
    if (file)
        fclose(file);
    if (size < sizeof wide || memcmp(wide.e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&narrow, &wide, sizeof narrow);
    bool rv32 = wide.e_ident[EI_CLASS] == ELFCLASS32;
    uint32_t flags = rv32 ? narrow.e_flags : wide.e_flags;
    uint64_t entry = rv32 ? narrow.e_entry : wide.e_entry;
    if (wide.e_machine != EM_RISCV || wide.e_ident[EI_DATA] != ELFDATA2LSB)
        return false;
    return (wide.e_type == ET_DYN && entry) ||
           (wide.e_type == ET_EXEC && entry >= ram && flags & EF_RISCV_FLOAT_ABI);
}

static ztl_program *open_elf(run_options *options)
{
    char error[RUN_ERROR];
    ztl_program *program = ztl_program_open(options->file, error, sizeof error);
    if (!program)
        run_complain("%s%s", error, is_for_qemu(options->file) ? "; --engine qemu runs it" : "");
    else if (!options->has_isa && ztl_program_xlen(program) == 32)
        options->machine.config.isa = ZTL_DEFAULT_ISA_32;
    return program;
}

ztl_program *run_open_program(run_options *options)
{
    return run_is_source(options->file) ? open_source(options) : open_elf(options);
}

bool run_find_place(const ztl_program *program, const char *option, const char *text,
                    uint64_t *address)
{
    char name[256];
    ztl_symbol symbol;
    uint64_t offset = 0;
    if (ztl_line_number(text, address))
        return true;
    const char *plus = strchr(text, '+');
    snprintf(name, sizeof name, "%.*s", plus ? (int)(plus - text) : (int)strlen(text), text);
    if (plus && !ztl_line_number(plus + 1, &offset)) {
        run_complain("%s %s: '%s' is not a number", option, text, plus + 1);
        return false;
    }
    if (!ztl_program_find(program, name, &symbol)) {
        run_complain("%s %s: the program has no symbol '%s'", option, text, name);
        return false;
    }
    *address = symbol.address + offset;
    return true;
}
