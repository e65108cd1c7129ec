/* SPDX-License-Identifier: Apache-2.0
 * Calls on names of files. A process's root is the directory of the host; the same code leads there
 * as for semihosting, and so no "..", link or race leads out of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sim/linux/files/names.h"

/* Flags of openat that mean something here, and the host's. */
enum {
    GUEST_O_CREAT = 0100,
    GUEST_O_EXCL = 0200,
    GUEST_O_TRUNC = 01000,
    GUEST_O_DIRECTORY = 0200000,
    GUEST_O_NOFOLLOW = 0400000,
    GUEST_O_PATH = 010000000,
    GUEST_O_TMPFILE = 020000000,
};

static int host_flags(uint64_t flags)
{
    int host = (int)(flags & 3);
    host |= flags & GUEST_O_CREAT ? O_CREAT : 0;
    host |= flags & GUEST_O_EXCL ? O_EXCL : 0;
    host |= flags & GUEST_O_TRUNC ? O_TRUNC : 0;
    host |= flags & GUEST_O_APPEND ? O_APPEND : 0;
    return host | (flags & GUEST_O_DIRECTORY ? O_DIRECTORY : 0);
}

static int64_t open_name(ztl_linux *l, host_name *n, uint64_t flags, unsigned mode)
{
    guest_file fresh = {
        .kind = FILE_REGULAR, .flags = (unsigned)flags & 3, .is_closing = flags & GUEST_O_CLOEXEC};
    struct stat status;
    fresh.file = ztl_host_open_at(n->parent, n->leaf, host_flags(flags), mode & ~l->umask & 0777);
    if (fresh.file < 0)
        return -errno;
    if (!fstat(fresh.file, &status) && S_ISDIR(status.st_mode)) {
        fresh.kind = FILE_DIRECTORY;
        if (!(fresh.path = strdup(n->path))) {
            close(fresh.file);
            return -ENOMEM;
        }
    }
    return ztl_linux_new_file(l, 0, fresh);
}

int64_t ztl_linux_openat(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    if (a[2] & (GUEST_O_PATH | GUEST_O_TMPFILE))
        return -EOPNOTSUPP;
    if ((a[2] & 3) == 3)
        return -EINVAL;
    bool creates = (a[2] & (GUEST_O_CREAT | GUEST_O_EXCL)) == (GUEST_O_CREAT | GUEST_O_EXCL);
    unsigned follow = creates || a[2] & GUEST_O_NOFOLLOW ? 0 : NAME_FOLLOW;
    int problem = ztl_linux_find(l, a[0], a[1], follow | NAME_DEVICE, &n);
    if (problem)
        return problem;
    if (n.device)
        return ztl_linux_open_device(l, n.device, a[2]);
    const bool makes_directory = (a[2] & GUEST_O_CREAT) && ztl_linux_names_directory(n.name);
    int64_t result = makes_directory ? -EISDIR : open_name(l, &n, a[2], (unsigned)a[3]);
    close(n.parent);
    return result;
}

/* ---- What a file is ----------------------------------------------------------------------- */

/* A console is no file: a pipe is the nearest thing. */
static void describe_console(struct stat *status)
{
    memset(status, 0, sizeof *status);
    status->st_mode = S_IFIFO | 0600;
    status->st_nlink = 1;
    status->st_blksize = PAGE;
}

static int64_t describe(const guest_file *file, struct stat *status)
{
    if (!file)
        return -EBADF;
    if (ztl_linux_is_device(file->kind))
        ztl_linux_describe_device(file->kind, status);
    else if (file->file < 0)
        describe_console(status);
    else if (fstat(file->file, status))
        return -errno;
    return 0;
}

