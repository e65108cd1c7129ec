/* SPDX-License-Identifier: Apache-2.0
 * Shuffles, for the includer's vectors: it defines `vector`, VECTOR, load, load_exact, store,
 * store_exact, picked, both and prepared, and what `picks` one window needs.
 */
/* Only the bytes that are needed, and that are meant. */
INLINE void exact_step(const native_shuffle *s, const picks *pick, vector fixed, uint8_t *to,
                       const uint8_t *const *from, int64_t period)
{
    vector v = fixed;
    for (unsigned i = 0; i < s->sources; i++)
        v = both(v, picked(&pick[i], load_exact(from[i] + period * s->source[i].step,
                                                s->source[i].length)));
    store_exact(to + period * s->period, v, s->take * s->period);
}

INLINE void safe_row(const native_shuffle *s, const picks *pick, vector fixed, unsigned sources,
                     uint8_t *to, const uint8_t *const *from, int64_t first, int64_t last)
{
    const uint8_t *at[NATIVE_SOURCES];
    int64_t step[NATIVE_SOURCES];
    const int64_t stored = s->take * s->period;
    for (unsigned i = 0; i < sources; i++) {
        step[i] = s->source[i].step * s->take;
        at[i] = from[i] + first * step[i];
    }
    to += first * stored;
    for (int64_t k = first; k < last; k++, to += stored) {
        vector v = fixed;
        for (unsigned i = 0; i < sources; i++) {
            v = both(v, picked(&pick[i], load(at[i])));
            at[i] += step[i];
        }
        store(to, v);
    }
}

static void shuffle(const native_shuffle *s, uint8_t *to, const uint8_t *const *from,
                    const uint8_t *const *end)
{
    int64_t first, last = safe_steps(s, from, end, VECTOR, &first), whole = s->n / s->take;
    const vector fixed = load(s->fixed);
    picks pick[NATIVE_SOURCES];
    for (unsigned i = 0; i < s->sources; i++)
        pick[i] = prepared(s->source[i].pick);
    first = first < whole ? first : whole;
    last = last < first ? first : last;
    for (int64_t k = 0; k < first; k++)
        exact_step(s, pick, fixed, to, from, k * s->take);
    switch (s->sources) {
    case 0:
        safe_row(s, pick, fixed, 0, to, from, first, last);
        break;
    case 1:
        safe_row(s, pick, fixed, 1, to, from, first, last);
        break;
    case 2:
        safe_row(s, pick, fixed, 2, to, from, first, last);
        break;
    case 3:
        safe_row(s, pick, fixed, 3, to, from, first, last);
        break;
    case 4:
        safe_row(s, pick, fixed, 4, to, from, first, last);
        break;
    default:
        safe_row(s, pick, fixed, s->sources, to, from, first, last);
    }
    for (int64_t k = last; k < whole; k++)
        exact_step(s, pick, fixed, to, from, k * s->take);
    if (whole * s->take < s->n)
        exact_step(s, pick, fixed, to, from, s->n - s->take);
}
