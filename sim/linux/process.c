/* SPDX-License-Identifier: Apache-2.0
 * A process as a whole, and which function serves which call.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/error.h"
#include "sim/linux/process.h"

typedef struct row {
    const char *name;
    ztl_linux_call *serve; /* NULL: nobody does */
} row;

static const row rows[CALLS] = {
#define SERVED(number, name)     [number] = {#name, ztl_linux_##name},
#define NOT_SERVED(number, name) [number] = {#name, NULL},
#include "sim/linux/syscalls.def"
};

/* Calls that C libraries try, and can do without. */
static bool is_optional(uint64_t number)
{
    enum { MEMBARRIER = 283, RSEQ = 293 };
    return number == MEMBARRIER || number == RSEQ;
}

ztl_linux *ztl_linux_create(const ztl_linux_config *config, ztl_error *error)
{
    static const enum file_kind console[] = {FILE_INPUT, FILE_OUTPUT, FILE_ERROR};
    ztl_linux *l = calloc(1, sizeof *l);
    if (!l || !ztl_linux_first_thread(l)) {
        ztl_fail(error, "no memory");
        free(l);
        return NULL;
    }
    l->config = *config;
    l->host = config->host;
    l->random = config->seed;
    l->umask = 022;
    for (size_t i = 0; i < sizeof console / sizeof console[0]; i++)
        l->file[i] = (guest_file){.kind = console[i], .file = -1, .flags = i > 0};
    return l;
}

void ztl_linux_destroy(ztl_linux *l)
{
    if (!l)
        return;
    ztl_linux_close_files(l);
    ztl_linux_free_threads(l);
    free(l);
}

void ztl_linux_say(ztl_linux *l, const char *format, ...)
{
    char line[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (l->config.say)
        l->config.say(l->config.context, line);
}

static bool was_said(ztl_linux *l, uint64_t number)
{
    if (number < CALLS) {
        bool before = l->said[number];
        l->said[number] = true;
        return before;
    }
    for (size_t i = 0; i < l->unknown_count; i++)
        if (l->unknown[i] == number)
            return true;
    if (l->unknown_count == UNKNOWN)
        return true;
    l->unknown[l->unknown_count++] = number;
    return false;
}

/* Each call is named once, however often it is made. */
static void refuse(ztl_linux *l, uint64_t number)
{
    const char *name = number < CALLS ? rows[number].name : NULL;
    if (is_optional(number) || was_said(l, number))
        return;
    ztl_linux_say(l, "system call %lld (%s) is not served: ENOSYS", (long long)number,
                  name ? name : "unknown");
}

/* The result of a call, or of the wait that it was made for the first time. */
static int64_t serve(ztl_linux *l, uint64_t number, uint64_t *a)
{
    guest_thread *t = ztl_linux_current(l);
    if (t->is_over) {
        t->is_over = false;
        return t->result;
    }
    uint64_t same = l->hart->isa.xlen == 32 ? ztl_linux_widen(number, a) : number;
    if (same < CALLS && rows[same].serve)
        return rows[same].serve(l, a);
    refuse(l, number);
    return -ENOSYS;
}

bool ztl_linux_serve(void *context, ztl_hart *hart)
{
    enum { A0 = 10, A7 = 17, ARGUMENTS = 6, ECALL = 4 };
    ztl_linux *l = context;
    uint64_t a[ARGUMENTS], number = ztl_hart_x(hart, A7);
    for (unsigned i = 0; i < ARGUMENTS; i++)
        a[i] = ztl_hart_x(hart, A0 + i);
    l->next = ztl_hart_pc(hart) + ECALL;
    l->waited = false;
    int64_t result = serve(l, number, a);
    if (l->waited) { /* the call is made again when the wait is over */
        l->next -= ECALL;
    } else {
        guest_thread *t = ztl_linux_current(l);
        t->wait = (guest_wait){0};
        t->done = 0;
        ztl_hart_set_x(hart, A0, (uint64_t)result);
        ztl_linux_deliver(l);
    }
    ztl_hart_set_pc(hart, l->next - ECALL); /* the hart goes on behind the call */
    return true;
}

bool ztl_linux_is_stuck(const ztl_linux *l)
{
    return l->is_stuck;
}
