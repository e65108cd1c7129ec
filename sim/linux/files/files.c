/* SPDX-License-Identifier: Apache-2.0
 * Calls on open files: the console, and files below the directory of the host.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/linux/process.h"

enum { MAX_VECTOR = 1024, MOST_AT_ONCE = 0x7ffff000, O_ACCESS = 3 };
enum { F_DUPFD_ = 0, F_GETFD_, F_SETFD_, F_GETFL_, F_SETFL_ };
enum { F_GETLK_ = 5, F_SETLK_, F_SETLKW_, F_GETLK64_ = 12, F_SETLK64_, F_SETLKW64_ };
enum { F_DUPFD_CLOEXEC_ = 1030 };

guest_file *ztl_linux_file(ztl_linux *l, uint64_t number)
{
    uint64_t index = (uint32_t)number;
    return index < MAX_FILES && l->file[index].kind != FILE_FREE ? &l->file[index] : NULL;
}

static void let_go(ztl_linux *l, guest_file *file)
{
    if (file->file >= 0 && file->kind != FILE_FREE)
        close(file->file);
    if (file->pipe)
        ztl_linux_close_pipe(l, file);
    if (file >= l->file && file < l->file + MAX_FILES)
        ztl_linux_forget_polled(l, (size_t)(file - l->file));
    if (file->epoll)
        ztl_linux_close_epoll(file);
    free(file->path);
    *file = (guest_file){.kind = FILE_FREE, .file = -1};
}

int64_t ztl_linux_new_file(ztl_linux *l, uint64_t from, guest_file file)
{
    for (uint64_t i = from; i < MAX_FILES; i++)
        if (l->file[i].kind == FILE_FREE) {
            l->file[i] = file;
            return (int64_t)i;
        }
    let_go(l, &file);
    return -EMFILE;
}

void ztl_linux_close_files(ztl_linux *l)
{
    for (size_t i = 0; i < MAX_FILES; i++)
        let_go(l, &l->file[i]);
}

int64_t ztl_linux_close(ztl_linux *l, const uint64_t *a)
{
    guest_file *file = ztl_linux_file(l, a[0]);
    if (!file)
        return -EBADF;
    let_go(l, file);
    return 0;
}

/* Whether it was opened, and not there from the start. */
static bool has_access(const guest_file *file)
{
    return file->kind == FILE_REGULAR || ztl_linux_is_device(file->kind);
}

static bool is_readable(const guest_file *file)
{
    return file->kind == FILE_INPUT || (has_access(file) && (file->flags & O_ACCESS) != O_WRONLY);
}

static bool is_writable(const guest_file *file)
{
    return file->kind == FILE_OUTPUT || file->kind == FILE_ERROR ||
           (has_access(file) && (file->flags & O_ACCESS) != O_RDONLY);
}

/* An offset of a file; NULL: wherever it is. */
typedef const uint64_t *place;

static int64_t read_host(ztl_linux *l, const guest_file *file, void *bytes, size_t size, place at,
                         uint64_t done)
{
    if (file->kind == FILE_INPUT)
        return (int64_t)ztl_host_input(l->host, bytes, size);
    if (ztl_linux_is_device(file->kind))
        return (int64_t)ztl_linux_read_device(l, file->kind, bytes, size);
    ssize_t got =
        at ? pread(file->file, bytes, size, (off_t)(*at + done)) : read(file->file, bytes, size);
    return got < 0 ? -errno : got;
}

static int64_t write_host(ztl_linux *l, const guest_file *file, const void *bytes, size_t size,
                          place at, uint64_t done)
{
    if (ztl_linux_is_device(file->kind))
        return (int64_t)size;
    if (file->kind != FILE_REGULAR) {
        ztl_host_output(l->host, file->kind == FILE_ERROR, bytes, size);
        return (int64_t)size;
    }
    ssize_t got =
        at ? pwrite(file->file, bytes, size, (off_t)(*at + done)) : write(file->file, bytes, size);
    return got < 0 ? -errno : got;
}

/* What was moved counts; a failure is told when nothing was. */
static int64_t outcome(uint64_t done, int64_t problem)
{
    return done || problem >= 0 ? (int64_t)done : problem;
}

static int64_t read_some(ztl_linux *l, const guest_file *file, uint64_t address, uint64_t size,
                         place at)
{
    uint8_t bytes[CHUNK];
    uint64_t done = 0;
    int64_t got = 0;
    size = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
    while (done < size && !ztl_hart_stop_requested(l->hart)) {
        size_t want = ztl_linux_chunk(l, address + done, size - done, USE_STORE);
        got = want ? read_host(l, file, bytes, want, at, done) : -EFAULT;
        if (got <= 0)
            break;
        ztl_linux_put(l, address + done, bytes, (uint64_t)got);
        done += (uint64_t)got;
        if ((size_t)got < want || file->kind == FILE_INPUT) /* a console gives a line at a time */
            break;
    }
    return outcome(done, got);
}

