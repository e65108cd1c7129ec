/* SPDX-License-Identifier: Apache-2.0
 * Writes small programs of both classes into a folder, for the fuzzer to start from.
 */
#include <stdio.h>

#include "tests/sim/program/image.h"

static int write_seed(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    if (!out) {
        perror(path);
        return 1;
    }
    int failed = fwrite(bytes, 1, size, out) != size;
    return fclose(out) || failed;
}

int main(int argc, char **argv)
{
    image32 small;
    image64 large;
    make_image32(&small);
    make_image64(&large);
    return argc != 2 || write_seed(argv[1], "elf32", &small, sizeof small) ||
           write_seed(argv[1], "elf64", &large, sizeof large);
}
