/* SPDX-License-Identifier: Apache-2.0
 * A picture of 8 channels from channels first (NCHW) to channels last (NHWC), as the frameworks
 * call them: one PERMUTE on 2048 bytes.
 */
#include <stdio.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { C = 8, H = 16, W = 16 };

static uint8_t nchw[C][H][W], nhwc[H][W][C];

int main(void)
{
    for (int c = 0; c < C; c++)
        for (int h = 0; h < H; h++)
            for (int w = 0; w < W; w++)
                nchw[c][h][w] = (uint8_t)(c << 5 ^ h * 17 ^ w);

    tl_csrw_tshape(ZTL_SHAPE(32, 32, 1)); /* 32 slices of 32 bytes: a whole register */
    tl_load(1, nchw, 0);
    tl_load(2, nchw, 32);
    /* Output dimensions 0, 1, 2, 3 run along input dimensions 1 (H), 2 (W), 0 (C), 3. */
    tl_csrw_transpose_perm(1 | 2 << 2 | 0 << 4 | 3 << 6);
    tl_permute_b(1, 2, ZTL_DIMS(C, H, W, 1));
    tl_store(1, nhwc, 0);
    tl_store(2, nhwc, 32);

    int wrong = 0;
    for (int i = 0; i < C * H * W; i++)
        wrong += nhwc[i / C / W][i / C % W][i % C] != nchw[i % C][i / C / W][i / C % W];
    printf("NCHW [1,%d,%d,%d] to NHWC [1,%d,%d,%d]: %d of %d elements wrong\n", C, H, W, H, W, C,
           wrong, C * H * W);
    printf("pixel (0,1):");
    for (int c = 0; c < C; c++)
        printf(" %02x", nhwc[0][1][c]);
    printf("\n");
    return wrong != 0;
}
