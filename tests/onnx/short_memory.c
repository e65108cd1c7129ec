/* SPDX-License-Identifier: Apache-2.0
 * An allocator for LD_PRELOAD that says no: allocation number ZTL_FAIL_AT, counted from 1, or with
 * ZTL_FAIL_ON that one and all behind it. What was asked for is written to ZTL_COUNT at the end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

#define VISIBLE __attribute__((visibility("default")))

static unsigned long asked, fail_at;
static int all_behind;

__attribute__((constructor)) static void start(void)
{
    const char *at = getenv("ZTL_FAIL_AT");
    all_behind = getenv("ZTL_FAIL_ON") != NULL;
    asked = 0;
    fail_at = at ? strtoul(at, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("ZTL_COUNT");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0) {
        dprintf(file, "%lu\n", asked);
        close(file);
    }
}

static int is_refused(void)
{
    unsigned long number = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
    if (!fail_at || (all_behind ? number < fail_at : number != fail_at))
        return 0;
    errno = ENOMEM;
    return 1;
}

VISIBLE void *malloc(size_t size)
{
    return is_refused() ? NULL : __libc_malloc(size);
}

VISIBLE void *calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __libc_calloc(count, size);
}

VISIBLE void *realloc(void *old, size_t size)
{
    return is_refused() ? NULL : __libc_realloc(old, size);
}

VISIBLE void *aligned_alloc(size_t alignment, size_t size)
{
    return is_refused() ? NULL : __libc_memalign(alignment, size);
}
