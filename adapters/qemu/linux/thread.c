/* SPDX-License-Identifier: Apache-2.0
 * A hart for each thread: at reset in a new thread, a copy of the parent's in a forked process.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "adapters/qemu/linux/linux.h"
#include "fast/fast.h"

typedef struct thread_hart {
    ztl_state state;
    ztl_fast fast;
} thread_hart;

/* Reached from a signal handler, so never allocated lazily. The hart itself is mapped at its
 * first use: threads with small stacks have no room for it in their static storage. */
static _Thread_local thread_hart *mine __attribute__((tls_model("initial-exec")));
static pthread_key_t at_thread_end;
static ztl_config config;

static ztl_statistics uncollected;
static ztl_statistics *statistics = &uncollected;

static void unmap(void *hart)
{
    mine = NULL;
    munmap(hart, sizeof(thread_hart));
}

ztl_state *ztl_trap_state(void)
{
    if (mine)
        return &mine->state;
    thread_hart *hart =
        mmap(NULL, sizeof *hart, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (hart == MAP_FAILED)
        return NULL;
    ztl_init(&hart->state, &config);
    ztl_attach_accelerator(&hart->state, &hart->fast, NULL);
    pthread_setspecific(at_thread_end, hart);
    mine = hart;
    return &mine->state;
}

ztl_statistics *ztl_trap_statistics(void)
{
    return statistics;
}

static void die(const char *message, const char *value)
{
    fprintf(stderr, "libztl-trap: %s '%s'\n", message, value);
    _exit(127);
}

/* A page of the file is shared by all processes that run with the same name in the environment. */
static void share_statistics(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || ftruncate(file, sizeof *statistics) != 0)
        die("ZTL_STATISTICS: cannot write", path);
    void *shared = mmap(NULL, sizeof *statistics, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED)
        die("ZTL_STATISTICS: cannot map", path);
    statistics = shared;
    statistics->magic = ZTL_STATISTICS_MAGIC;
}

void ztl_trap_configure(void)
{
    config = ztl_default_config();
    const char *isa = getenv("ZTL_ISA");
    if (isa && !ztl_config_of_isa(isa, &config, NULL, 0))
        die("ZTL_ISA: no such Ztl in", isa);
    const char *path = getenv("ZTL_STATISTICS");
    if (path && *path)
        share_statistics(path);
    if (pthread_key_create(&at_thread_end, unmap) != 0)
        die("no thread-specific key left", "");
}
