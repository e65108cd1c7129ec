/* SPDX-License-Identifier: Apache-2.0
 * Threads of a process: contexts of the one hart, which take turns. Who runs when follows from
 * counts of instructions and from the calls that they make, so that it is the same in every run.
 */
#ifndef ZTL_SIM_LINUX_THREADS_H
#define ZTL_SIM_LINUX_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/hart.h"

enum { MAX_THREADS = 256, TURN = 100000 /* instructions that a thread runs while others could */ };

#define NEVER UINT64_MAX

enum thread_state { THREAD_FREE, THREAD_READY, THREAD_WAITING };

/* What a call waits for. It is over when the deadline is reached, with the result for that case, or
 * when somebody ends it; the call is then made again, and gives the result. */
typedef struct guest_wait {
    const char *what;  /* in words, with an address behind it where there is one */
    uint64_t address;  /* of a futex */
    uint32_t bits;     /* of it, that wake */
    bool is_file;      /* to be tried again when a pipe has changed */
    bool restarts;     /* after the handler of a signal, if that allows it */
    uint64_t deadline; /* on ztl_linux_clock; NEVER: none */
    int64_t late;      /* result at the deadline */
    uint64_t order;    /* of those that wait for a futex, the first is woken first */
} guest_wait;

/* The registers of a thread that does not run. */
typedef struct guest_context {
    uint64_t x[32], f[32];
    uint64_t pc, fcsr;
    uint8_t tl[ZTL_REGISTERS][ZTL_REG_BYTES];
    uint32_t csr[ZTL_SLOTS];
    uint8_t written[ZTL_SLOTS];
} guest_context;

typedef struct guest_thread {
    enum thread_state state;
    guest_wait wait;
    bool is_over; /* the wait, with this result */
    int64_t result;
    uint64_t done;      /* bytes that a call has moved which waits for room */
    uint64_t clear_tid; /* set to 0, and a futex there woken, when it ends; 0: none */
    bool restores_mask; /* after a handler, the mask of before the call that waited */
    uint64_t old_mask;
    /* While another one runs. */
    uint64_t signal_mask, waiting;
    uint64_t handler_stack, handler_stack_size;
    guest_context *context;
} guest_thread;

#endif
