/* SPDX-License-Identifier: Apache-2.0
 * Touching the stack that a command needs, so that a shortage is an error and no signal.
 */
#define _GNU_SOURCE
#include "host/stack.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* The planner takes 200 KiB; what is below is for libraries. */
enum { NEEDED = 512 << 10, BELOW = 64 << 10 };

/* The stack's mapping grows to the address that is touched. */
__attribute__((noinline)) static char touch(void)
{
    volatile char room[NEEDED];
    room[0] = 0;
    return room[0];
}

bool ztl_stack_reserve(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < NEEDED + BELOW) {
        errno = ENOMEM;
        return false;
    }
    void *room = mmap(NULL, NEEDED + BELOW, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return false;
    munmap(room, NEEDED + BELOW);
    touch(); /* as much as that is free */
    return true;
}
