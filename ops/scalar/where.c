/* SPDX-License-Identifier: Apache-2.0
 * Selecting by a condition in scalar C.
 */
#include "ops/scalar/scalar.h"

typedef struct tensors {
    const uint8_t *condition, *then, *other;
    uint8_t *target;
} tensors;

#define ROW(T)                                                                                     \
    static void row_##T(tensors t, int64_t n, const int64_t *step)                                 \
    {                                                                                              \
        int64_t condition = step[SCALAR_CONDITION], then = step[SCALAR_THEN],                      \
                other = step[SCALAR_ELSE], target = step[SCALAR_TARGET];                           \
        for (int64_t k = 0; k < n; k++) {                                                          \
            *(T *)t.target = *(const T *)(*t.condition ? t.then : t.other);                        \
            t.condition += condition;                                                              \
            t.then += then;                                                                        \
            t.other += other;                                                                      \
            t.target += target;                                                                    \
        }                                                                                          \
    }
SCALAR_ELEMENTS(ROW)

SCALAR_INLINE unsigned next_nibble(scalar_source *s)
{
    unsigned value = s->from[SCALAR_CONDITION][s->at[SCALAR_CONDITION]]
                         ? ops_nibble(s->from[SCALAR_THEN], s->at[SCALAR_THEN])
                         : ops_nibble(s->from[SCALAR_ELSE], s->at[SCALAR_ELSE]);
    for (unsigned i = 0; i < SCALAR_TARGET; i++)
        s->at[i] += s->step[i];
    return value;
}

/* Positions of nibbles are not those of bytes. */
static void row_nibbles(tensors t, const int64_t *at, int64_t n, const int64_t *step)
{
    scalar_source source = {
        .from = {t.condition, t.then, t.other},
        .at = {at[SCALAR_CONDITION], at[SCALAR_THEN], at[SCALAR_ELSE]},
        .step = {step[SCALAR_CONDITION], step[SCALAR_THEN], step[SCALAR_ELSE]},
    };
    scalar_write_nibbles(t.target, at[SCALAR_TARGET], step[SCALAR_TARGET], n, source, next_nibble);
}

static void row_of(tensors t, const int64_t *at, int64_t n, const int64_t *step, unsigned element)
{
    if (!element) {
        row_nibbles(t, at, n, step);
        return;
    }
    tensors here = {t.condition + at[SCALAR_CONDITION], t.then + at[SCALAR_THEN],
                    t.other + at[SCALAR_ELSE], t.target + at[SCALAR_TARGET]};
    if (element == 1)
        row_uint8_t(here, n, step);
    else if (element == 2)
        row_uint16_t(here, n, step);
    else if (element == 4)
        row_uint32_t(here, n, step);
    else if (element == 8)
        row_uint64_t(here, n, step);
    else if (element == 16)
        row_scalar_words2(here, n, step);
    else
        row_scalar_words4(here, n, step);
}

/* The loops from d on. */
static void walk(const ops_loops *loops, unsigned d, tensors t, const int64_t *from,
                 unsigned element)
{
    const int64_t *step = loops->step[d];
    int64_t at[SCALAR_TENSORS] = {from[0], from[1], from[2], from[3]};
    if (d + 1 == loops->rank) {
        row_of(t, at, loops->n[d], step, element);
        return;
    }
    for (int64_t k = 0; k < loops->n[d]; k++) {
        walk(loops, d + 1, t, at, element);
        for (unsigned i = 0; i < SCALAR_TENSORS; i++)
            at[i] += step[i];
    }
}

void ztl_ops_scalar_where(const ops_loops *loops, const uint8_t *const *in, uint8_t *const *out,
                          unsigned element)
{
    tensors t = {in[0], in[1], in[2], out[0]};
    walk(loops, 0, t, loops->at, element);
}
