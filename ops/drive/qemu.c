/* SPDX-License-Identifier: Apache-2.0
 * Plans under unmodified QEMU: the executor as a RISC-V Linux program is embedded here; it goes
 * into a temporary file, and so do plan and tensors.
 */
#include "ops/drive/drive.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/qemu/run.h"
#include "host/error.h"
#include "host/process/temporary.h"
#include "ops/drive/embed.h"
#include "ops/drive/guest_linux.h"

#ifdef ZTL_OPS_LINUX_GUEST
OPS_EMBED(ops_linux, ZTL_OPS_LINUX_GUEST);

typedef struct session {
    char program[PATH_MAX], file[PATH_MAX]; /* temporary files; empty: not there yet */
    guest_job head;
    ztl_error *error;
} session;

static bool fail(session *s, const char *what, const char *why)
{
    return ztl_fail(s->error, "%s: %s", what, why);
}

static bool new_file(session *s, char path[PATH_MAX])
{
    if (ztl_temporary_file(path, PATH_MAX, ""))
        return true;
    *path = '\0';
    return fail(s, "temporary file", strerror(errno));
}

static void remove_file(const char *path)
{
    if (*path)
        ztl_temporary_remove(path);
}

static uint64_t place(uint64_t *top, uint64_t bytes)
{
    uint64_t at = *top;
    *top = (at + bytes + GUEST_ALIGN - 1) & ~(uint64_t)(GUEST_ALIGN - 1);
    return at;
}

static void lay_out(session *s, const ops_job *job, const ztl_ops_plan *plan)
{
    uint64_t top = 0;
    place(&top, sizeof s->head);
    s->head.magic = GUEST_MAGIC;
    s->head.plan = place(&top, ztl_ops_plan_bytes(plan));
    for (size_t i = 0; i < job->inputs; i++)
        s->head.in[i] = place(&top, job->in[i].size);
    for (size_t i = 0; i < job->outputs; i++)
        s->head.out[i] = place(&top, job->out[i].size);
    s->head.scratch = place(&top, ztl_ops_scratch_bytes(plan));
    s->head.bytes = top;
}

static bool put(FILE *file, uint64_t at, const void *bytes, uint64_t size)
{
    return size == 0 ||
           (fseeko(file, (off_t)at, SEEK_SET) == 0 && fwrite(bytes, size, 1, file) == 1);
}

static bool write_job(session *s, const ops_job *job, const ztl_ops_plan *plan)
{
    FILE *file = fopen(s->file, "wb");
    if (!file)
        return fail(s, s->file, strerror(errno));
    bool good = put(file, 0, &s->head, sizeof s->head) &&
                put(file, s->head.plan, plan, ztl_ops_plan_bytes(plan));
    for (size_t i = 0; good && i < job->inputs; i++)
        good = put(file, s->head.in[i], job->source[i], job->in[i].size);
    for (size_t i = 0; good && i < job->outputs; i++)
        good = put(file, s->head.out[i], job->target[i], job->out[i].size);
    good = good && fflush(file) == 0 && ftruncate(fileno(file), (off_t)s->head.bytes) == 0;
    int why = errno;
    fclose(file);
    return good || fail(s, s->file, strerror(why));
}

static bool write_program(session *s)
{
    FILE *file = fopen(s->program, "wb");
    if (!file)
        return fail(s, s->program, strerror(errno));
    bool good = put(file, 0, ops_linux_image, (uint64_t)(ops_linux_end - ops_linux_image));
    good = fclose(file) == 0 && good && chmod(s->program, 0700) == 0;
    return good || fail(s, s->program, strerror(errno));
}

static bool read_outputs(session *s, const ops_job *job)
{
    FILE *file = fopen(s->file, "rb");
    bool good = file;
    for (size_t i = 0; good && i < job->outputs; i++)
        good = job->out[i].size == 0 || (fseeko(file, (off_t)s->head.out[i], SEEK_SET) == 0 &&
                                         fread(job->target[i], job->out[i].size, 1, file) == 1);
    if (file)
        fclose(file);
    return good || fail(s, s->file, "cannot be read back");
}

/* The index that the program has found to be out of range. */
static bool say_bad(session *s)
{
    FILE *file = fopen(s->file, "rb");
    bool good = file && fread(&s->head, sizeof s->head, 1, file) == 1;
    if (file)
        fclose(file);
    if (!good)
        return fail(s, s->file, "cannot be read back");
    return ztl_ops_say_bad(s->error, &s->head.bad);
}

static bool run(session *s, ztl_statistics *statistics)
{
    const char *const arguments[] = {s->file, NULL};
    ztl_qemu_options options = {.program = s->program, .arguments = arguments};
    ztl_qemu_result result;
    if (!ztl_qemu_run(&options, &result, s->error))
        return false;
    *statistics = result.statistics;
    if (result.status == 0)
        return true;
    if (result.status == GUEST_BAD_INDEX)
        return say_bad(s);
    return ztl_fail(s->error, "the program under QEMU ended with status %d", result.status);
}

bool ztl_ops_qemu_run(const ops_job *job, const ztl_ops_plan *plan, ztl_statistics *statistics,
                      ztl_error *error)
{
    session s = {.error = error};
    lay_out(&s, job, plan);
    bool good = new_file(&s, s.program) && new_file(&s, s.file) && write_program(&s) &&
                write_job(&s, job, plan) && run(&s, statistics) && read_outputs(&s, job);
    remove_file(s.program);
    remove_file(s.file);
    return good;
}
#else
bool ztl_ops_qemu_run(const ops_job *job, const ztl_ops_plan *plan, ztl_statistics *statistics,
                      ztl_error *error)
{
    (void)job;
    (void)plan;
    (void)statistics;
    return ztl_fail(error,
                    "ztl was built without riscv64-linux-gnu-gcc; Debian has it in the package "
                    "gcc-riscv64-linux-gnu");
}
#endif
