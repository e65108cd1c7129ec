/* SPDX-License-Identifier: Apache-2.0
 * One recording on many machines at once.
 */
#include <ztl/timing.h>

#include <pthread.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct sweep {
    const ztl_recording *recording;
    size_t count, next, done;
    const ztl_timing_machine *machines;
    ztl_timing_counts *counts;
    void (*progress)(void *context, size_t done);
    void *context;
    bool failed;
    pthread_mutex_t mutex;
} sweep;

/* The next machine to run on, after one was done; false when there is none. */
static bool take(sweep *s, bool finished, bool good, size_t *index)
{
    pthread_mutex_lock(&s->mutex);
    s->failed |= !good;
    s->done += finished;
    if (finished && s->progress)
        s->progress(s->context, s->done);
    *index = s->next;
    s->next += s->next < s->count;
    bool any = *index < s->count && !s->failed;
    pthread_mutex_unlock(&s->mutex);
    return any;
}

static void *work(void *context)
{
    sweep *s = context;
    size_t index;
    for (bool any = take(s, false, true, &index); any;) {
        bool good = ztl_recording_replay(s->recording, &s->machines[index], &s->counts[index]);
        any = take(s, true, good, &index);
    }
    return NULL;
}

bool ztl_recording_sweep(const ztl_recording *recording, size_t count,
                         const ztl_timing_machine machines[], ztl_timing_counts counts[],
                         void (*progress)(void *context, size_t done), void *context)
{
    sweep s = {.recording = recording,
               .count = count,
               .machines = machines,
               .counts = counts,
               .progress = progress,
               .context = context,
               .mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread[MOST_THREADS];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = cores > 1 ? (size_t)cores - 1 : 0, started = 0;
    while (started < wanted && started < MOST_THREADS && started + 1 < count &&
           pthread_create(&thread[started], NULL, work, &s) == 0)
        started++;
    work(&s); /* this thread works too */
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&s.mutex);
    return !s.failed;
}
