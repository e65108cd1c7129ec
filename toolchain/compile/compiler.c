/* SPDX-License-Identifier: Apache-2.0
 *
 * gcc takes our `as` by -B. clang parses assembly itself, inline assembly too, and so is asked for
 * assembly text, which is then assembled by us; GNU's driver links it.
 */
#include "toolchain/compile/compiler.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/isa_part.h"
#include "host/process/temporary.h"
#include "toolchain/assembler.h"
#include "toolchain/install.h"
#include "toolchain/compile/job.h"
#include "host/error.h"

#define PICOLIBC_INCLUDE "/usr/lib/picolibc/riscv64-unknown-elf/include"

/* Whether the compiler's own default is for Linux, whose libraries decide. */
static bool is_linux(const ztl_compiler *c)
{
    return c->kind == ZTL_COMPILER_LINUX || (c->program && strstr(c->program, "linux"));
}

/* What the simulator is, or as much of it as a calling convention has use for. */
static const char *default_isa(const char *abi)
{
    static const char *const isas[] = {ZTL_DEFAULT_ISA, ZTL_DEFAULT_ISA_32, ZTL_SOFT_ISA};
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++)
        if (!abi || !strcmp(abi, ztl_march_abi(isas[i])))
            return isas[i];
    return NULL;
}

/* What nobody chose is as the simulator has it. */
static bool choose_isa(ztl_job *j)
{
    unsigned revision = j->compiler->revision;
    const char *isa = default_isa(j->abi);
    if (j->has_march || j->has_cpu || is_linux(j->compiler) || !isa)
        return true;
    j->has_march = true;
    if (!ztl_march_split(isa, &j->march, j->error))
        return false;
    j->march.revision = revision ? revision : j->march.revision;
    return true;
}

static bool choose_revision(ztl_job *j)
{
    ztl_compiler *c = j->compiler;
    unsigned found = j->march.revision;
    if (c->revision && found && c->revision != found)
        return ztl_fail(j->error, "-march is of Ztl %u, but --revision asks for %u", found,
                        c->revision);
    if (!c->revision)
        c->revision = found ? found : 2;
    return true;
}

static int run(ztl_job *j, const ztl_args *command)
{
    int status = ztl_process_run(command);
    if (status >= 0)
        return status;
    ztl_program_missing(command->item[0], j->error);
    return 1;
}

static const char *gnu_program(const ztl_compiler *c)
{
    if (c->program && c->kind != ZTL_COMPILER_CLANG)
        return c->program;
    return c->kind == ZTL_COMPILER_LINUX ? "riscv64-linux-gnu-gcc" : "riscv64-unknown-elf-gcc";
}

/* Our headers, and which revision they are for where it is not the default; and those of the C
 * library, which the bare-metal compilers do not find by themselves. */
static void add_headers(const ztl_compiler *c, ztl_args *command)
{
    char path[PATH_MAX];
    if (c->revision == 1)
        ztl_args_add(command, "-DZTL_REVISION=1");
    if (ztl_install_include(path, sizeof path)) {
        ztl_args_add(command, "-isystem");
        ztl_args_add(command, path);
        /* A build directory has links: what a header includes stands beside the link. */
        if (c->kind != ZTL_COMPILER_CLANG)
            ztl_args_add(command, "-fno-canonical-system-headers");
    }
    if (c->kind != ZTL_COMPILER_LINUX && access(PICOLIBC_INCLUDE, R_OK) == 0) {
        ztl_args_add(command, "-idirafter");
        ztl_args_add(command, PICOLIBC_INCLUDE);
    }
}

/* Which ISA GNU's tools are told. The older specification has Zicsr in the base: named apart, GNU
 * would find no library for it. */
static void add_gnu_march(const ztl_job *j, ztl_args *command, bool plain)
{
    if (!j->has_march)
        return;
    if (!j->march.revision && !plain) {
        ztl_args_format(command, "-march=%s", j->march.base);
    } else {
        ztl_args_format(command, "-march=%s", plain ? j->march.plain : j->march.llvm);
        ztl_args_add(command, "-misa-spec=2.2");
    }
    if (!j->abi)
        ztl_args_format(command, "-mabi=%s", ztl_march_abi(j->march.base));
}

