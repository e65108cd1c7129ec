/* SPDX-License-Identifier: Apache-2.0
 * From the file of ztl run to a program.
 */
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/run/run.h"
#include "codec/isa_part.h"
#include "host/line.h"
#include "host/process/temporary.h"
#include "sim/program/program.h"
#include "toolchain/compile/build.h"
#include "toolchain/compile/job.h"

enum { ISA_SIZE = 512 };

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

/* The compiler does not know every name that the hart takes, and takes no capitals. What only QEMU
 * has is passed on as it is. */
static const char *isa_for_compiler(const char *isa, char text[ISA_SIZE])
{
    ztl_hart_isa hart;
    ztl_error error;
    if (!ztl_hart_isa_parse(isa, &hart, &error))
        return isa;
    ztl_hart_isa_print(&hart, text, ISA_SIZE);
    return text;
}

static bool build_source(const run_options *options, char *path, size_t size)
{
    ztl_error error = {""};
    char isa[ISA_SIZE];
    const ztl_machine *machine = &options->machine;
    ztl_build_options build = {.isa = isa_for_compiler(machine->config.isa, isa),
                               .arguments = (const char *const *)options->build};
    if (machine->ram_count) {
        build.base = machine->ram[0].base;
        build.size = machine->ram[0].size;
    }
    if (!ztl_temporary_file(path, size, "")) {
        run_complain("temporary file: %s", strerror(errno));
        return false;
    }
    if (ztl_build_program(&build, path, &error))
        return true;
    ztl_temporary_remove(path);
    run_complain("%s", error.text);
    return false;
}

/* QEMU runs more than the simulator does: Linux programs, and floating-point registers. */
static bool is_for_qemu(const char *path)
{
    const uint64_t ram = 0x80000000; /* of QEMU's machine */
    ztl_error error;
    ztl_program *program = ztl_program_open_any(path, &error);
    bool runs = program && (ztl_program_is_linux(program) || ztl_program_entry(program) >= ram);
    ztl_program_close(program);
    return runs;
}

static ztl_program *open_file(const run_options *options, const char *path)
{
    ztl_error error = {""};
    ztl_program *program =
        options->engine ? ztl_program_open_any(path, &error) : ztl_program_open(path, &error);
    if (!program)
        run_complain("%s%s", error.text,
                     !options->engine && is_for_qemu(path) ? "; --engine qemu runs it" : "");
    return program;
}

/* The built file has no name any more when this returns. */
static ztl_program *open_source(const run_options *options)
{
    char path[4096];
    if (!build_source(options, path, sizeof path))
        return NULL;
    ztl_program *program = open_file(options, path);
    ztl_temporary_remove(path);
    return program;
}

static ztl_program *open_elf(run_options *options)
{
    ztl_program *program = open_file(options, options->file);
    if (program && !options->has_isa && ztl_program_xlen(program) == 32)
        options->machine.config.isa = ZTL_DEFAULT_ISA_32;
    return program;
}

ztl_program *run_open_program(run_options *options)
{
    return ztl_is_source(options->file) ? open_source(options) : open_elf(options);
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
        run_complain("%s %s: the program has no symbol '%s' (a static function may be inlined)",
                     option, text, name);
        return false;
    }
    *address = symbol.address + offset;
    return true;
}
