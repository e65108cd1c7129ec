/* SPDX-License-Identifier: Apache-2.0
 * A case of ztl bench ops on the simulated hart: its plan, and plain C.
 */
#ifndef ZTL_BENCH_OPS_RUN_H
#define ZTL_BENCH_OPS_RUN_H

#include <ztl/hart.h>

#include "bench/cases/cases.h"
#include "ops/drive/drive.h"

/* Who looks at a hart before it runs. */
typedef struct ops_watch {
    void (*watch)(void *context, ztl_hart *hart); /* NULL: nobody */
    void *context;
} ops_watch;

/* How the two are run; all zero is a good default. */
typedef struct ops_manner {
    ops_watch plan, scalar;
    const ops_image *image; /* of the plan, compiled; NULL: by the executor */
} ops_manner;

/* Inputs with different bytes everywhere, and two outputs of each to compare. */
typedef struct ops_buffers {
    uint8_t *in[8];
    void *ztl[8], *scalar[8];
} ops_buffers;

bool ztl_ops_buffers_fill(const ztl_ops_case *c, ops_buffers *buffers);
void ztl_ops_buffers_free(const ztl_ops_case *c, ops_buffers *buffers);

/* Whether the two outputs are the same. */
bool ztl_ops_buffers_agree(const ztl_ops_case *c, const ops_buffers *buffers);

/* Runs the plan and the scalar version; their outputs must be the same. *retired, *scalar: all
 * instructions. False after a message. */
bool ztl_ops_simulate(const ztl_ops_case *c, const ztl_ops_plan *plan, const ops_manner *manner,
                      uint64_t *retired, uint64_t *scalar);

#endif
