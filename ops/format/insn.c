/* SPDX-License-Identifier: Apache-2.0
 * The table of a plan's instructions.
 */
#include "ops/format/insn.h"

const ops_insn_row ztl_ops_insns[OPS_CODES] = {
#define N(op, n)                        .insn[ZTL_OP_##op] = (n),
#define OPS_INSN(ID, text, writes, ...) {text, {.csr = (writes), __VA_ARGS__}},
#include "ops/format/insn.def"
};

void ztl_ops_count(ztl_ops_stats *stats, enum ops_code code, uint64_t n)
{
    const ztl_ops_stats *one = &ztl_ops_insns[code].stats;
    for (unsigned op = 0; op < ZTL_OPS; op++)
        stats->insn[op] += n * one->insn[op];
    stats->csr += n * one->csr;
}
