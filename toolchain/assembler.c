/* SPDX-License-Identifier: Apache-2.0
 * Running preprocessor, rewriter and assembler one after the other.
 */
#include "toolchain/assembler.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/process/temporary.h"
#include "toolchain/hint.h"
#include "toolchain/march.h"
#include "toolchain/rewrite/rewrite.h"
#include "host/error.h"

/* The tool that belongs to a gcc: riscv64-linux-gnu-gcc-12 has riscv64-linux-gnu-as. */
static bool sibling_tool(const char *gcc, const char *tool, char *program, size_t size)
{
    static const char *const drivers[] = {"gcc", "g++", "c++", "cc"};
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        const char *slash = strrchr(gcc, '/');
        const char *base = slash ? slash + 1 : gcc;
        const char *at = strstr(base, drivers[i]);
        if (!at || at == base || at[-1] != '-')
            continue;
        snprintf(program, size, "%.*s%s", (int)(at - gcc), gcc, tool);
        return ztl_program_exists(program);
    }
    return false;
}

void ztl_assembler_program(char *program, size_t size)
{
    const char *chosen = getenv("ZTL_AS");
    const char *gcc = getenv("COLLECT_GCC");
    if (chosen && *chosen) {
        snprintf(program, size, "%s", chosen);
        return;
    }
    if (gcc && sibling_tool(gcc, "as", program, size))
        return;
    bool linux_only =
        !ztl_program_exists("riscv64-unknown-elf-as") && ztl_program_exists("riscv64-linux-gnu-as");
    snprintf(program, size, "%s", linux_only ? "riscv64-linux-gnu-as" : "riscv64-unknown-elf-as");
}

static void start_clang(ztl_args *command, const char *march)
{
    ztl_args_add(command, "clang");
    ztl_args_format(command, "--target=riscv%s-unknown-elf",
                    !strncmp(march, "rv32", 4) ? "32" : "64");
}

/* Runs a command; a program that is not there becomes a message. */
static int run(const ztl_args *command, ztl_error *error)
{
    int status = ztl_process_run(command);
    if (status >= 0)
        return status;
    ztl_program_missing(command->item[0], error);
    return 1;
}

static const char *gnu_preprocessor(void)
{
    bool linux_only = !ztl_program_exists("riscv64-unknown-elf-gcc") &&
                      ztl_program_exists("riscv64-linux-gnu-gcc");
    return linux_only ? "riscv64-linux-gnu-gcc" : "riscv64-unknown-elf-gcc";
}

static int preprocess(const ztl_assembler *a, const ztl_march *march, const char *input,
                      const char *output, ztl_error *error)
{
    ztl_args command = {0};
    if (a->clang)
        start_clang(&command, march->base);
    else
        ztl_args_add(&command, gnu_preprocessor());
    if (*march->base)
        ztl_args_format(&command, "-march=%s", a->clang ? march->llvm : march->base);
    if (*march->base && !a->clang)
        ztl_args_format(&command, "-mabi=%s", ztl_march_abi(march->base));
    for (size_t i = 0; i < a->include_dirs.count; i++)
        ztl_args_format(&command, "-I%s", a->include_dirs.item[i]);
    if (a->revision == 1)
        ztl_args_add(&command, "-DZTL_REVISION=1");
    for (size_t i = 0; i < a->define.count; i++)
        ztl_args_add(&command, a->define.item[i]);
    const char *const rest[] = {"-E", "-x", "assembler-with-cpp", input, "-o", output};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        ztl_args_add(&command, rest[i]);
    int status = run(&command, error);
    ztl_args_free(&command);
    return status;
}

/* Reads one input and hands it to the rewriter. */
static int rewrite_file(const ztl_assembler *a, ztl_rewriter *r, const char *path, ztl_error *error)
{
    ztl_buffer text = {0};
    const char *name = a->name ? a->name : !strcmp(path, "-") ? "{standard input}" : path;
    bool ok = ztl_buffer_read(&text, path);
    if (ok)
        ztl_rewrite_text(r, name, ztl_buffer_text(&text), text.length);
    else
        ztl_fail(error, "%s: %s", path, strerror(errno));
    ztl_buffer_free(&text);
    return ok ? 0 : 1;
}

static bool is_preprocessed(const char *path)
{
    return ztl_ends_with(path, ".S") || ztl_ends_with(path, ".sx");
}

static int take_input(const ztl_assembler *a, const ztl_march *march, ztl_rewriter *r,
                      const char *path, ztl_error *error)
{
    char expanded[PATH_MAX];
    if (!is_preprocessed(path))
        return rewrite_file(a, r, path, error);
    if (access(path, R_OK) || !ztl_temporary_file(expanded, sizeof expanded, ".s")) {
        ztl_fail(error, "%s: %s", path, strerror(errno));
        return 1;
    }
    int status = preprocess(a, march, path, expanded, error);
    if (status == 0)
        status = rewrite_file(a, r, expanded, error);
    ztl_temporary_remove(expanded);
    return status;
}

/* An option of GNU as in clang's words; NULL for one that has no meaning there. */
static const char *clang_option(const char *option)
{
    static const char *const nothing[] = {"--traditional-format", "-misa-spec=", "--defsym="};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        if (!strncmp(option, nothing[i], strlen(nothing[i])))
            return NULL;
    if (!strncmp(option, "--gdwarf", 8))
        return option + 1;
    return option;
}

