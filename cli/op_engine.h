/* SPDX-License-Identifier: Apache-2.0
 * What executes a plan for ztl op.
 */
#ifndef ZTL_OP_ENGINE_H
#define ZTL_OP_ENGINE_H

#include "ops/qemu.h"

enum ztl_op_engine { ZTL_OP_MODEL, ZTL_OP_SIM, ZTL_OP_QEMU };

/* What an engine counted; 0 where it cannot. */
typedef struct ztl_op_figures {
    uint64_t retired, scalar; /* sim: all instructions of the plan, of the scalar version */
    ztl_statistics emulated;  /* qemu */
} ztl_op_figures;

bool ztl_op_engine_named(const char *name, enum ztl_op_engine *engine);
const char *ztl_op_engine_name(enum ztl_op_engine engine);

/* Runs the plan; `measure`: the scalar version too, where the engine can count. */
bool ztl_op_execute(enum ztl_op_engine engine, const ops_job *job, const ztl_ops_plan *plan,
                    bool measure, ztl_op_figures *figures, char *error, size_t size);

#endif
