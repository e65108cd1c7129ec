/* SPDX-License-Identifier: Apache-2.0
 * Names of files. A process's root is the directory of the host. Links are followed here, as texts,
 * and what they lead to is then opened without any link, so that no race leads out of the root.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/linux/files/names.h"

enum { MOST_LINKS = 40 };

/* A name on its way: the path from the root so far, and the links that were followed. */
typedef struct walk {
    ztl_linux *l;
    char *path;
    unsigned links;
} walk;

/* Adds a name to the path. */
static int append(char *path, const char *name, size_t length)
{
    size_t end = strlen(path);
    if (end + length + 2 > ZTL_HOST_MAX_NAME)
        return -ENAMETOOLONG;
    snprintf(path + end, ZTL_HOST_MAX_NAME - end, "%s%.*s", end ? "/" : "", (int)length, name);
    return 0;
}

static void cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    *(slash ? slash : path) = '\0';
}

/* Where the path leads, if it is a link; -1: it is none. */
static ssize_t read_link(const walk *w, char *target)
{
    const char *leaf;
    int parent = ztl_host_open_parent(w->l->host->directory, w->path, &leaf);
    if (parent < 0)
        return -1;
    ssize_t length = readlinkat(parent, leaf, target, ZTL_HOST_MAX_NAME - 1);
    close(parent);
    target[length < 0 ? 0 : length] = '\0';
    return length;
}

static int follow(walk *w, const char *name, bool follows_last);

/* Takes one component on; `is_last`: no other comes after it. */
static int take(walk *w, const char *name, size_t length, bool follows)
{
    char target[ZTL_HOST_MAX_NAME];
    if (length == 1 && *name == '.')
        return 0;
    if (length == 2 && name[0] == '.' && name[1] == '.') {
        if (!*w->path)
            return -EACCES; /* above the root */
        cut_last(w->path);
        return 0;
    }
    int problem = append(w->path, name, length);
    if (problem || !follows || w->l->host->directory < 0 || read_link(w, target) < 0)
        return problem;
    cut_last(w->path);
    return ++w->links > MOST_LINKS ? -ELOOP : follow(w, target, true);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as links are, and these are few */
static int follow(walk *w, const char *name, bool follows_last)
{
    if (*name == '/')
        *w->path = '\0';
    for (size_t length; *name; name += length) {
        name += strspn(name, "/");
        length = strcspn(name, "/");
        int problem = length ? take(w, name, length, follows_last || name[length]) : 0;
        if (problem)
            return problem;
    }
    return 0;
}

/* The path from the root of what a call names. */
static int resolve(ztl_linux *l, uint64_t directory, uint64_t address, unsigned how, host_name *n)
{
    int problem = ztl_linux_get_text(l, address, n->name, sizeof n->name);
    walk w = {l, n->path, 0};
    if (problem)
        return problem;
    strcpy(n->path, l->directory);
    if ((int32_t)directory != GUEST_AT_FDCWD && *n->name != '/') {
        const guest_file *file = ztl_linux_file(l, directory);
        if (!file)
            return l->host->directory < 0 ? -EACCES : -EBADF;
        if (file->kind != FILE_DIRECTORY)
            return -ENOTDIR;
        snprintf(n->path, sizeof n->path, "%s", file->path);
    }
    return follow(&w, n->name, how & NAME_FOLLOW);
}

bool ztl_linux_names_directory(const char *name)
{
    size_t length = strlen(name);
    return name[length - 1] == '/' || (length > 1 && strcmp(name + length - 2, "/.") == 0);
}

static bool is_file(const host_name *n)
{
    struct stat status;
    return fstatat(n->parent, n->leaf, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           !S_ISDIR(status.st_mode);
}

int ztl_linux_find(ztl_linux *l, uint64_t directory, uint64_t address, unsigned how, host_name *n)
{
    int problem = resolve(l, directory, address, how, n);
    n->device = problem ? FILE_FREE : ztl_linux_device_named(n->path);
    if (n->device)
        return how & NAME_DEVICE ? 0 : -EACCES;
    if (problem || l->host->directory < 0)
        return problem ? problem : -EACCES;
    if (!*n->name)
        return -ENOENT;
    if (!*n->path) {
        n->leaf = ".";
        n->parent = fcntl(l->host->directory, F_DUPFD_CLOEXEC, 0);
    } else {
        n->parent = ztl_host_open_parent(l->host->directory, n->path, &n->leaf);
    }
    if (n->parent < 0)
        return -errno;
    if (ztl_linux_names_directory(n->name) && is_file(n)) {
        close(n->parent);
        return -ENOTDIR;
    }
    return 0;
}

int64_t ztl_linux_done(const host_name *n, int result)
{
    int64_t outcome = result < 0 ? -errno : 0;
    close(n->parent);
    return outcome;
}
