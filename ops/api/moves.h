/* SPDX-License-Identifier: Apache-2.0
 * What an operator moves, before it is planned: an index map, or loops over elements that a
 * condition or indices choose when it runs. libztlmovers is built on this; no header for programs
 * has it.
 */
#ifndef ZTL_OPS_MOVES_H
#define ZTL_OPS_MOVES_H

#include "ops/api/buffers.h"
#include "ops/map/broadcast.h"
#include "ops/map/lookup.h"

enum ops_moves_form {
    OPS_MOVES_MAP,     /* `map`, with the constant `value` */
    OPS_MOVES_SELECTS, /* `loops` over condition, x, y and output */
    OPS_MOVES_LOOK_UP, /* `look_up` */
    OPS_MOVES_OTHER    /* a sum, nibbles that are no whole bytes: only a plan does it */
};

typedef struct ops_moves {
    enum ops_moves_form form;
    unsigned element;  /* bytes; 0 for 4 bits */
    uint64_t bytes;    /* of the outputs */
    uint8_t value[32]; /* the bytes of the constant */
    uint32_t inputs, outputs;
    ops_span spans[2 * ZTL_OPS_BUFFERS];
    ops_map map;
    ops_loops loops;
    ops_lookup look_up;
    void *memory; /* of the map's pieces */
} ops_moves;

/* False with an error for a call that a plan would refuse too; else the caller frees *moves. */
ZTL_API bool ztl_ops_moves_of(const ztl_ops_op *op, const ztl_ops_tensor *in, size_t inputs,
                              const ztl_ops_tensor *out, size_t outputs, ops_moves *moves,
                              ztl_error *error);
ZTL_API void ztl_ops_moves_free(ops_moves *moves);

#endif
