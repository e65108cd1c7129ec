/* SPDX-License-Identifier: Apache-2.0
 * Futexes: words of memory that threads wait at.
 */
#include <errno.h>

#include "sim/linux/process.h"

enum { WAIT, WAKE, REQUEUE = 3, CMP_REQUEUE, WAKE_OP, WAIT_BITSET = 9, WAKE_BITSET };
enum { COMMAND = 0x7f, REALTIME_CLOCK = 0x100 };

static bool read_futex(ztl_linux *l, uint64_t address, uint32_t *value)
{
    uint8_t bytes[4];
    bool good = ztl_linux_get(l, address, bytes, sizeof bytes);
    *value = good ? get32(bytes) : 0;
    return good;
}

static bool waits_at(const guest_thread *t, uint64_t address, uint32_t bits)
{
    return t->state == THREAD_WAITING && t->wait.address == address && t->wait.bits & bits;
}

/* The one of those that wait there that came first. */
static guest_thread *first_waiter(ztl_linux *l, uint64_t address, uint32_t bits)
{
    guest_thread *first = NULL;
    for (size_t i = 0; i < MAX_THREADS; i++)
        if (waits_at(&l->thread[i], address, bits) &&
            (!first || l->thread[i].wait.order < first->wait.order))
            first = &l->thread[i];
    return first;
}

int64_t ztl_linux_wake(ztl_linux *l, uint64_t address, uint32_t most, uint32_t bits)
{
    int64_t woken = 0;
    guest_thread *t;
    while (woken < most && (t = first_waiter(l, address, bits))) {
        ztl_linux_end_wait(l, t, 0);
        woken++;
    }
    return woken;
}

/* Some are woken, others wait at another word from now on. */
static int64_t requeue(ztl_linux *l, const uint64_t *a, bool counts_moved)
{
    int64_t woken = ztl_linux_wake(l, a[0], (uint32_t)a[2], UINT32_MAX), moved = 0;
    guest_thread *t;
    while (moved < (int64_t)(uint32_t)a[3] && (t = first_waiter(l, a[0], UINT32_MAX))) {
        t->wait.address = a[4];
        t->wait.order = ++l->waits;
        moved++;
    }
    return counts_moved ? woken + moved : woken;
}

/* Changes the second word, wakes at the first, and at the second if that held what is asked. */
static int64_t wake_op(ztl_linux *l, const uint64_t *a)
{
    enum { SET, ADD, OR, ANDN, XOR, SHIFTED = 8 };
    uint32_t how = (uint32_t)a[5], old, value, argument = how >> 12 & 0xfff, with = how & 0xfff;
    uint8_t bytes[4];
    if (a[4] % 4 || !read_futex(l, a[4], &old))
        return a[4] % 4 ? -EINVAL : -EFAULT;
    argument = how >> 28 & SHIFTED ? UINT32_C(1) << (argument & 31) : argument;
    switch (how >> 28 & 7) {
    case SET:
        value = argument;
        break;
    case ADD:
        value = old + argument;
        break;
    case OR:
        value = old | argument;
        break;
    case ANDN:
        value = old & ~argument;
        break;
    case XOR:
        value = old ^ argument;
        break;
    default:
        return -ENOSYS;
    }
    put32(bytes, value);
    if (!ztl_linux_put(l, a[4], bytes, sizeof bytes))
        return -EFAULT;
    int32_t left = (int32_t)old, right = (int32_t)with;
    const bool holds[] = {left == right, left != right, left<right, left <= right, left> right,
                          left >= right};
    unsigned comparison = how >> 24 & 15;
    int64_t woken = ztl_linux_wake(l, a[0], (uint32_t)a[2], UINT32_MAX);
    if (comparison < sizeof holds && holds[comparison])
        woken += ztl_linux_wake(l, a[4], (uint32_t)a[3], UINT32_MAX);
    return woken;
}

/* A time that is given is from now on, but for WAIT_BITSET, where it is a point in time. */
static int64_t wait_at(ztl_linux *l, const uint64_t *a, unsigned command, uint32_t value)
{
    guest_wait wait = {.what = "a futex",
                       .address = a[0],
                       .bits = command == WAIT ? UINT32_MAX : (uint32_t)a[5],
                       .deadline = NEVER,
                       .late = -ETIMEDOUT,
                       .restarts = !a[3]};
    if (!wait.bits)
        return -EINVAL;
    if (value != (uint32_t)a[2])
        return -EAGAIN;
    if (a[3]) {
        int64_t problem = ztl_linux_get_deadline(l, a[3], a[1] & REALTIME_CLOCK ? 0 : 1,
                                                 command == WAIT_BITSET, &wait.deadline);
        if (problem)
            return problem;
    }
    return ztl_linux_wait(l, &wait);
}

int64_t ztl_linux_futex(ztl_linux *l, const uint64_t *a)
{
    unsigned command = (unsigned)a[1] & COMMAND;
    uint32_t value;
    if (a[0] % 4)
        return -EINVAL;
    if (!read_futex(l, a[0], &value))
        return -EFAULT;
    switch (command) {
    case WAIT:
    case WAIT_BITSET:
        return wait_at(l, a, command, value);
    case WAKE:
    case WAKE_BITSET:
        return ztl_linux_wake(l, a[0], (uint32_t)a[2],
                              command == WAKE ? UINT32_MAX : (uint32_t)a[5]);
    case REQUEUE:
        return requeue(l, a, false);
    case CMP_REQUEUE:
        return value == (uint32_t)a[5] ? requeue(l, a, true) : -EAGAIN;
    case WAKE_OP:
        return wake_op(l, a);
    default:
        return -ENOSYS;
    }
}