static int64_t write_some(ztl_linux *l, const guest_file *file, uint64_t address, uint64_t size,
                          place at)
{
    uint8_t bytes[CHUNK];
    uint64_t done = 0;
    int64_t got = 0;
    size = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
    while (done < size && !ztl_hart_stop_requested(l->hart)) {
        size_t want = ztl_linux_chunk(l, address + done, size - done, USE_LOAD);
        ztl_linux_get(l, address + done, bytes, want);
        got = want ? write_host(l, file, bytes, want, at, done) : -EFAULT;
        if (got <= 0)
            break;
        done += (uint64_t)got;
    }
    return outcome(done, got);
}

/* Both ends of a buffer are looked at before anything is moved. */
static bool is_buffer(uint64_t address, uint64_t size)
{
    return size <= USER_END && address <= USER_END - size;
}

/* read and write, at a place or not. */
static int64_t move(ztl_linux *l, const uint64_t *a, bool writes, place at)
{
    guest_file *file = ztl_linux_file(l, a[0]);
    if (file && file->pipe)
        return at ? -ESPIPE : ztl_linux_move_pipe(l, file, a[1], a[2], writes);
    if (!file || !(writes ? is_writable(file) : is_readable(file)))
        return file && file->kind == FILE_DIRECTORY && !writes ? -EISDIR : -EBADF;
    if (at && !has_access(file))
        return -ESPIPE;
    if (at && *at > INT64_MAX - MOST_AT_ONCE)
        return -EINVAL;
    if (!is_buffer(a[1], a[2]))
        return -EFAULT;
    return (writes ? write_some : read_some)(l, file, a[1], a[2], at);
}

int64_t ztl_linux_read(ztl_linux *l, const uint64_t *a)
{
    return move(l, a, false, NULL);
}

int64_t ztl_linux_write(ztl_linux *l, const uint64_t *a)
{
    return move(l, a, true, NULL);
}

int64_t ztl_linux_pread64(ztl_linux *l, const uint64_t *a)
{
    return move(l, a, false, &a[3]);
}

int64_t ztl_linux_pwrite64(ztl_linux *l, const uint64_t *a)
{
    return move(l, a, true, &a[3]);
}

int64_t ztl_linux_pread(ztl_linux *l, guest_file *file, uint64_t address, uint64_t size,
                        uint64_t offset)
{
    uint64_t done = 0;
    while (done < size && offset <= INT64_MAX - size) {
        uint64_t at = offset + done;
        int64_t got = read_some(l, file, address + done, size - done, &at);
        if (got <= 0)
            break;
        done += (uint64_t)got;
    }
    return (int64_t)done;
}

/* From one file to another, whose memory the program does not see. */
static int64_t send_some(ztl_linux *l, const guest_file *to, const guest_file *from, uint64_t size,
                         place at)
{
    uint8_t bytes[CHUNK];
    uint64_t done = 0;
    int64_t got = 0;
    while (done < size && !ztl_hart_stop_requested(l->hart)) {
        size_t want = size - done < sizeof bytes ? (size_t)(size - done) : sizeof bytes;
        got = read_host(l, from, bytes, want, at, done);
        if (got > 0)
            got = write_host(l, to, bytes, (size_t)got, NULL, 0);
        if (got <= 0)
            break;
        done += (uint64_t)got;
    }
    return outcome(done, got);
}

int64_t ztl_linux_sendfile(ztl_linux *l, const uint64_t *a)
{
    const guest_file *to = ztl_linux_file(l, a[0]), *from = ztl_linux_file(l, a[1]);
    uint8_t bytes[8];
    if (!to || !from || !is_writable(to) || !is_readable(from))
        return -EBADF;
    if (from->kind != FILE_REGULAR)
        return -EINVAL;
    if (a[2] && !ztl_linux_get(l, a[2], bytes, sizeof bytes))
        return -EFAULT;
    uint64_t at = a[2] ? get64(bytes) : 0;
    uint64_t size = a[3] < MOST_AT_ONCE ? a[3] : MOST_AT_ONCE;
    if (at > INT64_MAX - MOST_AT_ONCE)
        return -EINVAL;
    int64_t moved = send_some(l, to, from, size, a[2] ? &at : NULL);
    put64(bytes, at + (uint64_t)(moved > 0 ? moved : 0));
    return !a[2] || ztl_linux_put(l, a[2], bytes, sizeof bytes) ? moved : -EFAULT;
}

