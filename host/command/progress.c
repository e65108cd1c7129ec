/* SPDX-License-Identifier: Apache-2.0
 * A thread of its own writes the line: the work needs not know of it.
 */
#include "host/command/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "host/command/terminal.h"
#include "host/text.h"

struct ztl_progress {
    const char *what;
    char step[64];
    bool done, shown;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

/* Every second the step and the time; called and left with the mutex held. */
static void show(ztl_progress *p, long seconds)
{
    char line[160];
    size_t columns = ztl_terminal_columns(stderr);
    int length = snprintf(line, sizeof line, "%s: %s, %ld s", p->what, p->step, seconds);
    if (columns && length >= (int)columns) {
        length = (int)columns - 1;
        while (length && (line[length] & 0xc0) == 0x80) /* no half of a character */
            length--;
        line[length] = '\0';
    }
    p->shown = true;
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

static void wipe(ztl_progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

static void *watch(void *argument)
{
    ztl_progress *p = argument;
    struct timespec start, next;
    clock_gettime(CLOCK_REALTIME, &start);
    next = start;
    pthread_mutex_lock(&p->mutex);
    while (!p->done) {
        next.tv_sec++;
        while (!p->done && pthread_cond_timedwait(&p->changed, &p->mutex, &next) == 0)
            continue;
        if (!p->done)
            show(p, (long)(next.tv_sec - start.tv_sec));
    }
    wipe(p);
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

/* Signals are the main thread's. */
static bool create_watch(ztl_progress *p)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool good = pthread_create(&p->thread, NULL, watch, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

ztl_progress *ztl_progress_start(const char *what)
{
    ztl_progress *p = ztl_terminal_rewrites(stderr) ? malloc(sizeof *p) : NULL;
    if (!p)
        return NULL;
    *p = (ztl_progress){.what = what};
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->changed, NULL);
    if (create_watch(p))
        return p;
    free(p);
    return NULL;
}

void ztl_progress_step(ztl_progress *progress, const char *step)
{
    if (!progress)
        return;
    pthread_mutex_lock(&progress->mutex);
    ztl_safe_text(progress->step, sizeof progress->step, step);
    pthread_mutex_unlock(&progress->mutex);
}

void ztl_progress_wipe(ztl_progress *progress)
{
    if (!progress)
        return;
    pthread_mutex_lock(&progress->mutex);
    wipe(progress);
    pthread_mutex_unlock(&progress->mutex);
}

void ztl_progress_stop(ztl_progress *progress)
{
    if (!progress)
        return;
    pthread_mutex_lock(&progress->mutex);
    progress->done = true;
    pthread_cond_signal(&progress->changed);
    pthread_mutex_unlock(&progress->mutex);
    pthread_join(progress->thread, NULL);
    pthread_cond_destroy(&progress->changed);
    pthread_mutex_destroy(&progress->mutex);
    free(progress);
}
