/* SPDX-License-Identifier: Apache-2.0
 * Where a guest program starts that a C library starts; it ends as start.c lets it end.
 */
#include "guest.h"

int main(void)
{
    uint64_t sum = work();
    sum ^= sum >> 32;
    sum ^= sum >> 16;
    return (int)(sum & 127);
}
