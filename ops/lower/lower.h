/* SPDX-License-Identifier: Apache-2.0
 * From an operator's index map to passes.
 */
#ifndef ZTL_OPS_LOWER_H
#define ZTL_OPS_LOWER_H

#include "ops/operators/call.h"
#include "ops/search/planner.h"

/* Writes all passes of a map. */
void ztl_ops_lower(ops_planner *planner, const ops_call *call, ops_map *map);

/* The pass that reads indices at run time, where an operator has these; else false. */
bool ztl_ops_lower_indexed(ops_planner *planner, const ops_call *call);

/* One of the operator's constants, and how many bytes of it repeat. Nibbles make bytes of two. */
void ztl_ops_set_fill(ops_planner *planner, const ztl_ops_op *op, unsigned src, unsigned bits);

/* The moves of a map, and constants around them. */
void ztl_ops_lower_pieces(ops_planner *planner, const ops_call *call, const ops_map *map,
                          const ops_piece *fill, size_t fills);

/* Nibbles from source to target without scratch memory: see nibbles.c. */
enum ops_nibble_part {
    OPS_NIBBLES_BYTES,      /* whole bytes; in bytes */
    OPS_NIBBLES_SHIFTED,    /* runs from the high nibble of a byte to a low one; in bytes */
    OPS_NIBBLES_TRANSPOSED, /* runs along dimension 0 in the source, 1 in the target; the extents
                               of these are in nibbles, all else is in bytes */
    OPS_NIBBLES_SINGLE,     /* anything else; in nibbles */
    OPS_NIBBLE_PARTS
};

typedef struct ops_nibbles {
    ops_map part[OPS_NIBBLE_PARTS];
    enum ops_nibble_part wanted; /* while the map is being cut */
    int64_t singles;             /* nibbles that are single */
} ops_nibbles;

/* False, with nothing done, where there is no memory for so many parts. */
bool ztl_ops_nibbles_cut(ops_planner *planner, const ops_map *map, ops_nibbles *nibbles);

/* Whether no more nibbles are single than this, and squares are not small: no way through
 * scratch memory would take less then. */
bool ztl_ops_nibbles_suit(const ops_planner *planner, const ops_nibbles *nibbles, int64_t singles);

/* Writes what is shifted and transposed. */
void ztl_ops_nibbles_write(ops_planner *planner, const ops_nibbles *nibbles);

/* Nibbles through scratch memory, one to a byte, where all ways are open to them: see
 * nibbles_unpacked.c. For each buffer, the nibbles that the map uses and where they are then. */
typedef struct ops_unpacked_buffer {
    int64_t low, high; /* nibbles, in whole bytes */
    int64_t base;      /* of nibble `low` */
} ops_unpacked_buffer;

typedef struct ops_unpacked {
    ops_unpacked_buffer buffer[OPS_OUT + ZTL_OPS_BUFFERS];
} ops_unpacked;

/* Unpacks the inputs and makes the map one of bytes in scratch memory; false, with nothing done,
 * where that is not possible or not worth while. */
bool ztl_ops_unpack_nibbles(ops_planner *planner, const ops_call *call, ops_map *map,
                            ops_unpacked *unpacked);

/* How many nibbles at the ends of rows are moved one by one then. */
int64_t ztl_ops_unpacked_singles(const ops_call *call);

/* Where a nibble of a buffer is then. */
int64_t ztl_ops_unpacked_at(const ops_unpacked *unpacked, unsigned buffer, int64_t nibble);

/* Packs the outputs. */
void ztl_ops_repack(ops_planner *planner, const ops_call *call, const ops_unpacked *unpacked);

/* Where, after its third input is everywhere: the second over it, masked by the condition.
 * `unpacked`: the tensors are unpacked there; NULL where they are not. */
void ztl_ops_lower_where(ops_planner *planner, const ops_call *call, const ops_unpacked *unpacked);

#endif
