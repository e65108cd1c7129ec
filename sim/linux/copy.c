/* SPDX-License-Identifier: Apache-2.0
 * The memory of a process, as its system calls may use it.
 */
#include <errno.h>
#include <string.h>

#include "sim/linux/process.h"

size_t ztl_linux_chunk(const ztl_linux *l, uint64_t address, uint64_t size, unsigned use)
{
    uint64_t now = size < CHUNK ? size : CHUNK;
    return (size_t)ztl_memory_usable(l->hart, address, now, use);
}

bool ztl_linux_get(ztl_linux *l, uint64_t address, void *bytes, uint64_t size)
{
    return ztl_memory_usable(l->hart, address, size, USE_LOAD) == size &&
           ztl_hart_read_memory(l->hart, address, bytes, size) == size;
}

bool ztl_linux_put(ztl_linux *l, uint64_t address, const void *bytes, uint64_t size)
{
    return ztl_memory_usable(l->hart, address, size, USE_STORE) == size &&
           ztl_hart_write_memory(l->hart, address, bytes, size) == size;
}

int ztl_linux_get_text(ztl_linux *l, uint64_t address, char *text, size_t size)
{
    size_t got = (size_t)ztl_memory_usable(l->hart, address, size, USE_LOAD);
    ztl_hart_read_memory(l->hart, address, text, got);
    if (memchr(text, '\0', got))
        return 0;
    return got < size ? -EFAULT : -ENAMETOOLONG;
}
