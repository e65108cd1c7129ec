/* SPDX-License-Identifier: Apache-2.0
 * Finding the kit and handing over to it. It knows nothing of the toolkit, so that it can be taken
 * alone; it is told where ztl is, for the targets that are run by it.
 */
#include "cli/kit.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/command/exit.h"
#include "host/command/message.h"

/* Beside a built program, and where one is installed. */
static const char *const places[] = {"conformance", "../share/ztl/conformance"};

static bool find(const char *self, const char *name, char *path, size_t size)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int length = snprintf(path, size, "%.*s/%s/%s", (int)(strrchr(self, '/') - self), self,
                              places[i], name);
        if ((size_t)length < size && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

int ztl_kit_become(const char *name, char **argv)
{
    char self[PATH_MAX], script[PATH_MAX + 64], command[64];
    snprintf(command, sizeof command, "ztl %s", name);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        ztl_message(command, "/proc/self/exe: %s", strerror(errno));
        return ZTL_EXIT_FAILURE;
    }
    self[length] = '\0';
    if (!find(self, name, script, sizeof script)) {
        ztl_message(command, "conformance/%s: not found beside this program", name);
        return ZTL_EXIT_FAILURE;
    }
    setenv("ZTL_KIT_ZTL", self, 1);
    setenv("ZTL_KIT_NAME", command, 1);
    size_t count = 0;
    while (argv[count])
        count++;
    char **words = calloc(count + 3, sizeof *words);
    if (!words)
        abort();
    static char python[] = "/usr/bin/python3", no_cache[] = "-B";
    words[0] = python;
    words[1] = no_cache;
    words[2] = script;
    memcpy(words + 3, argv + 1, (count ? count - 1 : 0) * sizeof *words);
    execv(words[0], words);
    ztl_message(command, "%s: %s; it is in the Debian package python3", python, strerror(errno));
    free(words);
    return ZTL_EXIT_FAILURE;
}
