/* SPDX-License-Identifier: Apache-2.0
 * The figures of ztl op.
 */
#ifndef ZTL_OP_STATS_H
#define ZTL_OP_STATS_H

#include "cli/op/engine.h"
#include "cli/op/output/timing.h"

typedef struct ztl_op_report {
    const char *name;
    const ztl_ops_plan *plan;
    uint64_t bytes_in, bytes_out;
    enum ztl_op_engine engine;
    const ztl_op_figures *figures;
    double plan_ms, run_ms;
    bool with_plan;              /* tell the plan itself too */
    const ztl_op_timing *timing; /* cycles; NULL: none */
} ztl_op_report;

/* The passes of a plan, and the reasons for them. */
void ztl_op_print_plan(const ztl_ops_plan *plan);

void ztl_op_print_stats(const ztl_op_report *report);
void ztl_op_print_json(const ztl_op_report *report);

#endif
