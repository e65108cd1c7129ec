/* SPDX-License-Identifier: Apache-2.0
 * Any bytes as a model: read and inferred, or refused with a message that names the file.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "onnx/evaluate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[40];
    ztl_error error = {""};
    int file = memfd_create("onnx", 0);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    onnx_graph *graph = ztl_onnx_open(path, NULL, 0, &error);
    if (!graph && strncmp(error.text, path, strlen(path)) != 0)
        abort();
    if (graph && !ztl_onnx_infer(graph, &error) && strncmp(error.text, "node ", 5) != 0)
        abort();
    ztl_onnx_close(graph);
    close(file);
    return 0;
}
