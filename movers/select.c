/* SPDX-License-Identifier: Apache-2.0
 * Selecting by a condition: both elements are read and one is taken, so that compilers make vectors
 * of loops whose steps they know.
 */
#include "movers/select.h"

enum { CONDITION, THEN, ELSE, TARGET };

/* Where a line of the innermost loop is. */
typedef struct line {
    const uint8_t *condition, *then, *other;
    uint8_t *to;
} line;

#define SELECT(T)                                                                                  \
    static inline __attribute__((always_inline)) void select_##T(                                  \
        line l, int64_t n, int64_t condition, int64_t then, int64_t other, int64_t target)         \
    {                                                                                              \
        const uint8_t *restrict c = l.condition, *restrict x = l.then, *restrict y = l.other;      \
        uint8_t *restrict to = l.to;                                                               \
        for (int64_t k = 0; k < n; k++) {                                                          \
            T a, b;                                                                                \
            memcpy(&a, x + k * then, sizeof a);                                                    \
            memcpy(&b, y + k * other, sizeof b);                                                   \
            a = c[k * condition] ? a : b;                                                          \
            memcpy(to + k * target, &a, sizeof a);                                                 \
        }                                                                                          \
    }                                                                                              \
    static void line_##T(line l, int64_t n, const int64_t *step)                                   \
    {                                                                                              \
        const int64_t e = sizeof(T);                                                               \
        if (step[CONDITION] != 1 || step[TARGET] != e)                                             \
            select_##T(l, n, step[CONDITION], step[THEN], step[ELSE], step[TARGET]);               \
        else if (step[THEN] == e && step[ELSE] == e)                                               \
            select_##T(l, n, 1, e, e, e);                                                          \
        else if (step[THEN] == 0 && step[ELSE] == e)                                               \
            select_##T(l, n, 1, 0, e, e);                                                          \
        else if (step[THEN] == e && step[ELSE] == 0)                                               \
            select_##T(l, n, 1, e, 0, e);                                                          \
        else                                                                                       \
            select_##T(l, n, 1, step[THEN], step[ELSE], e);                                        \
    }
SELECT(uint8_t)
SELECT(uint16_t)
SELECT(uint32_t)
SELECT(uint64_t)

static void line_wide(line l, int64_t n, const int64_t *step, size_t element)
{
    for (int64_t k = 0; k < n; k++)
        memcpy(l.to + k * step[TARGET],
               l.condition[k * step[CONDITION]] ? l.then + k * step[THEN]
                                                : l.other + k * step[ELSE],
               element);
}

static void select_line(line l, int64_t n, const int64_t *step, int64_t element)
{
    const int64_t from = l.condition[0] ? step[THEN] : step[ELSE];
    if (step[CONDITION] == 0 && from == element && step[TARGET] == element)
        memcpy(l.to, l.condition[0] ? l.then : l.other, (size_t)(n * element));
    else if (element == 1)
        line_uint8_t(l, n, step);
    else if (element == 2)
        line_uint16_t(l, n, step);
    else if (element == 4)
        line_uint32_t(l, n, step);
    else if (element == 8)
        line_uint64_t(l, n, step);
    else
        line_wide(l, n, step, (size_t)element);
}

void ztl_native_select(const ops_loops *loops, int64_t element, const native_buffers *buffers)
{
    const unsigned last = (unsigned)loops->rank - 1;
    int64_t k[ZTL_OPS_RANK] = {0};
    line l = {buffers->in[0] + loops->at[CONDITION], buffers->in[1] + loops->at[THEN],
              buffers->in[2] + loops->at[ELSE], buffers->out[0] + loops->at[TARGET]};
    unsigned d;
    do {
        select_line(l, loops->n[last], loops->step[last], element);
        for (d = last; d-- > 0;) {
            int64_t turns = ++k[d] < loops->n[d] ? 1 : 1 - loops->n[d];
            l.condition += turns * loops->step[d][CONDITION];
            l.then += turns * loops->step[d][THEN];
            l.other += turns * loops->step[d][ELSE];
            l.to += turns * loops->step[d][TARGET];
            if (turns == 1)
                break;
            k[d] = 0;
        }
    } while (d < last);
}
