/* SPDX-License-Identifier: Apache-2.0
 * What the instructions of a plan consist of.
 */
#ifndef ZTL_OPS_INSN_H
#define ZTL_OPS_INSN_H

#include "ops/format/plan.h"

typedef struct ops_insn_row {
    const char *name;
    ztl_ops_stats stats; /* of one */
} ops_insn_row;

extern const ops_insn_row ztl_ops_insns[OPS_CODES];

/* Adds n times what an instruction consists of. */
void ztl_ops_count(ztl_ops_stats *stats, enum ops_code code, uint64_t n);

/* How many Ztl instructions it is; CSR writes do not count. */
static inline int64_t ops_ztl(enum ops_code code)
{
    return (int64_t)ztl_ops_total(&ztl_ops_insns[code].stats);
}

/* The same of a program. */
static inline int64_t ops_program_ztl(const ops_insn *insn, unsigned count)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += ops_ztl(ops_code_of(&insn[i]));
    return sum;
}

/* The same of a constant of so many bytes. */
static inline int64_t ops_constant_ztl(unsigned bytes)
{
    return bytes * ops_ztl(OPS_CONSTANT_BYTE);
}

#endif
