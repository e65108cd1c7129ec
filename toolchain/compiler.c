/* SPDX-License-Identifier: Apache-2.0
 *
 * gcc takes our `as` by -B. clang parses assembly itself, inline assembly too, and so is asked for
 * assembly text, which is then assembled by us; GNU's driver links it.
 */
#include "toolchain/compiler.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolchain/assembler.h"
#include "toolchain/install.h"
#include "toolchain/march.h"

#define PICOLIBC_INCLUDE "/usr/lib/picolibc/riscv64-unknown-elf/include"

/* The user's command line, sorted. */
typedef struct job {
    ztl_compiler *compiler;
    ztl_march march;
    bool has_march;
    const char *abi;
    const char *output;
    bool compile_only;  /* -c */
    bool no_assembling; /* -S, -E, -M, -MM, -fsyntax-only */
    ztl_args source;    /* what clang must compile or assemble */
    ztl_args link;      /* objects and options of the linker, in their order */
    ztl_args compile;   /* every other option */
    ztl_args temporary; /* files to remove */
    char *error;
    size_t error_size;
} job;

static bool ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && !strcmp(text + length - tail, suffix);
}

static bool any_of(const char *text, const char *const *list, size_t count,
                   bool (*test)(const char *, const char *))
{
    for (size_t i = 0; i < count; i++)
        if (test(text, list[i]))
            return true;
    return false;
}

static bool starts_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static bool equals(const char *a, const char *b)
{
    return !strcmp(a, b);
}

#define ANY_OF(text, list, test) any_of(text, list, sizeof list / sizeof list[0], test)

static bool is_source(const char *text)
{
    static const char *const suffixes[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".i", ".s", ".S"};
    return *text != '-' && ANY_OF(text, suffixes, ends_with);
}

static bool is_link_argument(const char *text)
{
    static const char *const prefixes[] = {"-l",       "-L",       "-T",     "-Wl,",      "-nostd",
                                           "-nostart", "-static",  "-specs", "--specs",   "--oslib",
                                           "--crt0",   "-Xlinker", "-u",     "-nodefault"};
    return *text != '-' || ANY_OF(text, prefixes, starts_with);
}

/* Options of both steps whose value is the next argument. */
static bool takes_value(const char *text)
{
    static const char *const names[] = {"-I",  "-D",       "-U", "-include",   "-isystem", "-MF",
                                        "-MT", "-MQ",      "-x", "-idirafter", "-iquote",  "-T",
                                        "-L",  "-Xlinker", "-u", "-e",         "-z",       "-l"};
    return ANY_OF(text, names, equals);
}

/* Takes note of what concerns us; true when the argument is not passed on as it is. */
static bool take_own(job *j, const char *text, const char *next, bool *failed)
{
    static const char *const no_assembling[] = {"-S", "-E", "-M", "-MM", "-fsyntax-only"};
    if (starts_with(text, "-march=")) {
        j->has_march = true;
        *failed |= !ztl_march_split(text + 7, &j->march, j->error, j->error_size);
        return true;
    }
    if (starts_with(text, "-mabi="))
        j->abi = text + 6;
    if (equals(text, "-o") && next)
        j->output = next;
    j->compile_only |= equals(text, "-c");
    j->no_assembling |= ANY_OF(text, no_assembling, equals);
    return false;
}

static bool sort_arguments(job *j)
{
    const ztl_args *user = &j->compiler->user;
    bool failed = false;
    for (size_t i = 0; i < user->count && !failed; i++) {
        const char *text = user->item[i], *next = user->item[i + 1];
        if (take_own(j, text, next, &failed) || equals(text, "-c"))
            continue;
        if (equals(text, "-o")) {
            i++;
            continue;
        }
        if (is_source(text)) {
            ztl_args_add(&j->source, text);
            continue;
        }
        ztl_args *list = is_link_argument(text) ? &j->link : &j->compile;
        ztl_args_add(list, text);
        if (takes_value(text) && next)
            ztl_args_add(list, user->item[++i]);
    }
    return !failed;
}

static bool choose_revision(job *j)
{
    ztl_compiler *c = j->compiler;
    unsigned found = j->march.revision;
    if (c->revision && found && c->revision != found) {
        snprintf(j->error, j->error_size, "-march is of Ztl %u, but --revision asks for %u", found,
                 c->revision);
        return false;
    }
    if (!c->revision)
        c->revision = found ? found : 2;
    return true;
}

static int run(job *j, const ztl_args *command)
{
    int status = ztl_process_run(command);
    if (status >= 0)
        return status;
    ztl_program_missing(command->item[0], j->error, j->error_size);
    return 1;
}

