/* SPDX-License-Identifier: Apache-2.0
 * The buffers that a run is given.
 */
#ifndef ZTL_OPS_BUFFERS_H
#define ZTL_OPS_BUFFERS_H

#include "ops/format/plan.h"

typedef struct ops_given {
    const ops_span *spans; /* of the inputs, then of the outputs */
    uint32_t inputs, outputs;
    uint64_t scratch_bytes;
    const void *const *in;
    void *const *out;
    const void *scratch;
    bool in_place; /* output 0 is input 0 */
} ops_given;

/* That all are there, and that what is written overlaps nothing that is read. */
ZTL_API bool ztl_ops_check_buffers(const ops_given *buffers, ztl_error *error);

#endif
