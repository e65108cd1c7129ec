/* SPDX-License-Identifier: Apache-2.0
 * CONCAT with masks: selected elements of two registers, one after the other.
 */
#include "ops/exec/exec.h"
#include "ops/exec/insn.h"

void ztl_ops_run_concat(const ops_insn *insn)
{
    __riscv_ztl_csrw_tmask_concat_1((uint32_t)insn->offset);
    __riscv_ztl_csrw_tmask_concat_2(insn->arg);
#define X(r)                                                                                       \
    case (r):                                                                                      \
        if (insn->bit)                                                                             \
            OPS_CONCAT_TL(r, 9, 9, (r) + 1);                                                       \
        else                                                                                       \
            OPS_CONCAT_TL(r, 9, 1, (r) + 1);                                                       \
        break;
    switch (insn->op >> 4) {
        OPS_4(X, 1)
        OPS_4(X, 5)
    }
#undef X
}
