/* SPDX-License-Identifier: Apache-2.0
 * What the compiler calls, for programs without a C library. Of the twin's own.
 */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int value, size_t size);

typedef long __attribute__((may_alias)) word;

static int aligned(const void *a, const void *b)
{
    return ((size_t)a | (size_t)b) % sizeof(word) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    size_t i = 0;
    if (aligned(to, from))
        for (; i + sizeof(word) <= size; i += sizeof(word))
            *(word *)((char *)to + i) = *(const word *)((const char *)from + i);
    for (; i < size; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memset(void *to, int value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = (char)value;
    return to;
}
