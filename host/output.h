/* SPDX-License-Identifier: Apache-2.0
 * Files that a command writes: all of them appear when all are complete, or none does.
 *
 * A regular file is written under a fresh name beside it and renamed. A symbolic link stays, its
 * target is what is replaced; a file that was there keeps its mode and, if we may, its owner. What
 * cannot be replaced is written through: pipes, devices, descriptors (/dev/stdout, /dev/fd/3).
 */
#ifndef ZTL_HOST_OUTPUT_H
#define ZTL_HOST_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ztl_output {
    const char *path;
    bool (*write)(FILE *file, const void *context); /* false with errno set */
    const void *context;
} ztl_output;

/* Writes them: what is written through first, as nobody can take it back. False with errno set and
 * *failed, if it is not NULL, the one that failed; then no regular file has changed. A signal that
 * would end the program does so before or after, and leaves no other file. */
bool ztl_outputs_write(const ztl_output *output, size_t count, const ztl_output **failed);

/* Whether a file can be written, as far as that can be told without touching it: a command says so
 * before long work, not after it. False with errno set. */
bool ztl_output_possible(const char *path);

/* Whether two names are those of one regular file, which one of them would replace. */
bool ztl_output_same(const char *a, const char *b);

/* A file that grows while it is written and stays whatever happens, such as a trace. Its
 * descriptor, or -1 with errno set. */
int ztl_output_stream(const char *path);

#endif
