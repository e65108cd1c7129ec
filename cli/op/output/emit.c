/* SPDX-License-Identifier: Apache-2.0
 * A plan as C, or, through the compiler, as assembly.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/op/output/emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/error.h"
#include "host/output.h"
#include "host/process/temporary.h"
#include "ops/emit/emit.h"
#include "toolchain/compile/compiler.h"

typedef struct text {
    char *bytes;
    size_t size;
} text;

static bool write_text(FILE *file, const void *context)
{
    const text *t = context;
    return fwrite(t->bytes, 1, t->size, file) == t->size;
}

static bool make_c(const ztl_op_emit *emit, const ztl_ops_plan *plan, const ops_job *job, text *t,
                   ztl_error *error)
{
    FILE *out = open_memstream(&t->bytes, &t->size);
    uint64_t in_size[ZTL_OPS_BUFFERS], out_size[ZTL_OPS_BUFFERS];
    const ops_emit_options options = {.name = emit->name, .comment = emit->comment};
    if (!out)
        return ztl_fail(error, "out of memory");
    for (size_t i = 0; i < job->inputs; i++)
        in_size[i] = job->in[i].size;
    for (size_t i = 0; i < job->outputs; i++)
        out_size[i] = job->out[i].size;
    bool good = ztl_ops_emit(plan, &options, out, error);
    if (good && emit->with_main)
        ztl_ops_emit_main(plan, emit->name, in_size, out_size, out);
    bool lost = ferror(out);
    if ((fclose(out) || lost || !t->bytes) && good)
        return ztl_fail(error, "out of memory");
    return good;
}

static bool read_text(const char *path, text *t)
{
    FILE *file = fopen(path, "rb");
    char part[4096];
    FILE *out = file ? open_memstream(&t->bytes, &t->size) : NULL;
    if (out)
        for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
            fwrite(part, 1, n, out);
    bool good = out && !ferror(file) && !ferror(out);
    if (out && (fclose(out) || !t->bytes))
        good = false;
    if (file)
        fclose(file);
    return good;
}

/* The compiler's assembly of t in place of it. */
static bool compile(text *t, const char *source, const char *assembly, ztl_error *error)
{
    const ztl_output output = {source, write_text, t};
    ztl_compiler c = {.program = getenv("ZTL_CC")};
    const char *const words[] = {"-O2", "-mcmodel=medany", "-S", "-o", assembly, source, NULL};
    if (c.program && !*c.program)
        c.program = NULL;
    *error = (ztl_error){""};
    for (size_t i = 0; words[i]; i++)
        ztl_args_add(&c.user, words[i]);
    bool good = ztl_outputs_write(&output, 1, NULL) && ztl_compiler_run(&c, error) == 0;
    ztl_compiler_free(&c);
    if (!good && !*error->text)
        ztl_fail(error, "the compiler failed");
    free(good ? t->bytes : NULL);
    return good && (read_text(assembly, t) || ztl_fail(error, "%s: %s", assembly, strerror(errno)));
}

static bool make_assembly(text *t, ztl_error *error)
{
    char source[4096], assembly[4096];
    if (!ztl_temporary_file(source, sizeof source, ".c"))
        return ztl_fail(error, "a temporary file: %s", strerror(errno));
    bool good = ztl_temporary_file(assembly, sizeof assembly, ".s");
    if (!good)
        ztl_fail(error, "a temporary file: %s", strerror(errno));
    else
        good = compile(t, source, assembly, error);
    if (good || *assembly)
        ztl_temporary_remove(assembly);
    ztl_temporary_remove(source);
    return good;
}

bool ztl_op_emit_write(const ztl_op_emit *emit, const ztl_ops_plan *plan, const ops_job *job,
                       const char *path, ztl_error *error)
{
    text t = {NULL, 0};
    const ztl_output output = {path ? path : "/dev/stdout", write_text, &t};
    bool good = make_c(emit, plan, job, &t, error) &&
                (emit->form == ZTL_OP_EMIT_C || make_assembly(&t, error));
    if (good && !path && fwrite(t.bytes, 1, t.size, stdout) != t.size)
        good = ztl_fail(error, "standard output: %s", strerror(errno));
    else if (good && path && !ztl_outputs_write(&output, 1, NULL))
        good = ztl_fail(error, "%s: %s", path, strerror(errno));
    free(t.bytes);
    return good;
}
