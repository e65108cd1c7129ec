/* SPDX-License-Identifier: Apache-2.0
 * Writing several files under fresh names, and renaming all of them at the end.
 */
#define _GNU_SOURCE
#include "host/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

/* What a name leads to. */
typedef struct place {
    char path[PATH_MAX]; /* behind all links */
    size_t folder;       /* the length of its folder's part */
    int descriptor;      /* of ours that it is another name of; -1: none */
    bool exists;
    bool through;       /* cannot be replaced */
    struct stat status; /* if it exists */
} place;

/* A file that is being replaced. */
typedef struct replacement {
    const ztl_output *output;
    place target;
    char path[PATH_MAX];            /* of the new file; of the old one once they are exchanged */
    bool exists, placed, exchanged; /* of the new file: it is there, it has the target's name */
} replacement;

static bool fail(int why)
{
    errno = why;
    return false;
}

/* Splits a name that may be a link into the real folder, in p->path, and the rest. */
static bool enter_folder(place *p, const char *name, const char **base)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(name, '/');
    size_t length = slash ? (size_t)(slash - name) + 1 : 2;
    *base = slash ? slash + 1 : name;
    if (length >= sizeof folder)
        return fail(ENAMETOOLONG);
    memcpy(folder, slash ? name : "./", length);
    folder[length] = '\0';
    if (!realpath(folder, p->path))
        return false;
    p->folder = p->path[1] ? strlen(p->path) : 0; /* "/" is in front of the rest already */
    if (!**base || !strcmp(*base, ".") || !strcmp(*base, ".."))
        return fail(*name ? EISDIR : ENOENT);
    return true;
}

/* /proc/self/fd, to which /dev/stdout and /dev/fd lead. */
static bool is_descriptor(place *p, const char *base)
{
    static const char *const folders[] = {"/proc/self/fd", "/proc/thread-self/fd"};
    char real[PATH_MAX], *end;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (realpath(folders[i], real) && !strcmp(real, p->path)) {
            long number = strtol(base, &end, 10);
            p->descriptor = *end || number < 0 || number > INT_MAX ? INT_MAX : (int)number;
            return true;
        }
    return false;
}

static bool is_of_proc(const char *folder)
{
    struct statfs status;
    return statfs(folder, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

static bool look_at_descriptor(place *p)
{
    int flags = fcntl(p->descriptor, F_GETFL);
    p->exists = p->through = true;
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
        return fail(EBADF);
    return fstat(p->descriptor, &p->status) == 0;
}

/* One link's target, from its folder on. */
static bool read_link(const place *p, char next[PATH_MAX])
{
    char target[PATH_MAX];
    ssize_t length = readlink(p->path, target, sizeof target - 1);
    if (length < 0)
        return false;
    target[length] = '\0';
    int size = *target == '/'
                   ? snprintf(next, PATH_MAX, "%s", target)
                   : snprintf(next, PATH_MAX, "%.*s/%s", (int)p->folder, p->path, target);
    return size < PATH_MAX || fail(ENAMETOOLONG);
}

static bool find(const char *name, place *p)
{
    enum { MOST_LINKS = 40 };
    char next[PATH_MAX];
    const char *base;
    *p = (place){.descriptor = -1};
    if (snprintf(next, sizeof next, "%s", name) >= PATH_MAX)
        return fail(ENAMETOOLONG);
    for (unsigned links = 0; links < MOST_LINKS; links++) {
        if (!enter_folder(p, next, &base))
            return false;
        if (is_descriptor(p, base))
            return look_at_descriptor(p);
        bool magic = is_of_proc(p->path); /* its links are no names */
        if (snprintf(p->path + p->folder, PATH_MAX - p->folder, "/%s", base) >=
            (int)(PATH_MAX - p->folder))
            return fail(ENAMETOOLONG);
        if ((magic ? stat : lstat)(p->path, &p->status) != 0)
            return errno == ENOENT;
        if (!S_ISLNK(p->status.st_mode)) {
            p->exists = true;
            p->through = magic || !S_ISREG(p->status.st_mode);
            return !S_ISDIR(p->status.st_mode) || fail(EISDIR);
        }
        if (!read_link(p, next))
            return false;
    }
    return fail(ELOOP);
}

/* The real folder is cut off at its end; "/" has none. */
static const char *folder_of(const place *p, char folder[PATH_MAX])
{
    snprintf(folder, PATH_MAX, "%.*s", (int)p->folder, p->path);
    return *folder ? folder : "/";
}

bool ztl_output_possible(const char *path)
{
    place p;
    char folder[PATH_MAX];
    if (!find(path, &p))
        return false;
    if (p.descriptor >= 0)
        return true;
    if (p.exists && access(p.path, W_OK) != 0)
        return false;
    return p.through || access(folder_of(&p, folder), W_OK | X_OK) == 0;
}

bool ztl_output_same(const char *a, const char *b)
{
    place one, other;
    if (!find(a, &one) || !find(b, &other) || one.exists != other.exists ||
        (one.through && other.through))
        return false;
    if (!one.exists)
        return !strcmp(one.path, other.path);
    return S_ISREG(one.status.st_mode) && one.status.st_dev == other.status.st_dev &&
           one.status.st_ino == other.status.st_ino;
}

static int open_through(const place *p, int flags)
{
    return p->descriptor >= 0 ? fcntl(p->descriptor, F_DUPFD_CLOEXEC, 0)
                              : open(p->path, O_WRONLY | O_CLOEXEC | flags, 0666);
}

int ztl_output_stream(const char *path)
{
    place p;
    return find(path, &p) ? open_through(&p, O_CREAT | O_TRUNC) : -1;
}

/* Takes the descriptor over. */
static bool write_to(int descriptor, const ztl_output *output)
{
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file) {
        int why = errno;
        if (descriptor >= 0)
            close(descriptor);
        return fail(why);
    }
    bool good = output->write(file, output->context) && !ferror(file) && fflush(file) == 0;
    int why = errno;
    if (fclose(file) != 0 && good) {
        good = false;
        why = errno;
    }
    errno = why;
    return good;
}

/* A file of a name that nobody has: O_EXCL follows no link either. Of a new file the system makes
 * the mode; one that takes another's place is nobody else's until it has that one's. */
static int create_beside(replacement *r)
{
    enum { TRIES = 100 };
    const place *target = &r->target;
    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t random;
        if (getrandom(&random, sizeof random, 0) != sizeof random)
            return -1;
        if (snprintf(r->path, sizeof r->path, "%.*s/.ztl-%016llx", (int)target->folder,
                     target->path, (unsigned long long)random) >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(r->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        target->exists ? 0600 : 0666);
        r->exists = file >= 0;
        if (r->exists || errno != EEXIST)
            return file;
    }
    return -1;
}

static bool take_over_mode(int file, const struct stat *status)
{
    bool is_ours = status->st_uid == geteuid() && status->st_gid == getegid();
    if (!is_ours && fchown(file, status->st_uid, status->st_gid) != 0 && errno != EPERM)
        return false;
    return fchmod(file, status->st_mode & 0777) == 0;
}

static bool prepare(replacement *r)
{
    int file = create_beside(r);
    if (file < 0)
        return false;
    if (r->target.exists && !take_over_mode(file, &r->target.status)) {
        int why = errno;
        close(file);
        return fail(why);
    }
    return write_to(file, r->output);
}

/* An exchange can be undone; not every file system has it. */
static bool put_in_place(replacement *r)
{
    r->exchanged = r->target.exists &&
                   renameat2(AT_FDCWD, r->path, AT_FDCWD, r->target.path, RENAME_EXCHANGE) == 0;
    r->placed = r->exchanged || rename(r->path, r->target.path) == 0;
    r->exists = r->exchanged || !r->placed;
    return r->placed;
}

static void put_back(replacement *r)
{
    if (r->exchanged)
        r->exchanged = renameat2(AT_FDCWD, r->path, AT_FDCWD, r->target.path, RENAME_EXCHANGE) != 0;
    else if (r->placed && !r->target.exists)
        unlink(r->target.path);
}

static sigset_t ends(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaddset(&set, signals[i]);
    return set;
}

/* Whether one of those signals has come that were not blocked before. */
static bool is_interrupted(const sigset_t *before)
{
    sigset_t set = ends(), pending;
    sigpending(&pending);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&set, number) == 1 && sigismember(&pending, number) == 1 &&
            sigismember(before, number) == 0)
            return true;
    return false;
}

