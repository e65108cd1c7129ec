/* SPDX-License-Identifier: Apache-2.0
 * Operators in a RISC-V Linux program: maps the file that it is given, runs the plan in it; the
 * outputs are in the file afterwards.
 *
 * usage: ops-guest FILE
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ops/drive/guest_linux.h"
#include "ops/exec/exec.h"

static guest_job *map_job(const char *path)
{
    guest_job head;
    int file = open(path, O_RDWR);
    if (file < 0 || read(file, &head, sizeof head) != sizeof head || head.magic != GUEST_MAGIC)
        return NULL;
    void *job = mmap(NULL, head.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return job == MAP_FAILED ? NULL : job;
}

int main(int argc, char **argv)
{
    guest_job *job = argc == 2 ? map_job(argv[1]) : NULL;
    if (!job) {
        fprintf(stderr, "ops-guest: %s is no job\n", argc == 2 ? argv[1] : "nothing");
        return 2;
    }
    uint8_t *base = (uint8_t *)job;
    const void *in[ZTL_OPS_BUFFERS];
    void *out[ZTL_OPS_BUFFERS];
    for (unsigned i = 0; i < ZTL_OPS_BUFFERS; i++) {
        in[i] = base + job->in[i];
        out[i] = base + job->out[i];
    }
    const ztl_ops_plan *plan = (const ztl_ops_plan *)(base + job->plan);
    return ztl_ops_run_checked(plan, in, out, base + job->scratch, &job->bad) ? 0 : GUEST_BAD_INDEX;
}
