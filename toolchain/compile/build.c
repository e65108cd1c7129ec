/* SPDX-License-Identifier: Apache-2.0
 * Compiling and linking sources for the simulated hart.
 */
#include "toolchain/compile/build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "codec/isa_part.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/job.h"
#include "host/error.h"

typedef struct build {
    const ztl_build_options *options;
    bool hosted; /* not only of assembly: with a C library around it */
} build;

static uint64_t ram_base(const build *b)
{
    return b->options->base || b->options->size ? b->options->base : 0x80000000;
}

static ztl_compiler start(const build *b)
{
    return (ztl_compiler){.kind = b->options->clang ? ZTL_COMPILER_CLANG : ZTL_COMPILER_ELF,
                          .semihost = b->hosted,
                          .base = ram_base(b),
                          .size = b->options->size};
}

/* Assembly gets no start-up code that would set gp, so the linker must not use it either. */
static void add_plain_link(const build *b, ztl_args *user)
{
    static const char *const arguments[] = {"-nostdlib",         "-nostartfiles",
                                            "-static",           "-Wl,--no-relax",
                                            "-Wl,--nmagic",      "-Wl,--no-warn-rwx-segments",
                                            "-Wl,--entry=_start"};
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++)
        ztl_args_add(user, arguments[i]);
    ztl_args_format(user, "-Wl,-Ttext=0x%" PRIx64, ram_base(b));
}

/* The sources among the arguments, and whether they are all there. */
static bool check_sources(build *b, ztl_error *error)
{
    ztl_compiler all = {0};
    ztl_job job = {.compiler = &all, .error = error};
    for (size_t i = 0; b->options->arguments[i]; i++)
        ztl_args_add(&all.user, b->options->arguments[i]);
    bool ok = ztl_job_sort(&job);
    if (ok && !job.source.count) {
        ztl_fail(error, "no source: neither C, C++ nor assembly");
        ok = false;
    }
    for (size_t i = 0; ok && i < job.source.count; i++) {
        b->hosted |= !ztl_is_assembly(job.source.item[i]);
        ok = access(job.source.item[i], R_OK) == 0;
        if (!ok)
            ztl_fail(error, "%s: %s", job.source.item[i], strerror(errno));
    }
    ztl_job_free(&job);
    ztl_compiler_free(&all);
    return ok;
}

static const char *first_source(const build *b)
{
    size_t i = 0;
    while (!ztl_is_source(b->options->arguments[i]))
        i++;
    return b->options->arguments[i];
}

static void add_arguments(const build *b, const char *isa, const char *elf, ztl_args *user)
{
    ztl_march march;
    ztl_error error;
    /* With Ztl in it, the compiler looks for a library of the single letters. */
    bool plain = ztl_march_split(isa, &march, &error) && !march.revision;
    ztl_args_format(user, "-march=%s%s", isa, plain ? "_ztl" : "");
    ztl_args_add(user, "-g");
    ztl_args_add(user, "-O2");
    if (!b->hosted)
        add_plain_link(b, user);
    for (size_t i = 0; b->options->arguments[i]; i++)
        ztl_args_add(user, b->options->arguments[i]);
    ztl_args_add(user, "-o");
    ztl_args_add(user, elf);
}

bool ztl_build_program(const ztl_build_options *options, const char *elf_out, ztl_error *error)
{
    build b = {.options = options};
    if (!check_sources(&b, error))
        return false;
    ztl_compiler compiler = start(&b);
    add_arguments(&b, options->isa ? options->isa : ZTL_DEFAULT_ISA, elf_out, &compiler.user);
    int status = ztl_compiler_run(&compiler, error);
    ztl_compiler_free(&compiler);
    if (status == 0)
        return true;
    if (!*error->text)
        ztl_fail(error, "%s: not built", first_source(&b));
    unlink(elf_out);
    return false;
}
