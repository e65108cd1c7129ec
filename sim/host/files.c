/* SPDX-License-Identifier: Apache-2.0
 * Files below one directory. Names are walked component by component with O_NOFOLLOW, so that no
 * link, "..", or race between check and use leads out of it.
 */
#define _GNU_SOURCE /* O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/host/host.h"

int ztl_host_guest_error(int error)
{
    switch (error) {
    case ENAMETOOLONG:
        return ZTL_GUEST_ENAMETOOLONG;
    case ELOOP:
        return ZTL_GUEST_ELOOP;
    case ENOTEMPTY:
        return ZTL_GUEST_ENOTEMPTY;
    default: /* up to ERANGE the numbers agree */
        return error <= ERANGE ? error : ZTL_GUEST_EIO;
    }
}

static int refuse(ztl_host *host, int guest_error)
{
    host->error = guest_error;
    return -1;
}

static int refuse_errno(ztl_host *host)
{
    return refuse(host, ztl_host_guest_error(errno));
}

static bool is_dots(const char *name, size_t length)
{
    return (length == 1 && name[0] == '.') || (length == 2 && name[0] == '.' && name[1] == '.');
}

int ztl_host_open_parent(int directory, const char *name, const char **leaf)
{
    int parent = fcntl(directory, F_DUPFD_CLOEXEC, 0);
    for (const char *slash; parent >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
        char component[ZTL_HOST_MAX_NAME];
        size_t length = (size_t)(slash - name);
        if (length == 0)
            continue;
        int next = -1;
        if (is_dots(name, length)) {
            errno = EACCES;
        } else {
            snprintf(component, sizeof component, "%.*s", (int)length, name);
            next = openat(parent, component, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        }
        int error = errno;
        close(parent);
        errno = error;
        parent = next;
    }
    if (parent >= 0 && (!*name || is_dots(name, strlen(name)))) {
        close(parent);
        errno = EACCES;
        return -1;
    }
    *leaf = name;
    return parent;
}

static int open_parent(ztl_host *host, const char *name, const char **leaf)
{
    if (host->directory < 0 || *name == '/')
        return refuse(host, ZTL_GUEST_EACCES);
    int parent = ztl_host_open_parent(host->directory, name, leaf);
    return parent < 0 ? refuse_errno(host) : parent;
}

/* Closes a file after a failure, whose errno stays. */
static int close_failed(int file, int error)
{
    close(file);
    errno = error;
    return -1;
}

int ztl_host_open_at(int parent, const char *leaf, int flags, mode_t mode)
{
    struct stat status;
    int file = openat(parent, leaf,
                      (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, mode);
    if (file < 0)
        return -1;
    if (fstat(file, &status) || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
        return close_failed(file, EACCES);
    /* Cutting the file waits until it is known to be a regular one. */
    if ((flags & O_TRUNC) && ftruncate(file, 0))
        return close_failed(file, errno);
    return file;
}

int ztl_host_open(ztl_host *host, const char *name, int flags)
{
    const char *leaf;
    struct stat status;
    int parent = open_parent(host, name, &leaf);
    if (parent < 0)
        return -1;
    int file = ztl_host_open_at(parent, leaf, flags, 0666);
    int result = file < 0 ? refuse_errno(host) : file;
    close(parent);
    if (result >= 0 && (fstat(file, &status) || S_ISDIR(status.st_mode))) {
        close(file);
        return refuse(host, ZTL_GUEST_EACCES);
    }
    return result;
}

int ztl_host_remove(ztl_host *host, const char *name)
{
    const char *leaf;
    int parent = open_parent(host, name, &leaf);
    if (parent < 0)
        return -1;
    int result = unlinkat(parent, leaf, 0) ? refuse_errno(host) : 0;
    close(parent);
    return result;
}

int ztl_host_rename(ztl_host *host, const char *from, const char *to)
{
    const char *from_leaf, *to_leaf;
    int from_parent = open_parent(host, from, &from_leaf);
    if (from_parent < 0)
        return -1;
    int to_parent = open_parent(host, to, &to_leaf);
    int result = -1;
    if (to_parent >= 0) {
        result = renameat(from_parent, from_leaf, to_parent, to_leaf) ? refuse_errno(host) : 0;
        close(to_parent);
    }
    close(from_parent);
    return result;
}
