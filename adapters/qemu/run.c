/* SPDX-License-Identifier: Apache-2.0
 * Linux programs: the command line of qemu-riscv64, and what comes back.
 */
#include "adapters/qemu/run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/qemu/emulate.h"
#include "adapters/qemu/parts.h"
#include "host/error.h"
#include "host/process/process.h"
#include "host/process/temporary.h"

/* Where Debian keeps the libraries of RISC-V Linux programs. */
#define SYSROOT "/usr/riscv64-linux-gnu"

typedef struct session {
    const ztl_qemu_options *options;
    ztl_qemu_result *result;
    ztl_error *error;
    char parts[PATH_MAX];
    char report[PATH_MAX];  /* a temporary file */
    char library[PATH_MAX]; /* a link to libztl-trap.so, where the place itself cannot be named */
    ztl_args command;
} session;

static bool fail(session *s, const char *what, const char *why)
{
    return ztl_fail(s->error, "%s: %s", what, why);
}

/* ---- The command line -------------------------------------------------------------------- */

/* By its name, since a path in LD_PRELOAD ends at the first space. */
static void add_preload(session *s)
{
    const char *others = getenv("LD_LIBRARY_PATH");
    ztl_args_add(&s->command, "-E");
    if (*s->library) {
        ztl_args_format(&s->command, "LD_PRELOAD=%s", s->library);
        return;
    }
    ztl_args_add(&s->command, "LD_PRELOAD=libztl-trap.so");
    ztl_args_add(&s->command, "-E");
    ztl_args_format(&s->command, "LD_LIBRARY_PATH=%s%s%s", s->parts, others ? ":" : "",
                    others ? others : "");
}

static void add_limit(session *s)
{
    char folder[2 * PATH_MAX];
    if (!s->options->max_insns)
        return;
    ztl_qemu_quote(s->parts, folder, sizeof folder);
    ztl_args_add(&s->command, "-plugin");
    ztl_args_format(&s->command, "file=%s/" ZTL_QEMU_PLUGIN ",report=%s,limit=%" PRIu64, folder,
                    s->report, s->options->max_insns);
}

/* Before our own variables, which must hold. */
static void add_environment(session *s)
{
    for (size_t i = 0; s->options->environment && s->options->environment[i]; i++) {
        ztl_args_add(&s->command, "-E");
        ztl_args_add(&s->command, s->options->environment[i]);
    }
}

static void make_command(session *s)
{
    ztl_args_add(&s->command, "qemu-riscv64");
    ztl_args_add(&s->command, "-L");
    ztl_args_add(&s->command, SYSROOT);
    add_limit(s);
    add_environment(s);
    add_preload(s);
    ztl_args_add(&s->command, "-E");
    ztl_args_format(&s->command, "ZTL_ISA=%s", s->options->isa ? s->options->isa : "ztl");
    ztl_args_add(&s->command, "-E");
    ztl_args_format(&s->command, "ZTL_STATISTICS=%s", s->report);
    ztl_args_add(&s->command, s->options->program);
    for (size_t i = 0; s->options->arguments && s->options->arguments[i]; i++)
        ztl_args_add(&s->command, s->options->arguments[i]);
}

/* ---- Running ----------------------------------------------------------------------------- */

static bool new_file(session *s, char *path, size_t size, const void *bytes, size_t length)
{
    if (!ztl_temporary_file(path, size, "")) {
        *path = '\0';
        return fail(s, "temporary file", strerror(errno));
    }
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, length, file) == length;
    good = file && fclose(file) == 0 && good;
    return good || fail(s, path, "cannot be written");
}

/* Nothing quotes the ends of a path: ',' in QEMU's -E, ':' and ';' in LD_LIBRARY_PATH. */
static bool link_library(session *s)
{
    char library[PATH_MAX + 32];
    if (strpbrk(s->parts, ",:;")) {
        if (!new_file(s, s->library, sizeof s->library, "", 0))
            return false;
        snprintf(library, sizeof library, "%s/libztl-trap.so", s->parts);
        if (unlink(s->library) != 0 || symlink(library, s->library) != 0)
            return fail(s, s->library, strerror(errno));
    }
    if (strchr(s->report, ',') || strpbrk(s->library, ",: "))
        return fail(s, s->report,
                    "a Linux program under QEMU needs TMPDIR without ',', ':' and spaces");
    return true;
}

static bool make_files(session *s)
{
    static const ztl_linux_report empty;
    return new_file(s, s->report, sizeof s->report, &empty, sizeof empty) && link_library(s);
}

static bool can_run(session *s)
{
    const ztl_qemu_options *o = s->options;
    ztl_config config = ztl_default_config();
    ztl_error problem;
    if (access(o->program, R_OK) != 0)
        return fail(s, o->program, strerror(errno));
    if (o->isa && !ztl_config_of_isa(o->isa, &config, &problem))
        return fail(s, o->isa, problem.text);
    if (ztl_program_exists("qemu-riscv64"))
        return true;
    ztl_program_missing("qemu-riscv64", s->error);
    return false;
}

static bool run_command(session *s)
{
    s->result->status =
        ztl_process_run_guest(&s->command, s->options->timeout, &s->result->timed_out);
    return s->result->status >= 0 || fail(s, s->command.item[0], strerror(errno));
}

static void read_report(session *s)
{
    FILE *file = fopen(s->report, "rb");
    ztl_linux_report read;
    if (file && fread(&read, sizeof read, 1, file) == 1) {
        if (read.statistics.magic == ZTL_STATISTICS_MAGIC)
            s->result->statistics = read.statistics;
        s->result->death = read.death;
        s->result->is_limited = read.limit_pc != 0;
        s->result->limit_pc = read.limit_pc;
    }
    if (file)
        fclose(file);
}

static void clean_up(session *s)
{
    if (*s->report)
        ztl_temporary_remove(s->report);
    if (*s->library)
        ztl_temporary_remove(s->library);
    ztl_args_free(&s->command);
}

bool ztl_qemu_run(const ztl_qemu_options *options, ztl_qemu_result *result, ztl_error *error)
{
    session s = {.options = options, .result = result, .error = error};
    *result = (ztl_qemu_result){.status = 0};
    bool good = ztl_qemu_parts(options->parts, s.parts, sizeof s.parts, error) && can_run(&s) &&
                make_files(&s);
    if (good) {
        make_command(&s);
        good = run_command(&s);
    }
    if (good)
        read_report(&s);
    clean_up(&s);
    return good;
}
