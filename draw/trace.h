/* SPDX-License-Identifier: Apache-2.0
 * Where everything came from: an instruction executed on places that carry their own names.
 *
 * A name has 20 bits, a half byte holds 4 of them: the instruction runs five times, each time with
 * other bits of the names, and what it moved is read from the results.
 */
#ifndef ZTL_DRAW_TRACE_H
#define ZTL_DRAW_TRACE_H

#include "draw/draw.h"

enum {
    ZTL_TRACE_NIBBLES = 2 * ZTL_REG_BYTES,
    ZTL_TRACE_ZERO = 0,                                       /* came from nowhere: 0 */
    ZTL_TRACE_FIRST = 1,                                      /* then the registers, */
    ZTL_TRACE_MEMORY = 1 + ZTL_REGISTERS * ZTL_TRACE_NIBBLES, /* then memory */
};

/* One call of memory. */
typedef struct ztl_trace_access {
    uint64_t address;
    size_t size;
} ztl_trace_access;

typedef struct ztl_trace {
    uint32_t tl[ZTL_REGISTERS][ZTL_TRACE_NIBBLES]; /* names after the instruction */
    uint32_t memory[ZTL_TRACE_NIBBLES];            /* of the bytes accessed, in order of access */
    uint64_t address[ZTL_REG_BYTES];               /* of these bytes */
    size_t bytes;
    ztl_trace_access access[2 * ZTL_MAX_SLICES]; /* in the order that they were made */
    size_t accesses;
} ztl_trace;

/* The name of half a byte of a register. */
static inline uint32_t ztl_trace_name(unsigned tl, unsigned nibble)
{
    return ZTL_TRACE_FIRST + tl * ZTL_TRACE_NIBBLES + nibble;
}

/* NULL and a message on a trap, or without memory; free() it. */
ztl_trace *ztl_trace_run(const ztl_scene *scene, ztl_error *error);

#endif
