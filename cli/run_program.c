/* SPDX-License-Identifier: Apache-2.0
 * From the file of ztl run to a program.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/run.h"
#include "sim/line.h"
#include "toolchain/build.h"
#include "toolchain/temporary.h"

bool run_is_source(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && (!strcmp(dot, ".s") || !strcmp(dot, ".S") || !strcmp(dot, ".c"));
}

bool run_build_source(const run_options *options, char *path, size_t size)
{
    char error[RUN_ERROR] = "";
    const ztl_machine *machine = &options->machine;
    ztl_build_options build = {.isa = machine->config.isa};
    if (machine->ram_count) {
        build.base = machine->ram[0].base;
        build.size = machine->ram[0].size;
    }
    if (!ztl_temporary_file(path, size, "")) {
        run_complain("temporary file: %s", strerror(errno));
        return false;
    }
    if (ztl_build_program(&build, options->file, path, error, sizeof error))
        return true;
    ztl_temporary_remove(path);
    run_complain("%s", error);
    return false;
}

/* The built file has no name any more when this returns. */
static ztl_program *open_source(run_options *options)
{
    char path[4096], error[RUN_ERROR] = "";
    if (!run_build_source(options, path, sizeof path))
        return NULL;
    ztl_program *program = ztl_program_open(path, error, sizeof error);
    if (program && options->timeline)
        options->lines = ztl_lines_open(path);
    ztl_temporary_remove(path);
    if (!program)
        run_complain("%s", error);
    return program;
}

static ztl_program *open_elf(run_options *options)
{
    char error[RUN_ERROR];
    ztl_program *program = ztl_program_open(options->file, error, sizeof error);
    if (program && options->timeline)
        options->lines = ztl_lines_open(options->file);
    if (!program)
        run_complain("%s", error);
    else if (!options->has_isa && ztl_program_xlen(program) == 32)
        options->machine.config.isa = "rv32imac_zicsr_zifencei_zba_zbb_ztl";
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
