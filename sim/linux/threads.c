/* SPDX-License-Identifier: Apache-2.0
 * Threads: making and ending them, and who has the hart.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/linux/process.h"
#include "sim/privileged/csr.h"

enum { SP = 2, TP = 4, A0 = 10, ECALL = 4, CLONE = 220 };

guest_thread *ztl_linux_current(ztl_linux *l)
{
    return &l->thread[l->current];
}

static bool is_alone(const ztl_linux *l)
{
    return l->thread_count == 1;
}

/* ---- Contexts ------------------------------------------------------------------------------ */

static void save(ztl_linux *l)
{
    guest_thread *t = ztl_linux_current(l);
    guest_context *c = t->context;
    ztl_hart *hart = l->hart;
    memcpy(c->x, hart->x, sizeof c->x);
    memcpy(c->f, hart->f, sizeof c->f);
    ztl_csr_get(hart, CSR_FCSR, &c->fcsr);
    c->pc = hart->pc;
    for (unsigned n = 0; hart->ztl_retired && n < ZTL_REGISTERS; n++)
        memcpy(c->tl[n], ztl_get_register(&hart->ztl, n), ZTL_REG_BYTES);
    memcpy(c->csr, hart->ztl.csr, sizeof c->csr);
    memcpy(c->written, hart->ztl.written, sizeof c->written);
    t->signal_mask = l->signal_mask;
    t->waiting = l->waiting;
    t->handler_stack = l->handler_stack.base;
    t->handler_stack_size = l->handler_stack.size;
}

static void load(ztl_linux *l, size_t index)
{
    guest_thread *t = &l->thread[index];
    const guest_context *c = t->context;
    ztl_hart *hart = l->hart;
    memcpy(hart->x, c->x, sizeof c->x);
    memcpy(hart->f, c->f, sizeof c->f);
    ztl_csr_set(hart, CSR_FCSR, c->fcsr);
    ztl_hart_set_pc(hart, c->pc);
    hart->reserved = false;
    for (unsigned n = 0; hart->ztl_retired && n < ZTL_REGISTERS; n++)
        ztl_set_register(&hart->ztl, n, c->tl[n]);
    memcpy(hart->ztl.csr, c->csr, sizeof c->csr);
    memcpy(hart->ztl.written, c->written, sizeof c->written);
    l->signal_mask = t->signal_mask;
    l->waiting = t->waiting;
    l->handler_stack = (ztl_window){t->handler_stack, t->handler_stack_size};
    l->current = index;
    ztl_hart_set_thread(hart, (unsigned)index);
}

void ztl_linux_switch(ztl_linux *l, size_t index)
{
    if (index == l->current)
        return;
    save(l);
    load(l, index);
}

size_t ztl_linux_list_threads(void *context, unsigned *list, size_t size)
{
    const ztl_linux *l = context;
    size_t count = 0;
    for (size_t i = 0; i < MAX_THREADS; i++)
        if (l->thread[i].state != THREAD_FREE && count++ < size)
            list[count - 1] = (unsigned)i;
    return count;
}

void ztl_linux_show_thread(void *context, unsigned thread)
{
    ztl_linux_switch(context, thread);
}

/* ---- Waiting ------------------------------------------------------------------------------- */

void ztl_linux_end_wait(ztl_linux *l, guest_thread *t, int64_t result)
{
    (void)l;
    t->state = THREAD_READY;
    t->is_over = true;
    t->result = result;
}

void ztl_linux_wake_files(ztl_linux *l)
{
    for (size_t i = 0; i < MAX_THREADS; i++)
        if (l->thread[i].state == THREAD_WAITING && l->thread[i].wait.is_file)
            l->thread[i].state = THREAD_READY; /* the call is made again */
}

int64_t ztl_linux_wait(ztl_linux *l, const guest_wait *wait)
{
    guest_thread *t = ztl_linux_current(l);
    uint64_t deadline = t->wait.is_file && wait->is_file ? t->wait.deadline : wait->deadline;
    if (deadline <= ztl_linux_clock(l))
        return wait->late;
    t->wait = *wait;
    t->wait.deadline = deadline; /* a call that is tried again has that of the first time */
    t->wait.order = ++l->waits;
    t->state = THREAD_WAITING;
    t->is_over = false;
    ztl_hart_set_turn(l->hart, 0);
    l->waited = true;
    return 0;
}

static bool is_late(const guest_thread *t, uint64_t now)
{
    return t->state == THREAD_WAITING && t->wait.deadline <= now;
}

static uint64_t first_deadline(const ztl_linux *l)
{
    uint64_t first = l->alarm;
    for (size_t i = 0; i < MAX_THREADS; i++)
        if (l->thread[i].state == THREAD_WAITING && l->thread[i].wait.deadline < first)
            first = l->thread[i].wait.deadline;
    return first;
}

