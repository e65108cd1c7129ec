/* SPDX-License-Identifier: Apache-2.0
 * Selecting by a condition in scalar C.
 */
#include "ops/guest/halves.h"
#include "ops/guest/scalar.h"

typedef struct tensors {
    const uint8_t *condition, *then, *other;
    uint8_t *target;
} tensors;

#define ROW(T)                                                                                     \
    static void row_##T(tensors t, int64_t n, const int64_t *step)                                 \
    {                                                                                              \
        int64_t condition = step[GUEST_CONDITION], then = step[GUEST_THEN],                        \
                other = step[GUEST_ELSE], target = step[GUEST_TARGET];                             \
        for (int64_t k = 0; k < n; k++) {                                                          \
            *(T *)t.target = *(const T *)(*t.condition ? t.then : t.other);                        \
            t.condition += condition;                                                              \
            t.then += then;                                                                        \
            t.other += other;                                                                      \
            t.target += target;                                                                    \
        }                                                                                          \
    }
GUEST_ELEMENTS(ROW)

GUEST_INLINE unsigned next_half(guest_source *s)
{
    unsigned value = s->from[GUEST_CONDITION][s->at[GUEST_CONDITION]]
                         ? ops_half(s->from[GUEST_THEN], s->at[GUEST_THEN])
                         : ops_half(s->from[GUEST_ELSE], s->at[GUEST_ELSE]);
    for (unsigned i = 0; i < GUEST_TARGET; i++)
        s->at[i] += s->step[i];
    return value;
}

/* Positions of half-bytes are not those of bytes. */
static void row_halves(tensors t, const int64_t *at, int64_t n, const int64_t *step)
{
    guest_source source = {
        .from = {t.condition, t.then, t.other},
        .at = {at[GUEST_CONDITION], at[GUEST_THEN], at[GUEST_ELSE]},
        .step = {step[GUEST_CONDITION], step[GUEST_THEN], step[GUEST_ELSE]},
    };
    guest_write_halves(t.target, at[GUEST_TARGET], step[GUEST_TARGET], n, source, next_half);
}

static void row_of(tensors t, const int64_t *at, int64_t n, const int64_t *step, unsigned element)
{
    if (!element) {
        row_halves(t, at, n, step);
        return;
    }
    tensors here = {t.condition + at[GUEST_CONDITION], t.then + at[GUEST_THEN],
                    t.other + at[GUEST_ELSE], t.target + at[GUEST_TARGET]};
    if (element == 1)
        row_uint8_t(here, n, step);
    else if (element == 2)
        row_uint16_t(here, n, step);
    else if (element == 4)
        row_uint32_t(here, n, step);
    else if (element == 8)
        row_uint64_t(here, n, step);
    else if (element == 16)
        row_guest_words2(here, n, step);
    else
        row_guest_words4(here, n, step);
}

/* The loops from d on. */
static void walk(const ops_loops *loops, unsigned d, tensors t, const int64_t *from,
                 unsigned element)
{
    const int64_t *step = loops->step[d];
    int64_t at[GUEST_TENSORS] = {from[0], from[1], from[2], from[3]};
    if (d + 1 == loops->rank) {
        row_of(t, at, loops->n[d], step, element);
        return;
    }
    for (int64_t k = 0; k < loops->n[d]; k++) {
        walk(loops, d + 1, t, at, element);
        for (unsigned i = 0; i < GUEST_TENSORS; i++)
            at[i] += step[i];
    }
}

void guest_where(const ops_loops *loops, const uint8_t *const *in, uint8_t *const *out,
                 unsigned element)
{
    tensors t = {in[0], in[1], in[2], out[0]};
    walk(loops, 0, t, loops->at, element);
}
