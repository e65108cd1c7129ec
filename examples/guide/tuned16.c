/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <stdio.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>
#include <ztl/region.h>

enum { ROWS = 160, COLUMNS = 224, ACROSS = COLUMNS / 32, TILES = ROWS / 32 * ACROSS };

static int16_t in[ROWS][COLUMNS], divided[COLUMNS][ROWS], walked[COLUMNS][ROWS];

/* A tile is 32 rows of 32 elements, in the registers R and R + 1. */
#define GET(R, from)                                                                               \
    (tl_load_e(R, from, 0, ZTL_ENGINE_LOAD),                                                       \
     tl_load_e(R + 1, from, 16 * COLUMNS / 32, ZTL_ENGINE_LOAD))
#define TURN(R) tl_xpose_01_e(R, R + 1, ZTL_DIMS(32, 32, 1, 1), ZTL_ENGINE_RESHAPE)
#define PUT(R, to)                                                                                 \
    (tl_store_e(R, to, 0, ZTL_ENGINE_STORE),                                                       \
     tl_store_e(R + 1, to, 16 * ROWS / 32, ZTL_ENGINE_STORE))

/* The place of a tile is computed from its number. */
static void transpose_divided(void)
{
#define STEP(R, NEXT)                                                                              \
    if (++tile < TILES)                                                                            \
        GET(NEXT, &in[tile / ACROSS * 32][tile % ACROSS * 32]);                                    \
    TURN(R);                                                                                       \
    PUT(R, &divided[(tile - 1) % ACROSS * 32][(tile - 1) / ACROSS * 32]);                          \
    if (tile == TILES)                                                                             \
        return;
    int tile = 0;
    GET(1, in[0]);
    for (;;) {
        STEP(1, 3)
        STEP(3, 5)
        STEP(5, 7)
        STEP(7, 1)
    }
#undef STEP
}

/* To the next tile: to the right, or to the left end of the rows below. */
static void advance(int *row, int *column)
{
    *column += 32;
    if (*column == COLUMNS) {
        *column = 0;
        *row += 32;
    }
}

/* The place of a tile is found by going on from the one before. */
static void transpose_walked(void)
{
#define STEP(R, NEXT)                                                                              \
    advance(&row, &column);                                                                        \
    if (row < ROWS)                                                                                \
        GET(NEXT, &in[row][column]);                                                               \
    TURN(R);                                                                                       \
    PUT(R, &walked[left][top]);                                                                    \
    advance(&top, &left);                                                                          \
    if (top == ROWS)                                                                               \
        return;
    int row = 0, column = 0; /* the tile that was loaded last */
    int top = 0, left = 0;   /* the tile that is stored next */
    GET(1, in[0]);
    for (;;) {
        STEP(1, 3)
        STEP(3, 5)
        STEP(5, 7)
        STEP(7, 1)
    }
}

#define MEASURE(name)                                                                              \
    do {                                                                                           \
        ztl_region_begin(#name);                                                                   \
        transpose_##name();                                                                        \
        atomic_thread_fence(memory_order_seq_cst);                                                 \
        ztl_region_end();                                                                          \
    } while (0)

int main(void)
{
    for (int i = 0; i < ROWS * COLUMNS; i++)
        in[i / COLUMNS][i % COLUMNS] = (int16_t)(i * 31);
    tl_csrw_ttype(ZTL_TTYPE_INT16);
    tl_csrw_tshape(ZTL_SHAPE(16, 1, 32)); /* 16 slices of 32 elements, both ways */
    tl_set_load_strides_linear(0, COLUMNS / 32, 16);
    tl_set_store_strides_linear(0, ROWS / 32, 16);
    MEASURE(divided);
    MEASURE(walked);
    int wrong = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            wrong += divided[c][r] != in[r][c] || walked[c][r] != in[r][c];
    printf("%d x %d int16: %d elements wrong\n", ROWS, COLUMNS, wrong);
    return wrong != 0;
}
