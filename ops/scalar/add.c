/* SPDX-License-Identifier: Apache-2.0
 * Adding an immediate in scalar C. Integers saturate by comparison and binary32 is C's own float:
 * no sum with so small an addend overflows it. What has 16 bits is computed in integers; what has
 * fewer is looked up, in a table of all values that is made first.
 */
#include <ztl/ztl.h>

#include "ops/operators/call.h"
#include "ops/scalar/scalar.h"

typedef struct addition {
    const ztl_type_row *type;
    int64_t addend, low, high;
    uint8_t table[256]; /* what each value becomes */
} addition;

#define ROW(name, T, SUM)                                                                          \
    static void row_##name(const uint8_t *from, uint8_t *to, const ops_dim *dim, const void *how)  \
    {                                                                                              \
        const addition *a = how;                                                                   \
        int64_t n = dim->n, in = dim->in, out = dim->out;                                          \
        for (int64_t k = 0; k < n; k++, from += in, to += out) {                                   \
            T value = *(const T *)from;                                                            \
            *(T *)to = (T)(SUM);                                                                   \
        }                                                                                          \
    }
#define SATURATED                                                                                  \
    (value + a->addend < a->low    ? a->low                                                        \
     : value + a->addend > a->high ? a->high                                                       \
                                   : value + a->addend)
ROW(byte, uint8_t, SATURATED)
ROW(int8, int8_t, SATURATED)
ROW(int16, int16_t, SATURATED)
ROW(int32, int32_t, SATURATED)
ROW(fp32, float, value + (float)a->addend)
ROW(fp16, uint16_t, ztl_float_add(a->type, value, (int)a->addend))
ROW(fp8, uint8_t, ztl_float_add(a->type, value, (int)a->addend))
ROW(looked_up, uint8_t, a->table[value])
ROW(pair, uint8_t, a->table[value & 15] | a->table[value >> 4] << 4)

static bool is_worth_table(const ops_piece *piece, size_t count, unsigned values)
{
    int64_t elements = 0;
    for (size_t i = 0; i < count && elements < values; i++) {
        int64_t n = 1;
        for (unsigned d = 0; d < piece[i].rank; d++)
            n *= piece[i].dim[d].n;
        elements += n;
    }
    return elements >= values;
}

static void make_table(addition *a)
{
    for (unsigned value = 0; value < 1u << a->type->bits; value++)
        a->table[value] =
            (uint8_t)(ztl_ops_add_value(a->type, value, a->addend) & ((1u << a->type->bits) - 1));
}

static scalar_row *row_of(const addition *a, bool by_table)
{
    bool is_float = a->type->kind == ZTL_NUMBER_FLOAT;
    switch (a->type->bits) {
    case 4:
        return row_pair;
    case 16:
        return is_float ? row_fp16 : row_int16;
    case 32:
        return is_float ? row_fp32 : row_int32;
    default:
        return by_table ? row_looked_up : is_float ? row_fp8 : a->low ? row_int8 : row_byte;
    }
}

void ztl_ops_scalar_add(const ops_piece *piece, size_t count, const uint8_t *const *in,
                        uint8_t *const *out, unsigned element, enum ztl_type type, int64_t addend)
{
    addition a = {.type = ztl_isa_type(type), .addend = addend};
    a.low = ztl_ops_lowest(a.type);
    a.high = ztl_ops_highest(a.type);
    bool by_table = a.type->bits == 4 || (a.type->bits == 8 && a.type->kind == ZTL_NUMBER_FLOAT &&
                                          is_worth_table(piece, count, sizeof a.table));
    if (by_table)
        make_table(&a);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *from = in[piece[i].src];
        uint8_t *to = out[piece[i].dst - OPS_OUT];
        if (element)
            scalar_walk(&piece[i], from, to, row_of(&a, by_table), &a);
        else
            ztl_ops_scalar_move_nibbles(&piece[i], from, to, a.table);
    }
}
