/* SPDX-License-Identifier: Apache-2.0
 * The same operators in scalar C: plain loops over the elements.
 */
#include "ops/guest/scalar.h"

#define ROW(T)                                                                                     \
    static void row_##T(const uint8_t *from, uint8_t *to, int64_t n, int64_t in, int64_t out)      \
    {                                                                                              \
        for (int64_t k = 0; k < n; k++, from += in, to += out)                                     \
            *(T *)to = *(const T *)from;                                                           \
    }
ROW(uint8_t)
ROW(uint16_t)
ROW(uint32_t)
ROW(uint64_t)

typedef struct words2 {
    uint64_t word[2];
} words2;
typedef struct words4 {
    uint64_t word[4];
} words4;
ROW(words2)
ROW(words4)

static void move_row(const uint8_t *from, uint8_t *to, const ops_dim *dim, unsigned element)
{
    if (element == 1)
        row_uint8_t(from, to, dim->n, dim->in, dim->out);
    else if (element == 2)
        row_uint16_t(from, to, dim->n, dim->in, dim->out);
    else if (element == 4)
        row_uint32_t(from, to, dim->n, dim->in, dim->out);
    else if (element == 8)
        row_uint64_t(from, to, dim->n, dim->in, dim->out);
    else if (element == 16)
        row_words2(from, to, dim->n, dim->in, dim->out);
    else
        row_words4(from, to, dim->n, dim->in, dim->out);
}

static void move_piece(const ops_piece *piece, const uint8_t *from, uint8_t *to, unsigned element)
{
    static const ops_dim one = {1, 0, 0};
    unsigned outer = piece->rank ? piece->rank - 1 : 0, d;
    const ops_dim *last = piece->rank ? &piece->dim[outer] : &one;
    int64_t at[OPS_DIMS] = {0};
    do {
        move_row(from, to, last, element);
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

void guest_scalar(const ops_piece *piece, size_t count, const uint8_t *const *in,
                  uint8_t *const *out, unsigned element, const uint64_t *fill)
{
    for (size_t i = 0; i < count; i++) {
        bool fills = piece[i].src == OPS_FILL;
        const uint8_t *from = fills ? (const uint8_t *)fill : in[piece[i].src];
        move_piece(&piece[i], from + piece[i].in, out[piece[i].dst - OPS_OUT] + piece[i].out,
                   element);
    }
}
