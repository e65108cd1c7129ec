/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { ROWS = 96, COLUMNS = 64 };

static int16_t in[ROWS][COLUMNS], out[COLUMNS][ROWS];

/* to[c][r] = from[r][c]; both extents are multiples of 32. */
static void transpose(const int16_t *from, int16_t *to, int rows, int columns)
{
    tl_csrw_ttype(ZTL_TTYPE_INT16);
    tl_csrw_tshape(ZTL_SHAPE(16, 1, 32)); /* 16 slices of 32 elements: 64 bytes, both ways */
    tl_set_load_strides_linear(0, columns / 32, 16);
    tl_set_store_strides_linear(0, rows / 32, 16);
    for (int r = 0; r < rows; r += 32)
        for (int c = 0; c < columns; c += 32) {
            tl_load(1, from + r * columns + c, 0);
            tl_load(2, from + (r + 16) * columns + c, 0);
            tl_xpose_01(1, 2, ZTL_DIMS(32, 32, 1, 1));
            tl_store(1, to + c * rows + r, 0);
            tl_store(2, to + (c + 16) * rows + r, 0);
        }
}

int main(void)
{
    for (int i = 0; i < ROWS * COLUMNS; i++)
        in[i / COLUMNS][i % COLUMNS] = (int16_t)(i * 31);
    transpose(in[0], out[0], ROWS, COLUMNS);
    int wrong = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            wrong += out[c][r] != in[r][c];
    printf("%d x %d int16: %d elements wrong\n", ROWS, COLUMNS, wrong);
    return wrong != 0;
}
