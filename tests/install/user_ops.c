/* SPDX-License-Identifier: Apache-2.0
 * A user's program against the installed operators: transposes at once, by a plan, and in memory of
 * its own; and looks at one element.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ops.h>

static uint16_t from[40][50], to[50][40];

/* Whether the outcome is there; the next one has to make it anew. */
static int is_transposed(void)
{
    int good = to[7][3] == 42;
    memset(to, 0, sizeof to);
    return good;
}

int main(void)
{
    const int64_t extent[] = {40, 50}, perm[] = {1, 0};
    ztl_ops_op op = ztl_ops_transpose(perm, 2);
    ztl_ops_tensor in, out;
    ztl_error error;
    const void *source = from;
    void *target = to;
    from[3][7] = 42;
    if (!ztl_ops_dense(&in, 16, 2, extent) || !ztl_ops_infer(&op, &in, 1, &out, 1, &error))
        return 1;
    if (!ztl_ops_apply(&op, &in, 1, &out, 1, &source, &target, &error) || !is_transposed())
        return 2;
    ztl_ops_plan *plan = ztl_ops_plan_new(&op, &in, 1, &out, 1, NULL, &error);
    if (!plan || !ztl_ops_plan_run(plan, &source, &target, &error) || !is_transposed())
        return 3;
    ztl_ops_plan_free(plan);

    size_t space = ztl_ops_plan_space(&op, &in, 1, &out, 1);
    plan = (ztl_ops_plan *)malloc(space);
    if (!plan || !ztl_ops_make(&op, &in, 1, &out, 1, NULL, plan, space, &error))
        return 4;
    void *scratch = ztl_ops_scratch_bytes(plan) ? malloc(ztl_ops_scratch_bytes(plan)) : NULL;
    if (!ztl_ops_run(plan, &source, &target, scratch, &error))
        return 5;
    printf("%s %u\n", ztl_ops_name(op.kind), to[7][3]);
    free(scratch);
    free(plan);
    return 0;
}