static void add_semihost(const ztl_compiler *c, ztl_args *command, bool linking)
{
    uint64_t base = c->base || c->size ? c->base : 0x80000000;
    uint64_t half = (c->size ? c->size : UINT64_C(128) << 20) / 2;
    if (!c->semihost)
        return;
    ztl_args_add(command, "--specs=picolibc.specs");
    ztl_args_add(command, "-mcmodel=medany");
    if (!linking)
        return;
    ztl_args_add(command, "--oslib=semihost");
    ztl_args_add(command, "--crt0=semihost");
    ztl_args_format(command, "-Wl,--defsym=__flash=0x%" PRIx64, base);
    ztl_args_format(command, "-Wl,--defsym=__flash_size=0x%" PRIx64, half);
    ztl_args_format(command, "-Wl,--defsym=__ram=0x%" PRIx64, base + half);
    ztl_args_format(command, "-Wl,--defsym=__ram_size=0x%" PRIx64, half);
}

/* Where -lztlops is found, for the ISA strings that it is built for. */
static void add_libraries(const ztl_job *j, ztl_args *command)
{
    static const char *const kinds[][2] = {
        {"rv64imac", "lp64"}, {"rv64gc", "lp64d"}, {"rv32imac", "ilp32"}, {"rv32gc", "ilp32d"}};
    char path[PATH_MAX];
    const char *isa = j->has_march ? j->march.plain : "rv64gc";
    const char *abi = j->abi ? j->abi : ztl_march_abi(isa);
    bool has_all = strchr(isa, 'g') || (strchr(isa, 'm') && strchr(isa, 'a'));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!is_linux(j->compiler) && has_all && strchr(isa, 'c') && !strcmp(abi, kinds[i][1]) &&
            ztl_install_bare(kinds[i][0], abi, path, sizeof path))
            ztl_args_format(command, "-L%s", path);
}

/* The C++ that needs no library of its own: Debian has none for bare harts. */
static void add_cplusplus(const ztl_job *j, const char *source, ztl_args *command)
{
    static const char *const options[] = {"-fno-exceptions", "-fno-rtti",
                                          "-fno-threadsafe-statics"};
    for (size_t i = 0; j->compiler->semihost && ztl_is_cplusplus(source) &&
                       i < sizeof options / sizeof options[0];
         i++)
        ztl_args_add(command, options[i]);
}

/* The source's name in the current directory with another suffix: where `cc -c` puts its object. */
static void name_beside(const char *source, const char *suffix, char *path, size_t size)
{
    const char *slash = strrchr(source, '/');
    const char *base = slash ? slash + 1 : source;
    snprintf(path, size, "%.*s%s", (int)(strrchr(base, '.') - base), base, suffix);
}

/* Dependencies would go beside the object, which is a temporary file. */
static void add_dependencies(const ztl_job *j, const char *source, ztl_args *command)
{
    char path[PATH_MAX];
    if (!j->dependencies)
        return;
    name_beside(j->compile_only && j->output ? j->output : source, ".d", path, sizeof path);
    ztl_args_add(command, "-MF");
    ztl_args_add(command, path);
}

/* The command with our assembler in it; false and a message when that is not there. */
static bool start_gcc(ztl_job *j, ztl_args *command, bool linking)
{
    char tools[PATH_MAX];
    if (!ztl_install_tools(tools, sizeof tools))
        return ztl_fail(j->error, "libexec/ztl/bin/as: not found beside this program");
    ztl_args_add(command, gnu_program(j->compiler));
    ztl_args_format(command, "-B%s/", tools);
    ztl_args_format(command, "-Wa,--revision=%u", j->compiler->revision);
    add_headers(j->compiler, command);
    add_gnu_march(j, command, linking && j->source.count == 0);
    add_semihost(j->compiler, command, linking);
    return true;
}

static int run_gcc(ztl_job *j)
{
    ztl_args command = {0};
    if (!start_gcc(j, &command, !j->compile_only && !j->no_assembling))
        return 1;
    for (size_t i = 0; i < j->compiler->user.count; i++)
        if (strncmp(j->compiler->user.item[i], "-march=", 7))
            ztl_args_add(&command, j->compiler->user.item[i]);
    if (!j->compile_only && !j->no_assembling)
        add_libraries(j, &command);
    int status = run(j, &command);
    ztl_args_free(&command);
    return status;
}

static int compile_with_gcc(ztl_job *j, const char *source, const char *object)
{
    ztl_args command = {0};
    if (!start_gcc(j, &command, false))
        return 1;
    add_cplusplus(j, source, &command);
    add_dependencies(j, source, &command);
    for (size_t i = 0; i < j->compile.count; i++)
        ztl_args_add(&command, j->compile.item[i]);
    const char *const rest[] = {"-c", source, "-o", object};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        ztl_args_add(&command, rest[i]);
    int status = run(j, &command);
    ztl_args_free(&command);
    return status;
}

