/* SPDX-License-Identifier: Apache-2.0
 * A user's program against the installed movers: transposes by a mover and at once; is refused
 * buffers that overlap.
 */
#include <stdio.h>
#include <string.h>

#include <ztl/movers.h>

static uint16_t from[40][50], to[50][40];

int main(void)
{
    const int64_t extent[] = {40, 50}, perm[] = {1, 0};
    ztl_ops_op op = ztl_ops_transpose(perm, 2);
    ztl_ops_tensor in, out;
    ztl_error error;
    const void *source = from;
    void *target = to, *wrong = from;
    from[3][7] = 42;
    if (!ztl_ops_dense(&in, 16, 2, extent) || !ztl_ops_infer(&op, &in, 1, &out, 1, &error))
        return 1;
    ztl_mover *mover = ztl_mover_new(&op, &in, 1, &out, 1, &error);
    if (!mover || !ztl_mover_run(mover, &source, &target, 2, &error) || to[7][3] != 42)
        return 2;
    if (ztl_mover_run(mover, &source, &wrong, 2, &error) || !strstr(error.text, "overlap"))
        return 3;
    ztl_mover_free(mover);
    memset(to, 0, sizeof to);
    if (!ztl_mover_apply(&op, &in, 1, &out, 1, &source, &target, &error))
        return 4;
    printf("moved %u\n", to[7][3]);
    return 0;
}
