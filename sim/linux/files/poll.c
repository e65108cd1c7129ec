/* SPDX-License-Identifier: Apache-2.0
 * Waiting for one of several files: ppoll, pselect6, epoll.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/linux/process.h"

enum { NOT_OPEN = 32, BITS_OF_SET = 1024, MASK_SIZE = 8 };

/* What a file is ready for. One that is no pipe is ready at any time: reading the console then
 * waits for the host. */
static unsigned state_of(const guest_file *file)
{
    if (file->pipe)
        return ztl_linux_pipe_state(file);
    return file->kind == FILE_INPUT                                ? READY_IN
           : file->kind == FILE_OUTPUT || file->kind == FILE_ERROR ? READY_OUT
                                                                   : READY_IN | READY_OUT;
}

/* Signals that are blocked while the call waits, if it names a set. */
static int64_t use_mask(ztl_linux *l, uint64_t address, uint64_t size)
{
    guest_thread *t = ztl_linux_current(l);
    uint8_t bytes[MASK_SIZE];
    if (!address || t->restores_mask)
        return 0;
    if (size != MASK_SIZE)
        return -EINVAL;
    if (!ztl_linux_get(l, address, bytes, sizeof bytes))
        return -EFAULT;
    t->restores_mask = true;
    t->old_mask = l->signal_mask;
    l->signal_mask = ztl_linux_can_block(get64(bytes));
    return 0;
}

/* Waits until a file changes or the deadline comes: 0, and the call has no file that is ready. */
static int64_t wait_for_files(ztl_linux *l, uint64_t count, uint64_t deadline)
{
    const guest_wait wait = {.what = count ? "files that nothing happens to" : "a signal",
                             .is_file = true,
                             .deadline = deadline};
    if (l->waiting & ~l->signal_mask)
        return -EINTR;
    return ztl_linux_wait(l, &wait);
}

static int64_t deadline_at(ztl_linux *l, uint64_t address, uint64_t *deadline)
{
    *deadline = NEVER;
    return address ? ztl_linux_get_deadline(l, address, 1, false, deadline) : 0;
}

/* ---- ppoll ---------------------------------------------------------------------------------- */

/* How many files are ready for what is asked of them; each is told so. */
static int64_t look_at_list(ztl_linux *l, uint64_t address, uint64_t count)
{
    enum { ENTRY = 8, RETURNED = 6 };
    int64_t ready = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint8_t entry[ENTRY];
        if (!ztl_linux_get(l, address + ENTRY * i, entry, sizeof entry))
            return -EFAULT;
        uint32_t number = (uint32_t)get64(entry);
        unsigned asked = entry[4] | READY_ERR | READY_HUP;
        const guest_file *file = ztl_linux_file(l, number);
        unsigned found = (int32_t)number < 0 ? 0 : file ? state_of(file) & asked : NOT_OPEN;
        const uint8_t answer[2] = {(uint8_t)found};
        if (!ztl_linux_put(l, address + ENTRY * i + RETURNED, answer, sizeof answer))
            return -EFAULT;
        ready += found != 0;
    }
    return ready;
}

int64_t ztl_linux_ppoll(ztl_linux *l, const uint64_t *a)
{
    uint64_t deadline;
    int64_t problem = a[1] > MAX_FILES * 16 ? -EINVAL : deadline_at(l, a[2], &deadline);
    if (!problem)
        problem = use_mask(l, a[3], a[4]);
    if (problem)
        return problem;
    int64_t ready = look_at_list(l, a[0], a[1]);
    return ready ? ready : wait_for_files(l, a[1], deadline);
}

/* ---- pselect6 ------------------------------------------------------------------------------- */

typedef struct file_sets {
    uint8_t set[3][BITS_OF_SET / 8]; /* to read, to write, exceptions */
} file_sets;

static bool is_in(const uint8_t *set, unsigned number)
{
    return set[number / 8] >> number % 8 & 1;
}

/* The sets of those that are ready; how many, or -EBADF. */
static int64_t look_at_sets(ztl_linux *l, const file_sets *asked, unsigned count, file_sets *found)
{
    static const unsigned wanted[] = {READY_IN | READY_HUP | READY_ERR, READY_OUT | READY_ERR, 0};
    int64_t ready = 0;
    memset(found, 0, sizeof *found);
    for (unsigned n = 0; n < count; n++)
        for (unsigned k = 0; k < 3; k++) {
            if (!is_in(asked->set[k], n))
                continue;
            const guest_file *file = ztl_linux_file(l, n);
            if (!file)
                return -EBADF;
            if (!(state_of(file) & wanted[k]))
                continue;
            found->set[k][n / 8] |= (uint8_t)(1 << n % 8);
            ready++;
        }
    return ready;
}

static int64_t put_sets(ztl_linux *l, const uint64_t *a, const file_sets *found, size_t size)
{
    for (unsigned k = 0; k < 3; k++)
        if (a[1 + k] && !ztl_linux_put(l, a[1 + k], found->set[k], size))
            return -EFAULT;
    return 0;
}

