/* SPDX-License-Identifier: Apache-2.0
 * Where a guest program starts and ends, and the functions that a compiler may call.
 */
#include "guest.h"

__attribute__((naked, section(".text.start"), used)) void _start(void);

__attribute__((naked, section(".text.start"), used)) void _start(void)
{
    __asm__ volatile("andi sp, sp, -16\n"
                     "call work\n"
                     "srli a1, a0, 32\n"
                     "xor a0, a0, a1\n"
                     "srli a1, a0, 16\n"
                     "xor a0, a0, a1\n"
                     "andi a0, a0, 127\n"
                     "li a7, 93\n"
                     "ecall\n");
}

void *memcpy(void *restrict target, const void *restrict source, size_t size);
void *memset(void *target, int value, size_t size);

void *memcpy(void *restrict target, const void *restrict source, size_t size)
{
    uint8_t *to = target;
    const uint8_t *from = source;
    while (size--)
        *to++ = *from++;
    return target;
}

void *memset(void *target, int value, size_t size)
{
    uint8_t *to = target;
    while (size--)
        *to++ = (uint8_t)value;
    return target;
}
