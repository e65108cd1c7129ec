/* SPDX-License-Identifier: Apache-2.0
 * Any bytes as a .npy file: read, and written again, or refused with a message.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/npy/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The last byte of the tensor, by its strides, is the last one that was read. */
static void look_at(const ztl_npy *npy)
{
    const ztl_ops_tensor *t = &npy->tensor;
    uint64_t last = 0;
    for (unsigned d = 0; d < t->rank; d++) {
        if (t->extent[d] == 0)
            return;
        last += (uint64_t)(t->extent[d] - 1) * (uint64_t)t->stride[d];
    }
    uint64_t end = t->bits == 4 ? last / 2 + 1 : last + t->bits / 8;
    if (t->size != npy->bytes || end != npy->bytes)
        abort();
}

static void take(const char *path, unsigned bits)
{
    ztl_error error = {""};
    ztl_npy npy;
    if (ztl_npy_read(path, bits, &npy, &error)) {
        look_at(&npy);
        FILE *nowhere = fopen("/dev/null", "wb");
        for (unsigned fortran = 0; fortran < 2; fortran++) {
            npy.fortran = fortran;
            if (!nowhere || !ztl_npy_write(nowhere, &npy))
                abort();
        }
        fclose(nowhere);
        ztl_npy_free(&npy);
    } else if (!*error.text) {
        abort(); /* a refusal says why */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[40];
    int file = memfd_create("npy", 0);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    take(path, 0);
    take(path, 4);
    close(file);
    return 0;
}
