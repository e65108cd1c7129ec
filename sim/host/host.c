/* SPDX-License-Identifier: Apache-2.0
 * The host's side as a whole: made, attached to a hart, and its console.
 */
#define _GNU_SOURCE /* O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/error.h"
#include "sim/host/host.h"

ztl_host *ztl_host_create(const ztl_host_config *config, ztl_error *error)
{
    ztl_host *host = calloc(1, sizeof *host);
    if (!host) {
        ztl_fail(error, "no memory");
        return NULL;
    }
    host->config = *config;
    host->directory = -1;
    clock_gettime(CLOCK_MONOTONIC, &host->start);
    /* Programs that never open the console use 0, 1 and 2 as it is the custom. */
    host->handle[0].kind = ZTL_HANDLE_INPUT;
    host->handle[1].kind = ZTL_HANDLE_OUTPUT;
    host->handle[2].kind = ZTL_HANDLE_ERROR;
    if (config->directory) {
        host->directory = open(config->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (host->directory < 0) {
            ztl_fail(error, "%s: %s", config->directory, strerror(errno));
            ztl_host_destroy(host);
            return NULL;
        }
    }
    return host;
}

void ztl_host_destroy(ztl_host *host)
{
    if (!host)
        return;
    for (size_t i = 0; i < ZTL_HOST_HANDLES; i++)
        if (host->handle[i].kind == ZTL_HANDLE_FILE)
            close(host->handle[i].file);
    if (host->directory >= 0)
        close(host->directory);
    free(host);
}

void ztl_host_attach(ztl_host *host, ztl_hart *hart, const ztl_program *program)
{
    ztl_hart_hooks hooks = {.context = host, .semihost = ztl_host_semihost};
    ztl_symbol tohost, fromhost;
    host->heap = program ? ztl_program_end(program) : 0;
    host->halves = 0;
    if (program && ztl_program_find(program, "tohost", &tohost)) {
        host->tohost = tohost.address;
        hooks.store = ztl_host_tohost;
        hooks.store_range = (ztl_window){tohost.address, 8};
        host->has_fromhost = ztl_program_find(program, "fromhost", &fromhost);
        if (host->has_fromhost)
            host->fromhost = fromhost.address;
    }
    ztl_hart_set_hooks(hart, &hooks);
}

void ztl_host_output(ztl_host *host, bool is_error, const void *bytes, size_t size)
{
    if (host->config.output && size)
        host->config.output(host->config.context, is_error, bytes, size);
}

size_t ztl_host_input(ztl_host *host, void *bytes, size_t size)
{
    return host->config.input && size ? host->config.input(host->config.context, bytes, size) : 0;
}

uint64_t ztl_host_output_memory(ztl_host *host, ztl_hart *hart, bool is_error, uint64_t address,
                                uint64_t size, bool *good)
{
    char bytes[4096];
    *good = true;
    while (size && !ztl_hart_stop_requested(hart)) {
        size_t now = size < sizeof bytes ? (size_t)size : sizeof bytes;
        *good = ztl_hart_read_memory(hart, address, bytes, now) == now;
        if (!*good)
            break;
        ztl_host_output(host, is_error, bytes, now);
        address += now;
        size -= now;
    }
    return size;
}
