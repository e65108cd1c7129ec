/* SPDX-License-Identifier: Apache-2.0
 * Clocks. A nanosecond passes with each instruction, unless the process has the host's clock; so
 * that a program does the same whenever it runs.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <time.h>

#include "sim/linux/process.h"

enum { REALTIME = 0, REALTIME_COARSE = 5, TAI = 11, CLOCKS = 12, TIMER_ABSTIME_ = 1 };

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

/* A process sleeps in its own time: it is later at once. */
static int64_t sleep_for(ztl_linux *l, uint64_t time)
{
    struct timespec wait = {(time_t)(time / second), (long)(time % second)};
    if (l->config.has_host_clock)
        return nanosleep(&wait, NULL) ? -errno : 0;
    uint64_t most = INT64_MAX - l->slept;
    l->slept += time < most ? time : most;
    return 0;
}

int64_t ztl_linux_nanosleep(ztl_linux *l, const uint64_t *a)
{
    uint64_t time;
    int64_t problem = get_time(l, a[0], &time);
    return problem ? problem : sleep_for(l, time);
}

int64_t ztl_linux_clock_nanosleep(ztl_linux *l, const uint64_t *a)
{
    uint64_t time;
    if (a[0] >= CLOCKS)
        return -EINVAL;
    int64_t problem = get_time(l, a[2], &time);
    if (problem)
        return problem;
    if (a[1] & TIMER_ABSTIME_) {
        uint64_t present = now(l, a[0]);
        time = time > present ? time - present : 0;
    }
    return sleep_for(l, time);
}

int64_t ztl_linux_times(ztl_linux *l, const uint64_t *a)
{
    const uint64_t tick = second / 100;
    uint64_t ticks = ztl_linux_running(l) / tick;
    uint8_t bytes[32] = {0};
    put64(bytes, ticks);
    if (a[0] && !ztl_linux_put(l, a[0], bytes, sizeof bytes))
        return -EFAULT;
    return (int64_t)ticks;
}

int64_t ztl_linux_getrusage(ztl_linux *l, const uint64_t *a)
{
    uint8_t bytes[144] = {0};
    uint64_t time = ztl_linux_running(l);
    put64(bytes, time / second);
    put64(bytes + 8, time % second / 1000);
    return ztl_linux_put(l, a[1], bytes, sizeof bytes) ? 0 : -EFAULT;
}

/* A process of one thread waits for nobody but the clock. */
int64_t ztl_linux_futex(ztl_linux *l, const uint64_t *a)
{
    enum { WAIT = 0, WAKE = 1, WAIT_BITSET = 9, WAKE_BITSET = 10, COMMAND = 0x7f };
    uint8_t bytes[4];
    uint64_t time;
    unsigned command = (unsigned)a[1] & COMMAND;
    if (a[0] % 4)
        return -EINVAL;
    if (!ztl_linux_get(l, a[0], bytes, sizeof bytes))
        return -EFAULT;
    if (command == WAKE || command == WAKE_BITSET)
        return 0;
    if (command != WAIT && command != WAIT_BITSET)
        return -ENOSYS;
    uint32_t value =
        bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    if (value != (uint32_t)a[2])
        return -EAGAIN;
    if (!a[3])
        return -EDEADLK;
    int64_t problem = get_time(l, a[3], &time);
    if (problem)
        return problem;
    if (command == WAIT_BITSET) {
        uint64_t present = now(l, a[1] & 0x100 ? REALTIME : 1);
        time = time > present ? time - present : 0;
    }
    problem = sleep_for(l, time);
    return problem ? problem : -ETIMEDOUT;
}
