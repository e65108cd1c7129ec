/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { ROWS = 96, COLUMNS = 128 };

static uint8_t in[ROWS][COLUMNS], out[COLUMNS][ROWS];

/* to[c][r] = from[r][c]; rows is a multiple of 32, columns of 64. */
static void transpose(const uint8_t *from, uint8_t *to, int rows, int columns)
{
    tl_csrw_load_width(64);
    tl_csrw_store_width(32);
    tl_set_load_strides_linear(0, columns / 64, 16); /* a row of `from` is columns / 64 slices */
    tl_set_store_strides_linear(0, rows / 32, 32);
    for (int r = 0; r < rows; r += 32)
        for (int c = 0; c < columns; c += 64) {
            tl_csrw_tshape(ZTL_SHAPE(16, 1, 1)); /* 16 slices of 64 bytes */
            tl_load(1, from + r * columns + c, 0);
            tl_load(2, from + (r + 16) * columns + c, 0);
            tl_xpose_01(1, 2, ZTL_DIMS(32, 64, 1, 1));
            tl_csrw_tshape(ZTL_SHAPE(32, 1, 1)); /* 32 slices of 32 bytes */
            tl_store(1, to + c * rows + r, 0);
            tl_store(2, to + (c + 32) * rows + r, 0);
        }
}

int main(void)
{
    for (int i = 0; i < ROWS * COLUMNS; i++)
        in[i / COLUMNS][i % COLUMNS] = (uint8_t)(i * 167 >> 3);
    transpose(in[0], out[0], ROWS, COLUMNS);
    int wrong = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            wrong += out[c][r] != in[r][c];
    printf("%d x %d to %d x %d: %d elements wrong\n", ROWS, COLUMNS, COLUMNS, ROWS, wrong);
    return wrong != 0;
}
