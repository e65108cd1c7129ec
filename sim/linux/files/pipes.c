/* SPDX-License-Identifier: Apache-2.0
 * Pipes and event counters: between the threads of a process, and within it. They live in memory,
 * so that what a program does depends on no host.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/linux/process.h"

enum { AT_ONCE = 4096 /* what is written as a whole */, SIGPIPE_ = 13 };
enum { FOR_READING, FOR_WRITING };

static unsigned end_of(const guest_file *file)
{
    return file->kind == FILE_PIPE_OUT;
}

void ztl_linux_share_pipe(const guest_file *file)
{
    file->pipe->ends[end_of(file)]++;
}

void ztl_linux_close_pipe(ztl_linux *l, const guest_file *file)
{
    guest_pipe *pipe = file->pipe;
    pipe->ends[end_of(file)]--;
    pipe->changes++;
    ztl_linux_wake_files(l);
    if (!pipe->ends[FOR_READING] && !pipe->ends[FOR_WRITING])
        free(pipe);
}

static void changed(ztl_linux *l, guest_pipe *pipe)
{
    pipe->changes++;
    ztl_linux_wake_files(l);
}

/* The call waits, unless the file is one that never does. */
static int64_t wait_for(ztl_linux *l, const guest_file *file, const char *what)
{
    const guest_wait wait = {.what = what, .is_file = true, .restarts = true, .deadline = NEVER};
    return file->pipe->is_impatient[end_of(file)] ? -EAGAIN : ztl_linux_wait(l, &wait);
}

/* ---- Event counters ------------------------------------------------------------------------- */

static int64_t move_event(ztl_linux *l, guest_file *file, uint64_t address, uint64_t size,
                          bool writes)
{
    guest_pipe *event = file->pipe;
    uint8_t bytes[8];
    if (size < sizeof bytes)
        return -EINVAL;
    if (writes) {
        if (!ztl_linux_get(l, address, bytes, sizeof bytes))
            return -EFAULT;
        uint64_t more = get64(bytes);
        if (more == UINT64_MAX)
            return -EINVAL;
        if (event->counter > UINT64_MAX - 1 - more)
            return wait_for(l, file, "room in an event counter");
        event->counter += more;
    } else {
        if (!event->counter)
            return wait_for(l, file, "an event");
        put64(bytes, event->is_semaphore ? 1 : event->counter);
        if (!ztl_linux_put(l, address, bytes, sizeof bytes))
            return -EFAULT;
        event->counter -= event->is_semaphore ? 1 : event->counter;
    }
    changed(l, event);
    return sizeof bytes;
}

int64_t ztl_linux_eventfd2(ztl_linux *l, const uint64_t *a)
{
    enum { SEMAPHORE = 1 };
    if (a[1] & ~(uint64_t)(SEMAPHORE | GUEST_O_NONBLOCK | GUEST_O_CLOEXEC))
        return -EINVAL;
    guest_pipe *event = calloc(1, sizeof *event);
    if (!event)
        return -ENOMEM;
    event->counter = (uint32_t)a[0];
    event->is_semaphore = a[1] & SEMAPHORE;
    event->is_impatient[0] = a[1] & GUEST_O_NONBLOCK;
    event->ends[0] = 1;
    return ztl_linux_new_file(l, 0,
                              (guest_file){.kind = FILE_EVENT,
                                           .file = -1,
                                           .flags = 2,
                                           .is_closing = a[1] & GUEST_O_CLOEXEC,
                                           .pipe = event});
}

/* ---- Pipes ---------------------------------------------------------------------------------- */

/* Bytes into the ring or out of it, in at most two pieces; how many could be moved. */
static size_t move_ring(ztl_linux *l, guest_pipe *pipe, uint64_t address, size_t size, bool writes)
{
    size_t done = 0;
    while (done < size) {
        size_t at = (pipe->start + (writes ? pipe->used : 0)) % PIPE_SIZE;
        size_t now = size - done < PIPE_SIZE - at ? size - done : PIPE_SIZE - at;
        bool good = writes ? ztl_linux_get(l, address + done, pipe->bytes + at, now)
                           : ztl_linux_put(l, address + done, pipe->bytes + at, now);
        if (!good)
            break;
        pipe->used += writes ? now : -now;
        pipe->start = (pipe->start + (writes ? 0 : now)) % PIPE_SIZE;
        done += now;
    }
    return done;
}

