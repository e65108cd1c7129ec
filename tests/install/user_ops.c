/* SPDX-License-Identifier: Apache-2.0
 * A user's program against the installed operators: transposes, and looks at one element.
 */
#include <stdio.h>
#include <stdlib.h>

#include <ztl/ops.h>

int main(void)
{
    static uint16_t from[40][50], to[50][40];
    const int64_t extent[] = {40, 50};
    static ztl_ops_op op;
    ztl_ops_tensor in, out;
    ztl_ops_error error;
    const void *source = from;
    void *target = to;
    from[3][7] = 42;
    op.kind = ZTL_OPS_TRANSPOSE;
    if (!ztl_ops_dense(&in, 16, 2, extent) || !ztl_ops_infer(&op, &in, 1, &out, 1, &error))
        return 1;
    size_t space = ztl_ops_plan_space(&op, &in, 1, &out, 1);
    ztl_ops_plan *plan = (ztl_ops_plan *)malloc(space);
    if (!plan || !ztl_ops_make(&op, &in, 1, &out, 1, NULL, plan, space, &error))
        return 2;
    void *scratch = malloc(ztl_ops_scratch_bytes(plan) + 1);
    if (!scratch || !ztl_ops_run(plan, &source, &target, scratch, &error))
        return 3;
    printf("%s %u\n", ztl_ops_name(op.kind), to[7][3]);
    free(scratch);
    free(plan);
    return 0;
}
