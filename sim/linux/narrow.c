/* SPDX-License-Identifier: Apache-2.0
 * System calls of RV32, where they are not those of RV64: times are of 64 bits and have calls of
 * their own, and a number of 64 bits takes two registers.
 */
#include "sim/linux/process.h"

/* The same call by another number. */
static const struct {
    uint16_t narrow, wide;
} times[] = {
    {403, 113}, /* clock_gettime64 */
    {406, 114}, /* clock_getres_time64 */
    {407, 115}, /* clock_nanosleep_time64 */
    {412, 88},  /* utimensat_time64 */
    {413, 72},  /* pselect6_time64 */
    {414, 73},  /* ppoll_time64 */
    {422, 98},  /* futex_time64 */
};

/* Calls that RV32 does not have, or has in a form that is not served. */
static bool is_wide_only(uint64_t number)
{
    static const uint16_t numbers[] = {43,  44,  72,  73,  79,  80,  88, 98,
                                       101, 113, 114, 115, 163, 169, 179};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

static uint64_t pair(const uint64_t *a, unsigned low)
{
    return a[low] | a[low + 1] << 32;
}

uint64_t ztl_linux_widen(uint64_t number, uint64_t *a)
{
    enum { TRUNCATE = 45, FTRUNCATE, FALLOCATE, PREAD = 67, PWRITE, MMAP2 = 222 };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (times[i].narrow == number)
            return times[i].wide;
    switch (number) {
    case TRUNCATE:
    case FTRUNCATE:
        a[1] = pair(a, 1);
        break;
    case FALLOCATE:
        a[2] = pair(a, 2);
        a[3] = pair(a, 4);
        break;
    case PREAD:
    case PWRITE:
        a[3] = pair(a, 3);
        break;
    case MMAP2: /* of pages */
        a[5] *= PAGE;
        break;
    default:
        break;
    }
    return is_wide_only(number) ? UINT64_MAX : number;
}
