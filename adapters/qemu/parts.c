/* SPDX-License-Identifier: Apache-2.0
 * Finding the parts that QEMU is given, and quoting their paths for its options.
 */
#include "adapters/qemu/parts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/error.h"

/* Beside a built program they are in adapters/qemu, beside an installed one in lib/ztl. */
bool ztl_qemu_parts(const char *given, char *folder, size_t size, ztl_error *error)
{
    static const char *const places[] = {"adapters/qemu", "../" ZTL_QEMU_LIBDIR "/ztl",
                                         "../../adapters/qemu"};
    char self[PATH_MAX], probe[PATH_MAX + 64];
    if (given) {
        snprintf(folder, size, "%s", given);
        return true;
    }
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return ztl_fail(error, "/proc/self/exe: %s", strerror(errno));
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if ((size_t)snprintf(folder, size, "%s/%s", self, places[i]) >= size)
            continue;
        snprintf(probe, sizeof probe, "%s/" ZTL_QEMU_PLUGIN, folder);
        if (access(probe, R_OK) == 0)
            return true;
    }
    return ztl_fail(error, "%s: not found beside this program", ZTL_QEMU_PLUGIN);
}

void ztl_qemu_quote(const char *from, char *to, size_t size)
{
    size_t n = 0;
    for (; *from && n + 2 < size; from++) {
        to[n++] = *from;
        if (*from == ',')
            to[n++] = ',';
    }
    to[n] = '\0';
}
