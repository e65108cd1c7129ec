/* SPDX-License-Identifier: Apache-2.0
 * Building lines of text fast: each function writes at a pointer and returns the end.
 */
#ifndef ZTL_SIM_LINE_H
#define ZTL_SIM_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The eight hexadecimal digits of a word, the first in the low byte: nibbles are spread to bytes,
 * then 39 is added where a letter stands. */
static inline uint64_t ztl_hex_digits(uint32_t word)
{
    uint64_t x = word;
    x = (x & 0xffff) << 32 | x >> 16;
    x = (x & UINT64_C(0x000000ff000000ff)) << 16 | (x >> 8 & UINT64_C(0x000000ff000000ff));
    x = (x & UINT64_C(0x000f000f000f000f)) << 8 | (x >> 4 & UINT64_C(0x000f000f000f000f));
    uint64_t letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    return x + UINT64_C(0x3030303030303030) + letters * 39;
}

/* Writes 8 bytes, of which the first `count` count. */
static inline char *ztl_put_digits(char *at, uint64_t digits, unsigned count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    digits = __builtin_bswap64(digits);
#endif
    memcpy(at, &digits, 8);
    return at + count;
}

static inline char *ztl_put_digits8(char *at, uint32_t word)
{
    return ztl_put_digits(at, ztl_hex_digits(word), 8);
}

/* 0x and `count` digits: 2, 4, 8 or 16. May write up to 6 bytes past them. */
static inline char *ztl_put_hex(char *at, uint64_t value, unsigned count)
{
    at[0] = '0';
    at[1] = 'x';
    at += 2;
    if (count > 8) {
        at = ztl_put_digits8(at, (uint32_t)(value >> 32));
        count = 8;
    }
    return ztl_put_digits(at, ztl_hex_digits((uint32_t)value) >> (64 - 8 * count), count);
}

/* Bytes in the order of memory. */
static inline char *ztl_put_bytes(char *at, const uint8_t *bytes, size_t size)
{
    static const char digit[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        *at++ = digit[bytes[i] >> 4];
        *at++ = digit[bytes[i] & 15];
    }
    return at;
}

/* A text known at compile time. */
#define ztl_put_literal(at, text) (memcpy((at), (text), sizeof(text) - 1), (at) + sizeof(text) - 1)

static inline char *ztl_put_text(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length); /* NOLINT(bugprone-not-null-terminated-result): a piece of a line */
    return at + length;
}

static inline char *ztl_put_decimal(char *at, uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count)
        *at++ = digits[--count];
    return at;
}

#endif
