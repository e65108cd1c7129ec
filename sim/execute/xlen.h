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

/* clmul: a product whose partial products are combined by exclusive or, in full. */
static inline ux2 carryless(ux a, ux b)
{
    ux2 product = 0;
    for (unsigned k = 0; k < XLEN; k++)
        product ^= b >> k & 1 ? (ux2)a << k : 0;
    return product;
}
#define CARRYLESS(a, b) carryless(a, b)

/* Each byte with its bits in reverse order. */
static inline ux reversed_bits(ux value)
{
    value = (value & (ux)0x5555555555555555) << 1 | (value >> 1 & (ux)0x5555555555555555);
    value = (value & (ux)0x3333333333333333) << 2 | (value >> 2 & (ux)0x3333333333333333);
    return (value & (ux)0x0f0f0f0f0f0f0f0f) << 4 | (value >> 4 & (ux)0x0f0f0f0f0f0f0f0f);
}
#define REVERSED_BITS(value) reversed_bits(value)

/* Elements of so many bits, each chosen by one of the indices; one out of range gives 0. */
static inline ux permuted(ux elements, ux indices, unsigned width)
{
    const ux low = ((ux)1 << width) - 1;
    ux result = 0;
    for (unsigned k = 0; k < XLEN; k += width) {
        ux index = indices >> k & low;
        if (index < XLEN / width)
            result |= (elements >> (index * width) & low) << k;
    }
    return result;
}
#define PERMUTED(elements, indices, width) permuted(elements, indices, width)

#if XLEN == 32
/* The bits of the low half at even places, those of the high half at odd ones; and back. */
static inline ux zipped(ux value)
{
    ux result = 0;
    for (unsigned k = 0; k < XLEN / 2; k++)
        result |= (value >> k & 1) << (2 * k) | (value >> (k + XLEN / 2) & 1) << (2 * k + 1);
    return result;
}
#define ZIPPED(value) zipped(value)

static inline ux unzipped(ux value)
{
    ux result = 0;
    for (unsigned k = 0; k < XLEN / 2; k++)
        result |= (value >> (2 * k) & 1) << k | (value >> (2 * k + 1) & 1) << (k + XLEN / 2);
    return result;
}
#define UNZIPPED(value) unzipped(value)
#endif
