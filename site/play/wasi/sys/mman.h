/* SPDX-License-Identifier: Apache-2.0
 * Mapped memory, as memory.c has it.
 */
#ifndef ZTL_PLAY_MMAN_H
#define ZTL_PLAY_MMAN_H

#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_PRIVATE = 2, MAP_ANONYMOUS = 32, MAP_NORESERVE = 64 };
enum { MADV_DONTNEED = 4 };
#define MAP_FAILED ((void *)-1)
#ifndef _SC_PAGESIZE
#define _SC_PAGESIZE 30
#endif

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
int munmap(void *bytes, size_t size);
int madvise(void *bytes, size_t size, int advice);

#endif