int64_t ztl_linux_pselect6(ztl_linux *l, const uint64_t *a)
{
    file_sets asked = {0}, found;
    uint8_t mask[16] = {0};
    uint64_t deadline;
    if (a[0] > BITS_OF_SET)
        return -EINVAL;
    const unsigned word = word_size(l);
    size_t size = (size_t)(a[0] + 8 * word - 1) / (8 * word) * word;
    for (unsigned k = 0; k < 3; k++)
        if (a[1 + k] && !ztl_linux_get(l, a[1 + k], asked.set[k], size))
            return -EFAULT;
    if (a[5] && !ztl_linux_get(l, a[5], mask, 2 * word))
        return -EFAULT;
    int64_t problem = deadline_at(l, a[4], &deadline);
    if (!problem)
        problem = use_mask(l, get_word(l, mask, 0), get_word(l, mask, 1));
    if (problem)
        return problem;
    int64_t ready = look_at_sets(l, &asked, (unsigned)a[0], &found);
    if (!ready) {
        ready = wait_for_files(l, a[0], deadline);
        if (l->waited)
            return 0;
    }
    problem = ready < 0 ? ready : put_sets(l, a, &found, size);
    return problem ? problem : ready;
}

/* ---- epoll ---------------------------------------------------------------------------------- */

int64_t ztl_linux_epoll_create1(ztl_linux *l, const uint64_t *a)
{
    if (a[0] & ~(uint64_t)GUEST_O_CLOEXEC)
        return -EINVAL;
    guest_epoll *epoll = calloc(1, sizeof *epoll);
    if (!epoll)
        return -ENOMEM;
    epoll->users = 1;
    return ztl_linux_new_file(
        l, 0, (guest_file){.kind = FILE_EPOLL, .file = -1, .is_closing = a[0], .epoll = epoll});
}

void ztl_linux_close_epoll(const guest_file *file)
{
    if (!--file->epoll->users)
        free(file->epoll);
}

void ztl_linux_forget_polled(ztl_linux *l, size_t number)
{
    for (size_t i = 0; i < MAX_FILES; i++)
        if (l->file[i].epoll)
            l->file[i].epoll->entry[number].is_used = false;
}

static guest_epoll *epoll_of(ztl_linux *l, uint64_t number)
{
    const guest_file *file = ztl_linux_file(l, number);
    return file ? file->epoll : NULL;
}

int64_t ztl_linux_epoll_ctl(ztl_linux *l, const uint64_t *a)
{
    enum { ADD = 1, DELETE, MODIFY };
    uint8_t bytes[16] = {0};
    guest_epoll *epoll = epoll_of(l, a[0]);
    const guest_file *file = ztl_linux_file(l, a[2]);
    if (!file || !ztl_linux_file(l, a[0]))
        return -EBADF;
    if (!epoll || file->epoll || a[1] < ADD || a[1] > MODIFY)
        return -EINVAL;
    if (file->kind == FILE_REGULAR || file->kind == FILE_DIRECTORY)
        return -EPERM;
    if (a[1] != DELETE && !ztl_linux_get(l, a[3], bytes, sizeof bytes))
        return -EFAULT;
    polled_file *entry = &epoll->entry[(uint32_t)a[2]];
    if (entry->is_used == (a[1] == ADD))
        return entry->is_used ? -EEXIST : -ENOENT;
    *entry = (polled_file){
        .is_used = a[1] != DELETE, .events = (uint32_t)get64(bytes), .data = get64(bytes + 8)};
    ztl_linux_wake_files(l);
    return 0;
}

/* What is told of a file: with EPOLLET once for each change, with EPOLLONESHOT once. */
static uint32_t events_of(const guest_file *file, polled_file *entry)
{
    const uint32_t once = UINT32_C(1) << 30, edges = UINT32_C(1) << 31;
    uint64_t changes = file->pipe ? file->pipe->changes + 1 : 1;
    uint32_t found = state_of(file) & (entry->events | READY_ERR | READY_HUP);
    bool is_off = !(entry->events & ~(once | edges));
    if (!found || is_off || (entry->events & edges && entry->seen == changes))
        return 0;
    entry->seen = changes;
    if (entry->events & once)
        entry->events &= once | edges;
    return found;
}

static int64_t look_at_epoll(ztl_linux *l, guest_epoll *epoll, uint64_t address, uint64_t most)
{
    int64_t ready = 0;
    for (size_t n = 0; n < MAX_FILES && ready < (int64_t)most; n++) {
        uint8_t bytes[16] = {0};
        uint32_t found = epoll->entry[n].is_used ? events_of(&l->file[n], &epoll->entry[n]) : 0;
        if (!found)
            continue;
        put32(bytes, found);
        put64(bytes + 8, epoll->entry[n].data);
        if (!ztl_linux_put(l, address + sizeof bytes * (uint64_t)ready, bytes, sizeof bytes))
            return -EFAULT;
        ready++;
    }
    return ready;
}

static int64_t epoll_wait_until(ztl_linux *l, const uint64_t *a, uint64_t deadline)
{
    guest_epoll *epoll = epoll_of(l, a[0]);
    if (!ztl_linux_file(l, a[0]))
        return -EBADF;
    if (!epoll || (int32_t)a[2] <= 0)
        return -EINVAL;
    int64_t problem = use_mask(l, a[4], a[5]);
    if (problem)
        return problem;
    int64_t ready = look_at_epoll(l, epoll, a[1], (uint32_t)a[2]);
    return ready ? ready : wait_for_files(l, 1, deadline);
}

int64_t ztl_linux_epoll_pwait(ztl_linux *l, const uint64_t *a)
{
    int32_t milliseconds = (int32_t)a[3];
    uint64_t time = (uint64_t)milliseconds * 1000000;
    return epoll_wait_until(l, a, milliseconds < 0 ? NEVER : ztl_linux_clock(l) + time);
}

int64_t ztl_linux_epoll_pwait2(ztl_linux *l, const uint64_t *a)
{
    uint64_t deadline;
    int64_t problem = deadline_at(l, a[3], &deadline);
    return problem ? problem : epoll_wait_until(l, a, deadline);
}
