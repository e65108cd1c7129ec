/* SPDX-License-Identifier: Apache-2.0
 * Transposes a matrix of 256 x 256 bytes: the scalar loop, and the same with Ztl, tile by tile. A
 * tile is 32 rows of 64 bytes: two loads, one transpose, two stores.
 */
#include <stdio.h>
#include <string.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { SIZE = 256, ROWS = 32, COLUMNS = 64 };

static uint8_t matrix[SIZE][SIZE], by_loop[SIZE][SIZE], by_ztl[SIZE][SIZE];

static void transpose_by_loop(void)
{
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            by_loop[column][row] = matrix[row][column];
}

/* Slice i of a load is row i of the tile, 64 bytes; of a store, row i of the result, 32 bytes.
 * Strides count slices: a row of the matrix is SIZE / 64 or SIZE / 32 of them. */
static void transpose_by_ztl(void)
{
    tl_set_load_strides_linear(0, SIZE / COLUMNS, 16);
    tl_set_store_strides_linear(0, SIZE / ROWS, 32);
    tl_csrw_load_width(COLUMNS);
    tl_csrw_store_width(ROWS);
    for (int row = 0; row < SIZE; row += ROWS)
        for (int column = 0; column < SIZE; column += COLUMNS) {
            tl_csrw_tshape(ZTL_SHAPE(16, 1, 1)); /* 16 rows of 64 bytes fill a register */
            tl_load(1, &matrix[row][column], 0);
            tl_load(2, &matrix[row + 16][column], 0);
            tl_xpose_01(1, 2, ZTL_DIMS(ROWS, COLUMNS, 1, 1));
            tl_csrw_tshape(ZTL_SHAPE(32, 1, 1)); /* 32 rows of 32 bytes */
            tl_store(1, &by_ztl[column][row], 0);
            tl_store(2, &by_ztl[column + 32][row], 0);
        }
}

int main(void)
{
    for (int i = 0; i < SIZE * SIZE; i++)
        matrix[i / SIZE][i % SIZE] = (uint8_t)(i * 167 >> 3);
    transpose_by_loop();
    transpose_by_ztl();
    int tiles = (SIZE / ROWS) * (SIZE / COLUMNS);
    int same = memcmp(by_loop, by_ztl, sizeof by_loop) == 0;
    printf("%d x %d bytes: %d moved one by one, or %d tiles of 5 Ztl instructions: %s\n", SIZE,
           SIZE, SIZE * SIZE, tiles, same ? "the same" : "DIFFERENT");
    return !same;
}
