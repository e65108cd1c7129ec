/* SPDX-License-Identifier: Apache-2.0
 * Makes a picture (PGM, 8 bits) brighter or darker; white stays white and black stays black.
 *
 *     brightness INPUT.pgm OUTPUT.pgm AMOUNT
 */
#include <stdio.h>
#include <stdlib.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { BLOCK = 1024, LARGEST = 255 };

static int fail(const char *what, const char *file)
{
    fprintf(stderr, "brightness: %s: %s\n", file, what);
    return EXIT_FAILURE;
}

/* The immediate is part of the instruction, so an amount is put together from powers of two. Parts
 * of one sign saturate as their sum does. */
#define PART(n)                                                                                    \
    if (amount >= (n) || -amount >= (n)) {                                                         \
        if (amount > 0)                                                                            \
            tl_addi(1, 1, n);                                                                      \
        else                                                                                       \
            tl_addi(1, 1, -(n));                                                                   \
        amount -= amount > 0 ? (n) : -(n);                                                         \
    }

static void brighten(uint8_t *pixels, size_t blocks, int by)
{
    tl_csrw_tshape(ZTL_SHAPE(32, 32, 1));
    for (size_t i = 0; i < blocks; i++) {
        int amount = by;
        tl_load(1, pixels + i * BLOCK, 0);
        PART(127)
        PART(64)
        PART(64)
        PART(32) PART(16) PART(8) PART(4) PART(2) PART(1) tl_store(1, pixels + i * BLOCK, 0);
    }
}

/* The pixels, in whole blocks; NULL when the file is no PGM of 8 bits. */
static uint8_t *read_pgm(FILE *in, unsigned *width, unsigned *height, size_t *blocks)
{
    unsigned largest;
    if (fscanf(in, "P5 %u %u %u", width, height, &largest) != 3 || largest != LARGEST ||
        fgetc(in) == EOF || *width == 0 || *height == 0 || *width > 65535 || *height > 65535)
        return NULL;
    size_t size = (size_t)*width * *height;
    *blocks = (size + BLOCK - 1) / BLOCK;
    uint8_t *pixels = calloc(*blocks, BLOCK);
    if (pixels && fread(pixels, 1, size, in) == size)
        return pixels;
    free(pixels);
    return NULL;
}

int main(int argc, char **argv)
{
    unsigned width, height;
    size_t blocks;
    if (argc != 4) {
        fprintf(stderr, "usage: brightness INPUT.pgm OUTPUT.pgm AMOUNT (-255 to 255)\n");
        return 2;
    }
    int amount = atoi(argv[3]);
    if (amount < -LARGEST || amount > LARGEST)
        return fail("amount must be -255 to 255", argv[3]);
    FILE *in = fopen(argv[1], "rb");
    if (!in)
        return fail("cannot be read", argv[1]);
    uint8_t *pixels = read_pgm(in, &width, &height, &blocks);
    fclose(in);
    if (!pixels)
        return fail("is no binary PGM of 8 bits", argv[1]);
    brighten(pixels, blocks, amount);
    FILE *out = fopen(argv[2], "wb");
    size_t size = (size_t)width * height;
    int good = out && fprintf(out, "P5\n%u %u\n%d\n", width, height, LARGEST) > 0 &&
               fwrite(pixels, 1, size, out) == size;
    if ((out && fclose(out) != 0) || !good)
        return fail("cannot be written", argv[2]);
    free(pixels);
    printf("%s: %u x %u pixels, %+d, %zu blocks\n", argv[2], width, height, amount, blocks);
    return EXIT_SUCCESS;
}