static const char *gnu_program(const ztl_compiler *c)
{
    if (c->program && c->kind != ZTL_COMPILER_CLANG)
        return c->program;
    return c->kind == ZTL_COMPILER_LINUX ? "riscv64-linux-gnu-gcc" : "riscv64-unknown-elf-gcc";
}

static void add_include(ztl_args *command)
{
    char path[PATH_MAX];
    if (ztl_install_include(path, sizeof path)) {
        ztl_args_add(command, "-isystem");
        ztl_args_add(command, path);
    }
}

/* Which ISA GNU's tools are told. The older specification has Zicsr in the base: named apart, GNU
 * would find no library for it. */
static void add_gnu_march(const job *j, ztl_args *command, bool plain)
{
    if (!j->has_march)
        return;
    if (!j->march.revision && !plain) {
        ztl_args_format(command, "-march=%s", j->march.base);
        return;
    }
    ztl_args_format(command, "-march=%s", plain ? j->march.plain : j->march.llvm);
    ztl_args_add(command, "-misa-spec=2.2");
    if (!j->abi)
        ztl_args_format(command, "-mabi=%s", ztl_march_abi(j->march.base));
}

static void add_semihost(const ztl_compiler *c, ztl_args *command, bool linking)
{
    uint64_t base = c->base ? c->base : 0x80000000;
    uint64_t half = (c->size ? c->size : 128u << 20) / 2;
    if (!c->semihost)
        return;
    ztl_args_add(command, "--specs=picolibc.specs");
    ztl_args_add(command, "-mcmodel=medany");
    if (!linking)
        return;
    ztl_args_add(command, "--oslib=semihost");
    ztl_args_add(command, "--crt0=hosted");
    ztl_args_format(command, "-Wl,--defsym=__flash=0x%llx", (unsigned long long)base);
    ztl_args_format(command, "-Wl,--defsym=__flash_size=0x%llx", (unsigned long long)half);
    ztl_args_format(command, "-Wl,--defsym=__ram=0x%llx", (unsigned long long)(base + half));
    ztl_args_format(command, "-Wl,--defsym=__ram_size=0x%llx", (unsigned long long)half);
}

static int run_gcc(job *j)
{
    char tools[PATH_MAX];
    ztl_args command = {0};
    if (!ztl_install_tools(tools, sizeof tools)) {
        snprintf(j->error, j->error_size, "libexec/ztl/bin/as: not found beside this program");
        return 1;
    }
    ztl_args_add(&command, gnu_program(j->compiler));
    ztl_args_format(&command, "-B%s/", tools);
    ztl_args_format(&command, "-Wa,--revision=%u", j->compiler->revision);
    add_include(&command);
    add_gnu_march(j, &command, false);
    add_semihost(j->compiler, &command, !j->compile_only && !j->no_assembling);
    for (size_t i = 0; i < j->compiler->user.count; i++)
        if (!starts_with(j->compiler->user.item[i], "-march="))
            ztl_args_add(&command, j->compiler->user.item[i]);
    int status = run(j, &command);
    ztl_args_free(&command);
    return status;
}

static void start_clang(job *j, ztl_args *command)
{
    const ztl_compiler *c = j->compiler;
    bool rv32 = starts_with(j->march.base, "rv32");
    ztl_args_add(command, c->program ? c->program : "clang");
    ztl_args_format(command, "--target=riscv%s-unknown-elf", rv32 ? "32" : "64");
    ztl_args_add(command, "-Qunused-arguments");
    if (j->has_march)
        ztl_args_format(command, "-march=%s", j->march.llvm);
    if (j->has_march && !j->abi)
        ztl_args_format(command, "-mabi=%s", ztl_march_abi(j->march.base));
    add_include(command);
    if (access(PICOLIBC_INCLUDE, R_OK) == 0) {
        ztl_args_add(command, "-isystem");
        ztl_args_add(command, PICOLIBC_INCLUDE);
    }
    if (c->semihost)
        ztl_args_add(command, "-mcmodel=medany");
    for (size_t i = 0; i < j->compile.count; i++)
        ztl_args_add(command, j->compile.item[i]);
}

/* A source as assembly text in a temporary file. */
static int clang_to_assembly(job *j, const char *source, const char *assembly)
{
    ztl_args command = {0};
    start_clang(j, &command);
    if (ends_with(source, ".S")) {
        ztl_args_add(&command, "-E");
    } else {
        ztl_args_add(&command, "-S");
        ztl_args_add(&command, "-Xclang");
        ztl_args_add(&command, "-no-integrated-as");
    }
    ztl_args_add(&command, source);
    ztl_args_add(&command, "-o");
    ztl_args_add(&command, assembly);
    int status = run(j, &command);
    ztl_args_free(&command);
    return status;
}

