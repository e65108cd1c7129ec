/* SPDX-License-Identifier: Apache-2.0
 * Instructions of a plan that are several of the hart's. The executor has one way to all of them:
 * its loop over the others stays short.
 */
#include "ops/scalar.h"
#include "ops/weave.h"

void ops_run_composed(const ops_insn *insn)
{
    switch (ops_code_of(insn)) {
    case OPS_WEAVE:
        ops_weave(insn->arg);
        break;
    case OPS_UNWEAVE:
        ops_unweave(insn->arg);
        break;
    case OPS_TURN:
        ops_turn(insn->arg);
        break;
    default:
        ops_shift(insn->arg);
    }
}
