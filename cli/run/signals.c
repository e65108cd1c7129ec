/* SPDX-License-Identifier: Apache-2.0
 * What ends a run from outside: --timeout, Ctrl-C and other signals.
 */
#define _GNU_SOURCE /* ppoll */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cli/run/run.h"

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};

enum { ENDS = sizeof ends / sizeof ends[0] };

/* Signal handlers have nothing else to find the hart by. */
static ztl_hart *volatile running;
static volatile sig_atomic_t caught;    /* the first signal */
static struct sigaction when_too_large; /* what SIGXFSZ did before the run */

/* Another signal follows each second, so that no call that began to wait meanwhile waits on. */
static void on_signal(int signal_number)
{
    int error = errno;
    ztl_hart *hart = running;
    if (!caught)
        caught = signal_number;
    if (hart)
        ztl_hart_request_stop(hart);
    alarm(1);
    errno = error;
}

/* A wish to ignore a signal, as of nohup, stays. */
static void catch_signal(int signal_number)
{
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigemptyset(&action.sa_mask);
    if (signal_number == SIGALRM ||
        (!sigaction(signal_number, NULL, &before) && before.sa_handler != SIG_IGN))
        sigaction(signal_number, &action, NULL);
}

/* A file that the limit of the shell does not let grow is an error of the program's call, or of a
 * trace, and not the end of both. */
static void ignore_too_large(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(SIGXFSZ, &action, &when_too_large);
}

void run_watch(const run *r)
{
    double timeout = r->options->timeout;
    ignore_too_large();
    running = r->hart;
    caught = 0;
    for (size_t i = 0; i < ENDS; i++)
        catch_signal(ends[i]);
    if (timeout > 0) {
        time_t whole = (time_t)timeout;
        struct itimerval timer = {
            .it_value = {whole, (suseconds_t)((timeout - (double)whole) * 999999) + 1}};
        setitimer(ITIMER_REAL, &timer, NULL);
    }
}

bool run_flush(void)
{
    if (!fflush(stdout))
        return true;
    if (!caught)
        return false;
    __fpurge(stdout);
    clearerr(stdout);
    return true;
}

void run_unwatch(void)
{
    struct sigaction action, standard = {.sa_handler = SIG_DFL};
    if (caught)
        run_flush();
    running = NULL;
    sigaction(SIGXFSZ, &when_too_large, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    for (size_t i = 0; i < ENDS; i++)
        if (!sigaction(ends[i], NULL, &action) && action.sa_handler == on_signal)
            sigaction(ends[i], &standard, NULL);
}

bool run_is_stopped(void)
{
    return caught != 0;
}

run_end run_stopped(void)
{
    enum { OF_SIGNAL = 128 };
    int status = caught == SIGALRM ? RUN_TIMEOUT : caught ? OF_SIGNAL + caught : ZTL_EXIT_FAILURE;
    return (run_end){.stop = ZTL_STOP_HOST, .status = (enum run_status)status};
}

/* Signals come only while ppoll waits, so that none is missed just before it. */
int run_wait(int file, int milliseconds)
{
    sigset_t ours, before;
    struct pollfd input = {.fd = file, .events = POLLIN};
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    int ready = 0;
    sigemptyset(&ours);
    for (size_t i = 0; i < ENDS; i++)
        sigaddset(&ours, ends[i]);
    sigprocmask(SIG_BLOCK, &ours, &before);
    if (!caught)
        ready = ppoll(&input, 1, milliseconds < 0 ? NULL : &time, &before);
    bool is_interrupted = ready < 0 && errno == EINTR;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return caught ? -1 : ready != 0 && !is_interrupted;
}
