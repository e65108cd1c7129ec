/* SPDX-License-Identifier: Apache-2.0 */
#include "host/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/error.h"

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

/* How a child is run, and what became of it. */
typedef struct watch {
    bool child_answers; /* requests to stop are its own affair */
    double timeout;     /* seconds; 0: none */
    bool timed_out;
} watch;

static double now_in_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The next of the signals; -1 with EAGAIN at the end of the time. */
static int wait_for_signal(const sigset_t *signals, siginfo_t *cause, double deadline)
{
    if (deadline <= 0)
        return sigwaitinfo(signals, cause);
    double left = deadline - now_in_seconds();
    if (left < 0)
        left = 0;
    struct timespec time = {.tv_sec = (time_t)left};
    time.tv_nsec = (long)((left - (double)time.tv_sec) * 1e9);
    return sigtimedwait(signals, cause, &time);
}

/* While a child runs, a request to stop is the child's. A terminal's Ctrl-C goes to both by itself.
 * The first request, or 0. */
static int forward_until_end(pid_t child, const sigset_t *signals, watch *w)
{
    int request = 0;
    siginfo_t info, cause;
    double deadline = w->timeout > 0 ? now_in_seconds() + w->timeout : 0;
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0) {
        int signal = wait_for_signal(signals, &cause, deadline);
        if (signal < 0 && errno == EAGAIN) {
            w->timed_out = true;
            kill(child, SIGKILL);
            return 0;
        }
        if (signal <= 0 || signal == SIGCHLD)
            continue;
        if (!request)
            request = signal;
        if (cause.si_code != SI_KERNEL)
            kill(child, signal);
    }
    return request;
}

/* Kills what the child left behind, which is ours since we adopt it: see run_with. */
static void kill_orphans(void)
{
    int orphan = 0;
    do {
        FILE *list = fopen("/proc/thread-self/children", "r");
        bool any = list && fscanf(list, "%d", &orphan) == 1;
        if (list)
            fclose(list);
        if (!any)
            return;
        kill(orphan, SIGKILL);
    } while (waitpid(orphan, NULL, 0) == orphan);
}

/* The status of a child that has been waited for, once the request to stop has ended us too. With a
 * child that may answer requests, only one that it has died of does. */
static int obey(int request, int status, bool child_answers)
{
    if (request && (!child_answers || status == 128 + request))
        raise(request);
    return status;
}

static int run_with(const ztl_args *args, const posix_spawn_file_actions_t *actions, watch *w)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    pid_t child;
    sigset_t signals, before;
    posix_spawnattr_t attributes;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        sigaddset(&signals, stops[i]);
    sigprocmask(SIG_BLOCK, &signals, &before);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (w->timeout > 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    int problem = posix_spawnp(&child, args->item[0], actions, &attributes, args->item, environ);
    posix_spawnattr_destroy(&attributes);
    int request = problem ? 0 : forward_until_end(child, &signals, w);
    int status = problem ? -1 : wait_for(child, w->child_answers ? NULL : args->item[0]);
    if (w->timed_out)
        kill_orphans();
    if (w->timeout > 0)
        prctl(PR_SET_CHILD_SUBREAPER, 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return obey(request, status, w->child_answers);
}

int ztl_process_run(const ztl_args *args)
{
    fflush(NULL);
    return run_with(args, NULL, &(watch){.child_answers = false});
}

int ztl_process_run_guest(const ztl_args *args, double timeout, bool *timed_out)
{
    watch w = {.child_answers = true, .timeout = timeout};
    fflush(NULL);
    int status = run_with(args, NULL, &w);
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
    posix_spawn_file_actions_t actions;
    int file = memfd_create("messages", MFD_CLOEXEC);
    if (file < 0)
        return ztl_process_run(args);
    fflush(NULL);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, file, STDERR_FILENO);
    int status = run_with(args, &actions, &(watch){.child_answers = false});
    int problem = errno;
    posix_spawn_file_actions_destroy(&actions);
    read_back(file, messages);
    close(file);
    errno = problem;
    return status;
}

FILE *ztl_process_read(const ztl_args *args, pid_t *child)
{
    int end[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(end, O_CLOEXEC))
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end[1], STDOUT_FILENO);
    int problem = posix_spawnp(child, args->item[0], &actions, NULL, args->item, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(end[1]);
    if (problem) {
        close(end[0]);
        errno = problem;
        return NULL;
    }
    return fdopen(end[0], "r");
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
