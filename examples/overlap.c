/* SPDX-License-Identifier: Apache-2.0
 * The transpose of examples/transpose.c once more, in a hurry: each instruction on the engine of
 * its kind, three sets of registers in turn, and the loads of the next tile before the stores of
 * this one. The result is the same; `ztl run --timing four` tells the cycles of the two regions.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>
#include <ztl/region.h>

enum { SIZE = 256, ROWS = 32, COLUMNS = 64, ACROSS = SIZE / COLUMNS, TILES = SIZE / ROWS * ACROSS };

static uint8_t matrix[SIZE][SIZE], plain[SIZE][SIZE], overlapped[SIZE][SIZE];

/* A tile is 32 rows of 64 bytes, in the registers R and R + 1. */
#define FROM(tile)   &matrix[(tile) / ACROSS * ROWS][(tile) % ACROSS * COLUMNS]
#define TO(to, tile) &to[(tile) % ACROSS * COLUMNS][(tile) / ACROSS * ROWS]
#define GET(R, tile)                                                                               \
    do {                                                                                           \
        const uint8_t *from = FROM(tile);                                                          \
        tl_csrw_tshape(ZTL_SHAPE(16, 1, 1)); /* 16 rows of 64 bytes */                             \
        tl_load_e(R, from, 0, ZTL_ENGINE_LOAD);                                                    \
        tl_load_e(R + 1, from + 16 * SIZE, 0, ZTL_ENGINE_LOAD);                                    \
    } while (0)
#define TURN(R) tl_xpose_01_e(R, R + 1, ZTL_DIMS(ROWS, COLUMNS, 1, 1), ZTL_ENGINE_RESHAPE)
#define PUT(R, tile)                                                                               \
    do {                                                                                           \
        uint8_t *to = TO(overlapped, tile);                                                        \
        tl_csrw_tshape(ZTL_SHAPE(32, 1, 1)); /* 32 rows of 32 bytes */                             \
        tl_store_e(R, to, 0, ZTL_ENGINE_STORE);                                                    \
        tl_store_e(R + 1, to + 32 * SIZE, 0, ZTL_ENGINE_STORE);                                    \
    } while (0)

static void transpose_plain(void)
{
    for (int tile = 0; tile < TILES; tile++) {
        tl_csrw_tshape(ZTL_SHAPE(16, 1, 1));
        tl_load(1, FROM(tile), 0);
        tl_load(2, FROM(tile) + 16 * SIZE, 0);
        tl_xpose_01(1, 2, ZTL_DIMS(ROWS, COLUMNS, 1, 1));
        tl_csrw_tshape(ZTL_SHAPE(32, 1, 1));
        tl_store(1, TO(plain, tile), 0);
        tl_store(2, TO(plain, tile) + 32 * SIZE, 0);
    }
}

/* Tiles in threes, after the first: each step gets the next tile, turns and puts this one. */
static void transpose_overlapped(void)
{
#define STEP(R, NEXT, tile)                                                                        \
    if ((tile) + 1 < TILES)                                                                        \
        GET(NEXT, (tile) + 1);                                                                     \
    TURN(R);                                                                                       \
    PUT(R, tile)
    GET(1, 0);
    for (int tile = 0; tile < TILES; tile += 3) {
        STEP(1, 3, tile);
        if (tile + 1 == TILES)
            break;
        STEP(3, 5, tile + 1);
        if (tile + 2 == TILES)
            break;
        STEP(5, 1, tile + 2);
    }
}

int main(void)
{
    for (int i = 0; i < SIZE * SIZE; i++)
        matrix[i / SIZE][i % SIZE] = (uint8_t)(i * 167 >> 3);
    tl_set_load_strides_linear(0, SIZE / COLUMNS, 16);
    tl_set_store_strides_linear(0, SIZE / ROWS, 32);
    tl_csrw_load_width(COLUMNS);
    tl_csrw_store_width(ROWS);
    ztl_region_begin("plain");
    transpose_plain();
    atomic_thread_fence(memory_order_seq_cst); /* a fence: until all is stored */
    ztl_region_end();
    ztl_region_begin("overlapped");
    transpose_overlapped();
    atomic_thread_fence(memory_order_seq_cst);
    ztl_region_end();
    printf("%d tiles, plain and overlapped: %s\n", TILES,
           memcmp(plain, overlapped, sizeof plain) ? "DIFFERENT" : "the same");
    return 0;
}
