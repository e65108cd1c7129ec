/* SPDX-License-Identifier: Apache-2.0
 * ShuffleNet's channel shuffle: 32 channels in 4 groups of 8 become 8 groups of 4, so that the next
 * grouped convolution sees all of them. [4,8,64] to [8,4,64] is one transpose.
 */
#include <stdio.h>

#define ZTL_INTRIN_SHORT_NAMES
#include <ztl/intrin.h>

enum { GROUPS = 4, CHANNELS = 8, PIXELS = 64 };

static uint8_t channel[GROUPS * CHANNELS][PIXELS], shuffled[CHANNELS * GROUPS][PIXELS];

int main(void)
{
    for (int c = 0; c < GROUPS * CHANNELS; c++)
        for (int p = 0; p < PIXELS; p++)
            channel[c][p] = (uint8_t)(c << 3 | (p & 7));
    tl_csrw_tshape(ZTL_SHAPE(16, PIXELS, 1));
    tl_load(1, channel, 0);
    tl_load(2, channel, 16);
    tl_xpose_01(1, 2, ZTL_DIMS(GROUPS, CHANNELS, PIXELS, 1));
    tl_store(1, shuffled, 0);
    tl_store(2, shuffled, 16);

    printf("channels:");
    for (int c = 0; c < GROUPS * CHANNELS; c++)
        printf(" %d", shuffled[c][0] >> 3);
    int wrong = 0;
    for (int c = 0; c < GROUPS * CHANNELS; c++)
        for (int p = 0; p < PIXELS; p++)
            wrong += shuffled[c][p] != channel[c % GROUPS * CHANNELS + c / GROUPS][p];
    printf("\n%d elements wrong\n", wrong);
    return wrong != 0;
}
