/* SPDX-License-Identifier: Apache-2.0
 * Transposes a picture of 32 rows and 64 columns with one instruction, and shows it before and
 * after.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ztl/ztl.h>

enum { ROWS = 32, COLUMNS = 64 };

/* The letters TL, thick, in the upper left of the picture, on a slope of grey. */
static uint8_t pixel(int row, int column)
{
    int t = (row >= 3 && row < 8 && column >= 4 && column < 30) ||
            (row >= 3 && row < 29 && column >= 14 && column < 20);
    int l = (row >= 3 && row < 29 && column >= 36 && column < 42) ||
            (row >= 24 && row < 29 && column >= 36 && column < 58);
    return (uint8_t)(t || l ? 255 : column * 2);
}

static void show(const char *title, const uint8_t *picture, int rows, int columns)
{
    static const char shades[] = " .:-=+*#%@";
    printf("%s, %d x %d\n", title, rows, columns);
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            char shade = shades[picture[row * columns + column] * 9 / 255];
            putchar(shade);
            putchar(shade); /* a character is about half as wide as it is high */
        }
        putchar('\n');
    }
}

static void fail(const char *what)
{
    fprintf(stderr, "demo: %s\n", what);
    exit(EXIT_FAILURE);
}

int main(void)
{
    static ztl_state hart;
    uint8_t picture[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        picture[i] = pixel(i / COLUMNS, i % COLUMNS);
    show("before", picture, ROWS, COLUMNS);

    const char *text = "tl.xpose.01 tl1, tl2, a0";
    uint32_t word;
    char message[128];
    if (!ztl_assemble(2, text, &word, message, sizeof message))
        fail(message);
    uint64_t x[32] = {[10] = 0x01014020}; /* D0=32 D1=64 D2=1 D3=1 */
    ztl_init(&hart, NULL);
    ztl_set_register(&hart, 1, picture);
    ztl_set_register(&hart, 2, picture + ZTL_REG_BYTES);
    ztl_result result = ztl_execute(&hart, word, x, NULL);
    if (result.status != ZTL_OK) {
        ztl_explain(&result, message, sizeof message);
        fail(message);
    }
    memcpy(picture, ztl_get_register(&hart, 1), ZTL_REG_BYTES);
    memcpy(picture + ZTL_REG_BYTES, ztl_get_register(&hart, 2), ZTL_REG_BYTES);
    printf("\n%s   (0x%08x)\n\n", text, (unsigned)word);
    show("after", picture, COLUMNS, ROWS);
    return EXIT_SUCCESS;
}
