/* SPDX-License-Identifier: Apache-2.0
 * A RISC-V program for the simulator, `ztl run examples/demo.c`: transposes a picture of 32 rows
 * and 64 columns with one instruction, and shows it before and after, within 80 columns. With the
 * argument "colour" it shows greys, else letters.
 */
#include <stdio.h>
#include <string.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { ROWS = 32, COLUMNS = 64 };

/* The letters TL, thick, on a slope of grey that grows from left to right. */
static uint8_t pixel(int row, int column)
{
    int t = (row >= 4 && row < 10 && column >= 4 && column < 30) ||
            (row >= 4 && row < 28 && column >= 14 && column < 20);
    int l = (row >= 4 && row < 28 && column >= 36 && column < 42) ||
            (row >= 22 && row < 28 && column >= 36 && column < 58);
    return (uint8_t)(t || l ? 255 : column * 2);
}

/* A character is about twice as high as it is wide, so it stands for two pixels, one above the
 * other: a grey background where there is colour, else a letter of that brightness. */
static void show_two(uint8_t upper, uint8_t lower, int colour)
{
    static const char shades[] = " .:-=+*#%@";
    int sum = upper + lower;
    if (colour)
        printf("\033[48;5;%dm ", 232 + sum * 23 / 510);
    else
        putchar(shades[sum * 9 / 510]);
}

static void show(const uint8_t *picture, int rows, int columns, int colour)
{
    for (int row = 0; row < rows; row += 2) {
        fputs("    ", stdout);
        for (int column = 0; column < columns; column++)
            show_two(picture[row * columns + column], picture[(row + 1) * columns + column],
                     colour);
        puts(colour ? "\033[0m" : "");
    }
}

/* The first half of the picture goes through tl1, the second through tl2, 32 bytes a slice. */
static void transpose(uint8_t *picture)
{
    tl_csrw_tshape(ZTL_SHAPE(32, 1, 32));
    tl_load(1, picture, 0);
    tl_load(2, picture, 32);
    tl_xpose_01(1, 2, ZTL_DIMS(ROWS, COLUMNS, 1, 1));
    tl_store(1, picture, 0);
    tl_store(2, picture, 32);
}

int main(int argc, char **argv)
{
    static uint8_t picture[ROWS * COLUMNS];
    int colour = argc > 1 && !strcmp(argv[argc - 1], "colour");
    for (int i = 0; i < ROWS * COLUMNS; i++)
        picture[i] = pixel(i / COLUMNS, i % COLUMNS);

    printf("A picture of %d rows and %d columns, 2048 bytes, loaded into tl1 and tl2:\n\n", ROWS,
           COLUMNS);
    show(picture, ROWS, COLUMNS, colour);
    transpose(picture);
    printf("\nOne instruction, tl.xpose.01 tl1, tl2, a0, swaps rows and columns:\n\n");
    show(picture, COLUMNS, ROWS, colour);
    return 0;
}