static void build_command(const ztl_assembler *a, const ztl_march *march, const ztl_args *input,
                          ztl_args *command)
{
    char program[PATH_MAX];
    if (a->clang) {
        start_clang(command, march->base);
        ztl_args_add(command, "-c");
    } else {
        ztl_assembler_program(program, sizeof program);
        ztl_args_add(command, program);
    }
    if (*march->base)
        ztl_args_format(command, "-march=%s", a->clang ? march->llvm : march->base);
    for (size_t i = 0; i < a->option.count; i++) {
        const char *option = a->option.item[i];
        if (!a->clang || (option = clang_option(option)))
            ztl_args_add(command, option);
    }
    for (size_t i = 0; i < a->include_dirs.count; i++)
        ztl_args_format(command, "-I%s", a->include_dirs.item[i]);
    ztl_args_add(command, "-o");
    ztl_args_add(command, a->output ? a->output : "a.out");
    for (size_t i = 0; i < input->count; i++)
        ztl_args_add(command, input->item[i]);
}

/* What --defsym=NAME=VALUE defines is theirs, too. */
static void note_defsyms(const ztl_assembler *a, ztl_rewriter *r)
{
    const size_t prefix = strlen("--defsym=");
    for (size_t i = 0; i < a->option.count; i++) {
        const char *name = a->option.item[i] + prefix;
        if (!strncmp(a->option.item[i], "--defsym=", prefix))
            ztl_names_symbol(&r->names, (ztl_span){name, name + strcspn(name, "=")});
    }
}

/* clang's RISC-V assembler has no --defsym; the text says it. */
static void print_defsyms(const ztl_assembler *a, ztl_buffer *text)
{
    for (size_t i = 0; a->clang && i < a->option.count; i++) {
        const char *symbol = a->option.item[i] + strlen("--defsym=");
        const char *equals = strchr(a->option.item[i], '=');
        const char *value = equals ? strchr(equals + 1, '=') : NULL;
        if (!strncmp(a->option.item[i], "--defsym=", strlen("--defsym=")) && value)
            ztl_buffer_format(text, ".set %.*s, %s\n", (int)(value - symbol), symbol, value + 1);
    }
}

static bool write_file(const char *path, const ztl_buffer *text)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool ok = fwrite(ztl_buffer_text(text), 1, text->length, file) == text->length;
    return fclose(file) == 0 && ok;
}

static int assemble_files(const ztl_assembler *a, const ztl_march *march, const ztl_args *input,
                          ztl_error *error)
{
    ztl_args command = {0};
    ztl_buffer messages = {0};
    build_command(a, march, input, &command);
    int status = ztl_process_run_captured(&command, &messages);
    if (status < 0)
        ztl_program_missing(command.item[0], error);
    if (!a->quiet || status == 0)
        ztl_hint_print(ztl_buffer_text(&messages), a->revision, stderr);
    ztl_buffer_free(&messages);
    ztl_args_free(&command);
    return status < 0 ? 1 : status;
}

static int assemble_text(const ztl_assembler *a, const ztl_march *march, const ztl_buffer *text,
                         ztl_error *error)
{
    char path[PATH_MAX];
    ztl_args input = {0};
    if (!ztl_temporary_file(path, sizeof path, ".s")) {
        ztl_fail(error, "temporary file: %s", strerror(errno));
        return 1;
    }
    int status = 1;
    if (write_file(path, text)) {
        ztl_args_add(&input, path);
        status = assemble_files(a, march, &input, error);
    } else {
        ztl_fail(error, "%s: %s", path, strerror(errno));
    }
    ztl_args_free(&input);
    ztl_temporary_remove(path);
    return status;
}

/* Files without Ztl are assembled as they are, so that nothing at all can differ. */
static bool is_theirs(const ztl_assembler *a, const ztl_rewriter *r, const ztl_buffer *before)
{
    for (size_t i = 0; i < a->input.count; i++)
        if (!strcmp(a->input.item[i], "-") || is_preprocessed(a->input.item[i]) ||
            (a->clang && !ztl_ends_with(a->input.item[i], ".s")))
            return false;
    return !r->changed && !r->parts && r->revision == 2 && !a->name && !before->length;
}

static bool choose_revision(ztl_assembler *a, ztl_march *march, ztl_error *error)
{
    if (!ztl_march_split(a->march ? a->march : "", march, error))
        return false;
    if (a->revision && march->revision && a->revision != march->revision)
        return ztl_fail(error, "-march=%s is of Ztl %u, but --revision asks for %u", a->march,
                        march->revision, a->revision);
    if (!a->revision)
        a->revision = march->revision ? march->revision : 2;
    return true;
}

int ztl_assembler_run(ztl_assembler *a, ztl_error *error)
{
    ztl_march march;
    ztl_buffer text = {0};
    error->text[0] = '\0';
    if (!choose_revision(a, &march, error))
        return 1;
    ztl_rewriter r = {.revision = a->revision, .follow_loc = a->follow_loc};
    for (size_t i = 0; i < a->include_dirs.count; i++)
        ztl_args_add(&r.include_dirs, a->include_dirs.item[i]);
    note_defsyms(a, &r);
    int status = 0;
    for (size_t i = 0; i < a->input.count && status == 0; i++)
        status = take_input(a, &march, &r, a->input.item[i], error);
    print_defsyms(a, &text);
    bool theirs = is_theirs(a, &r, &text);
    if (status == 0 && !ztl_rewrite_result(&r, &text)) {
        ztl_fail(error, "out of memory");
        status = 1;
    }
    if (status == 0 && a->print)
        fwrite(ztl_buffer_text(&text), 1, text.length, stdout);
    else if (status == 0 && theirs)
        status = assemble_files(a, &march, &a->input, error);
    else if (status == 0)
        status = assemble_text(a, &march, &text, error);
    ztl_buffer_free(&text);
    ztl_rewriter_free(&r);
    return status;
}

void ztl_assembler_free(ztl_assembler *a)
{
    ztl_args_free(&a->input);
    ztl_args_free(&a->include_dirs);
    ztl_args_free(&a->define);
    ztl_args_free(&a->option);
}
