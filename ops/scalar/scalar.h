/* SPDX-License-Identifier: Apache-2.0
 * The scalar version of operators, to compare with: plain loops over the elements.
 */
#ifndef ZTL_OPS_SCALAR_SCALAR_H
#define ZTL_OPS_SCALAR_SCALAR_H

#include "ops/map/broadcast.h"
#include "ops/map/lookup.h"

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

/* Carries out the pieces of an index map. `fill`: the elements of constant pieces, 4 words
 * each; of a nibble, a byte with two. */
void ztl_ops_scalar_move(const ops_piece *piece, size_t count, const uint8_t *const *in,
                         uint8_t *const *out, unsigned element, const uint64_t *fill);

/* The same with an addend for every element. Pieces of a 4-bit type may be in bytes. */
void ztl_ops_scalar_add(const ops_piece *piece, size_t count, const uint8_t *const *in,
                        uint8_t *const *out, unsigned element, enum ztl_type type, int64_t addend);

/* The tensors of where: the condition, what it selects, what is there otherwise, the output. */
enum { SCALAR_CONDITION, SCALAR_THEN, SCALAR_ELSE, SCALAR_TARGET, SCALAR_TENSORS };

void ztl_ops_scalar_where(const ops_loops *loops, const uint8_t *const *in, uint8_t *const *out,
                          unsigned element);

/* Indices at run time; they are in range. */
void ztl_ops_scalar_look_up(const ops_lookup *x, const uint8_t *const *in, uint8_t *const *out,
                            unsigned element);

/* Inlined, so that each use has loops of its own. */
#define SCALAR_INLINE static inline __attribute__((always_inline))

/* One row of a piece; `how`: what its elements need. */
typedef void scalar_row(const uint8_t *from, uint8_t *to, const ops_dim *dim, const void *how);

/* Walks through a piece: the outer dimensions one by one, then a row. */
SCALAR_INLINE void scalar_walk(const ops_piece *piece, const uint8_t *from, uint8_t *to,
                               scalar_row *row, const void *how)
{
    static const ops_dim one = {1, 0, 0};
    unsigned outer = piece->rank ? piece->rank - 1 : 0, d;
    const ops_dim *last = piece->rank ? &piece->dim[outer] : &one;
    int64_t at[OPS_DIMS] = {0};
    from += piece->in;
    to += piece->out;
    do {
        row(from, to, last, how);
        for (d = outer; d-- > 0;) {
            from += piece->dim[d].in;
            to += piece->dim[d].out;
            if (++at[d] < piece->dim[d].n)
                break;
            from -= piece->dim[d].in * piece->dim[d].n;
            to -= piece->dim[d].out * piece->dim[d].n;
            at[d] = 0;
        }
    } while (d < outer);
}

/* Where nibbles come from. */
typedef struct scalar_source {
    const uint8_t *from[3];
    int64_t at[3], step[3];
    const uint8_t *table; /* what each of the 16 becomes */
} scalar_source;

/* Gives the next one and steps on. */
typedef unsigned scalar_next(scalar_source *source);

/* A byte at a time where they are neighbours in the target. */
SCALAR_INLINE void scalar_write_nibbles(uint8_t *to, int64_t at, int64_t step, int64_t n,
                                        scalar_source source, scalar_next *next)
{
    if (step == 1) {
        for (; n > 0 && at % 2; n--, at++)
            ops_set_nibble(to, at, next(&source));
        for (; n > 1; n -= 2, at += 2) {
            unsigned low = next(&source);
            to[at / 2] = (uint8_t)(low | next(&source) << 4);
        }
    }
    for (; n > 0; n--, at += step)
        ops_set_nibble(to, at, next(&source));
}

/* A piece in nibbles; without a table they stay as they are. */
void ztl_ops_scalar_move_nibbles(const ops_piece *piece, const uint8_t *from, uint8_t *to,
                                 const uint8_t *table);

#endif
