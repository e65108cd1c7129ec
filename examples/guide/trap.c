/* SPDX-License-Identifier: Apache-2.0 */
#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

static uint8_t tile[32][64];

static void turn(void)
{
    tl_xpose_01(1, 2, ZTL_DIMS(32, 32, 1, 1)); /* a tile has 64 columns, not 32 */
}

int main(void)
{
    tl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    tl_load(1, tile, 0);
    tl_load(2, tile, 32);
    turn();
    return 0;
}