typedef struct piece {
    uint64_t address, size;
} piece;

/* What readv and writev move: all of it is looked at before any is moved. */
static int64_t get_pieces(ztl_linux *l, const uint64_t *a, piece *list)
{
    if (!ztl_linux_file(l, a[0]))
        return -EBADF;
    if (a[2] > MAX_VECTOR)
        return -EINVAL;
    for (uint64_t i = 0; i < a[2]; i++) {
        uint8_t words[16];
        const unsigned size = 2 * word_size(l);
        if (!ztl_linux_get(l, a[1] + size * i, words, size))
            return -EFAULT;
        list[i] = (piece){get_word(l, words, 0), get_word(l, words, 1)};
        if (list[i].size > INT64_MAX)
            return -EINVAL;
        if (!is_buffer(list[i].address, list[i].size))
            return -EFAULT;
    }
    return 0;
}

/* One piece after the other, until one is not moved as a whole. */
static int64_t move_pieces(ztl_linux *l, const uint64_t *a, bool writes)
{
    piece list[MAX_VECTOR];
    uint64_t done = 0;
    int64_t problem = get_pieces(l, a, list);
    if (problem)
        return problem;
    for (uint64_t i = 0; i < a[2]; i++) {
        if (!list[i].size)
            continue;
        const uint64_t one[] = {a[0], list[i].address, list[i].size};
        int64_t got = move(l, one, writes, NULL);
        if (got < 0)
            return outcome(done, got);
        done += (uint64_t)got;
        if ((uint64_t)got < list[i].size)
            break;
    }
    return (int64_t)done;
}

int64_t ztl_linux_readv(ztl_linux *l, const uint64_t *a)
{
    return move_pieces(l, a, false);
}

int64_t ztl_linux_writev(ztl_linux *l, const uint64_t *a)
{
    return move_pieces(l, a, true);
}

static int64_t seek(ztl_linux *l, const uint64_t *a)
{
    static const int from[] = {SEEK_SET, SEEK_CUR, SEEK_END};
    const guest_file *file = ztl_linux_file(l, a[0]);
    if (!file)
        return -EBADF;
    if (ztl_linux_is_device(file->kind))
        return 0;
    if (file->file < 0)
        return -ESPIPE;
    if ((uint32_t)a[2] >= sizeof from / sizeof from[0])
        return -EINVAL;
    off_t now = lseek(file->file, (off_t)a[1], from[(uint32_t)a[2]]);
    return now < 0 ? -errno : now;
}

/* On RV32 a place has two registers, and the new one is stored. */
static int64_t seek_narrow(ztl_linux *l, const uint64_t *a)
{
    uint8_t bytes[8];
    const uint64_t wide[] = {a[0], a[1] << 32 | a[2], a[4]};
    int64_t at = seek(l, wide);
    put64(bytes, (uint64_t)at);
    return at < 0 ? at : ztl_linux_put(l, a[3], bytes, sizeof bytes) ? 0 : -EFAULT;
}

int64_t ztl_linux_lseek(ztl_linux *l, const uint64_t *a)
{
    return l->hart->isa.xlen == 32 ? seek_narrow(l, a) : seek(l, a);
}

static int64_t duplicate(ztl_linux *l, const guest_file *file, uint64_t from, bool is_closing)
{
    guest_file copy = *file;
    copy.is_closing = is_closing;
    if (from >= MAX_FILES)
        return -EINVAL;
    if (file->path && !(copy.path = strdup(file->path)))
        return -ENOMEM;
    if (file->file >= 0 && (copy.file = fcntl(file->file, F_DUPFD_CLOEXEC, 0)) < 0) {
        int error = errno;
        free(copy.path);
        return -error;
    }
    if (file->pipe)
        ztl_linux_share_pipe(file);
    if (file->epoll)
        file->epoll->users++;
    return ztl_linux_new_file(l, from, copy);
}

int64_t ztl_linux_dup(ztl_linux *l, const uint64_t *a)
{
    const guest_file *file = ztl_linux_file(l, a[0]);
    return file ? duplicate(l, file, 0, false) : -EBADF;
}

int64_t ztl_linux_dup3(ztl_linux *l, const uint64_t *a)
{
    const guest_file *file = ztl_linux_file(l, a[0]);
    uint64_t to = (uint32_t)a[1];
    if (!file || to >= MAX_FILES)
        return -EBADF;
    if ((uint32_t)a[0] == to || (a[2] & ~(uint64_t)GUEST_O_CLOEXEC))
        return -EINVAL;
    let_go(l, &l->file[to]);
    return duplicate(l, file, to, a[2] & GUEST_O_CLOEXEC);
}

