/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { SIZE = 256 };

static uint8_t in[SIZE][SIZE], out[64][32];

/* Transposes the first 32 rows and 64 columns. */
static void transpose_tile(void)
{
    tl_csrw_load_width(64);
    tl_set_load_strides_linear(0, SIZE / 64, 16);
    tl_csrw_tshape(ZTL_SHAPE(16, 1, 1));
    tl_load(1, in, 0);
    tl_load(2, in, 16); /* wrong: meant are rows 16 to 31 */
    tl_xpose_01(1, 2, ZTL_DIMS(32, 64, 1, 1));
    tl_csrw_tshape(ZTL_SHAPE(32, 1, 32));
    tl_store(1, out, 0);
    tl_store(2, out, 32);
}

int main(void)
{
    for (int r = 0; r < SIZE; r++)
        for (int c = 0; c < SIZE; c++)
            in[r][c] = (uint8_t)r; /* so that a byte tells its row */
    transpose_tile();
    for (int c = 0; c < 64; c++)
        for (int r = 0; r < 32; r++)
            if (out[c][r] != in[r][c]) {
                printf("out[%d][%d] is %d, must be %d\n", c, r, out[c][r], in[r][c]);
                return 1;
            }
    puts("all right");
    return 0;
}
