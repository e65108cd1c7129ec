/* SPDX-License-Identifier: Apache-2.0
 * A 4-D tensor in a pair of registers: what XPOSE and PERMUTE have in common.
 */
#include "model/model.h"

enum { PAIR_BYTES = 2 * ZTL_REG_BYTES };

static ztl_result check_shape(const ztl_step *step, const unsigned dim[4], unsigned bits)
{
    for (unsigned k = 0; k < 4; k++)
        if (dim[k] == 0)
            return ztl_illegal(step, ZTL_RULE_DIM_ZERO, k, 0);
    if (dim[0] % 2 != 0)
        return ztl_illegal(step, ZTL_RULE_D0_ODD, dim[0], 0);
    uint64_t bytes = (uint64_t)dim[0] * dim[1] * dim[2] * dim[3] * bits / 8;
    if (bytes != PAIR_BYTES)
        return ztl_illegal(step, ZTL_RULE_PAIR_SIZE, bytes, 0);
    return ztl_done();
}

/* out[o0][o1][o2][o3] = in[i0][i1][i2][i3], where index o_k runs along input dimension perm[k]. */
static void permute(uint8_t *out, const uint8_t *in, unsigned bits, const unsigned dim[4],
                    const unsigned perm[4])
{
    const unsigned stride[4] = {dim[1] * dim[2] * dim[3], dim[2] * dim[3], dim[3], 1};
    size_t n = 0;
    unsigned o[4];
    for (o[0] = 0; o[0] < dim[perm[0]]; o[0]++)
        for (o[1] = 0; o[1] < dim[perm[1]]; o[1]++)
            for (o[2] = 0; o[2] < dim[perm[2]]; o[2]++)
                for (o[3] = 0; o[3] < dim[perm[3]]; o[3]++) {
                    size_t from = 0;
                    for (unsigned k = 0; k < 4; k++)
                        from += (size_t)o[k] * stride[perm[k]];
                    ztl_set_element(out, bits, n++, ztl_element(in, bits, from));
                }
}

ztl_result ztl_permute_pair(const ztl_step *step, unsigned bits, const unsigned perm[4])
{
    unsigned first = (unsigned)step->insn->operand[0];
    unsigned second = (unsigned)step->insn->operand[1];
    unsigned rs = (unsigned)step->insn->operand[2];
    uint32_t shape = rs ? (uint32_t)step->x[rs] : 0;
    unsigned dim[4];
    for (unsigned k = 0; k < 4; k++)
        dim[k] = shape >> (8 * k) & 0xff;
    ztl_result checked = check_shape(step, dim, bits);
    if (!ztl_is_ok(&checked))
        return checked;

    uint8_t in[PAIR_BYTES], out[PAIR_BYTES];
    ztl_copy_bytes(in, ztl_register(step->state, first), ZTL_REG_BYTES);
    ztl_copy_bytes(in + ZTL_REG_BYTES, ztl_register(step->state, second), ZTL_REG_BYTES);
    permute(out, in, bits, dim, perm);
    ztl_write(step->state, first, out);
    ztl_write(step->state, second, out + ZTL_REG_BYTES);
    return ztl_done();
}
