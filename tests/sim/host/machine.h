/* SPDX-License-Identifier: Apache-2.0
 * A hart with a host around it whose console is kept in memory.
 */
#ifndef ZTL_TEST_HOST_MACHINE_H
#define ZTL_TEST_HOST_MACHINE_H

#include <stdio.h>
#include <string.h>

#include <ztl/error.h>

#include "sim/host/host.h"
#include "tests/unit.h"

enum { RAM = 0x80000000, BLOCK = RAM + 0x100, TEXT = RAM + 0x1000, RAM_SIZE = 1 << 20 };

typedef struct machine {
    ztl_hart *hart;
    ztl_host *host;
    char output[2][256]; /* of the console: normal, errors */
    size_t length[2];
    const char *input;
} machine;

static inline void machine_output(void *context, bool is_error, const void *bytes, size_t size)
{
    machine *m = context;
    assert_in_range(m->length[is_error] + size, 0, sizeof m->output[0] - 1);
    memcpy(m->output[is_error] + m->length[is_error], bytes, size);
    m->length[is_error] += size;
}

static inline size_t machine_input(void *context, void *bytes, size_t size)
{
    machine *m = context;
    size_t left = strlen(m->input), now = left < size ? left : size;
    memcpy(bytes, m->input, now);
    m->input += now;
    return now;
}

static inline void machine_start(machine *m, const char *isa, const char *directory)
{
    ztl_error error;
    ztl_window ram = {RAM, RAM_SIZE};
    ztl_hart_config config = ztl_hart_default_config();
    config.isa = isa;
    config.ram = &ram;
    config.ram_count = 1;
    ztl_host_config host = {.context = m,
                            .output = machine_output,
                            .input = machine_input,
                            .directory = directory,
                            .command_line = "one two"};
    memset(m, 0, sizeof *m);
    m->input = "";
    m->hart = ztl_hart_create(&config, &error);
    assert_non_null(m->hart);
    m->host = ztl_host_create(&host, &error);
    assert_non_null(m->host);
    ztl_host_attach(m->host, m->hart, NULL);
}

static inline void machine_end(machine *m)
{
    ztl_hart_destroy(m->hart);
    ztl_host_destroy(m->host);
}

#endif
