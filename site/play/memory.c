/* SPDX-License-Identifier: Apache-2.0
 * What the simulator asks of an operating system and a page has not: memory by mapping, files of
 * machines.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host/error.h"
#include "site/play/executed.h"
#include "timing/parameters.h"
#include "timing/timeline/timeline.h"

static size_t own_size;

void play_map_own_memory(size_t size)
{
    own_size = size;
}

/* The piece that is as large as that RAM is the RAM; what describes it is smaller. */
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    (void)at, (void)protection, (void)flags, (void)file, (void)offset;
    void *bytes = size == own_size ? (void *)PLAY_OWN : calloc(1, size);
    return bytes ? bytes : MAP_FAILED;
}

int munmap(void *bytes, size_t size)
{
    (void)size;
    if (bytes != (void *)PLAY_OWN)
        free(bytes);
    return 0;
}

/* Pages that are given back read as zeros. */
int madvise(void *bytes, size_t size, int advice)
{
    (void)advice;
    memset(bytes, 0, size);
    return 0;
}

bool ztl_timing_read_file(const char *path, ztl_timing_machine *machine, ztl_error *error)
{
    (void)machine;
    return ztl_fail(error, "there is no machine '%s', and no files are here", path);
}

/* A page of its own, which this page does not show. */
void ztl_timeline_html(const ztl_timeline *timeline, FILE *out)
{
    (void)timeline, (void)out;
}
