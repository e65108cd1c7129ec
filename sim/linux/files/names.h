/* SPDX-License-Identifier: Apache-2.0
 * What the names in system calls lead to.
 */
#ifndef ZTL_SIM_LINUX_NAMES_H
#define ZTL_SIM_LINUX_NAMES_H

#include "sim/linux/process.h"

/* A name on the host: in which directory, and how it is called there; or a device, without both. */
typedef struct host_name {
    int parent;
    enum file_kind device; /* FILE_FREE: none */
    const char *leaf;
    char path[ZTL_HOST_MAX_NAME], name[ZTL_HOST_MAX_NAME];
} host_name;

/* What a call does with a name: it means what a link at its end leads to; it may mean a device. */
enum { NAME_FOLLOW = 1, NAME_DEVICE = 2 };

/* Finds what a name in guest memory, relative to an open directory, leads to: 0, and n->parent is
 * open unless it is a device; or -errno. */
int ztl_linux_find(ztl_linux *l, uint64_t directory, uint64_t address, unsigned how, host_name *n);

/* A name that ends in a slash, or in a dot after one, is that of a directory. */
bool ztl_linux_names_directory(const char *name);

/* The result of a call of the host on such a name, whose parent is closed. */
int64_t ztl_linux_done(const host_name *n, int result);

#endif
