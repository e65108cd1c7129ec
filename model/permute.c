/* SPDX-License-Identifier: Apache-2.0
 * PERMUTE: the pair's tensor with its dimensions in the order of tl_transpose_perm.
 */
#include "model/model.h"

ztl_result ztl_body_permute(const ztl_step *step)
{
    uint32_t csr = step->state->csr[ZTL_SLOT_PERM];
    unsigned perm[4], named = 0;
    for (unsigned k = 0; k < 4; k++) {
        perm[k] = csr >> (2 * k) & 3;
        named |= 1u << perm[k];
    }
    if (named != 0xf)
        return ztl_illegal(step, ZTL_RULE_PERMUTATION, csr, 0);
    return ztl_permute_pair(step, 8u << step->insn->row->arg, perm);
}
