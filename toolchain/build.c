/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled with the whole ISA string, linked with its single letters: GNU keeps a C library for
 * these only.
 */
#include "toolchain/build.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "toolchain/compiler.h"
#include "toolchain/march.h"
#include "toolchain/temporary.h"

typedef struct build {
    const ztl_build_options *options;
    const char *isa;
    ztl_march march;
    bool is_c;
    char *error;
    size_t error_size;
} build;

static uint64_t ram_base(const build *b)
{
    return b->options->base || b->options->size ? b->options->base : 0x80000000;
}

static ztl_compiler start(const build *b)
{
    return (ztl_compiler){.kind = b->options->clang ? ZTL_COMPILER_CLANG : ZTL_COMPILER_ELF,
                          .revision = b->march.revision,
                          .semihost = b->is_c,
                          .base = ram_base(b),
                          .size = b->options->size};
}

static bool finish(const build *b, ztl_compiler *compiler, const char *what)
{
    int status = ztl_compiler_run(compiler, b->error, b->error_size);
    ztl_compiler_free(compiler);
    if (status && !*b->error)
        snprintf(b->error, b->error_size, "%s: not built", what);
    return status == 0;
}

static bool compile(const build *b, const char *source, const char *object)
{
    ztl_compiler compiler = start(b);
    const char *const arguments[] = {"-c", "-g", "-O2", source, "-o", object};
    ztl_args_format(&compiler.user, "-march=%s", b->isa);
    ztl_args_format(&compiler.user, "-mabi=%s", ztl_march_abi(b->march.base));
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++)
        ztl_args_add(&compiler.user, arguments[i]);
    for (size_t i = 0; b->options->extra && b->options->extra[i]; i++)
        ztl_args_add(&compiler.user, b->options->extra[i]);
    return finish(b, &compiler, source);
}

/* Assembly gets no start-up code that would set gp, so the linker must not use it either. */
static bool link_program(const build *b, const char *source, const char *object, const char *elf)
{
    ztl_compiler compiler = start(b);
    compiler.kind = ZTL_COMPILER_ELF;
    ztl_args_format(&compiler.user, "-march=%s_ztl%up0", b->march.plain,
                    b->march.revision ? b->march.revision : 2);
    if (!b->is_c) {
        const char *const arguments[] = {"-nostdlib",         "-nostartfiles",
                                         "-static",           "-Wl,--no-relax",
                                         "-Wl,--nmagic",      "-Wl,--no-warn-rwx-segments",
                                         "-Wl,--entry=_start"};
        for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++)
            ztl_args_add(&compiler.user, arguments[i]);
        ztl_args_format(&compiler.user, "-Wl,-Ttext=0x%" PRIx64, ram_base(b));
    }
    ztl_args_add(&compiler.user, object);
    ztl_args_add(&compiler.user, "-o");
    ztl_args_add(&compiler.user, elf);
    return finish(b, &compiler, source);
}

bool ztl_build_program(const ztl_build_options *options, const char *source, const char *elf_out,
                       char *error, size_t error_size)
{
    char object[PATH_MAX];
    const char *dot = strrchr(source, '.');
    build b = {.options = options, .error = error, .error_size = error_size};
    b.isa = options->isa ? options->isa : "rv64imac_zicsr_ztl";
    b.is_c = dot && !strcmp(dot, ".c");
    if (!b.is_c && !(dot && (!strcmp(dot, ".s") || !strcmp(dot, ".S")))) {
        snprintf(error, error_size, "%s: neither .c, .s nor .S", source);
        return false;
    }
    if (access(source, R_OK)) {
        snprintf(error, error_size, "%s: %s", source, strerror(errno));
        return false;
    }
    if (!ztl_march_split(b.isa, &b.march, error, error_size))
        return false;
    if (!ztl_temporary_file(object, sizeof object, ".o")) {
        snprintf(error, error_size, "temporary file: %s", strerror(errno));
        return false;
    }
    bool ok = compile(&b, source, object) && link_program(&b, source, object, elf_out);
    ztl_temporary_remove(object);
    if (!ok)
        unlink(elf_out);
    return ok;
}
