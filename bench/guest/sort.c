/* SPDX-License-Identifier: Apache-2.0
 * Quicksort of random numbers.
 */
#include "guest.h"

enum { COUNT = 20000 };

static int32_t numbers[COUNT];

static void sort(int32_t *first, int32_t *last)
{
    while (first < last) {
        int32_t pivot = first[(last - first) / 2];
        int32_t *low = first, *high = last;
        while (low <= high) {
            while (*low < pivot)
                low++;
            while (*high > pivot)
                high--;
            if (low > high)
                break;
            int32_t kept = *low;
            *low++ = *high;
            *high-- = kept;
        }
        sort(first, high);
        first = low;
    }
}

uint64_t work(void)
{
    uint64_t sum = 0;
    uint32_t seed = 2463534242u;
    for (int round = 0; round < ROUNDS * 5; round++) {
        for (int i = 0; i < COUNT; i++)
            numbers[i] = (int32_t)next_random(&seed);
        sort(numbers, numbers + COUNT - 1);
        for (int i = 0; i < COUNT; i++)
            sum += (uint64_t)numbers[i] * (unsigned)i;
    }
    return sum;
}
