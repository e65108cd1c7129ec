/* SPDX-License-Identifier: Apache-2.0
 * Moving elements in scalar C.
 */
#include "ops/scalar/scalar.h"

#define ROW(T)                                                                                     \
    static void row_##T(const uint8_t *from, uint8_t *to, const ops_dim *dim, const void *how)     \
    {                                                                                              \
        int64_t n = dim->n, in = dim->in, out = dim->out;                                          \
        (void)how;                                                                                 \
        for (int64_t k = 0; k < n; k++, from += in, to += out)                                     \
            *(T *)to = *(const T *)from;                                                           \
    }
SCALAR_ELEMENTS(ROW)

static scalar_row *row_of(unsigned element)
{
    switch (element) {
    case 1:
        return row_uint8_t;
    case 2:
        return row_uint16_t;
    case 4:
        return row_uint32_t;
    case 8:
        return row_uint64_t;
    case 16:
        return row_scalar_words2;
    default:
        return row_scalar_words4;
    }
}

void ztl_ops_scalar_move(const ops_piece *piece, size_t count, const uint8_t *const *in,
                         uint8_t *const *out, unsigned element, const uint64_t *fill)
{
    scalar_row *row = row_of(element);
    for (size_t i = 0; i < count; i++) {
        bool fills = piece[i].src == OPS_FILL;
        const uint8_t *from = fills ? (const uint8_t *)fill : in[piece[i].src];
        uint8_t *to = out[piece[i].dst - OPS_OUT];
        if (element)
            scalar_walk(&piece[i], from, to, row, NULL);
        else
            ztl_ops_scalar_move_nibbles(&piece[i], from, to, NULL);
    }
}
