/* SPDX-License-Identifier: Apache-2.0
 * Making temporary files, and removing them when the program ends or a signal comes.
 */
#include "host/process/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct held {
    struct held *next;
    char path[];
} held;

/* Signal handlers have nothing else to find the files by. */
static held *first;

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ};
enum { ENDS = sizeof ends / sizeof ends[0] };

/* The signal then does what it would have done without us. */
static void remove_all(int signal_number)
{
    for (const held *file = first; file; file = file->next)
        unlink(file->path);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* A handler or a wish to ignore a signal that was there before stays. */
static void exchange_handlers(void (*from)(int), void (*to)(int))
{
    struct sigaction action = {.sa_handler = to}, before;
    sigemptyset(&action.sa_mask);
    for (unsigned i = 0; i < ENDS; i++)
        sigaddset(&action.sa_mask, ends[i]);
    for (unsigned i = 0; i < ENDS; i++)
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == from)
            sigaction(ends[i], &action, NULL);
}

/* While the list changes no handler walks it. */
static sigset_t block_ends(void)
{
    sigset_t set, before;
    sigemptyset(&set);
    for (unsigned i = 0; i < ENDS; i++)
        sigaddset(&set, ends[i]);
    sigprocmask(SIG_BLOCK, &set, &before);
    return before;
}

/* Takes the entry over. */
static void hold(held *file)
{
    sigset_t before = block_ends();
    if (!first)
        exchange_handlers(SIG_DFL, remove_all);
    file->next = first;
    first = file;
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static held *entry_of(const char *path)
{
    size_t size = strlen(path) + 1;
    held *file = malloc(sizeof *file + size);
    if (file)
        memcpy(file->path, path, size);
    return file;
}

bool ztl_temporary_hold(const char *path)
{
    held *file = entry_of(path);
    if (file)
        hold(file);
    return file;
}

void ztl_temporary_release(const char *path)
{
    sigset_t before = block_ends();
    held **place = &first;
    while (*place && strcmp((*place)->path, path))
        place = &(*place)->next;
    held *file = *place;
    if (file)
        *place = file->next;
    if (!first)
        exchange_handlers(remove_all, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(file);
}

/* No signal comes between the file's birth and its entry in the list. */
static bool create(char *path, int suffix_length)
{
    held *file = entry_of(path);
    sigset_t before = block_ends();
    int fd = file ? mkostemps(path, suffix_length, O_CLOEXEC) : -1;
    int why = errno;
    if (fd >= 0) {
        close(fd);
        memcpy(file->path, path, strlen(path) + 1);
        hold(file);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (fd < 0)
        free(file);
    errno = why;
    return fd >= 0;
}

bool ztl_temporary_file(char *path, size_t size, const char *suffix)
{
    const char *folder = getenv("TMPDIR");
    int length =
        snprintf(path, size, "%s/ztl-XXXXXX%s", folder && *folder ? folder : "/tmp", suffix);
    if (length < 0 || (size_t)length >= size) {
        errno = ENAMETOOLONG;
        return false;
    }
    return create(path, (int)strlen(suffix));
}

void ztl_temporary_remove(const char *path)
{
    unlink(path);
    ztl_temporary_release(path);
}
