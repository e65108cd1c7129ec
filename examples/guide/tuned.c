/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>
#include <ztl/region.h>

enum { SIZE = 256, ACROSS = SIZE / 64, TILES = SIZE / 32 * ACROSS };
_Static_assert(TILES % 4 == 0, "transpose_tuned takes four tiles at a time");

static uint8_t in[SIZE][SIZE], plain[SIZE][SIZE], engines[SIZE][SIZE], tuned[SIZE][SIZE];

/* A tile is 32 rows of 64 bytes, in the registers R and R + 1. */
#define FROM(tile)   (&in[(tile) / ACROSS * 32][(tile) % ACROSS * 64])
#define TO(to, tile) (&(to)[(tile) % ACROSS * 64][(tile) / ACROSS * 32])
#define GET(R, tile, engine)                                                                       \
    (tl_csrw_tshape(ZTL_SHAPE(16, 1, 1)), tl_load_e(R, FROM(tile), 0, engine),                     \
     tl_load_e(R + 1, FROM(tile) + 16 * SIZE, 0, engine))
#define TURN(R, engine) tl_xpose_01_e(R, R + 1, ZTL_DIMS(32, 64, 1, 1), engine)
#define PUT(R, to, tile, engine)                                                                   \
    (tl_csrw_tshape(ZTL_SHAPE(32, 1, 1)), tl_store_e(R, TO(to, tile), 0, engine),                  \
     tl_store_e(R + 1, TO(to, tile) + 32 * SIZE, 0, engine))

/* Everything on one engine, one thing after the other. */
static void transpose_plain(void)
{
    for (int tile = 0; tile < TILES; tile++) {
        GET(1, tile, ZTL_ENGINE_LOAD);
        TURN(1, ZTL_ENGINE_LOAD);
        PUT(1, plain, tile, ZTL_ENGINE_LOAD);
    }
}

/* Each instruction on the engine of its kind. */
static void transpose_engines(void)
{
    for (int tile = 0; tile < TILES; tile++) {
        GET(1, tile, ZTL_ENGINE_LOAD);
        TURN(1, ZTL_ENGINE_RESHAPE);
        PUT(1, engines, tile, ZTL_ENGINE_STORE);
    }
}

/* And the next tile into other registers, before this one is stored. */
static void transpose_tuned(void)
{
#define STEP(R, NEXT, tile)                                                                        \
    do {                                                                                           \
        if ((tile) + 1 < TILES)                                                                    \
            GET(NEXT, (tile) + 1, ZTL_ENGINE_LOAD);                                                \
        TURN(R, ZTL_ENGINE_RESHAPE);                                                               \
        PUT(R, tuned, tile, ZTL_ENGINE_STORE);                                                     \
    } while (0)
    GET(1, 0, ZTL_ENGINE_LOAD);
    for (int tile = 0; tile < TILES; tile += 4) {
        STEP(1, 3, tile);
        STEP(3, 5, tile + 1);
        STEP(5, 7, tile + 2);
        STEP(7, 1, tile + 3);
    }
}

#define MEASURE(name)                                                                              \
    do {                                                                                           \
        ztl_region_begin(#name);                                                                   \
        transpose_##name();                                                                        \
        atomic_thread_fence(memory_order_seq_cst); /* until all is stored */                       \
        ztl_region_end();                                                                          \
    } while (0)

int main(void)
{
    for (int i = 0; i < SIZE * SIZE; i++)
        in[i / SIZE][i % SIZE] = (uint8_t)(i * 167 >> 3);
    tl_csrw_load_width(64);
    tl_csrw_store_width(32);
    tl_set_load_strides_linear(0, SIZE / 64, 16);
    tl_set_store_strides_linear(0, SIZE / 32, 32);
    MEASURE(plain);
    MEASURE(engines);
    MEASURE(tuned);
    int same = !memcmp(plain, engines, sizeof plain) && !memcmp(plain, tuned, sizeof plain);
    puts(same ? "the same three times" : "DIFFERENT");
    return !same;
}
