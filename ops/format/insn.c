/* SPDX-License-Identifier: Apache-2.0
 * The table of a plan's instructions.
 */
#include "ops/format/insn.h"

const ops_insn_row ztl_ops_insns[OPS_CODES] = {
#define OPS_INSN(ID, text, l, s, x, p, co, m, a, c)                                                \
    {text,                                                                                         \
     {.load = (l),                                                                                 \
      .store = (s),                                                                                \
      .xpose = (x),                                                                                \
      .permute = (p),                                                                              \
      .concat = (co),                                                                              \
      .merge = (m),                                                                                \
      .addi = (a),                                                                                 \
      .csr = (c)}},
#include "ops/format/insn.def"
};

void ztl_ops_count(ztl_ops_stats *stats, enum ops_code code, uint64_t n)
{
    const ztl_ops_stats *one = &ztl_ops_insns[code].stats;
    stats->load += n * one->load;
    stats->store += n * one->store;
    stats->xpose += n * one->xpose;
    stats->permute += n * one->permute;
    stats->concat += n * one->concat;
    stats->merge += n * one->merge;
    stats->addi += n * one->addi;
    stats->csr += n * one->csr;
}
