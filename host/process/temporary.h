/* SPDX-License-Identifier: Apache-2.0
 * Files that must not stay behind: also not when a signal ends the program. A program with several
 * threads lets one of them take such signals, the one that calls this.
 */
#ifndef ZTL_HOST_TEMPORARY_H
#define ZTL_HOST_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

/* A new empty file with the given suffix below TMPDIR; false with errno set when that failed. */
bool ztl_temporary_file(char *path, size_t size, const char *suffix);

/* Removes it. */
void ztl_temporary_remove(const char *path);

/* A file of any other name, there or not, goes too when a signal ends the program ... */
bool ztl_temporary_hold(const char *path);

/* ... until this. */
void ztl_temporary_release(const char *path);

#endif