/* Ends the waits whose time has come. */
static void look_at_clock(ztl_linux *l)
{
    uint64_t now = ztl_linux_clock(l);
    for (size_t i = 0; i < MAX_THREADS; i++) {
        guest_thread *t = &l->thread[i];
        if (is_late(t, now) && t->wait.is_file) /* the call sees itself that it is late */
            t->state = THREAD_READY;
        else if (is_late(t, now))
            ztl_linux_end_wait(l, t, t->wait.late);
    }
    if (l->alarm <= now)
        ztl_linux_ring(l);
}

/* Nobody can go on, now or later. */
static void end_stuck(ztl_linux *l)
{
    const guest_thread *t = ztl_linux_current(l);
    char number[40] = "", others[60] = "";
    if (!is_alone(l))
        snprintf(others, sizeof others, ", as %u other%s for what never comes", l->thread_count - 1,
                 l->thread_count > 2 ? "s wait" : " waits");
    if (t->wait.address)
        snprintf(number, sizeof number, " at 0x%" PRIx64, t->wait.address);
    ztl_linux_say(l, "thread %zu waits for %s%s%s: nobody is left to end that", l->current,
                  t->wait.what, number, others);
    l->is_stuck = true;
    ztl_hart_request_exit(l->hart, 0);
}

/* ---- Turns --------------------------------------------------------------------------------- */

/* The next one after the current that can run, which may be itself; MAX_THREADS: none. */
static size_t next_ready(const ztl_linux *l)
{
    for (size_t k = 1; k <= MAX_THREADS; k++) {
        size_t index = (l->current + k) % MAX_THREADS;
        if (l->thread[index].state == THREAD_READY)
            return index;
    }
    return MAX_THREADS;
}

/* When to look again: a thread's turn ends, or something happens at a time. */
static void plan_turn(ztl_linux *l)
{
    uint64_t now = ztl_linux_clock(l), first = first_deadline(l), most = is_alone(l) ? NEVER : TURN;
    uint64_t until = first == NEVER ? NEVER : first > now ? first - now : 1;
    if (l->config.has_host_clock && first != NEVER)
        until = TURN;
    uint64_t length = until < most ? until : most;
    ztl_hart_set_turn(l->hart, length == NEVER ? NEVER : ztl_hart_retired(l->hart) + length);
}

/* A signal may end what the thread that now runs waited for. */
static void go_on(ztl_linux *l)
{
    guest_thread *t = ztl_linux_current(l);
    ztl_hart *hart = l->hart;
    if (t->is_over && t->result == -EINTR) {
        t->is_over = false;
        t->wait = (guest_wait){0};
        t->done = 0;
        ztl_hart_set_x(hart, A0, (uint64_t)t->result);
        ztl_hart_set_pc(hart, ztl_hart_pc(hart) + ECALL);
    }
    if (t->wait.what && t->restores_mask) /* its call goes on, with the mask of that */
        return;
    l->next = ztl_hart_pc(hart);
    ztl_linux_deliver(l);
    ztl_hart_set_pc(hart, l->next);
}

void ztl_linux_turn(void *context, ztl_hart *hart)
{
    ztl_linux *l = context;
    size_t next;
    (void)hart;
    look_at_clock(l);
    while ((next = next_ready(l)) == MAX_THREADS) {
        uint64_t first = first_deadline(l);
        if (first == NEVER) {
            end_stuck(l);
            return;
        }
        if (!ztl_linux_sleep_until(l, first))
            return; /* the host wants the run to stop */
        look_at_clock(l);
    }
    ztl_linux_switch(l, next);
    go_on(l);
    plan_turn(l);
}

void ztl_linux_plan(ztl_linux *l)
{
    plan_turn(l);
}

int64_t ztl_linux_sched_yield(ztl_linux *l, const uint64_t *a)
{
    (void)a;
    if (!is_alone(l))
        ztl_hart_set_turn(l->hart, 0);
    return 0;
}

/* ---- Making and ending --------------------------------------------------------------------- */

bool ztl_linux_first_thread(ztl_linux *l)
{
    l->thread[0].context = calloc(1, sizeof *l->thread[0].context);
    l->thread[0].state = THREAD_READY;
    l->thread_count = 1;
    l->alarm = NEVER;
    return l->thread[0].context != NULL;
}

void ztl_linux_free_threads(ztl_linux *l)
{
    for (size_t i = 0; i < MAX_THREADS; i++)
        free(l->thread[i].context);
}

int ztl_linux_thread_id(size_t index)
{
    return PROCESS + (int)index;
}

guest_thread *ztl_linux_thread(ztl_linux *l, uint64_t id)
{
    uint64_t index = (uint32_t)id - (uint64_t)PROCESS;
    return index < MAX_THREADS && l->thread[index].state != THREAD_FREE ? &l->thread[index] : NULL;
}

