/* SPDX-License-Identifier: Apache-2.0
 * A hart for each thread: at reset in a new thread, a copy of the parent's in a forked process.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
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

static ztl_linux_report uncollected;
static ztl_linux_report *report = &uncollected;

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
    return &report->statistics;
}

/* The instruction is not read where it is what could not be. */
void ztl_trap_note_death(const siginfo_t *info, const void *context, const ztl_result *ztl)
{
    const ucontext_t *uc = context;
    ztl_death *death = &report->death;
    uint64_t address = (uintptr_t)info->si_addr;
    death->pc = uc->uc_mcontext.__gregs[REG_PC];
    for (int i = 1; i < 32; i++)
        death->x[i] = uc->uc_mcontext.__gregs[i];
    death->address = address;
    death->entry = getauxval(AT_ENTRY);
    memset(death->code, 0, sizeof death->code);
    if (info->si_signo == SIGILL || address - death->pc >= sizeof death->code)
        memcpy(death->code, (const void *)(uintptr_t)death->pc, 2);
    if ((death->code[0] & 3) == 3)
        memcpy(death->code + 2, (const void *)(uintptr_t)(death->pc + 2), 2);
    death->ztl = ztl ? *ztl : (ztl_result){.status = ZTL_OK};
    if (mine)
        ztl_csr_values_take(&death->csrs, &mine->state);
    __atomic_store_n(&death->signal, (uint64_t)info->si_signo, __ATOMIC_RELEASE);
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
    if (file < 0 || ftruncate(file, sizeof *report) != 0)
        die("ZTL_STATISTICS: cannot write", path);
    void *shared = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED)
        die("ZTL_STATISTICS: cannot map", path);
    report = shared;
    report->statistics.magic = ZTL_STATISTICS_MAGIC;
}

void ztl_trap_configure(void)
{
    config = ztl_default_config();
    const char *isa = getenv("ZTL_ISA");
    if (isa && !ztl_config_of_isa(isa, &config, NULL))
        die("ZTL_ISA: no such Ztl in", isa);
    const char *path = getenv("ZTL_STATISTICS");
    if (path && *path)
        share_statistics(path);
    if (pthread_key_create(&at_thread_end, unmap) != 0)
        die("no thread-specific key left", "");
}
