/* SPDX-License-Identifier: Apache-2.0
 * Shuffles, for the includer's vectors: it defines `vector`, VECTOR, load, load_exact, store,
 * store_exact, both, and what `picks` one window: prepared makes it, picked uses it.
 */

/* What the rows of a shuffle share. `sources` is a constant wherever this is inlined. */
typedef struct shuffling {
    const native_shuffle *s;
    picks pick[NATIVE_SOURCES];
    vector fixed;
    const uint8_t *limit, *const *end;
} shuffling;

/* Only bytes that are there are read, and nothing is written behind the limit. */
INLINE void careful_step(const shuffling *c, unsigned sources, uint8_t *to,
                         const uint8_t *const *from, int64_t period)
{
    const native_shuffle *s = c->s;
    vector v = c->fixed;
    for (unsigned i = 0; i < sources; i++) {
        const uint8_t *at = from[i] + period * s->source[i].step;
        v = both(v,
                 picked(&c->pick[i],
                        c->end[i] - at >= VECTOR ? load(at) : load_exact(at, s->source[i].length)));
    }
    to += period * s->period;
    if (c->limit - to >= VECTOR)
        store(to, v);
    else
        store_exact(to, v, s->take * s->period);
}

INLINE void safe_row(const shuffling *c, unsigned sources, uint8_t *to, const uint8_t *const *from,
                     int64_t first, int64_t last)
{
    const native_shuffle *s = c->s;
    const uint8_t *at[NATIVE_SOURCES];
    int64_t step[NATIVE_SOURCES];
    const int64_t stored = s->take * s->period;
    for (unsigned i = 0; i < sources; i++) {
        step[i] = s->source[i].step * s->take;
        at[i] = from[i] + first * step[i];
    }
    to += first * stored;
    for (int64_t k = first; k < last; k++, to += stored) {
        vector v = c->fixed;
        for (unsigned i = 0; i < sources; i++) {
            v = both(v, picked(&c->pick[i], load(at[i])));
            at[i] += step[i];
        }
        store(to, v);
    }
}

INLINE void long_row(const shuffling *c, unsigned sources, uint8_t *to, const uint8_t *const *from,
                     int64_t whole)
{
    int64_t first, last = safe_steps(c->s, sources, c->limit - to, from, c->end, VECTOR, &first);
    first = first < whole ? first : whole;
    last = last < first ? first : last;
    for (int64_t k = 0; k < first; k++)
        careful_step(c, sources, to, from, k * c->s->take);
    safe_row(c, sources, to, from, first, last);
    for (int64_t k = last; k < whole; k++)
        careful_step(c, sources, to, from, k * c->s->take);
}

INLINE void all_rows(shuffling *c, unsigned sources, const native_loop *rows, uint8_t *to,
                     const uint8_t *const *from)
{
    enum { SHORT = 12 }; /* steps: counting those that are safe would take longer */
    const native_shuffle *s = c->s;
    const int64_t whole = s->n / s->take;
    const uint8_t *at[NATIVE_SOURCES];
    for (unsigned i = 0; i < sources; i++)
        at[i] = from[i];
    const bool apart = !c->limit;
    for (int64_t row = 0; row < rows->n; row++, to += rows->out) {
        c->limit = apart ? to + s->n * s->period : c->limit;
        if (whole > SHORT)
            long_row(c, sources, to, at, whole);
        else
            for (int64_t k = 0; k < whole; k++)
                careful_step(c, sources, to, at, k * s->take);
        if (whole * s->take < s->n)
            careful_step(c, sources, to, at, s->n - s->take);
        for (unsigned i = 0; i < sources; i++)
            at[i] += rows->in[i];
    }
}

static void shuffle(const native_shuffle *s, const native_loop *rows, uint8_t *to,
                    const uint8_t *limit, const uint8_t *const *from, const uint8_t *const *end)
{
    shuffling c = {.s = s, .fixed = load(s->fixed), .limit = limit, .end = end};
    for (unsigned i = 0; i < s->sources; i++)
        c.pick[i] = prepared(s->source[i].pick);
    switch (s->sources) {
    case 0:
        all_rows(&c, 0, rows, to, from);
        break;
    case 1:
        all_rows(&c, 1, rows, to, from);
        break;
    case 2:
        all_rows(&c, 2, rows, to, from);
        break;
    case 3:
        all_rows(&c, 3, rows, to, from);
        break;
    case 4:
        all_rows(&c, 4, rows, to, from);
        break;
    default:
        all_rows(&c, s->sources, rows, to, from);
    }
}
