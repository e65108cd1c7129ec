/* SPDX-License-Identifier: Apache-2.0
 * im2col of a 3 x 3 convolution: the picture, once for each place of the kernel, shifted. Each copy
 * is one gathering load and one store; no address is computed pixel by pixel.
 */
#include <stdio.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

/* A picture of 34 x 34 in rows of 64 bytes, so that 32 pixels of a row are half a row apart from
 * the next. */
enum { PITCH = 64, OUT = 32, KERNEL = 3 };

static uint8_t picture[OUT + KERNEL - 1][PITCH], columns[KERNEL * KERNEL][OUT * OUT];

static void im2col(void)
{
    /* Strides count slices of OUT bytes: a row is PITCH / OUT of them. */
    tl_set_load_strides_linear(0, PITCH / OUT, OUT);
    tl_csrw_tshape(ZTL_SHAPE(OUT, OUT, 1));
    for (int y = 0; y < KERNEL; y++)
        for (int x = 0; x < KERNEL; x++) {
            tl_load(1, &picture[y][x], 0);
            tl_store(1, columns[y * KERNEL + x], 0);
        }
}

int main(void)
{
    for (int y = 0; y < OUT + KERNEL - 1; y++)
        for (int x = 0; x < OUT + KERNEL - 1; x++)
            picture[y][x] = (uint8_t)(y * 7 + x * 13);
    im2col();
    int wrong = 0;
    for (int k = 0; k < KERNEL * KERNEL; k++)
        for (int i = 0; i < OUT * OUT; i++)
            wrong += columns[k][i] != picture[i / OUT + k / KERNEL][i % OUT + k % KERNEL];
    printf("im2col 34 x 34, kernel 3 x 3: [%d,%d], %d elements wrong, 18 Ztl loads and stores\n",
           KERNEL * KERNEL, OUT * OUT, wrong);
    printf("patch at (5,6):");
    for (int k = 0; k < KERNEL * KERNEL; k++)
        printf(" %d", columns[k][5 * OUT + 6]);
    printf("\n");
    return wrong != 0;
}
