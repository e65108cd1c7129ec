/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that may fault. They stand between ztl_guard_begin and ztl_guard_end; who handles a
 * fault there goes on at ztl_guard_fault with the answer in a0 and a1.
 */
#ifndef ZTL_QEMU_GUARD_H
#define ZTL_QEMU_GUARD_H

#include <stddef.h>
#include <stdint.h>

typedef struct ztl_guarded {
    long fault;        /* 0: no fault; else what the handler says */
    uintptr_t address; /* of the fault */
} ztl_guarded;

/* Either side of the copy may fault. */
ztl_guarded ztl_guard_copy(void *to, const void *from, size_t size);

/* Whether the byte at an address can be read; whether it can be written (its value stays). */
ztl_guarded ztl_guard_read(uintptr_t address);
ztl_guarded ztl_guard_write(uintptr_t address);

extern const char ztl_guard_begin[], ztl_guard_end[], ztl_guard_fault[];

static inline int ztl_guard_covers(uintptr_t pc)
{
    return pc >= (uintptr_t)ztl_guard_begin && pc < (uintptr_t)ztl_guard_end;
}

#endif
