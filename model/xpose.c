/* SPDX-License-Identifier: Apache-2.0
 * XPOSE.ab: the pair's tensor with dimensions a and b swapped.
 */
#include "model/model.h"

ztl_result ztl_body_xpose(const ztl_step *step)
{
    const ztl_type_row *type = ztl_current_type(step->state);
    if (!type)
        return ztl_illegal(step, ZTL_RULE_BAD_TYPE, step->state->csr[ZTL_SLOT_TTYPE], 0);
    unsigned a = step->insn->row->arg / 4u;
    unsigned b = step->insn->row->arg % 4u;
    unsigned perm[4] = {0, 1, 2, 3};
    perm[a] = b;
    perm[b] = a;
    return ztl_permute_pair(step, type->bits, perm);
}