/* By number, or by name; a name that is empty is the number's. */
static int64_t look_up(ztl_linux *l, uint64_t directory, uint64_t address, uint64_t flags,
                       struct stat *status)
{
    host_name n;
    char first;
    if ((flags & GUEST_AT_EMPTY_PATH) && ztl_linux_get(l, address, &first, 1) && !first)
        return describe(ztl_linux_file(l, directory), status);
    unsigned follow = flags & GUEST_AT_SYMLINK_NOFOLLOW ? 0 : NAME_FOLLOW;
    int problem = ztl_linux_find(l, directory, address, follow | NAME_DEVICE, &n);
    if (problem)
        return problem;
    if (n.device)
        return ztl_linux_describe_device(n.device, status), 0;
    return ztl_linux_done(&n, fstatat(n.parent, n.leaf, status, AT_SYMLINK_NOFOLLOW));
}

static int64_t put_stat(ztl_linux *l, uint64_t address, const struct stat *s)
{
    uint8_t bytes[128] = {0};
    put64(bytes, 1);
    put64(bytes + 8, s->st_ino);
    put32(bytes + 16, s->st_mode);
    put32(bytes + 20, (uint32_t)s->st_nlink);
    put32(bytes + 24, USER);
    put32(bytes + 28, USER);
    put64(bytes + 32, s->st_rdev);
    put64(bytes + 48, (uint64_t)s->st_size);
    put32(bytes + 56, (uint32_t)s->st_blksize);
    put64(bytes + 64, (uint64_t)s->st_blocks);
    const struct timespec *times[] = {&s->st_atim, &s->st_mtim, &s->st_ctim};
    for (unsigned i = 0; i < 3; i++) {
        put64(bytes + 72 + 16 * i, (uint64_t)times[i]->tv_sec);
        put64(bytes + 80 + 16 * i, (uint64_t)times[i]->tv_nsec);
    }
    return ztl_linux_put(l, address, bytes, sizeof bytes) ? 0 : -EFAULT;
}

int64_t ztl_linux_fstat(ztl_linux *l, const uint64_t *a)
{
    struct stat status;
    int64_t problem = describe(ztl_linux_file(l, a[0]), &status);
    return problem ? problem : put_stat(l, a[1], &status);
}

int64_t ztl_linux_newfstatat(ztl_linux *l, const uint64_t *a)
{
    struct stat status;
    int64_t result = look_up(l, a[0], a[1], a[3], &status);
    return result ? result : put_stat(l, a[2], &status);
}

int64_t ztl_linux_statx(ztl_linux *l, const uint64_t *a)
{
    enum { BASIC_STATS = 0x7ff };
    uint8_t bytes[256] = {0};
    struct stat s;
    int64_t result = look_up(l, a[0], a[1], a[2], &s);
    if (result)
        return result;
    put32(bytes, BASIC_STATS);
    put32(bytes + 4, (uint32_t)s.st_blksize);
    put32(bytes + 16, (uint32_t)s.st_nlink);
    put32(bytes + 20, USER);
    put32(bytes + 24, USER);
    bytes[28] = (uint8_t)s.st_mode;
    bytes[29] = (uint8_t)(s.st_mode >> 8);
    put64(bytes + 32, s.st_ino);
    put64(bytes + 40, (uint64_t)s.st_size);
    put64(bytes + 48, (uint64_t)s.st_blocks);
    const struct timespec *times[] = {&s.st_atim, NULL, &s.st_ctim, &s.st_mtim};
    for (unsigned i = 0; i < 4; i++) {
        if (!times[i])
            continue;
        put64(bytes + 64 + 16 * i, (uint64_t)times[i]->tv_sec);
        put32(bytes + 72 + 16 * i, (uint32_t)times[i]->tv_nsec);
    }
    put32(bytes + 128, major(s.st_rdev));
    put32(bytes + 132, minor(s.st_rdev));
    put32(bytes + 140, 1);
    return ztl_linux_put(l, a[4], bytes, sizeof bytes) ? 0 : -EFAULT;
}

int64_t ztl_linux_faccessat2(ztl_linux *l, const uint64_t *a)
{
    struct stat s;
    int64_t result = look_up(l, a[0], a[1], a[3], &s);
    if (result)
        return result;
    return a[2] & ~(uint64_t)(s.st_mode >> 6 & 7) & 7 ? -EACCES : 0;
}

