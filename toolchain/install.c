/* SPDX-License-Identifier: Apache-2.0
 * The folders of tools, libraries and headers beside the running program.
 */
#include "toolchain/install.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* DIR/name or DIR/../name, where DIR holds the running program and `probe` exists below. */
static bool find(const char *name, const char *probe, char *path, size_t size)
{
    static const char *const places[] = {"", "../"};
    char self[PATH_MAX], candidate[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(candidate, sizeof candidate, "%s/%s%s/%s", self, places[i], name, probe);
        if (access(candidate, R_OK))
            continue;
        snprintf(candidate, sizeof candidate, "%s/%s%s", self, places[i], name);
        char *full = realpath(candidate, NULL);
        int written = full ? snprintf(path, size, "%s", full) : -1;
        free(full);
        return written > 0 && (size_t)written < size;
    }
    return false;
}

bool ztl_install_tools(char *path, size_t size)
{
    return find("libexec/ztl/bin", "as", path, size);
}

bool ztl_install_bare(const char *letters, const char *abi, char *path, size_t size)
{
    char name[256];
    snprintf(name, sizeof name, ZTL_LIBDIR "/ztl/riscv64-unknown-elf/%s/%s", letters, abi);
    return find(name, "libztlops.a", path, size);
}

bool ztl_install_include(char *path, size_t size)
{
    return find("include", "ztl/ztl.h", path, size);
}

bool ztl_install_site(char *path, size_t size)
{
    const char *const probe = "playground/play.wasm";
    return find("share/ztl/site", probe, path, size) || find("site/html", probe, path, size);
}
