/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

/* to[c][r] = from[r][c]; rows is a multiple of 32, columns of 64. */
static void transpose_tiles(const int8_t *from, int8_t *to, int rows, int columns)
{
    tl_csrw_load_width(64);
    tl_csrw_store_width(32);
    tl_set_load_strides_linear(0, columns / 64, 16);
    tl_set_store_strides_linear(0, rows / 32, 32);
    for (int r = 0; r < rows; r += 32)
        for (int c = 0; c < columns; c += 64) {
            tl_csrw_tshape(ZTL_SHAPE(16, 1, 1));
            tl_load(1, from + r * columns + c, 0);
            tl_load(2, from + (r + 16) * columns + c, 0);
            tl_xpose_01(1, 2, ZTL_DIMS(32, 64, 1, 1));
            tl_csrw_tshape(ZTL_SHAPE(32, 1, 1));
            tl_store(1, to + c * rows + r, 0);
            tl_store(2, to + (c + 32) * rows + r, 0);
        }
}

/* Copies rows of `bytes` bytes into a matrix with another pitch: one slice, of any width. */
static void copy_rows(const int8_t *from, int from_pitch, int8_t *to, int to_pitch, int rows,
                      int bytes)
{
    tl_csrw_tshape(ZTL_SHAPE(1, 1, 1));
    tl_csrw_load_stride(0, 0);
    tl_csrw_store_stride(0, 0);
    for (int first = 0; first < bytes; first += 1024) {
        int width = bytes - first < 1024 ? bytes - first : 1024;
        tl_csrw_load_width(width);
        tl_csrw_store_width(width);
        for (int r = 0; r < rows; r++) {
            tl_load(1, from + r * from_pitch + first, 0);
            tl_store(1, to + r * to_pitch + first, 0);
        }
    }
}

/* Any rows and columns: through copies whose extents are multiples of a tile. */
static int transpose(const int8_t *from, int8_t *to, int rows, int columns)
{
    int down = (rows + 31) / 32 * 32, across = (columns + 63) / 64 * 64;
    int8_t *padded = malloc((size_t)down * across), *turned = malloc((size_t)down * across);
    if (padded && turned) {
        copy_rows(from, columns, padded, across, rows, columns);
        transpose_tiles(padded, turned, down, across);
        copy_rows(turned, down, to, rows, columns, rows);
    }
    int done = padded && turned;
    free(padded);
    free(turned);
    return done;
}

static int8_t in[60000], out[60000];

int main(void)
{
    static const int shapes[][2] = {{1, 1}, {7, 13}, {100, 100}, {33, 1500}, {257, 129}};
    int all_wrong = 0;
    for (int i = 0; i < 60000; i++)
        in[i] = (int8_t)(i * 167 >> 3);
    for (int s = 0; s < 5; s++) {
        int rows = shapes[s][0], columns = shapes[s][1];
        int wrong = !transpose(in, out, rows, columns);
        for (int i = 0; i < rows * columns; i++)
            wrong += out[i % columns * rows + i / columns] != in[i];
        printf("%d x %d: %d elements wrong\n", rows, columns, wrong);
        all_wrong += wrong;
    }
    return all_wrong != 0;
}