typedef struct clone_wish {
    uint64_t flags, stack, parent_tid, child_tid, tls;
} clone_wish;

static size_t free_thread(ztl_linux *l)
{
    for (size_t i = 1; i < MAX_THREADS; i++) {
        guest_thread *t = &l->thread[i];
        if (t->state != THREAD_FREE)
            continue;
        if (!t->context)
            t->context = malloc(sizeof *t->context);
        return t->context ? i : MAX_THREADS;
    }
    return MAX_THREADS;
}

/* What shares not all of the process is another process. */
static bool is_thread(uint64_t flags)
{
    enum { VM = 0x100, FS = 0x200, FILES = 0x400, SIGHAND = 0x800, THREAD = 0x10000 };
    const uint64_t all = VM | FS | FILES | SIGHAND | THREAD;
    return (flags & all) == all;
}

static bool put_id(ztl_linux *l, uint64_t address, int id)
{
    uint8_t bytes[4];
    put32(bytes, (uint32_t)id);
    return ztl_linux_put(l, address, bytes, sizeof bytes);
}

static int64_t make_thread(ztl_linux *l, const clone_wish *wish)
{
    enum { SETTLS = 0x80000, PARENT_SETTID = 0x100000 };
    enum { CHILD_CLEARTID = 0x200000, CHILD_SETTID = 0x1000000 };
    if (!is_thread(wish->flags)) {
        if (l->said[CLONE]) /* once is enough */
            return -ENOSYS;
        l->said[CLONE] = true;
        ztl_linux_say(l,
                      "a process that makes another one (clone with flags 0x%" PRIx64
                      ") is not served: ENOSYS",
                      wish->flags);
        return -ENOSYS;
    }
    size_t index = free_thread(l);
    if (index == MAX_THREADS)
        return -EAGAIN;
    guest_thread *t = &l->thread[index];
    guest_context *context = t->context;
    int id = ztl_linux_thread_id(index);
    if ((wish->flags & PARENT_SETTID && !put_id(l, wish->parent_tid, id)) ||
        (wish->flags & CHILD_SETTID && !put_id(l, wish->child_tid, id)))
        return -EFAULT;
    save(l); /* what the new one starts as */
    *context = *ztl_linux_current(l)->context;
    *t = (guest_thread){.state = THREAD_READY,
                        .context = context,
                        .signal_mask = l->signal_mask,
                        .clear_tid = wish->flags & CHILD_CLEARTID ? wish->child_tid : 0};
    context->x[A0] = 0;
    context->pc = l->next;
    if (wish->stack)
        context->x[SP] = wish->stack;
    if (wish->flags & SETTLS)
        context->x[TP] = wish->tls;
    l->thread_count++;
    plan_turn(l);
    return id;
}

int64_t ztl_linux_clone(ztl_linux *l, const uint64_t *a)
{
    const clone_wish wish = {a[0], a[1], a[2], a[4], a[3]};
    return make_thread(l, &wish);
}

int64_t ztl_linux_clone3(ztl_linux *l, const uint64_t *a)
{
    enum { FLAGS, PIDFD, CHILD_TID, PARENT_TID, EXIT_SIGNAL, STACK, STACK_SIZE_, TLS, FIELDS };
    uint8_t bytes[8 * FIELDS];
    if (a[1] < sizeof bytes)
        return -EINVAL;
    if (!ztl_linux_get(l, a[0], bytes, sizeof bytes))
        return -EFAULT;
    const clone_wish wish = {
        get64(bytes + 8 * FLAGS), get64(bytes + 8 * STACK) + get64(bytes + 8 * STACK_SIZE_),
        get64(bytes + 8 * PARENT_TID), get64(bytes + 8 * CHILD_TID), get64(bytes + 8 * TLS)};
    return make_thread(l, &wish);
}

int64_t ztl_linux_exit(ztl_linux *l, const uint64_t *a)
{
    guest_thread *t = ztl_linux_current(l);
    if (is_alone(l))
        return ztl_linux_exit_group(l, a);
    if (t->clear_tid && put_id(l, t->clear_tid, 0))
        ztl_linux_wake(l, t->clear_tid, 1, UINT32_MAX);
    t->state = THREAD_FREE;
    l->thread_count--;
    ztl_hart_set_turn(l->hart, 0);
    return 0;
}

int64_t ztl_linux_gettid(ztl_linux *l, const uint64_t *a)
{
    (void)a;
    return ztl_linux_thread_id(l->current);
}

int64_t ztl_linux_set_tid_address(ztl_linux *l, const uint64_t *a)
{
    ztl_linux_current(l)->clear_tid = a[0];
    return ztl_linux_thread_id(l->current);
}
