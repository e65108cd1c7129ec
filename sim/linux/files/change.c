/* SPDX-License-Identifier: Apache-2.0
 * Calls that change what a file is beside its contents: rights, times, size, names, locks; and what
 * holds the files.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "sim/linux/files/names.h"

/* An open file of the host; -errno where there is none. */
static int host_file(ztl_linux *l, uint64_t number)
{
    const guest_file *file = ztl_linux_file(l, number);
    if (!file)
        return -EBADF;
    return file->file >= 0 ? file->file : -EINVAL;
}

static int64_t result_of(int result)
{
    return result < 0 ? -errno : 0;
}

/* Rights that the host understands for another user (setuid and the like) are not given. */
static mode_t mode_of(uint64_t mode)
{
    return (mode_t)mode & 0777;
}

int64_t ztl_linux_fchmod(ztl_linux *l, const uint64_t *a)
{
    int file = host_file(l, a[0]);
    return file < 0 ? file : result_of(fchmod(file, mode_of(a[1])));
}

int64_t ztl_linux_fchmodat(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    struct stat status;
    int problem = ztl_linux_find(l, a[0], a[1], NAME_FOLLOW, &n);
    if (problem)
        return problem;
    if (fstatat(n.parent, n.leaf, &status, AT_SYMLINK_NOFOLLOW))
        return ztl_linux_done(&n, -1);
    if (S_ISLNK(status.st_mode)) { /* it became one meanwhile */
        errno = ELOOP;
        return ztl_linux_done(&n, -1);
    }
    int result = fchmodat(n.parent, n.leaf, mode_of(a[2]), AT_SYMLINK_NOFOLLOW);
    if (result && errno == EOPNOTSUPP) /* as C libraries say where the kernel has no such flag */
        result = fchmodat(n.parent, n.leaf, mode_of(a[2]), 0);
    return ztl_linux_done(&n, result);
}

/* All files are the process's own, and stay that. */
static int64_t own(uint64_t user, uint64_t group)
{
    const uint32_t same = UINT32_MAX;
    bool is_own = ((uint32_t)user == USER || (uint32_t)user == same) &&
                  ((uint32_t)group == USER || (uint32_t)group == same);
    return is_own ? 0 : -EPERM;
}

int64_t ztl_linux_fchown(ztl_linux *l, const uint64_t *a)
{
    int file = host_file(l, a[0]);
    return file < 0 ? file : own(a[1], a[2]);
}

int64_t ztl_linux_fchownat(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    struct stat status;
    unsigned how = a[4] & GUEST_AT_SYMLINK_NOFOLLOW ? 0 : NAME_FOLLOW;
    int problem = ztl_linux_find(l, a[0], a[1], how, &n);
    if (problem)
        return problem;
    int64_t result = ztl_linux_done(&n, fstatat(n.parent, n.leaf, &status, AT_SYMLINK_NOFOLLOW));
    return result ? result : own(a[2], a[3]);
}

/* Two times, each of which may be "now", which is the process's own, or "as it is". */
static int64_t get_times(ztl_linux *l, uint64_t address, struct timespec *times)
{
    uint8_t bytes[32];
    if (address && !ztl_linux_get(l, address, bytes, sizeof bytes))
        return -EFAULT;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t rest = address ? get64(bytes + 16 * i + 8) : UTIME_NOW;
        times[i].tv_sec = address ? (time_t)get64(bytes + 16 * i) : 0;
        times[i].tv_nsec = (long)rest;
        if (rest > 999999999 && rest != UTIME_NOW && rest != UTIME_OMIT)
            return -EINVAL;
        if (rest == UTIME_NOW)
            ztl_linux_time_of_day(l, &times[i]);
    }
    return 0;
}

int64_t ztl_linux_utimensat(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    struct timespec times[2];
    int64_t problem = get_times(l, a[2], times);
    if (problem)
        return problem;
    if (!a[1]) { /* of an open file */
        int file = host_file(l, a[0]);
        return file < 0 ? file : result_of(futimens(file, times));
    }
    unsigned how = a[3] & GUEST_AT_SYMLINK_NOFOLLOW ? 0 : NAME_FOLLOW;
    problem = ztl_linux_find(l, a[0], a[1], how, &n);
    return problem ? problem
                   : ztl_linux_done(&n, utimensat(n.parent, n.leaf, times, AT_SYMLINK_NOFOLLOW));
}

