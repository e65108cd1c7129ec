/* SPDX-License-Identifier: Apache-2.0
 * Any program of a pass, instruction by instruction.
 */
#include "ops/exec/exec.h"
#include "ops/exec/insn.h"

static void add(const ops_insn *insn)
{
    __riscv_ztl_csrw_ttype(insn->arg);
    ops_insn_add((int)insn->offset);
    __riscv_ztl_csrw_ttype(0);
}

/* Macro-instructions: they are not inlined, so that the loop over the others stays short. */
static __attribute__((noinline)) void run_macro(const ops_insn *insn)
{
    switch (ops_code_of(insn)) {
    case OPS_INTERLEAVE3:
        ztl_ops_run_interleave3(insn->arg);
        break;
    case OPS_DEINTERLEAVE3:
        ztl_ops_run_deinterleave3(insn->arg);
        break;
    case OPS_CONCAT:
        ztl_ops_run_concat(insn);
        break;
    case OPS_TRANSPOSE4:
        ztl_ops_run_transpose4(insn->arg);
        break;
    default:
        ztl_ops_run_shift4(insn->arg);
    }
}

void ztl_ops_run_program(const ops_pass *pass, const uint8_t *from, uint8_t *to)
{
    const ops_insn *insn = ops_pass_insns(pass), *end = insn + pass->insns;
#define X(r)                                                                                       \
    case OPS_LOAD | (r) << 4:                                                                      \
        OPS_LOAD_TL((r) + 1, from + insn->offset);                                                 \
        break;                                                                                     \
    case OPS_STORE | (r) << 4:                                                                     \
        OPS_STORE_TL((r) + 1, to + insn->offset);                                                  \
        break;
#define PERMUTE(r) case OPS_PERMUTE | (r) << 4:
    for (; insn < end; insn++)
        switch (insn->op) {
            OPS_16(X, 0)
            OPS_16(PERMUTE, 0)
            ops_insn_permute(insn->width, insn->bit, insn->op >> 4, insn->arg);
            break;
        case OPS_ORDER:
            __riscv_ztl_csrw_tl_transpose_perm(insn->arg);
            break;
        case OPS_ADD:
            add(insn);
            break;
        case OPS_INTERLEAVE3:
        case OPS_DEINTERLEAVE3:
        case OPS_TRANSPOSE4:
        case OPS_SHIFT4:
            run_macro(insn);
            break;
        case OPS_OP(OPS_CONCAT, 1):
        case OPS_OP(OPS_CONCAT, 2):
        case OPS_OP(OPS_CONCAT, 3):
        case OPS_OP(OPS_CONCAT, 4):
        case OPS_OP(OPS_CONCAT, 5):
        case OPS_OP(OPS_CONCAT, 6):
        case OPS_OP(OPS_CONCAT, 7):
            run_macro(insn);
            break;
        case OPS_SHAPE:
            __riscv_ztl_csrw_tshape(insn->arg);
            break;
        }
#undef X
#undef PERMUTE
}