/* A file that is too large is an error, and no signal too. */
static void forget_too_large(const sigset_t *before)
{
    sigset_t set;
    const struct timespec none = {0};
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    if (sigismember(before, SIGXFSZ) == 0)
        sigtimedwait(&set, NULL, &none);
}

/* A step for each file that is replaced; *at is the one that failed. */
static bool each(replacement *list, size_t count, bool (*step)(replacement *), size_t *at)
{
    for (*at = 0; *at < count; ++*at)
        if (!list[*at].target.through && !step(&list[*at]))
            return false;
    return true;
}

/* Signals wait meanwhile: none leaves a file behind or comes between two of them. */
static bool replace(replacement *list, size_t count, size_t *at)
{
    sigset_t set = ends(), before;
    sigaddset(&set, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    bool good = each(list, count, prepare, at) && (!is_interrupted(&before) || fail(EINTR)) &&
                each(list, count, put_in_place, at);
    int why = errno;
    for (size_t i = count; i-- > 0;) {
        if (!good)
            put_back(&list[i]);
        if (list[i].exists)
            unlink(list[i].path);
    }
    forget_too_large(&before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return good;
}

static bool find_all(replacement *list, const ztl_output *output, size_t count, size_t *at)
{
    for (*at = 0; *at < count; ++*at) {
        list[*at].output = &output[*at];
        if (!find(output[*at].path, &list[*at].target))
            return false;
    }
    return true;
}

static bool write_through(const replacement *list, size_t count, size_t *at)
{
    for (*at = 0; *at < count; ++*at) {
        const place *target = &list[*at].target;
        if (target->through && !write_to(open_through(target, 0), list[*at].output))
            return false;
    }
    return true;
}

bool ztl_outputs_write(const ztl_output *output, size_t count, const ztl_output **failed)
{
    size_t at = 0;
    if (!count)
        return true;
    replacement *list = calloc(count, sizeof *list);
    bool good = list && find_all(list, output, count, &at) && write_through(list, count, &at) &&
                replace(list, count, &at);
    int why = errno;
    if (!good && failed)
        *failed = &output[at < count ? at : 0];
    free(list);
    errno = why;
    return good;
}
