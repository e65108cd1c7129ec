/* SPDX-License-Identifier: Apache-2.0
 * The devices that programs expect: nothing, zeros, and random numbers that are the same in every
 * run.
 */
#define _DEFAULT_SOURCE
#include <string.h>
#include <sys/sysmacros.h>

#include "sim/linux/process.h"

static const struct device {
    const char *path; /* from the root */
    enum file_kind kind;
    unsigned minor;
} devices[] = {
    {"dev/null", FILE_NULL, 3},
    {"dev/zero", FILE_ZERO, 5},
    {"dev/random", FILE_RANDOM, 8},
    {"dev/urandom", FILE_URANDOM, 9},
};

enum { DEVICES = sizeof devices / sizeof devices[0], MEMORY = 1 };

enum file_kind ztl_linux_device_named(const char *path)
{
    for (size_t i = 0; i < DEVICES; i++)
        if (!strcmp(devices[i].path, path))
            return devices[i].kind;
    return FILE_FREE;
}

bool ztl_linux_is_device(enum file_kind kind)
{
    return kind >= FILE_NULL && kind <= FILE_URANDOM;
}

int64_t ztl_linux_open_device(ztl_linux *l, enum file_kind kind, uint64_t flags)
{
    const guest_file fresh = {.kind = kind,
                              .file = -1,
                              .flags = (unsigned)flags & 3,
                              .is_closing = flags & GUEST_O_CLOEXEC};
    return ztl_linux_new_file(l, 0, fresh);
}

size_t ztl_linux_read_device(ztl_linux *l, enum file_kind kind, uint8_t *bytes, size_t size)
{
    if (kind == FILE_NULL)
        return 0;
    memset(bytes, 0, size);
    for (size_t done = 0; kind != FILE_ZERO && done < size;) {
        uint8_t some[8];
        size_t now = size - done < sizeof some ? size - done : sizeof some;
        put64(some, ztl_linux_random(l));
        memcpy(bytes + done, some, now);
        done += now;
    }
    return size;
}

void ztl_linux_describe_device(enum file_kind kind, struct stat *status)
{
    memset(status, 0, sizeof *status);
    status->st_mode = S_IFCHR | 0666;
    status->st_nlink = 1;
    status->st_blksize = PAGE;
    for (size_t i = 0; i < DEVICES; i++)
        if (devices[i].kind == kind)
            status->st_rdev = makedev(MEMORY, devices[i].minor);
}
