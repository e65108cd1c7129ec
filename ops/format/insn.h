/* SPDX-License-Identifier: Apache-2.0
 * How much the instructions of a plan are.
 */
#ifndef ZTL_OPS_INSN_H
#define ZTL_OPS_INSN_H

#include "ops/format/plan.h"

typedef struct ops_insn_row {
    const char *name;
    ztl_ops_stats stats; /* of one */
} ops_insn_row;

extern const ops_insn_row ztl_ops_insns[OPS_CODES];

/* Adds what n of an instruction are. */
void ztl_ops_count(ztl_ops_stats *stats, enum ops_code code, uint64_t n);

/* How many Ztl instructions one is; CSR writes are none. */
static inline int64_t ops_ztl(enum ops_code code)
{
    return (int64_t)ztl_ops_total(&ztl_ops_insns[code].stats);
}

#endif
