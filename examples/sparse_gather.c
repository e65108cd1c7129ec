/* SPDX-License-Identifier: Apache-2.0
 * Rows of a table by index, as an embedding layer reads them: 32 rows in one masked load. Index -1
 * means no row; the mask leaves it out, its place becomes zero, and no memory is touched for it.
 */
#include <stdio.h>
#include <string.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { ROWS = 500, WIDTH = 32, PICKED = 32 };

static uint8_t table[ROWS][WIDTH], picked[PICKED][WIDTH];

/* Slice i comes from row index[i]. */
static void gather(const int32_t index[PICKED])
{
    unsigned long mask = 0;
    for (int i = 0; i < PICKED; i++)
        mask |= (unsigned long)(index[i] >= 0) << i;
    tl_set_load_strides(index, PICKED);
    tl_csrw_tshape(ZTL_SHAPE(PICKED, WIDTH, 1));
    tl_csrw_load_mask(mask);
    tl_mload(1, table, 0);
    tl_store(1, picked, 0);
}

int main(void)
{
    static const uint8_t zero[WIDTH];
    int32_t index[PICKED];
    int wrong = 0, kept = 0;
    for (int i = 0; i < ROWS * WIDTH; i++)
        table[i / WIDTH][i % WIDTH] = (uint8_t)(i / WIDTH * 3 + i % WIDTH);
    for (int i = 0; i < PICKED; i++)
        index[i] = i % 5 == 2 ? -1 : i * 337 % ROWS;
    gather(index);
    for (int i = 0; i < PICKED; i++) {
        kept += index[i] >= 0;
        wrong += memcmp(picked[i], index[i] < 0 ? zero : table[index[i]], WIDTH) != 0;
    }
    printf("%d of %d rows gathered by one tl.mload, %d wrong\n", kept, PICKED, wrong);
    for (int i = 0; i < 4; i++)
        printf("row %4d: %3d %3d %3d ...\n", (int)index[i], picked[i][0], picked[i][1],
               picked[i][2]);
    return wrong != 0;
}
