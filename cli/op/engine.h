/* SPDX-License-Identifier: Apache-2.0
 * What executes a plan for ztl op.
 */
#ifndef ZTL_OP_ENGINE_H
#define ZTL_OP_ENGINE_H

#include "ops/drive/drive.h"

enum ztl_op_engine { ZTL_OP_MODEL, ZTL_OP_SIM, ZTL_OP_QEMU, ZTL_OP_NATIVE };

/* What was counted; 0 where it was not. */
typedef struct ztl_op_figures {
    uint64_t retired, scalar; /* on the hart: all instructions of the plan, of the scalar version */
    ztl_error why_not;        /* they could not be counted */
    ztl_statistics emulated;  /* qemu */
} ztl_op_figures;

/* Their names, ended by NULL. */
extern const char *const ztl_op_engines[];
const char *ztl_op_engine_name(enum ztl_op_engine engine);

/* Runs the plan; ZTL_OP_NATIVE: moves without it, on so many threads. */
bool ztl_op_execute(enum ztl_op_engine engine, unsigned threads, const ops_job *job,
                    const ztl_ops_plan *plan, ztl_op_figures *figures, ztl_error *error);

/* Counts all instructions of the plan, if that has not been done yet, and those of the scalar
 * version, on the simulated hart. The outputs stay as they are. */
void ztl_op_measure(const ops_job *job, const ztl_ops_plan *plan, ztl_op_figures *figures);

#endif