int64_t ztl_linux_faccessat(ztl_linux *l, const uint64_t *a)
{
    const uint64_t as[] = {a[0], a[1], a[2], 0};
    return ztl_linux_faccessat2(l, as);
}

int64_t ztl_linux_readlinkat(ztl_linux *l, const uint64_t *a)
{
    char text[PAGE];
    host_name n;
    int32_t size = (int32_t)a[3];
    if (size <= 0)
        return -EINVAL;
    size_t room = (size_t)size < sizeof text ? (size_t)size : sizeof text;
    int problem = ztl_linux_find(l, a[0], a[1], 0, &n);
    if (problem)
        return problem;
    ssize_t got = readlinkat(n.parent, n.leaf, text, room);
    int64_t result = ztl_linux_done(&n, got < 0 ? -1 : 0);
    if (result)
        return result;
    return ztl_linux_put(l, a[2], text, (uint64_t)got) ? got : -EFAULT;
}

/* ---- Directories -------------------------------------------------------------------------- */

int64_t ztl_linux_mkdirat(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    int problem = ztl_linux_find(l, a[0], a[1], 0, &n);
    return problem
               ? problem
               : ztl_linux_done(&n, mkdirat(n.parent, n.leaf, (mode_t)(a[2] & ~l->umask & 0777)));
}

int64_t ztl_linux_unlinkat(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    int problem = ztl_linux_find(l, a[0], a[1], 0, &n);
    if (problem)
        return problem;
    if (!*n.path) {
        close(n.parent);
        return -EBUSY;
    }
    return ztl_linux_done(&n,
                          unlinkat(n.parent, n.leaf, a[2] & GUEST_AT_REMOVEDIR ? AT_REMOVEDIR : 0));
}

int64_t ztl_linux_renameat2(ztl_linux *l, const uint64_t *a)
{
    enum { NOREPLACE = 1, EXCHANGE = 2 };
    host_name from, to;
    if (a[4] & ~(uint64_t)(NOREPLACE | EXCHANGE) || a[4] == (NOREPLACE | EXCHANGE))
        return -EINVAL;
    int problem = ztl_linux_find(l, a[0], a[1], 0, &from);
    if (problem)
        return problem;
    problem = ztl_linux_find(l, a[2], a[3], 0, &to);
    if (!problem)
        problem = (int)ztl_linux_done(
            &to, renameat2(from.parent, from.leaf, to.parent, to.leaf, (unsigned)a[4]));
    close(from.parent);
    return problem;
}

int64_t ztl_linux_getcwd(ztl_linux *l, const uint64_t *a)
{
    char path[ZTL_HOST_MAX_NAME + 1];
    uint64_t size = (uint64_t)snprintf(path, sizeof path, "/%s", l->directory) + 1;
    if (a[1] < size)
        return -ERANGE;
    return ztl_linux_put(l, a[0], path, size) ? (int64_t)size : -EFAULT;
}

static int64_t enter(ztl_linux *l, const host_name *n)
{
    struct stat status;
    int64_t result = ztl_linux_done(n, fstatat(n->parent, n->leaf, &status, AT_SYMLINK_NOFOLLOW));
    if (!result && !S_ISDIR(status.st_mode))
        result = -ENOTDIR;
    if (!result)
        strcpy(l->directory, n->path);
    return result;
}

int64_t ztl_linux_chdir(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    int problem = ztl_linux_find(l, (uint64_t)GUEST_AT_FDCWD, a[0], NAME_FOLLOW, &n);
    return problem ? problem : enter(l, &n);
}

int64_t ztl_linux_fchdir(ztl_linux *l, const uint64_t *a)
{
    const guest_file *file = ztl_linux_file(l, a[0]);
    if (!file)
        return -EBADF;
    if (file->kind != FILE_DIRECTORY)
        return -ENOTDIR;
    snprintf(l->directory, sizeof l->directory, "%s", file->path);
    return 0;
}

int64_t ztl_linux_umask(ztl_linux *l, const uint64_t *a)
{
    unsigned old = l->umask;
    l->umask = (unsigned)a[0] & 0777;
    return old;
}
