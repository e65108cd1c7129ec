/* SPDX-License-Identifier: Apache-2.0
 * Running work in a child process with limits, and reading the text that it returns.
 */
#define _GNU_SOURCE
#include "debug/file/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY = 1 << 28, CPU_SECONDS = 5, SECONDS = 20 };

static void set_limit(int what, rlim_t value)
{
    struct rlimit limit;
    if (getrlimit(what, &limit))
        return;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > value)
        limit.rlim_cur = value;
    setrlimit(what, &limit);
}

/* The address space in use; sanitizers have reserved terabytes of it. */
static rlim_t used_memory(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* A crash shall leave no core and no sanitizer's report, and the parent's end no child. */
static _Noreturn void be_child(ztl_sandbox_work *work, const void *context, int pipe, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    int nowhere = open("/dev/null", O_RDWR);
    pipe = fcntl(pipe, F_DUPFD, 3); /* a process may have been started without its first three */
    for (int standard = 0; standard <= 2; standard++)
        dup2(nowhere, standard);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, CPU_SECONDS);
    rlim_t used = used_memory();
    if (used)
        set_limit(RLIMIT_AS, used + MEMORY);
    signal(SIGXCPU, SIG_DFL);
    FILE *out = fdopen(pipe, "w");
    if (!out)
        _exit(1);
    setvbuf(out, NULL, _IOLBF, 0); /* a line that is done is not lost in a crash */
    work(context, out);
    _exit(fclose(out) ? 1 : 0);
}

static int milliseconds_until(const struct timespec *end)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long left = (end->tv_sec - now.tv_sec) * 1000LL + (end->tv_nsec - now.tv_nsec) / 1000000;
    return left > 0 ? (int)left : 0;
}

/* Until the child closes its end, the text is full or time is up. */
static void read_in_time(int pipe, char *text, size_t size)
{
    size_t used = 0;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += SECONDS;
    while (used + 1 < size) {
        struct pollfd ready = {.fd = pipe, .events = POLLIN};
        int any = poll(&ready, 1, milliseconds_until(&end));
        ssize_t got = any > 0 ? read(pipe, text + used, size - 1 - used) : any;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        used += (size_t)got;
        text[used] = '\0';
    }
}

/* Half a line is worse than none. */
static void cut_last_line(char *text)
{
    char *end = strrchr(text, '\n');
    if (end)
        end[1] = '\0';
    else
        text[0] = '\0';
}

void ztl_sandbox_run(ztl_sandbox_work *work, const void *context, char *text, size_t size)
{
    int ends[2];
    text[0] = '\0';
    if (pipe(ends))
        return;
    pid_t self = getpid(), child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(work, context, ends[1], self);
    }
    close(ends[1]);
    if (child > 0) {
        read_in_time(ends[0], text, size);
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    close(ends[0]);
    cut_last_line(text);
}
