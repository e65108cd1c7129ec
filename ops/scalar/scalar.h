/* SPDX-License-Identifier: Apache-2.0
 * The scalar version of operators, to compare with: plain loops over the elements.
 */
#ifndef ZTL_OPS_SCALAR_SCALAR_H
#define ZTL_OPS_SCALAR_SCALAR_H

#include "ops/map/broadcast.h"

/* Elements of more than 8 bytes. */
typedef struct scalar_words2 {
    uint64_t word[2];
} scalar_words2;

typedef struct scalar_words4 {
    uint64_t word[4];
} scalar_words4;

/* The types that elements of whole bytes are moved as. */
#define SCALAR_ELEMENTS(X)                                                                         \
    X(uint8_t) X(uint16_t) X(uint32_t) X(uint64_t) X(scalar_words2) X(scalar_words4)

/* `element` is in bytes throughout, 0 for 4 bits. */

/* Carries out the pieces of an index map. `fill`: the element of constant pieces; of a nibble, a
 * byte with two. */
void ztl_ops_scalar_move(const ops_piece *piece, size_t count, const uint8_t *const *in,
                         uint8_t *const *out, unsigned element, const uint64_t *fill);

/* The same with an addend for every element. Pieces of a 4-bit type may be in bytes. */
void ztl_ops_scalar_add(const ops_piece *piece, size_t count, const uint8_t *const *in,
                        uint8_t *const *out, unsigned element, enum ztl_type type, int64_t addend);

/* The tensors of where: the condition, what it selects, what is there otherwise, the output. */
enum { SCALAR_CONDITION, SCALAR_THEN, SCALAR_ELSE, SCALAR_TARGET, SCALAR_TENSORS };

void ztl_ops_scalar_where(const ops_loops *loops, const uint8_t *const *in, uint8_t *const *out,
                          unsigned element);

#endif