int64_t ztl_linux_truncate(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    struct stat status;
    if (a[1] > INT64_MAX)
        return -EINVAL;
    int problem = ztl_linux_find(l, (uint64_t)GUEST_AT_FDCWD, a[0], NAME_FOLLOW, &n);
    if (problem)
        return problem;
    int file = openat(n.parent, n.leaf, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return ztl_linux_done(&n, -1);
    bool is_regular = !fstat(file, &status) && S_ISREG(status.st_mode);
    int64_t result = is_regular ? result_of(ftruncate(file, (off_t)a[1])) : -EINVAL;
    close(file);
    close(n.parent);
    return result;
}

int64_t ztl_linux_fallocate(ztl_linux *l, const uint64_t *a)
{
    const guest_file *file = ztl_linux_file(l, a[0]);
    if (!file || (file->flags & 3) == O_RDONLY)
        return -EBADF;
    if (file->kind != FILE_REGULAR)
        return file->kind == FILE_DIRECTORY ? -EISDIR : -ENODEV;
    return result_of(fallocate(file->file, (int)a[1], (off_t)a[2], (off_t)a[3]));
}

/* Waiting for a lock that somebody else holds would stop the simulator: such a lock is refused. */
int64_t ztl_linux_flock(ztl_linux *l, const uint64_t *a)
{
    const guest_file *file = ztl_linux_file(l, a[0]);
    if (!file)
        return -EBADF;
    return file->file < 0 ? 0 : result_of(flock(file->file, (int)a[1] | LOCK_NB));
}

/* A lock on a part of a file, for the host's processes too. What would have to wait is refused. */
int64_t ztl_linux_lock_part(ztl_linux *l, const guest_file *file, bool asks, uint64_t address)
{
    enum { START = 8, LENGTH = 16, OWNER = 24, SIZE = 32 };
    uint8_t bytes[SIZE];
    if (!ztl_linux_get(l, address, bytes, sizeof bytes))
        return -EFAULT;
    if (file->file < 0)
        return -EBADF;
    struct flock lock = {.l_type = (short)(bytes[0] | bytes[1] << 8),
                         .l_whence = (short)(bytes[2] | bytes[3] << 8),
                         .l_start = (off_t)get64(bytes + START),
                         .l_len = (off_t)get64(bytes + LENGTH)};
    if (fcntl(file->file, asks ? F_GETLK : F_SETLK, &lock))
        return errno == EACCES ? -EAGAIN : -errno;
    bytes[0] = (uint8_t)lock.l_type;
    if (asks && lock.l_type != F_UNLCK) {
        put64(bytes + START, (uint64_t)lock.l_start);
        put64(bytes + LENGTH, (uint64_t)lock.l_len);
        put32(bytes + OWNER, 1); /* somebody else */
    }
    return !asks || ztl_linux_put(l, address, bytes, sizeof bytes) ? 0 : -EFAULT;
}

int64_t ztl_linux_linkat(ztl_linux *l, const uint64_t *a)
{
    enum { SYMLINK_FOLLOW = 0x400 };
    host_name from, to;
    if (a[4] & ~(uint64_t)(SYMLINK_FOLLOW | GUEST_AT_EMPTY_PATH))
        return -EINVAL;
    int problem = ztl_linux_find(l, a[0], a[1], a[4] & SYMLINK_FOLLOW ? NAME_FOLLOW : 0, &from);
    if (problem)
        return problem;
    problem = ztl_linux_find(l, a[2], a[3], 0, &to);
    if (!problem)
        problem = (int)ztl_linux_done(&to, linkat(from.parent, from.leaf, to.parent, to.leaf, 0));
    close(from.parent);
    return problem;
}

/* The text of a link may be anything: where it leads is looked at when it is followed. */
int64_t ztl_linux_symlinkat(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    char text[ZTL_HOST_MAX_NAME];
    int problem = ztl_linux_get_text(l, a[0], text, sizeof text);
    if (!problem)
        problem = ztl_linux_find(l, a[1], a[2], 0, &n);
    return problem ? problem : ztl_linux_done(&n, symlinkat(text, n.parent, n.leaf));
}

/* The host's numbers would make runs differ: a file system of 1 TiB, half of it free. */
static int64_t put_statfs(ztl_linux *l, uint64_t address)
{
    enum { EXT4 = 0xef53, BLOCKS = 1 << 28, FILES = 1 << 26, NAME = 255 };
    const uint64_t words[15] = {EXT4,  PAGE,      BLOCKS, BLOCKS / 2, BLOCKS / 2,
                                FILES, FILES / 2, 0,      NAME,       PAGE};
    uint8_t bytes[sizeof words];
    for (unsigned i = 0; i < 15; i++)
        put64(bytes + 8 * i, words[i]);
    return ztl_linux_put(l, address, bytes, sizeof bytes) ? 0 : -EFAULT;
}

int64_t ztl_linux_statfs(ztl_linux *l, const uint64_t *a)
{
    host_name n;
    struct stat status;
    int problem = ztl_linux_find(l, (uint64_t)GUEST_AT_FDCWD, a[0], NAME_FOLLOW, &n);
    if (problem)
        return problem;
    int64_t result = ztl_linux_done(&n, fstatat(n.parent, n.leaf, &status, AT_SYMLINK_NOFOLLOW));
    return result ? result : put_statfs(l, a[1]);
}

int64_t ztl_linux_fstatfs(ztl_linux *l, const uint64_t *a)
{
    return ztl_linux_file(l, a[0]) ? put_statfs(l, a[1]) : -EBADF;
}
