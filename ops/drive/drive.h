/* SPDX-License-Identifier: Apache-2.0
 * Plans on a simulated hart and under unmodified QEMU.
 */
#ifndef ZTL_OPS_DRIVE_H
#define ZTL_OPS_DRIVE_H

#include <ztl/hart.h>
#include <ztl/ops.h>

#include "adapters/qemu/statistics.h"

/* A compiled plan in place of the executor: bytes that are linked at 0x80000000 and start with an
 * ebreak; `entry` is called as ztl_ops_run_plan is. */
typedef struct ops_image {
    const uint8_t *bytes;
    size_t size;
    unsigned entry; /* from the first byte */
} ops_image;

/* What is run: an operator with its tensors and their bytes. */
typedef struct ops_job {
    const ztl_ops_op *op;
    const ztl_ops_tensor *in, *out;
    size_t inputs, outputs;
    const void *const *source;
    void *const *target;    /* receives the outputs; NULL on the simulated hart: nobody does */
    const ops_image *image; /* on the simulated hart; NULL: the executor */
    /* On the simulated hart: called before it runs, as to observe it; NULL: nobody is. */
    void (*watch)(void *context, ztl_hart *hart);
    void *watcher;
} ops_job;

/* Runs a plan on the hart; *retired: all instructions. False with a message when it traps. */
bool ztl_ops_sim_run(const ops_job *job, const ztl_ops_plan *plan, uint64_t *retired,
                     ztl_error *error);

/* Runs the scalar version: a loop that moves an element at a time, or one that moves words of up to
 * 8 bytes where elements lie side by side on both sides. */
bool ztl_ops_sim_scalar(const ops_job *job, uint64_t *retired, ztl_error *error);
bool ztl_ops_sim_words(const ops_job *job, uint64_t *retired, ztl_error *error);

/* Runs a plan under QEMU; *statistics: what was emulated. False with a message when something is
 * missing or fails. */
bool ztl_ops_qemu_run(const ops_job *job, const ztl_ops_plan *plan, ztl_statistics *statistics,
                      ztl_error *error);

#endif
