/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include <ztl/ops.h>

static uint8_t image[3][32][32], pixels[32][32][3];

int main(void)
{
    for (int i = 0; i < 3 * 32 * 32; i++)
        image[i / 1024][i / 32 % 32][i % 32] = (uint8_t)(i / 1024 * 100 + i % 32);

    const int64_t shape[] = {1, 3, 32, 32}, perm[] = {0, 2, 3, 1}; /* NCHW to NHWC */
    ztl_ops_op op = ztl_ops_transpose(perm, 4);
    ztl_ops_tensor from, to;
    ztl_error error;
    ztl_ops_dense(&from, 8, 4, shape); /* elements of 8 bits, rank 4 */
    const void *sources[] = {image};
    void *targets[] = {pixels};
    if (!ztl_ops_infer(&op, &from, 1, &to, 1, &error) ||
        !ztl_ops_apply(&op, &from, 1, &to, 1, sources, targets, &error)) {
        puts(error.text);
        return 1;
    }
    for (int x = 0; x < 4; x++)
        printf("pixel (0, %d): %d %d %d\n", x, pixels[0][x][0], pixels[0][x][1], pixels[0][x][2]);
    return 0;
}