static int64_t read_pipe(ztl_linux *l, guest_file *file, uint64_t address, uint64_t size)
{
    guest_pipe *pipe = file->pipe;
    if (!size || (!pipe->used && !pipe->ends[FOR_WRITING]))
        return 0;
    if (!pipe->used)
        return wait_for(l, file, "a pipe that nothing is written to");
    size_t done = move_ring(l, pipe, address, size < pipe->used ? (size_t)size : pipe->used, false);
    changed(l, pipe);
    return done ? (int64_t)done : -EFAULT;
}

/* All is written, however often the call has to wait for room. */
static int64_t write_pipe(ztl_linux *l, guest_file *file, uint64_t address, uint64_t size)
{
    guest_pipe *pipe = file->pipe;
    guest_thread *t = ztl_linux_current(l);
    uint64_t left = size - t->done;
    if (!pipe->ends[FOR_READING]) {
        ztl_linux_send(l, t, SIGPIPE_, 0);
        return -EPIPE;
    }
    size_t room = PIPE_SIZE - pipe->used, now = left < room ? (size_t)left : room;
    if (left <= AT_ONCE && left > room)
        now = 0;
    size_t done = move_ring(l, pipe, address + t->done, now, true);
    if (done < now)
        return t->done + done ? (int64_t)(t->done + done) : -EFAULT;
    t->done += done;
    if (done)
        changed(l, pipe);
    if (t->done == size || (pipe->is_impatient[FOR_WRITING] && t->done))
        return (int64_t)t->done;
    return wait_for(l, file, "a pipe that nothing is read from");
}

int64_t ztl_linux_move_pipe(ztl_linux *l, guest_file *file, uint64_t address, uint64_t size,
                            bool writes)
{
    if (file->kind == FILE_EVENT)
        return move_event(l, file, address, size, writes);
    if (writes != (file->kind == FILE_PIPE_OUT))
        return -EBADF;
    return writes ? write_pipe(l, file, address, size) : read_pipe(l, file, address, size);
}

int64_t ztl_linux_pipe2(ztl_linux *l, const uint64_t *a)
{
    static const enum file_kind kinds[] = {FILE_PIPE_IN, FILE_PIPE_OUT};
    uint8_t bytes[8];
    int64_t number[2];
    if (a[1] & ~(uint64_t)(GUEST_O_NONBLOCK | GUEST_O_CLOEXEC))
        return -EINVAL;
    if (!ztl_linux_get(l, a[0], bytes, sizeof bytes))
        return -EFAULT;
    guest_pipe *pipe = calloc(1, sizeof *pipe);
    if (!pipe)
        return -ENOMEM;
    for (unsigned i = 0; i < 2; i++) {
        pipe->is_impatient[i] = a[1] & GUEST_O_NONBLOCK;
        pipe->ends[i]++;
        number[i] = ztl_linux_new_file(l, 0,
                                       (guest_file){.kind = kinds[i],
                                                    .file = -1,
                                                    .flags = i,
                                                    .is_closing = a[1] & GUEST_O_CLOEXEC,
                                                    .pipe = pipe});
        if (number[i] < 0) {
            if (i) /* that of the first is open; the failed one has closed itself */
                ztl_linux_close(l, (const uint64_t[]){(uint64_t)number[0]});
            return number[i];
        }
        put32(bytes + 4 * i, (uint32_t)number[i]);
    }
    return ztl_linux_put(l, a[0], bytes, sizeof bytes) ? 0 : -EFAULT;
}

unsigned ztl_linux_pipe_state(const guest_file *file)
{
    const guest_pipe *pipe = file->pipe;
    switch (file->kind) {
    case FILE_PIPE_IN:
        return (pipe->used ? READY_IN : 0) | (pipe->ends[FOR_WRITING] ? 0 : READY_HUP);
    case FILE_PIPE_OUT:
        return (PIPE_SIZE - pipe->used >= AT_ONCE ? READY_OUT : 0) |
               (pipe->ends[FOR_READING] ? 0 : READY_ERR);
    default:
        return (pipe->counter ? READY_IN : 0) | (pipe->counter < UINT64_MAX - 1 ? READY_OUT : 0);
    }
}
