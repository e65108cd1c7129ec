/* SPDX-License-Identifier: Apache-2.0
 * Transposes a matrix of 512 x 512 bytes in rounds: on RISC-V a loop like any other, on the host
 * one whose instructions the model executes together. A round is 32 rows of 64 bytes.
 */
#include <stdio.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { SIZE = 512, TILE = 32, ROUND = 2 * TILE };

static uint8_t matrix[SIZE][SIZE], transposed[SIZE][SIZE];

static void transpose_rows(const uint8_t *from, uint8_t *to)
{
    for (int column = 0; column < SIZE; column += ROUND, from += ROUND, to += ROUND * SIZE)
        if (ztl_intrin_round_begin(from, to)) {
            tl_load(1, from, 0);
            tl_load(2, from + TILE, 0);
            tl_xpose_12(1, 2, ZTL_DIMS(2, TILE, TILE, 1));
            tl_store(1, to, 0);
            tl_store(2, to + TILE * SIZE, 0);
            ztl_intrin_round_end();
        }
}

int main(void)
{
    for (int i = 0; i < SIZE * SIZE; i++)
        matrix[i / SIZE][i % SIZE] = (uint8_t)(i * 167 >> 3);
    /* Slice i is row i of a tile, 32 bytes; strides count slices. */
    tl_set_load_strides_linear(0, SIZE / TILE, TILE);
    tl_set_store_strides_linear(0, SIZE / TILE, TILE);
    tl_csrw_tshape(ZTL_SHAPE(32, 1, 1));
    tl_csrw_load_width(TILE);
    tl_csrw_store_width(TILE);
    ztl_intrin_rounds_begin();
    for (int row = 0; row < SIZE; row += TILE)
        transpose_rows(matrix[row], transposed[0] + row);
    ztl_intrin_rounds_end();
    int wrong = 0;
    for (int i = 0; i < SIZE * SIZE; i++)
        wrong += transposed[i % SIZE][i / SIZE] != matrix[i / SIZE][i % SIZE];
    printf("%d x %d bytes in %d rounds of 5 Ztl instructions: %d wrong\n", SIZE, SIZE,
           SIZE * SIZE / (TILE * ROUND), wrong);
    return wrong != 0;
}
