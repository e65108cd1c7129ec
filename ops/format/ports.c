/* SPDX-License-Identifier: Apache-2.0
 * Adding up how long a plan keeps each port and engine busy.
 */
#include "ops/format/ports.h"

enum { PERMUTE_BYTES = 2048, CONCAT_BYTES = 1024 };

/* Of the engine that moves elements between registers. */
static uint64_t moving(const uint64_t *insn)
{
    return (insn[ZTL_OP_XPOSE] + insn[ZTL_OP_PERMUTE]) * (PERMUTE_BYTES / OPS_PORT_BYTES) +
           (insn[ZTL_OP_CONCAT] + insn[ZTL_OP_MERGE]) * (CONCAT_BYTES / OPS_PORT_BYTES);
}

uint64_t ztl_ops_busy_cycles(const ztl_ops_plan *plan)
{
    uint64_t load = 0, store = 0, moves = moving(plan->stats.insn);
    const ops_pass *pass = ops_first_pass(plan);
    for (uint32_t left = plan->passes; left > 0; left--, pass = ops_next_pass(pass)) {
        uint64_t loads = 0, stores = 0, runs = pass->body == OPS_BODY_NONE ? 0 : ops_runs(pass);
        const ops_insn *insn = ops_pass_insns(pass);
        for (uint32_t i = 0; i < pass->insns; i++) {
            loads += ops_code_of(&insn[i]) == OPS_LOAD;
            stores += ops_code_of(&insn[i]) == OPS_STORE;
        }
        load += runs * loads * (uint64_t)ops_port_busy(pass->slices, pass->load_width);
        store += runs * stores * (uint64_t)ops_port_busy(pass->slices, pass->store_width);
    }
    uint64_t most = load > store ? load : store;
    return moves > most ? moves : most;
}