/* source: the only one that is compiled, or NULL. */
static void start_clang(ztl_job *j, const char *source, ztl_args *command)
{
    const ztl_compiler *c = j->compiler;
    bool rv32 = !strncmp(j->march.base, "rv32", 4);
    ztl_args_add(command, c->program ? c->program : "clang");
    ztl_args_format(command, "--target=riscv%s-unknown-elf", rv32 ? "32" : "64");
    ztl_args_add(command, "-Qunused-arguments");
    if (j->has_march)
        ztl_args_format(command, "-march=%s", j->march.llvm);
    if (j->has_march && !j->abi)
        ztl_args_format(command, "-mabi=%s", ztl_march_abi(j->march.base));
    add_headers(j->compiler, command);
    if (c->semihost)
        ztl_args_add(command, "-mcmodel=medany");
    if (source) {
        add_cplusplus(j, source, command);
        add_dependencies(j, source, command);
    }
    for (size_t i = 0; i < j->compile.count; i++)
        ztl_args_add(command, j->compile.item[i]);
}

/* A source as assembly text; with line numbers in it when asked for. */
static int clang_to_assembly(ztl_job *j, const char *source, const char *assembly, bool lines)
{
    ztl_args command = {0};
    start_clang(j, source, &command);
    if (lines)
        ztl_args_add(&command, "-gline-tables-only");
    if (ztl_ends_with(source, ".S")) {
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

static int assemble_with_clang(ztl_job *j, const char *source, const char *assembly,
                               const char *object, bool quiet)
{
    bool compiled = assembly && !ztl_ends_with(source, ".S");
    ztl_assembler a = {.clang = true,
                       .revision = j->compiler->revision,
                       .march = j->has_march ? j->march.base : NULL,
                       .output = object,
                       .name = source,
                       .follow_loc = compiled,
                       .quiet = quiet};
    if (j->abi || j->has_march)
        ztl_args_format(&a.option, "-mabi=%s", j->abi ? j->abi : ztl_march_abi(j->march.base));
    ztl_args_add(&a.input, assembly ? assembly : source);
    int status = ztl_assembler_run(&a, j->error);
    ztl_assembler_free(&a);
    return status;
}

/* Only debug information tells which line of C a line of assembly comes from, and it changes the
 * object; so it is asked for when there is an error to report, and then once more. */
static int compile_to_object(ztl_job *j, const char *source, const char *assembly,
                             const char *object)
{
    int status = clang_to_assembly(j, source, assembly, false);
    if (status)
        return status;
    bool is_c = !ztl_ends_with(source, ".S");
    status = assemble_with_clang(j, source, assembly, object, is_c);
    if (status && is_c && !*j->error->text && clang_to_assembly(j, source, assembly, true) == 0)
        status = assemble_with_clang(j, source, assembly, object, false);
    return status;
}

static int compile_with_clang(ztl_job *j, const char *source, const char *object)
{
    char assembly[PATH_MAX];
    if (ztl_ends_with(source, ".s"))
        return assemble_with_clang(j, source, NULL, object, false);
    if (!ztl_temporary_file(assembly, sizeof assembly, ".s")) {
        ztl_fail(j->error, "temporary file: %s", strerror(errno));
        return 1;
    }
    int status = compile_to_object(j, source, assembly, object);
    ztl_temporary_remove(assembly);
    return status;
}

static int compile_objects(ztl_job *j)
{
    char path[PATH_MAX];
    int status = 0;
    for (size_t i = 0; i < j->source.count && status == 0; i++) {
        const char *object = j->output;
        if (!j->compile_only) {
            if (!ztl_temporary_file(path, sizeof path, ".o")) {
                ztl_fail(j->error, "temporary file: %s", strerror(errno));
                return 1;
            }
            ztl_args_add(&j->temporary, path);
            object = path;
        } else if (!object) {
            name_beside(j->source.item[i], ".o", path, sizeof path);
            object = path;
        }
        status = j->compiler->kind == ZTL_COMPILER_CLANG
                     ? compile_with_clang(j, j->source.item[i], object)
                     : compile_with_gcc(j, j->source.item[i], object);
    }
    return status;
}

/* Every option but -x may mean something to the driver when it links, too: -e, -s, -shared, -flto.
 */
static void add_driver_options(const ztl_job *j, ztl_args *command)
{
    for (size_t i = 0; i < j->compile.count; i++) {
        bool language = !strcmp(j->compile.item[i], "-x");
        if (!language && j->compiler->kind != ZTL_COMPILER_CLANG)
            ztl_args_add(command, j->compile.item[i]);
        i += language;
    }
}

static int link_objects(ztl_job *j)
{
    char tools[PATH_MAX];
    ztl_args command = {0};
    ztl_args_add(&command, gnu_program(j->compiler));
    if (ztl_install_tools(tools, sizeof tools)) /* -flto assembles once more */
        ztl_args_format(&command, "-B%s/", tools);
    add_gnu_march(j, &command, true);
    if (j->abi)
        ztl_args_format(&command, "-mabi=%s", j->abi);
    add_driver_options(j, &command);
    for (size_t i = 0; i < j->temporary.count; i++)
        ztl_args_add(&command, j->temporary.item[i]);
    add_semihost(j->compiler, &command, true);
    for (size_t i = 0; i < j->link.count; i++)
        ztl_args_add(&command, j->link.item[i]);
    add_libraries(j, &command);
    ztl_args_add(&command, "-o");
    ztl_args_add(&command, j->output ? j->output : "a.out");
    int status = run(j, &command);
    ztl_args_free(&command);
    return status;
}

/* -S and the like end before an assembler is needed. */
static int run_clang_plain(ztl_job *j)
{
    ztl_args command = {0};
    start_clang(j, NULL, &command);
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

static int compile_and_link(ztl_job *j)
{
    if (j->compile_only && j->output && j->source.count > 1) {
        ztl_fail(j->error, "-o with -c and several sources");
        return 1;
    }
    int status = compile_objects(j);
    if (status == 0 && !j->compile_only)
        status = link_objects(j);
    for (size_t i = 0; i < j->temporary.count; i++)
        ztl_temporary_remove(j->temporary.item[i]);
    return status;
}

/* GNU keeps libraries for the single letters of the ISA only: with more than these it compiles
 * with one ISA string and links with another. And C++ has options that C has not. */
static bool needs_two_steps(const ztl_job *j)
{
    for (size_t i = 0; i < j->source.count; i++)
        if (j->compiler->semihost && ztl_is_cplusplus(j->source.item[i]))
            return true;
    const char *told = j->march.revision ? j->march.llvm : j->march.base;
    return strcmp(told, j->march.plain) && j->source.count > 0 && !j->compile_only;
}

static int run_job(ztl_job *j)
{
    bool clang = j->compiler->kind == ZTL_COMPILER_CLANG;
    if (j->compiler->semihost && access(PICOLIBC_INCLUDE, R_OK)) {
        ztl_fail(j->error, PICOLIBC_INCLUDE
                 ": not found; it is in the Debian package picolibc-riscv64-unknown-elf");
        return 1;
    }
    if (j->no_assembling)
        return clang ? run_clang_plain(j) : run_gcc(j);
    return clang || needs_two_steps(j) ? compile_and_link(j) : run_gcc(j);
}

/* The linker removes a link that it is to write to, be it /dev/stdout: it is told the name of the
 * file that the link leads to. */
static bool follow_link(char **word, size_t prefix, ztl_error *error)
{
    struct stat status;
    char path[PATH_MAX], *name = *word + prefix;
    if (lstat(name, &status) || !S_ISLNK(status.st_mode))
        return true;
    if (!realpath(name, path) || stat(path, &status))
        return ztl_fail(error, "%s: where this link leads: %s", name, strerror(errno));
    if (!S_ISREG(status.st_mode)) {
        return ztl_fail(error, "%s: a link to what is no file", name);
    }
    char *followed = malloc(prefix + strlen(path) + 1);
    if (!followed)
        return ztl_fail(error, "out of memory");
    sprintf(followed, "%.*s%s", (int)prefix, *word, path);
    free(*word);
    *word = followed;
    return true;
}

static bool follow_links(ztl_args *user, ztl_error *error)
{
    for (size_t i = 0; i < user->count; i++) {
        if (strncmp(user->item[i], "-o", 2))
            continue;
        bool joined = user->item[i][2];
        if (!joined && ++i == user->count)
            break;
        if (!follow_link(&user->item[i], joined ? 2 : 0, error))
            return false;
    }
    return true;
}

int ztl_compiler_run(ztl_compiler *compiler, ztl_error *error)
{
    ztl_job j = {.compiler = compiler, .error = error};
    error->text[0] = '\0';
    if (!follow_links(&compiler->user, error))
        return 1;
    int status = ztl_job_sort(&j) && choose_isa(&j) && choose_revision(&j) ? run_job(&j) : 1;
    ztl_job_free(&j);
    return status;
}

void ztl_compiler_free(ztl_compiler *compiler)
{
    ztl_args_free(&compiler->user);
}
