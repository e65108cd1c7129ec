/* SPDX-License-Identifier: Apache-2.0
 * Single nibbles of a buffer: the even ones are the low four bits of their bytes.
 */
#ifndef ZTL_OPS_NIBBLE_H
#define ZTL_OPS_NIBBLE_H

#include <stdint.h>

static inline unsigned ops_nibble(const uint8_t *bytes, int64_t at)
{
    return bytes[at >> 1] >> (at & 1 ? 4 : 0) & 15;
}

static inline void ops_set_nibble(uint8_t *bytes, int64_t at, unsigned value)
{
    uint8_t *byte = &bytes[at >> 1];
    *byte = (uint8_t)(at & 1 ? (*byte & 0x0f) | value << 4 : (*byte & 0xf0) | value);
}

#endif
