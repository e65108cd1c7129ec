/* SPDX-License-Identifier: Apache-2.0
 * Transposes a picture of 32 rows and 64 columns with one instruction, and shows it before and
 * after, within 80 columns.
 */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ztl/ztl.h>

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

static int use_colour(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !getenv("NO_COLOR") && terminal && strcmp(terminal, "dumb");
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

static void show(const uint8_t *picture, int rows, int columns)
{
    int colour = use_colour();
    for (int row = 0; row < rows; row += 2) {
        fputs("    ", stdout);
        for (int column = 0; column < columns; column++)
            show_two(picture[row * columns + column], picture[(row + 1) * columns + column],
                     colour);
        puts(colour ? "\033[0m" : "");
    }
}

static void fail(const char *what)
{
    fprintf(stderr, "demo: %s\n", what);
    exit(EXIT_FAILURE);
}

/* Executes the instruction on the picture: its first half is in tl1, its second in tl2. */
static uint32_t transpose(const char *text, uint64_t shape, uint8_t *picture)
{
    static ztl_state hart;
    uint64_t x[32] = {[10] = shape}; /* a0 */
    uint32_t word;
    char message[128];
    if (!ztl_assemble(2, text, &word, message, sizeof message))
        fail(message);
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
    return word;
}

int main(void)
{
    const char *text = "tl.xpose.01 tl1, tl2, a0";
    uint8_t picture[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        picture[i] = pixel(i / COLUMNS, i % COLUMNS);

    printf("A picture of %d rows and %d columns, 2048 bytes, in the registers tl1 and tl2:\n\n",
           ROWS, COLUMNS);
    show(picture, ROWS, COLUMNS);
    uint32_t word = transpose(text, ROWS | COLUMNS << 8 | 1 << 16 | 1 << 24, picture);
    printf("\nOne instruction, %s (0x%08x), swaps rows and columns:\n\n", text, (unsigned)word);
    show(picture, COLUMNS, ROWS);
    puts("\n'ztl isa tl.xpose.01' explains the instruction, README.md what to read next.");
    return EXIT_SUCCESS;
}
