/* SPDX-License-Identifier: Apache-2.0
 * Files that a command writes.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/output.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the folder of a new file takes one. */
static bool folder_takes_files(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 1;
    if (snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".") >= (int)sizeof folder) {
        errno = ENAMETOOLONG;
        return false;
    }
    return access(folder, W_OK | X_OK) == 0;
}

bool ztl_output_possible(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            errno = EISDIR;
            return false;
        }
        return access(path, W_OK) == 0;
    }
    return errno == ENOENT && folder_takes_files(path);
}

static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The name of a file that is not complete. */
static bool name_part(const char *path, char part[PATH_MAX])
{
    if (snprintf(part, PATH_MAX, "%s.part", path) < PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

bool ztl_output_replaceable(const char *path)
{
    char part[PATH_MAX];
    return ztl_output_possible(path) &&
           (is_special(path) || (name_part(path, part) && ztl_output_possible(part)));
}

/* Signal handlers have nothing else to find the file by; empty: there is none. */
static char unfinished[PATH_MAX];

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ};
enum { ENDS = sizeof ends / sizeof ends[0] };

/* The signal then does what it would have done without us. */
static void remove_unfinished(int signal_number)
{
    unlink(unfinished);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void catch_ends(void)
{
    struct sigaction action = {.sa_handler = remove_unfinished}, before;
    sigemptyset(&action.sa_mask);
    for (unsigned i = 0; i < ENDS; i++)
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(ends[i], &action, NULL);
}

static void release_ends(void)
{
    struct sigaction before;
    for (unsigned i = 0; i < ENDS; i++)
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == remove_unfinished)
            signal(ends[i], SIG_DFL);
}

FILE *ztl_output_open(const char *path)
{
    if (is_special(path))
        return fopen(path, "wb");
    if (!name_part(path, unfinished))
        return NULL;
    catch_ends();
    FILE *file = fopen(unfinished, "wb");
    if (!file) {
        int why = errno;
        release_ends();
        *unfinished = '\0';
        errno = why;
    }
    return file;
}

bool ztl_output_close(FILE *file, const char *path, bool good)
{
    int why = errno;
    if (fclose(file) != 0 && good) {
        good = false;
        why = errno;
    }
    if (*unfinished) {
        if (good && rename(unfinished, path) != 0) {
            good = false;
            why = errno;
        }
        if (!good)
            unlink(unfinished);
        release_ends();
        *unfinished = '\0';
    }
    errno = why;
    return good;
}
