/* SPDX-License-Identifier: Apache-2.0
 * Clocks. A nanosecond passes with each instruction, unless the process has the host's clock; so
 * that a program does the same whenever it runs.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <time.h>

#include "sim/linux/process.h"

enum { REALTIME = 0, MONOTONIC = 1, REALTIME_COARSE = 5, TAI = 11, CLOCKS = 12 };

static const uint64_t second = 1000000000;
static const uint64_t start_of_time = 1767225600; /* 2026-01-01, where the process's clock starts */

static bool is_time_of_day(uint64_t clock)
{
    return clock == REALTIME || clock == REALTIME_COARSE || clock == TAI;
}

uint64_t ztl_linux_running(const ztl_linux *l)
{
    return ztl_hart_retired(l->hart) + l->slept;
}

static uint64_t now(const ztl_linux *l, uint64_t clock)
{
    struct timespec time;
    if (!l->config.has_host_clock)
        return ztl_linux_running(l) + (is_time_of_day(clock) ? start_of_time * second : 0);
    clock_gettime(is_time_of_day(clock) ? CLOCK_REALTIME : CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
}

void ztl_linux_time_of_day(const ztl_linux *l, struct timespec *time)
{
    uint64_t present = now(l, REALTIME);
    *time = (struct timespec){(time_t)(present / second), (long)(present % second)};
}

static int64_t put_time(ztl_linux *l, uint64_t address, uint64_t seconds, uint64_t rest)
{
    uint8_t bytes[16];
    put64(bytes, seconds);
    put64(bytes + 8, rest);
    return ztl_linux_put(l, address, bytes, sizeof bytes) ? 0 : -EFAULT;
}

int64_t ztl_linux_clock_gettime(ztl_linux *l, const uint64_t *a)
{
    if (a[0] >= CLOCKS)
        return -EINVAL;
    uint64_t time = now(l, a[0]);
    return put_time(l, a[1], time / second, time % second);
}

int64_t ztl_linux_clock_getres(ztl_linux *l, const uint64_t *a)
{
    if (a[0] >= CLOCKS)
        return -EINVAL;
    return a[1] ? put_time(l, a[1], 0, 1) : 0;
}

int64_t ztl_linux_gettimeofday(ztl_linux *l, const uint64_t *a)
{
    uint64_t time = now(l, REALTIME);
    return a[0] ? put_time(l, a[0], time / second, time % second / 1000) : 0;
}

static int64_t get_time(ztl_linux *l, uint64_t address, uint64_t *time)
{
    uint8_t bytes[16];
    if (!ztl_linux_get(l, address, bytes, sizeof bytes))
        return -EFAULT;
    uint64_t seconds = get64(bytes), rest = get64(bytes + 8);
    if (seconds > INT64_MAX || rest >= second)
        return -EINVAL;
    const uint64_t most = (uint64_t)INT64_MAX / second / 4; /* sums of some do not overflow */
    *time = (seconds < most ? seconds : most) * second + rest;
    return 0;
}

uint64_t ztl_linux_clock(const ztl_linux *l)
{
    return now(l, MONOTONIC);
}

int64_t ztl_linux_get_deadline(ztl_linux *l, uint64_t address, uint64_t clock, bool is_absolute,
                               uint64_t *deadline)
{
    uint64_t time;
    int64_t problem = get_time(l, address, &time);
    if (problem)
        return problem;
    if (is_absolute) {
        uint64_t present = now(l, clock);
        time = time > present ? time - present : 0;
    }
    *deadline = ztl_linux_clock(l) + time;
    return 0;
}

/* When all wait, a process is later at once. */
bool ztl_linux_sleep_until(ztl_linux *l, uint64_t deadline)
{
    uint64_t present = ztl_linux_clock(l), time = deadline > present ? deadline - present : 0;
    struct timespec wait = {(time_t)(time / second), (long)(time % second)};
    if (l->config.has_host_clock)
        return !nanosleep(&wait, NULL) || !ztl_hart_stop_requested(l->hart);
    uint64_t most = INT64_MAX - l->slept;
    l->slept += time < most ? time : most;
    return true;
}

static int64_t sleep_for(ztl_linux *l, uint64_t address, uint64_t clock, bool is_absolute)
{
    guest_wait wait = {.what = "a time", .late = 0};
    int64_t problem = ztl_linux_get_deadline(l, address, clock, is_absolute, &wait.deadline);
    return problem ? problem : ztl_linux_wait(l, &wait);
}

int64_t ztl_linux_nanosleep(ztl_linux *l, const uint64_t *a)
{
    return sleep_for(l, a[0], MONOTONIC, false);
}

int64_t ztl_linux_clock_nanosleep(ztl_linux *l, const uint64_t *a)
{
    enum { ABSOLUTE = 1 };
    if (a[0] >= CLOCKS)
        return -EINVAL;
    return sleep_for(l, a[2], a[0], a[1] & ABSOLUTE);
}

/* ---- The alarm ---------------------------------------------------------------------------- */

static int64_t put_timer(ztl_linux *l, uint64_t address)
{
    uint64_t present = ztl_linux_clock(l);
    uint64_t left = l->alarm == NEVER ? 0 : l->alarm > present ? l->alarm - present : 1;
    uint64_t times[] = {l->alarm_interval / second, l->alarm_interval % second / 1000,
                        left / second, (left % second + 999) / 1000};
    uint8_t words[sizeof times];
    for (unsigned i = 0; i < 4; i++)
        put_word(l, words, i, times[i]);
    return ztl_linux_put(l, address, words, 4 * word_size(l)) ? 0 : -EFAULT;
}

/* Only the one of real time, which gives SIGALRM. */
int64_t ztl_linux_getitimer(ztl_linux *l, const uint64_t *a)
{
    return a[0] ? -EINVAL : put_timer(l, a[1]);
}

int64_t ztl_linux_setitimer(ztl_linux *l, const uint64_t *a)
{
    uint8_t words[32];
    uint64_t time[2];
    if (a[0])
        return -EINVAL;
    if (!ztl_linux_get(l, a[1], words, 4 * word_size(l)))
        return -EFAULT;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t seconds = get_word(l, words, 2 * i), rest = get_word(l, words, 2 * i + 1);
        if (seconds > INT64_MAX / second / 4 || rest >= 1000000)
            return -EINVAL;
        time[i] = seconds * second + rest * 1000;
    }
    if (a[2] && put_timer(l, a[2]))
        return -EFAULT;
    l->alarm_interval = time[0];
    l->alarm = time[1] ? ztl_linux_clock(l) + time[1] : NEVER;
    ztl_linux_plan(l);
    return 0;
}

void ztl_linux_ring(ztl_linux *l)
{
    enum { ALARM = 14 };
    l->alarm = l->alarm_interval ? l->alarm + l->alarm_interval : NEVER;
    ztl_linux_send(l, NULL, ALARM, 0x80);
}

int64_t ztl_linux_times(ztl_linux *l, const uint64_t *a)
{
    const uint64_t tick = second / 100;
    uint64_t ticks = ztl_linux_running(l) / tick;
    uint8_t words[32] = {0};
    put_word(l, words, 0, ticks);
    if (a[0] && !ztl_linux_put(l, a[0], words, 4 * word_size(l)))
        return -EFAULT;
    return (int64_t)ticks;
}

int64_t ztl_linux_getrusage(ztl_linux *l, const uint64_t *a)
{
    enum { WORDS = 18 };
    uint8_t words[8 * WORDS] = {0};
    uint64_t time = ztl_linux_running(l);
    put_word(l, words, 0, time / second);
    put_word(l, words, 1, time % second / 1000);
    return ztl_linux_put(l, a[1], words, WORDS * word_size(l)) ? 0 : -EFAULT;
}
