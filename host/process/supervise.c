/* SPDX-License-Identifier: Apache-2.0
 * The kernel tells a process of its parent's end, but not of that of its parent's parent. So a
 * supervisor stands between us and a program: it adopts what the program leaves behind, and kills
 * all of that when we are no more. The program for its part ends with the supervisor.
 */
#include "host/process/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What tells a supervisor to kill: nobody else sends it. */
#define KILL_ALL SIGRTMIN

static bool get_when_parent_ends(int signal, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, signal);
    return getppid() == parent; /* else it has ended already */
}

bool ztl_process_end_with(pid_t parent)
{
    return get_when_parent_ends(SIGKILL, parent);
}

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

/* A terminal's Ctrl-C goes to both by itself. */
enum ztl_wait ztl_wait_and_pass(pid_t child, const sigset_t *signals, double timeout, int *request)
{
    siginfo_t info = {0}, cause;
    double deadline = timeout > 0 ? now_in_seconds() + timeout : 0;
    *request = 0;
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0) {
        int signal = wait_for_signal(signals, &cause, deadline);
        if (signal < 0 && errno == EAGAIN)
            return ZTL_WAIT_TIMED_OUT;
        if (signal == KILL_ALL)
            return ZTL_WAIT_PARENT_ENDED;
        if (signal <= 0 || signal == SIGCHLD)
            continue;
        if (!*request)
            *request = signal;
        if (cause.si_code != SI_KERNEL)
            kill(child, signal);
    }
    return ZTL_WAIT_ENDED;
}

/* ---- The program -------------------------------------------------------------------------- */

/* Handlers are for this program; a wish to ignore a signal goes on to the next. */
static void drop_handlers(void)
{
    struct sigaction action;
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(i, SIG_DFL);
}

static _Noreturn void become(const ztl_args *args, const ztl_start *start, pid_t parent, int report)
{
    drop_handlers();
    sigprocmask(SIG_SETMASK, start->mask, NULL);
    if (!ztl_process_end_with(parent))
        _exit(EXIT_FAILURE);
    if (start->file < 0 || dup2(start->file, start->standard) >= 0)
        execvp(args->item[0], args->item);
    int problem = errno;
    while (write(report, &problem, sizeof problem) < 0 && errno == EINTR)
        continue;
    _exit(EXIT_FAILURE);
}

/* ---- The supervisor ----------------------------------------------------------------------- */

/* In a fork of a process with threads no library is sure to work: system calls do. */
static pid_t first_child(void)
{
    char text[32] = "";
    int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0 || read(list, text, sizeof text - 1) < 0)
        text[0] = '\0';
    close(list);
    return (pid_t)strtol(text, NULL, 10);
}

/* What a child leaves behind is ours then, until nothing is left. */
static void kill_all(void)
{
    pid_t child;
    while ((child = first_child()) > 0 && kill(child, SIGKILL) == 0)
        waitpid(child, NULL, 0);
}

/* As the program did, but for the core. */
static _Noreturn void end_as(int status)
{
    sigset_t one;
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(WTERMSIG(status), SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, WTERMSIG(status));
    raise(WTERMSIG(status)); /* all are blocked */
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    _exit(128 + WTERMSIG(status));
}

static _Noreturn void supervise(const ztl_args *args, const ztl_start *start, pid_t parent,
                                int report)
{
    static const int heard[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    int request, status;
    sigset_t signals;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++)
        sigaddset(&signals, heard[i]);
    sigaddset(&signals, KILL_ALL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (!get_when_parent_ends(KILL_ALL, parent))
        _exit(EXIT_FAILURE);
    pid_t self = getpid(), program = fork();
    if (program == 0)
        become(args, start, self, report);
    if (program < 0 && write(report, &errno, sizeof errno) < 0)
        _exit(EXIT_FAILURE);
    close_range(STDERR_FILENO + 1, ~0u, 0); /* whoever reads from the program sees its end */
    if (program > 0 && ztl_wait_and_pass(program, &signals, 0, &request) == ZTL_WAIT_ENDED &&
        waitpid(program, &status, 0) == program)
        end_as(status);
    kill_all();
    _exit(EXIT_FAILURE);
}

pid_t ztl_supervise(const ztl_args *args, const ztl_start *start)
{
    int ends[2], problem = 0;
    sigset_t all, before;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t self = getpid(), supervisor = fork();
    if (supervisor == 0)
        supervise(args, start, self, ends[1]);
    if (supervisor < 0)
        problem = errno;
    close(ends[1]);
    while (read(ends[0], &problem, sizeof problem) < 0 && errno == EINTR)
        continue;
    close(ends[0]);
    if (problem && supervisor > 0)
        waitpid(supervisor, NULL, 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return problem ? -1 : supervisor;
}

void ztl_supervise_kill(pid_t supervisor)
{
    kill(supervisor, KILL_ALL);
}
