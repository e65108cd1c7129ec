/* SPDX-License-Identifier: Apache-2.0
 * What the host hands to operators in a RISC-V Linux program: one file, which the program maps.
 */
#ifndef ZTL_OPS_GUEST_LINUX_H
#define ZTL_OPS_GUEST_LINUX_H

#include <ztl/ops.h>

#include "ops/exec/exec.h"

enum { GUEST_ALIGN = 64, GUEST_BAD_INDEX = 3 };
#define GUEST_MAGIC UINT64_C(0x31626f6a6c747a00)

/* The head of the file. All places are offsets from its start. */
typedef struct guest_job {
    uint64_t magic, bytes; /* bytes: of the whole file */
    uint64_t plan, scratch;
    uint64_t in[ZTL_OPS_BUFFERS], out[ZTL_OPS_BUFFERS];
    ops_bad_index bad; /* where the program ends with GUEST_BAD_INDEX */
} guest_job;

#endif
