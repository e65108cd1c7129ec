/* SPDX-License-Identifier: Apache-2.0
 * Element by element.
 */
#include "ops/exec/exec.h"

void ztl_ops_move_one(const ops_pass *pass, const uint8_t *from, int64_t in, uint8_t *to,
                      int64_t out)
{
    if (pass->element)
        memcpy(to + out, from + in, pass->element);
    else
        ops_set_nibble(to, out, (unsigned)(pass->value[0] >> 4 * ops_nibble(from, in)) & 15);
}

bool ztl_ops_next_index(const ops_pass *pass, unsigned end, int64_t *at, int64_t *in, int64_t *out)
{
    for (unsigned d = end; d-- > 0;) {
        *in += pass->loop[d].in;
        *out += pass->loop[d].out;
        if (++at[d] < pass->loop[d].n)
            return true;
        *in -= pass->loop[d].in * pass->loop[d].n;
        *out -= pass->loop[d].out * pass->loop[d].n;
        at[d] = 0;
    }
    return false;
}

void ztl_ops_run_scalar(const ops_pass *pass, const uint8_t *from, uint8_t *to)
{
    int64_t at[OPS_DIMS] = {0}, in = pass->in, out = pass->out;
    do {
        ztl_ops_move_one(pass, from, in, to, out);
    } while (ztl_ops_next_index(pass, pass->loops, at, &in, &out));
}