/* Whether a file is written at its end is the host's matter, for numbers that dup gave share it. */
static unsigned file_flags(const guest_file *file)
{
    bool appends = file->kind == FILE_REGULAR && fcntl(file->file, F_GETFL) & O_APPEND;
    bool is_impatient = file->pipe && file->pipe->is_impatient[file->kind == FILE_PIPE_OUT];
    return file->flags | (appends ? GUEST_O_APPEND : 0) | (is_impatient ? GUEST_O_NONBLOCK : 0);
}

/* Nothing else of a file can be changed, and of a console nothing. */
static int64_t set_flags(const guest_file *file, uint64_t flags)
{
    if (file->pipe)
        file->pipe->is_impatient[file->kind == FILE_PIPE_OUT] = flags & GUEST_O_NONBLOCK;
    if (file->kind != FILE_REGULAR)
        return 0;
    int now = fcntl(file->file, F_GETFL);
    int fresh = flags & GUEST_O_APPEND ? now | O_APPEND : now & ~O_APPEND;
    return now < 0 || fcntl(file->file, F_SETFL, fresh) ? -errno : 0;
}

int64_t ztl_linux_fcntl(ztl_linux *l, const uint64_t *a)
{
    guest_file *file = ztl_linux_file(l, a[0]);
    if (!file)
        return -EBADF;
    switch (a[1]) {
    case F_DUPFD_:
    case F_DUPFD_CLOEXEC_:
        return duplicate(l, file, a[2], a[1] == F_DUPFD_CLOEXEC_);
    case F_GETFD_:
        return file->is_closing;
    case F_SETFD_:
        file->is_closing = a[2] & 1;
        return 0;
    case F_GETFL_:
        return (int64_t)file_flags(file);
    case F_SETFL_:
        return set_flags(file, a[2]);
    case F_GETLK_:
    case F_SETLK_:
    case F_SETLKW_:
    case F_GETLK64_: /* those of RV32 */
    case F_SETLK64_:
    case F_SETLKW64_:
        return ztl_linux_lock_part(l, file, a[1] == F_GETLK_ || a[1] == F_GETLK64_, a[2]);
    default:
        return -EINVAL;
    }
}

/* No file is a terminal, so that a program prints the same wherever it runs. */
int64_t ztl_linux_ioctl(ztl_linux *l, const uint64_t *a)
{
    return ztl_linux_file(l, a[0]) ? -ENOTTY : -EBADF;
}

int64_t ztl_linux_ftruncate(ztl_linux *l, const uint64_t *a)
{
    const guest_file *file = ztl_linux_file(l, a[0]);
    if (!file)
        return -EBADF;
    if (file->kind != FILE_REGULAR || !is_writable(file) || a[1] > INT64_MAX)
        return -EINVAL;
    return ftruncate(file->file, (off_t)a[1]) ? -errno : 0;
}

int64_t ztl_linux_fsync(ztl_linux *l, const uint64_t *a)
{
    const guest_file *file = ztl_linux_file(l, a[0]);
    if (!file)
        return -EBADF;
    if (file->file < 0)
        return -EINVAL;
    return fsync(file->file) ? -errno : 0;
}

int64_t ztl_linux_fdatasync(ztl_linux *l, const uint64_t *a)
{
    return ztl_linux_fsync(l, a);
}

int64_t ztl_linux_fadvise64(ztl_linux *l, const uint64_t *a)
{
    return ztl_linux_file(l, a[0]) ? 0 : -EBADF;
}

/* Entries have the same form on every machine. */
int64_t ztl_linux_getdents64(ztl_linux *l, const uint64_t *a)
{
    enum { LARGEST_ENTRY = 280 };
    _Alignas(8) uint8_t bytes[CHUNK];
    const guest_file *file = ztl_linux_file(l, a[0]);
    if (!file)
        return -EBADF;
    if (file->kind != FILE_DIRECTORY)
        return -ENOTDIR;
    size_t room = ztl_linux_chunk(l, a[1], (uint32_t)a[2], USE_STORE);
    if (room < (uint32_t)a[2] && room < LARGEST_ENTRY)
        return -EFAULT;
    long got = syscall(SYS_getdents64, file->file, bytes, room);
    if (got < 0)
        return -errno;
    return ztl_linux_put(l, a[1], bytes, (uint64_t)got) ? got : -EFAULT;
}
