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

/* By the log2 of the element. */
#define ROW_OF(T) row_##T,
static scalar_row *const rows[] = {SCALAR_ELEMENTS(ROW_OF)};

void ztl_ops_scalar_move(const ops_piece *piece, size_t count, const uint8_t *const *in,
                         uint8_t *const *out, unsigned element, const uint64_t *fill)
{
    scalar_row *row = rows[ops_log2(element)];
    for (size_t i = 0; i < count; i++) {
        bool fills = ops_is_constant(piece[i].src);
        const uint8_t *from =
            fills ? (const uint8_t *)(fill + 4 * (piece[i].src - OPS_FILL)) : in[piece[i].src];
        uint8_t *to = out[piece[i].dst - OPS_OUT];
        if (element)
            scalar_walk(&piece[i], from, to, row, NULL);
        else
            ztl_ops_scalar_move_nibbles(&piece[i], from, to, NULL);
    }
}
