/* SPDX-License-Identifier: Apache-2.0
 * Shuffles, for the includer's vectors: it defines `vector`, VECTOR, load, load_short (half a
 * vector), load_exact, store, store_exact, both, and what `picks` one window: prepared makes it,
 * picked uses it.
 */

/* What the rows of a shuffle share: copies, as a store could change what is behind a pointer.
 * `sources` is a constant wherever it is used, and so is `small`: no window has more than half a
 * vector. */
typedef struct shuffling {
    picks pick[NATIVE_SOURCES];
    vector fixed;
    int64_t step[NATIVE_SOURCES], length[NATIVE_SOURCES], turn[NATIVE_SOURCES];
    int64_t n, take, period, stored;
    const uint8_t *limit, *end[NATIVE_SOURCES], *at[NATIVE_SOURCES];
} shuffling;

INLINE vector load_window(bool small, const uint8_t *at)
{
    return small ? load_short(at) : load(at);
}

/* Only bytes that are there are read, and nothing is written behind the limit. */
INLINE void careful_step(const shuffling *c, unsigned sources, bool small, uint8_t *to,
                         int64_t period)
{
    vector v = c->fixed;
    for (unsigned i = 0; i < sources; i++) {
        const uint8_t *at = c->at[i] + period * c->step[i];
        v = both(v, picked(&c->pick[i], c->end[i] - at >= VECTOR ? load_window(small, at)
                                                                 : load_exact(at, c->length[i])));
    }
    to += period * c->period;
    if (c->limit - to >= VECTOR)
        store(to, v);
    else
        store_exact(to, v, c->stored);
}

INLINE void safe_row(const shuffling *c, unsigned sources, bool small, uint8_t *to, int64_t first,
                     int64_t last)
{
    const uint8_t *at[NATIVE_SOURCES];
    int64_t step[NATIVE_SOURCES];
    for (unsigned i = 0; i < sources; i++) {
        step[i] = c->step[i] * c->take;
        at[i] = c->at[i] + first * step[i];
    }
    to += first * c->stored;
    for (int64_t k = first; k < last; k++, to += c->stored) {
        vector v = c->fixed;
        for (unsigned i = 0; i < sources; i++) {
            v = both(v, picked(&c->pick[i], load_window(small, at[i])));
            at[i] += step[i];
        }
        store(to, v);
    }
}

/* The steps of a row that may load and store whole vectors: from *first up to the result. */
INLINE int64_t safe_steps(const shuffling *c, unsigned sources, const uint8_t *to, int64_t *first)
{
    const int64_t row = c->limit - to;
    int64_t last = row < VECTOR ? 0 : (row - VECTOR) / c->stored + 1;
    *first = 0;
    for (unsigned i = 0; i < sources; i++) {
        const int64_t step = c->step[i] * c->take, room = c->end[i] - c->at[i] - VECTOR;
        if (step > 0 || (step == 0 && room < 0)) {
            int64_t most = room < 0 ? 0 : step ? room / step + 1 : last;
            last = most < last ? most : last;
        } else if (room < 0) {
            int64_t least = (-room - step - 1) / -step;
            *first = least > *first ? least : *first;
        }
    }
    return last;
}

INLINE void long_row(const shuffling *c, unsigned sources, bool small, uint8_t *to, int64_t whole)
{
    int64_t first, last = safe_steps(c, sources, to, &first);
    first = first < whole ? first : whole;
    last = last < first ? first : last < whole ? last : whole;
    for (int64_t k = 0; k < first; k++)
        careful_step(c, sources, small, to, k * c->take);
    safe_row(c, sources, small, to, first, last);
    for (int64_t k = last; k < whole; k++)
        careful_step(c, sources, small, to, k * c->take);
}

INLINE void all_rows(shuffling *c, unsigned sources, bool small, int64_t rows, uint8_t *to,
                     int64_t out)
{
    enum { SHORT = 12 }; /* steps: counting those that are safe would take longer */
    const int64_t whole = c->n / c->take;
    const bool apart = !c->limit;
    for (int64_t row = 0; row < rows; row++, to += out) {
        c->limit = apart ? to + c->n * c->period : c->limit;
        if (whole > SHORT)
            long_row(c, sources, small, to, whole);
        else
            for (int64_t k = 0; k < whole; k++)
                careful_step(c, sources, small, to, k * c->take);
        if (whole * c->take < c->n)
            careful_step(c, sources, small, to, c->n - c->take);
        for (unsigned i = 0; i < sources; i++)
            c->at[i] += c->turn[i];
    }
}

static void shuffle(const native_shuffle *s, const native_loop *rows, uint8_t *to,
                    const uint8_t *limit, const uint8_t *const *from, const uint8_t *const *end)
{
    shuffling c = {.fixed = load(s->fixed),
                   .n = s->n,
                   .take = s->take,
                   .period = s->period,
                   .stored = s->take * s->period,
                   .limit = limit};
    bool small = true;
    for (unsigned i = 0; i < s->sources; i++) {
        c.pick[i] = prepared(s->source[i].pick);
        c.step[i] = s->source[i].step;
        c.length[i] = s->source[i].length;
        c.turn[i] = rows->in[i];
        c.end[i] = end[i];
        c.at[i] = from[i];
        small = small && s->source[i].length <= VECTOR / 2;
    }
#define ROWS(sources)                                                                              \
    case sources:                                                                                  \
        if (small)                                                                                 \
            all_rows(&c, sources, true, rows->n, to, rows->out);                                   \
        else                                                                                       \
            all_rows(&c, sources, false, rows->n, to, rows->out);                                  \
        break;
    switch (s->sources) {
        ROWS(0)
        ROWS(1)
        ROWS(2)
        ROWS(3)
        ROWS(4)
        ROWS(6)
        ROWS(8)
    default:
        all_rows(&c, s->sources, false, rows->n, to, rows->out);
    }
#undef ROWS
}
