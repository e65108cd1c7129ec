/* SPDX-License-Identifier: Apache-2.0
 * Types by XLEN, for the files that are compiled once for each.
 */
#ifndef XLEN
#error "XLEN must be 32 or 64"
#endif

#include <stdint.h>

#if XLEN == 32
typedef uint32_t ux;
typedef int32_t sx;
typedef uint64_t ux2;
typedef int64_t sx2;
#else
typedef uint64_t ux;
typedef int64_t sx;
typedef unsigned __int128 ux2;
typedef __int128 sx2;
#endif

/* orc.b: each byte becomes 0xff unless it is 0. */
static inline ux orc_b(ux value)
{
    const ux low7 = (ux)0x7f7f7f7f7f7f7f7f;
    ux high = (((value & low7) + low7) | value) & ~low7;
    return (high >> 7) * 0xff;
}
#define ORC(value) orc_b(value)
