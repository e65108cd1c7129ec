/* SPDX-License-Identifier: Apache-2.0
 * Argument lists; running a program for its status or its messages, or within a time.
 */
#include "host/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/error.h"
#include "host/process/supervise.h"

static _Noreturn void out_of_memory(void)
{
    fputs("ztl: out of memory\n", stderr);
    exit(1);
}

/* Takes the string over. */
static void append(ztl_args *args, char *text)
{
    char **item = realloc(args->item, (args->count + 2) * sizeof *item);
    if (!text || !item)
        out_of_memory();
    args->item = item;
    item[args->count++] = text;
    item[args->count] = NULL;
}

void ztl_args_add(ztl_args *args, const char *text)
{
    append(args, strdup(text));
}

void ztl_args_format(ztl_args *args, const char *format, ...)
{
    char *text;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    va_end(list);
    append(args, text);
}

void ztl_args_free(ztl_args *args)
{
    for (size_t i = 0; i < args->count; i++)
        free(args->item[i]);
    free(args->item);
    *args = (ztl_args){0};
}

/* A program that is asked to stop needs no words; another one that a signal ends does. */
static void report_signal(const char *program, int signal)
{
    if (signal != SIGINT && signal != SIGTERM && signal != SIGHUP && signal != SIGPIPE)
        fprintf(stderr, "ztl: %s: %s\n", program, strsignal(signal));
}

/* `program`: the name for a message; NULL: there is none. */
static int wait_for(pid_t child, const char *program)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    if (WIFSIGNALED(status) && program)
        report_signal(program, WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* How a program is run, and what became of it. */
typedef struct watch {
    bool child_answers; /* requests to stop are its own affair */
    double timeout;     /* seconds; 0: none */
    bool timed_out;
} watch;

/* The status of a child that has been waited for, once the request to stop has ended us too. With a
 * child that may answer requests, only one that it has died of does. */
static int obey(int request, int status, bool child_answers)
{
    if (request && (!child_answers || status == 128 + request))
        raise(request);
    return status;
}

/* While a child runs, a request to stop is the child's. */
static int run_with(const ztl_args *args, ztl_start start, watch *w)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    int request = 0, status = -1;
    sigset_t signals, before;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        sigaddset(&signals, stops[i]);
    fflush(NULL);
    sigprocmask(SIG_BLOCK, &signals, &before);
    start.mask = &before;
    pid_t child = ztl_supervise(args, &start);
    int problem = errno;
    if (child >= 0) {
        w->timed_out =
            ztl_wait_and_pass(child, &signals, w->timeout, &request) == ZTL_WAIT_TIMED_OUT;
        if (w->timed_out)
            ztl_supervise_kill(child);
        status = wait_for(child, w->child_answers ? NULL : args->item[0]);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return obey(w->timed_out ? 0 : request, status, w->child_answers);
}

int ztl_process_run(const ztl_args *args)
{
    return run_with(args, (ztl_start){.file = -1}, &(watch){.child_answers = false});
}

int ztl_process_run_guest(const ztl_args *args, double timeout, bool *timed_out)
{
    watch w = {.child_answers = true, .timeout = timeout};
    int status = run_with(args, (ztl_start){.file = -1}, &w);
    *timed_out = w.timed_out;
    return status;
}

static void read_back(int fd, ztl_buffer *text)
{
    char block[4096];
    ssize_t count;
    lseek(fd, 0, SEEK_SET);
    while ((count = read(fd, block, sizeof block)) > 0)
        ztl_buffer_part(text, block, (size_t)count);
}

int ztl_process_run_captured(const ztl_args *args, ztl_buffer *messages)
{
    int file = memfd_create("messages", MFD_CLOEXEC);
    if (file < 0)
        return ztl_process_run(args);
    int status = run_with(args, (ztl_start){.standard = STDERR_FILENO, .file = file},
                          &(watch){.child_answers = false});
    int problem = errno;
    read_back(file, messages);
    close(file);
    errno = problem;
    return status;
}

FILE *ztl_process_read(const ztl_args *args, pid_t *child)
{
    int end[2];
    sigset_t mask;
    if (pipe2(end, O_CLOEXEC))
        return NULL;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    *child =
        ztl_supervise(args, &(ztl_start){.mask = &mask, .standard = STDOUT_FILENO, .file = end[1]});
    int problem = errno;
    close(end[1]);
    if (*child >= 0)
        return fdopen(end[0], "r");
    close(end[0]);
    errno = problem;
    return NULL;
}

int ztl_process_close(FILE *output, pid_t child)
{
    fclose(output);
    return wait_for(child, NULL);
}

bool ztl_program_exists(const char *program)
{
    if (strchr(program, '/'))
        return access(program, X_OK) == 0;
    const char *path = getenv("PATH");
    for (const char *dir = path ? path : ""; *dir;) {
        size_t length = strcspn(dir, ":");
        char full[4096];
        int size = snprintf(full, sizeof full, "%.*s/%s", (int)length, dir, program);
        if (size > 0 && (size_t)size < sizeof full && access(full, X_OK) == 0)
            return true;
        dir += length + (dir[length] == ':');
    }
    return false;
}

const char *ztl_program_package(const char *program)
{
    static const struct {
        const char *program, *package;
    } known[] = {
        {"riscv64-unknown-elf-as", "binutils-riscv64-unknown-elf"},
        {"riscv64-unknown-elf-objdump", "binutils-riscv64-unknown-elf"},
        {"riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf"},
        {"riscv64-unknown-elf-g++", "gcc-riscv64-unknown-elf"},
        {"riscv64-linux-gnu-as", "binutils-riscv64-linux-gnu"},
        {"riscv64-linux-gnu-objdump", "binutils-riscv64-linux-gnu"},
        {"riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu"},
        {"riscv64-linux-gnu-g++", "g++-riscv64-linux-gnu"},
        {"clang", "clang"},
        {"qemu-riscv64", "qemu-user"},
        {"qemu-system-riscv32", "qemu-system-misc"},
        {"qemu-system-riscv64", "qemu-system-misc"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(program, known[i].program))
            return known[i].package;
    return NULL;
}

void ztl_program_missing(const char *program, ztl_error *error)
{
    const char *package = ztl_program_package(program);
    if (package)
        ztl_fail(error, "%s: not found; it is in the Debian package %s (apt install %s)", program,
                 package, package);
    else
        ztl_fail(error, "%s: %s", program, strerror(errno ? errno : ENOENT));
}

bool ztl_ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && !strcmp(text + length - tail, suffix);
}
