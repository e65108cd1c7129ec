/* SPDX-License-Identifier: Apache-2.0
 * Time, medians and the copy that everything is compared with.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"

enum { TRIES = 15, REPEATS = 128, LARGEST = 4096 };

double ztl_bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ztl_bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return count ? values[count / 2] : 0;
}

const char *ztl_bench_cpu(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(name, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && !strncmp(line, "model name", 10)) {
            snprintf(name, size, "%s", colon + 2);
            name[strcspn(name, "\n")] = '\0';
            break;
        }
    }
    if (file)
        fclose(file);
    return name;
}

double ztl_bench_copy_once(size_t bytes)
{
    static _Alignas(64) uint8_t from[LARGEST], to[LARGEST];
    void *(*volatile copy)(void *, const void *, size_t) = memcpy; /* a call, not inline code */
    double start = ztl_bench_now();
    for (unsigned n = 0; n < REPEATS; n++)
        copy(to, from, bytes < LARGEST ? bytes : LARGEST);
    return (ztl_bench_now() - start) / REPEATS;
}

double ztl_bench_copy(size_t bytes, double *spread)
{
    double tries[TRIES];
    for (unsigned k = 0; k < TRIES; k++)
        tries[k] = ztl_bench_copy_once(bytes);
    double median = ztl_bench_median(tries, TRIES);
    if (spread)
        *spread = (tries[TRIES * 3 / 4] - tries[TRIES / 4]) / median;
    return median;
}
