/* SPDX-License-Identifier: Apache-2.0
 * Single half-bytes of a buffer: the even ones are the low halves of their bytes.
 */
#ifndef ZTL_OPS_HALF_H
#define ZTL_OPS_HALF_H

#include <stdint.h>

static inline unsigned ops_half(const uint8_t *bytes, int64_t at)
{
    return bytes[at >> 1] >> (at & 1 ? 4 : 0) & 15;
}

static inline void ops_set_half(uint8_t *bytes, int64_t at, unsigned value)
{
    uint8_t *byte = &bytes[at >> 1];
    *byte = (uint8_t)(at & 1 ? (*byte & 0x0f) | value << 4 : (*byte & 0xf0) | value);
}

#endif