static int assemble_with_clang(job *j, const char *source, const char *assembly, const char *object)
{
    char march[ZTL_MARCH_SIZE + 8];
    bool given = ends_with(source, ".s");
    ztl_assembler a = {.clang = true,
                       .revision = j->compiler->revision,
                       .march = j->has_march ? march : NULL,
                       .output = object,
                       .name = source};
    snprintf(march, sizeof march, "%s", j->march.base);
    if (j->abi || j->has_march)
        ztl_args_format(&a.option, "-mabi=%s", j->abi ? j->abi : ztl_march_abi(j->march.base));
    ztl_args_add(&a.input, given ? source : assembly);
    int status = ztl_assembler_run(&a, j->error, j->error_size);
    ztl_assembler_free(&a);
    return status;
}

static int compile_with_clang(job *j, const char *source, const char *object)
{
    char assembly[PATH_MAX];
    if (ends_with(source, ".s"))
        return assemble_with_clang(j, source, NULL, object);
    if (!ztl_temporary_file(assembly, sizeof assembly, ".s")) {
        snprintf(j->error, j->error_size, "temporary file: %s", strerror(errno));
        return 1;
    }
    int status = clang_to_assembly(j, source, assembly);
    if (status == 0)
        status = assemble_with_clang(j, source, assembly, object);
    unlink(assembly);
    return status;
}

/* Where `clang -c source` would put the object. */
static void default_object(const char *source, char *path, size_t size)
{
    const char *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source;
    snprintf(path, size, "%.*s.o", (int)(strrchr(base, '.') - base), base);
}

static int compile_objects(job *j)
{
    char path[PATH_MAX];
    int status = 0;
    for (size_t i = 0; i < j->source.count && status == 0; i++) {
        const char *object = j->output;
        if (!j->compile_only) {
            if (!ztl_temporary_file(path, sizeof path, ".o")) {
                snprintf(j->error, j->error_size, "temporary file: %s", strerror(errno));
                return 1;
            }
            ztl_args_add(&j->temporary, path);
            object = path;
        } else if (!object) {
            default_object(j->source.item[i], path, sizeof path);
            object = path;
        }
        status = compile_with_clang(j, j->source.item[i], object);
    }
    return status;
}

static int link_objects(job *j)
{
    ztl_args command = {0};
    ztl_args_add(&command, gnu_program(j->compiler));
    add_gnu_march(j, &command, true);
    if (j->abi)
        ztl_args_format(&command, "-mabi=%s", j->abi);
    for (size_t i = 0; i < j->temporary.count; i++)
        ztl_args_add(&command, j->temporary.item[i]);
    add_semihost(j->compiler, &command, true);
    for (size_t i = 0; i < j->link.count; i++)
        ztl_args_add(&command, j->link.item[i]);
    ztl_args_add(&command, "-o");
    ztl_args_add(&command, j->output ? j->output : "a.out");
    int status = run(j, &command);
    ztl_args_free(&command);
    return status;
}

/* -S and the like end before an assembler is needed. */
static int run_clang_plain(job *j)
{
    ztl_args command = {0};
    start_clang(j, &command);
    ztl_args_add(&command, "-Xclang");
    ztl_args_add(&command, "-no-integrated-as");
    for (size_t i = 0; i < j->source.count; i++)
        ztl_args_add(&command, j->source.item[i]);
    if (j->output) {
        ztl_args_add(&command, "-o");
        ztl_args_add(&command, j->output);
    }
    int status = run(j, &command);
    ztl_args_free(&command);
    return status;
}

static int run_clang(job *j)
{
    if (j->no_assembling)
        return run_clang_plain(j);
    if (j->compile_only && j->output && j->source.count > 1) {
        snprintf(j->error, j->error_size, "-o with -c and several sources");
        return 1;
    }
    int status = compile_objects(j);
    if (status == 0 && !j->compile_only)
        status = link_objects(j);
    for (size_t i = 0; i < j->temporary.count; i++)
        unlink(j->temporary.item[i]);
    return status;
}

int ztl_compiler_run(ztl_compiler *compiler, char *error, size_t error_size)
{
    job j = {.compiler = compiler, .error = error, .error_size = error_size};
    int status = 1;
    error[0] = '\0';
    if (sort_arguments(&j) && choose_revision(&j))
        status = compiler->kind == ZTL_COMPILER_CLANG ? run_clang(&j) : run_gcc(&j);
    ztl_args_free(&j.source);
    ztl_args_free(&j.link);
    ztl_args_free(&j.compile);
    ztl_args_free(&j.temporary);
    return status;
}

void ztl_compiler_free(ztl_compiler *compiler)
{
    ztl_args_free(&compiler->user);
}
